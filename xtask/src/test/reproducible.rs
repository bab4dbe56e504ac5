//! Whether a firmware comes out the same, byte for byte, when it is built in another folder.

use std::path::Path;

use anyhow::ensure;

use crate::build::build;
use crate::metadata::{Build, Study, Variant};
use crate::toolchain::Toolchain;
use crate::{files, output};

use super::elsewhere::Elsewhere;

/// Variants with few dependencies: cheap enough to be compiled from nothing in every test run.
pub const CHEAP_VARIANTS: [&str; 2] = ["c-lwip-rmii", "w5500-offload"];

/// Builds one image here and elsewhere.
///
/// # Errors
/// Two images that are not the same, or none.
pub fn check(
    elsewhere: &Elsewhere,
    study: &Study,
    toolchain: &Toolchain,
    variant: &Variant,
    of: &Build,
) -> anyhow::Result<()> {
    let firmware = build(study, toolchain, variant, of)?;
    let again = elsewhere.compile(study, toolchain, variant, of)?;
    ensure_same(&firmware.elf, &again.executable)?;
    let sha256 = &firmware.elf_sha256;
    output::note(&format!("{} {}: {sha256} twice", variant.id, of.name));
    Ok(())
}

fn ensure_same(first: &Path, second: &Path) -> anyhow::Result<()> {
    let [one, other] = [files::read(first)?, files::read(second)?];
    let differs = one.iter().zip(&other).position(|(one, other)| one != other);
    ensure!(
        one == other,
        "{} ({} bytes) and {} ({} bytes) differ from byte {} on",
        first.display(),
        one.len(),
        second.display(),
        other.len(),
        differs.unwrap_or(one.len().min(other.len()))
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn images_that_differ_are_told_apart_and_where() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let first = file("first", b"image");
        assert!(ensure_same(&first, &file("same", b"image")).is_ok());
        for (other, place) in [(&b"imago"[..], 4), (b"imag", 4), (b"images", 5)] {
            let error = ensure_same(&first, &file("other", other)).unwrap_err();
            let ends = format!("differ from byte {place} on");
            assert!(error.to_string().ends_with(&ends), "{error}");
        }
    }
}
