//! Copies of the firmware's sources, to build them in another folder or with something changed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::build::{Linked, compile};
use crate::metadata::{Build, Study, Variant};
use crate::paths;
use crate::toolchain::Toolchain;

/// A checkout with nothing but the firmware. Its target folder is kept, so that a second test run
/// compiles only what has changed.
pub struct Elsewhere(PathBuf);

impl Elsewhere {
    /// Copies the firmware's sources as they are now, into a folder of this name.
    pub fn new(name: &str) -> anyhow::Result<Self> {
        let checkout = paths::root().join("target/elsewhere").join(name);
        let firmware = checkout.join("firmware");
        if firmware.exists() {
            fs::remove_dir_all(&firmware)
                .with_context(|| format!("cannot remove {}", firmware.display()))?;
        }
        copy_tree(&paths::root().join("firmware"), &firmware)?;
        Ok(Self(checkout))
    }

    /// A file of a variant's package.
    pub fn file(&self, variant: &Variant, path: &str) -> anyhow::Result<PathBuf> {
        let folder = variant.folder.strip_prefix(paths::root())?;
        Ok(self.0.join(folder).join(path))
    }

    /// Builds one image from the copies.
    pub fn compile(
        &self,
        study: &Study,
        toolchain: &Toolchain,
        variant: &Variant,
        of: &Build,
    ) -> anyhow::Result<Linked> {
        compile(&self.0, study, toolchain, variant, of)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;

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
