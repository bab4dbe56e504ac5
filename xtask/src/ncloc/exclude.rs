//! Lists the source files of packages that are not counted, and says why.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use super::language::Language;

/// A source file that is part of a package but not of the image's line count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// Its path in the firmware workspace.
    pub path: PathBuf,
    /// Why it is not counted.
    pub reason: &'static str,
}

/// Every source file below the folders that is not among the counted ones.
pub fn list(
    workspace: &Path,
    folders: &BTreeSet<&Path>,
    counted: &BTreeSet<PathBuf>,
) -> anyhow::Result<Vec<Excluded>> {
    let mut excluded = Vec::new();
    for folder in folders {
        let mut files = Vec::new();
        source_files(folder, &mut files)
            .with_context(|| format!("cannot list {}", folder.display()))?;
        files.sort();
        excluded.extend(
            files
                .into_iter()
                .filter(|path| !counted.contains(path))
                .map(|path| Excluded {
                    reason: reason(path.strip_prefix(folder).unwrap_or(&path)),
                    path: path.strip_prefix(workspace).unwrap_or(&path).to_path_buf(),
                }),
        );
    }
    Ok(excluded)
}

fn reason(path: &Path) -> &'static str {
    if path == Path::new("build.rs") {
        "build script"
    } else if path.starts_with("src") {
        "not compiled in"
    } else {
        "test, example or tool"
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
