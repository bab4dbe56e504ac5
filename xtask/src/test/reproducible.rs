//! Whether a firmware comes out the same, byte for byte, when it is built in another folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::build::{build, compile};
use crate::metadata::{Build, Study, Variant};
use crate::toolchain::Toolchain;
use crate::{files, output, paths};

/// Variants with few dependencies: cheap enough to be compiled from nothing in every test run.
pub const CHEAP_VARIANTS: [&str; 2] = ["c-lwip-rmii", "w5500-offload"];

/// A checkout with nothing but the firmware. Its target folder is kept, so that a second test run
/// compiles only what has changed.
pub struct Elsewhere(PathBuf);

impl Elsewhere {
    /// Copies the firmware's sources as they are now.
    pub fn new() -> anyhow::Result<Self> {
        let checkout = paths::root().join("target/elsewhere/another checkout");
        let firmware = checkout.join("firmware");
        if firmware.exists() {
            fs::remove_dir_all(&firmware)
                .with_context(|| format!("cannot remove {}", firmware.display()))?;
        }
        copy_tree(&paths::root().join("firmware"), &firmware)?;
        Ok(Self(checkout))
    }

    /// Builds one image here and elsewhere.
    ///
    /// # Errors
    /// Two images that are not the same, or none.
    pub fn check(
        &self,
        study: &Study,
        toolchain: &Toolchain,
        variant: &Variant,
        of: &Build,
    ) -> anyhow::Result<()> {
        let firmware = build(study, toolchain, variant, of)?;
        let again = compile(&self.0, study, toolchain, variant, of)?;
        ensure_same(&firmware.elf, &again.executable)?;
        let sha256 = &firmware.elf_sha256;
        output::note(&format!("{} {}: {sha256} twice", variant.id, of.name));
        Ok(())
    }
}

/// Copies a folder without the target folders in it.
fn copy_tree(from: &Path, to: &Path) -> anyhow::Result<()> {
    let cannot_copy = || format!("cannot copy {}", from.display());
    fs::create_dir_all(to).with_context(cannot_copy)?;
    for entry in fs::read_dir(from).with_context(cannot_copy)? {
        let entry = entry.with_context(cannot_copy)?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if !path.is_dir() {
            fs::copy(&path, to).with_context(cannot_copy)?;
        } else if entry.file_name() != "target" {
            copy_tree(&path, &to)?;
        }
    }
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

    #[test]
    fn a_copy_has_every_source_and_no_target_folder() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        for path in ["Cargo.toml", "package/src/main.rs", "package/target/main"] {
            files::write(&from.join(path), path.as_bytes()).unwrap();
        }
        let to = folder.path().join("to");
        copy_tree(&from, &to).unwrap();
        let main = fs::read(to.join("package/src/main.rs")).unwrap();
        assert_eq!(main, b"package/src/main.rs");
        assert!(to.join("Cargo.toml").is_file());
        assert!(!to.join("package/target").exists());
    }
}
