//! Lists the source files of an image's packages that are not counted, and says why.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use super::image::Image;
use super::language::Language;

/// A source file that is part of a package but not of the image's line count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Excluded {
    /// Its path in the firmware workspace.
    pub path: PathBuf,
    /// Why it is not counted.
    pub reason: &'static str,
}

/// Every source file in the folders of the packages that were compiled, which is not among the
/// counted ones; and the build scripts.
pub fn list(
    image: &Image,
    counted: &BTreeSet<PathBuf>,
    build_scripts: &BTreeSet<PathBuf>,
) -> anyhow::Result<Vec<Excluded>> {
    let mut excluded = Vec::new();
    for folder in image.sources.compiled.keys() {
        let mut files = Vec::new();
        source_files(folder, &mut files)
            .with_context(|| format!("cannot list {}", folder.display()))?;
        for path in files.iter().filter(|path| !counted.contains(*path)) {
            let reason = if build_scripts.contains(path) {
                "build script"
            } else {
                reason(path.strip_prefix(folder).unwrap_or(path))
            };
            let path = path.strip_prefix(image.workspace).unwrap_or(path);
            let path = path.to_path_buf();
            excluded.push(Excluded { path, reason });
        }
    }
    excluded.sort();
    Ok(excluded)
}

/// Why the compiler did not read the file at this path in its package.
fn reason(path: &Path) -> &'static str {
    let mut names = path.iter().filter_map(|name| Path::new(name).file_stem());
    if path == Path::new("build.rs") {
        "build script"
    } else if !path.starts_with("src") {
        "test, example or tool"
    } else if names.any(|name| name == "tests") {
        "unit tests"
    } else {
        "not compiled in"
    }
}

fn source_files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if entry.file_name() != "target" {
                source_files(&path, found)?;
            }
        } else if Language::of(&path).is_some_and(Language::is_program) {
            found.push(path);
        }
    }
    Ok(())
}
