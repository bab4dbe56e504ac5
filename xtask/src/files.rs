//! Writing files so that nobody ever sees half of one.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use tempfile::Builder;

/// Writes `bytes` to a temporary file beside `path` and renames it, making folders on the way.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    replace(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().context("it has no folder")?;
    fs::create_dir_all(folder)?;
    // Created the ordinary way, so that the file is as readable as any other.
    let create = |path: &Path| fs::File::create_new(path);
    let mut file = Builder::new().suffix(".tmp").make_in(folder, create)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/file");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(path.parent().unwrap().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_failure_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(&folder.path().join("."), b"").unwrap_err();
        assert!(error.to_string().starts_with("cannot write"), "{error}");
    }
}
