//! Reading files with their names in errors, and writing them so that nobody ever sees half of one.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::{Builder, NamedTempFile};

/// The bytes of the file at `path`.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| cannot_read(path))
}

/// The text of the file at `path`.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| cannot_read(path))
}

/// The text of the file at `path`; `None` when there is no such file.
pub fn read_text_if_any(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        text => text.map(Some).with_context(|| cannot_read(path)),
    }
}

/// A file that is under its name only once it is whole; dropped before that, it was never there.
pub struct Staged {
    file: NamedTempFile<fs::File>,
    path: PathBuf,
}

impl Staged {
    /// Begins a file beside `path`, making folders on the way.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        let begin = || {
            let folder = path.parent().context("it has no folder")?;
            anyhow::ensure!(!path.is_dir(), "it is a folder");
            fs::create_dir_all(folder)?;
            // Created the ordinary way, so that the file is as readable as any other.
            let create = |path: &Path| fs::File::create_new(path);
            Ok(Builder::new().suffix(".tmp").make_in(folder, create)?)
        };
        Ok(Self {
            file: begin().with_context(|| cannot_write(path))?,
            path: path.to_owned(),
        })
    }

    /// Another handle of the file, to write it with.
    pub fn writer(&self) -> anyhow::Result<fs::File> {
        let writer = self.file.as_file().try_clone();
        writer.with_context(|| cannot_write(&self.path))
    }

    /// Gives the file its name, in place of one that has it already.
    pub fn commit(self) -> anyhow::Result<()> {
        let persisted = self.file.persist(&self.path);
        persisted.with_context(|| cannot_write(&self.path))?;
        Ok(())
    }
}

/// Writes `bytes` to a temporary file beside `path` and renames it, making folders on the way.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let staged = Staged::new(path)?;
    let written = staged.writer()?.write_all(bytes);
    written.with_context(|| cannot_write(path))?;
    staged.commit()
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_that_may_be_absent_is_absent_without_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(read_text_if_any(&path).unwrap(), None);
        let expected = format!("cannot read {}", path.display());
        assert_eq!(read(&path).unwrap_err().to_string(), expected);
        assert_eq!(read_text(&path).unwrap_err().to_string(), expected);
        write(&path, b"\xff").unwrap();
        assert_eq!(read(&path).unwrap(), b"\xff");
        let error = read_text_if_any(&path).unwrap_err();
        assert_eq!(error.to_string(), expected);
        write(&path, b"text").unwrap();
        assert_eq!(read_text_if_any(&path).unwrap().as_deref(), Some("text"));
    }

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
    fn a_file_that_is_not_committed_was_never_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let staged = Staged::new(&path).unwrap();
        staged.writer().unwrap().write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(staged);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn a_failure_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(&folder.path().join("."), b"").unwrap_err();
        assert!(error.to_string().starts_with("cannot write"), "{error}");
    }
}
