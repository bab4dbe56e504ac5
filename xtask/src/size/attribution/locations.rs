//! The places that Rust's panics name, which no symbol stands for: `core::panic::Location` in constants,
//! and the file names that they point to. They are found by their form.

use super::extents::Claim;
use super::origin::Origin;
use super::packages::Packages;
use crate::size::class::Class;
use crate::size::elf::{Elf, Section};

/// A location: the address and length of the file's name, the line and the column.
const LOCATION_BYTES: usize = 16;

/// The longest file name, and the highest line and column, that are taken for such.
const LONGEST_NAME: u32 = 1024;
const HIGHEST_LINE: u32 = 1_000_000;
const HIGHEST_COLUMN: u32 = 10_000;

/// The locations among an image's constants and the names they point to, by package. Names that are not
/// absolute are seen from the firmware workspace, where the compiler ran.
pub fn find(elf: &Elf, packages: &Packages) -> Vec<Claim<Origin>> {
    let is_constant = |section: &&Section| Class::of(section) == Class::Constants;
    let mut claims = Vec::new();
    for section in elf.sections.iter().filter(is_constant) {
        for offset in (0..section.content.len()).step_by(4) {
            if let Some((name, origin)) = location(section, offset, packages) {
                let start = section.address + offset as u64;
                let end = start + LOCATION_BYTES as u64;
                claims.push(Claim {
                    start,
                    end,
                    what: origin.clone(),
                });
                claims.push(Claim {
                    start: name.0,
                    end: name.1,
                    what: origin,
                });
            }
        }
    }
    claims
}

/// The range of a location's file name and the package of that file.
fn location(section: &Section, offset: usize, packages: &Packages) -> Option<((u64, u64), Origin)> {
    let bytes = section.content.get(offset..offset + LOCATION_BYTES)?;
    let word = |index: usize| {
        let bytes = bytes[4 * index..][..4].try_into();
        u32::from_le_bytes(bytes.expect("four bytes"))
    };
    let [address, length, line, column] = [0, 1, 2, 3].map(word);
    let is_plausible = (1..=LONGEST_NAME).contains(&length)
        && (1..=HIGHEST_LINE).contains(&line)
        && (1..=HIGHEST_COLUMN).contains(&column);
    if !is_plausible {
        return None;
    }
    let start = u64::from(address).checked_sub(section.address)?;
    let from = usize::try_from(start).ok()?;
    let name = section.content.get(from..from + length as usize)?;
    let name = std::str::from_utf8(name).ok()?;
    if !name.ends_with(".rs") {
        return None;
    }
    let origin = packages.of_source(name)?;
    Some((
        (address.into(), u64::from(address) + u64::from(length)),
        origin,
    ))
}
