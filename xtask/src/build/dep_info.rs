//! Where rustc's own dependency files are: cargo keeps one for each crate it had compiled.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use cargo_metadata::{Artifact, TargetKind};

/// The folder of the artifact's package and rustc's dependency file, when the artifact is a library for
/// the image: `deps/NAME-HASH.d` beside `deps/libNAME-HASH.rmeta`. Cargo names the `.rlib` of the package
/// that it was asked to build by its copy outside of `deps`.
pub fn of_library(artifact: &Artifact) -> Option<(PathBuf, PathBuf)> {
    if !artifact.target.kind.contains(&TargetKind::Lib) {
        return None;
    }
    let mut files = artifact.filenames.iter();
    let library = files.find(|path| path.extension() == Some("rmeta"))?;
    let name = library.file_stem()?.strip_prefix("lib")?;
    let package = artifact.manifest_path.parent()?;
    let file = library.with_file_name(format!("{name}.d"));
    Some((package.into(), file.into()))
}

/// rustc's dependency file of the executable that cargo copied from `deps/NAME-HASH`: that of the one
/// with the same bytes.
///
/// # Errors
///
/// When there is none.
pub fn of_executable(executable: &Path) -> anyhow::Result<PathBuf> {
    let cannot_read = || format!("cannot read {}", executable.display());
    let bytes = fs::read(executable).with_context(cannot_read)?;
    let name = executable
        .file_name()
        .context("an executable without a name")?;
    let prefix = name.to_string_lossy().replace('-', "_") + "-";
    let folder = executable.with_file_name("deps");
    let cannot_list = || format!("cannot list {}", folder.display());
    for entry in folder.read_dir().with_context(cannot_list)? {
        let entry = entry.with_context(cannot_list)?;
        let path = entry.path();
        let is_of_crate = entry.file_name().to_string_lossy().starts_with(&prefix);
        let same_length = entry
            .metadata()
            .is_ok_and(|metadata| metadata.len() == bytes.len() as u64);
        if is_of_crate && same_length && fs::read(&path).is_ok_and(|found| found == bytes) {
            return Ok(path.with_added_extension("d"));
        }
    }
    bail!(
        "{} was copied from no executable in {}",
        executable.display(),
        folder.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dependency_file_of_an_executable_is_that_of_its_original() {
        let folder = tempfile::tempdir().unwrap();
        let executable = folder.path().join("the-image");
        let deps = folder.path().join("deps");
        fs::create_dir(&deps).unwrap();
        fs::write(&executable, "image").unwrap();
        for (name, bytes) in [
            ("the_image-1", "other"),
            ("another-2", "image"),
            ("the_image-3", "longer image"),
        ] {
            fs::write(deps.join(name), bytes).unwrap();
        }
        let error = of_executable(&executable).unwrap_err();
        assert!(
            error.to_string().contains("copied from no executable"),
            "{error}"
        );
        fs::write(deps.join("the_image-4"), "image").unwrap();
        assert_eq!(
            of_executable(&executable).unwrap(),
            deps.join("the_image-4.d")
        );
    }
}
