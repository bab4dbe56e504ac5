//! Whether two result folders are the same, byte for byte.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::files;

/// Requires the same files with the same bytes in both folders, and gives their number.
///
/// # Errors
/// Names the first file, in the order of their paths, that differs or is in one folder only.
pub fn ensure_same(first: &Path, second: &Path) -> anyhow::Result<usize> {
    let [firsts, seconds] = [paths(first)?, paths(second)?];
    ensure!(!firsts.is_empty(), "{} has no files", first.display());
    for path in firsts.union(&seconds) {
        for (paths, folder) in [(&firsts, first), (&seconds, second)] {
            if !paths.contains(path) {
                bail!("{} is not in {}", path.display(), folder.display());
            }
        }
        ensure!(
            files::read(&first.join(path))? == files::read(&second.join(path))?,
            "{} differs between {} and {}",
            path.display(),
            first.display(),
            second.display()
        );
    }
    Ok(firsts.len())
}

/// The paths of all files in the folder, seen from it.
fn paths(folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next);
        for entry in entries.with_context(|| format!("cannot read {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(folder)?.to_owned());
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn verdict(first: &[(&str, &str)], second: &[(&str, &str)]) -> Result<usize, String> {
        let (first, second) = (folder(first), folder(second));
        ensure_same(first.path(), second.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_same_files_are_counted() {
        let files = [("a/x", "1"), ("a/b/y", "2")];
        assert_eq!(verdict(&files, &files), Ok(2));
    }

    #[test]
    fn the_first_file_that_differs_is_named() {
        let first = [("a/x", "1"), ("b/y", "2"), ("c/z", "3")];
        let second = [("a/x", "1"), ("b/y", "20"), ("c/z", "30")];
        let error = verdict(&first, &second).unwrap_err();
        assert!(error.starts_with("b/y differs between "), "{error}");
    }

    #[test]
    fn a_file_in_one_folder_only_is_named() {
        let (one, two) = ([("x", "1")], [("x", "1"), ("y", "2")]);
        assert!(verdict(&one, &two).unwrap_err().starts_with("y is not in "));
        assert!(verdict(&two, &one).unwrap_err().starts_with("y is not in "));
    }

    #[test]
    fn nothing_to_compare_is_an_error() {
        assert!(verdict(&[], &[]).unwrap_err().ends_with(" has no files"));
    }
}
