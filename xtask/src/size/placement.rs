//! Checks that an image fits the memory of its part.

use anyhow::{Context, bail, ensure};

use crate::metadata::{Region, RegionKind};

use super::elf::Section;

/// Refuses sections outside the part's memory and content that is loaded elsewhere than into flash.
///
/// Linkers accept both without a word when a script places sections by expressions.
pub fn check(sections: &[Section], regions: &[Region]) -> anyhow::Result<()> {
    for section in sections {
        let Section { name, size, .. } = section;
        let region = containing(section.address, *size, regions)
            .with_context(|| format!("section {name} does not fit the part's memory"))?;
        let Some(load_address) = section.load_address else {
            if region.kind == RegionKind::Flash {
                bail!("section {name} has no content but lies in {}", region.name);
            }
            continue;
        };
        let loaded_into = containing(load_address, *size, regions)
            .with_context(|| format!("the content of section {name} does not fit flash"))?;
        ensure!(
            loaded_into.kind == RegionKind::Flash,
            "section {name} is loaded into {} at {load_address:#010x}, which loses it with the power",
            loaded_into.name
        );
    }
    Ok(())
}

/// The region that holds the whole range, or holds its beginning while neighbours of the same kind
/// hold the rest without a gap.
fn containing(address: u64, size: u64, regions: &[Region]) -> anyhow::Result<&Region> {
    let end = address + size;
    let region_at = |address: u64| {
        let mut regions = regions.iter();
        regions.find(|region| (u64::from(region.origin)..end_of(region)).contains(&address))
    };
    let first = region_at(address);
    let mut last = first;
    while let Some(region) = last.filter(|region| end_of(region) < end) {
        last = region_at(end_of(region)).filter(|next| next.kind == region.kind);
    }
    let found = first.filter(|_| last.is_some());
    found.with_context(|| format!("no region holds {address:#010x} to {end:#010x}"))
}

fn end_of(region: &Region) -> u64 {
    u64::from(region.origin) + u64::from(region.length)
}
