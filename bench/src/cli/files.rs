//! Files that are under their name only once they are whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::CliError;

/// A file that is being written beside its later place; dropped, it was never there.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile<File>,
    path: PathBuf,
}

impl Staged {
    /// Begins a file that will be at `path`, in a folder that exists.
    ///
    /// # Errors
    /// When the file cannot be written there; better before a long run than after it.
    pub fn new(path: &Path) -> Result<Self, CliError> {
        let begin = || {
            if path.is_dir() {
                return Err(io::Error::other("it is a folder"));
            }
            let folder = match path.parent() {
                Some(folder) if folder != Path::new("") => folder,
                _ => Path::new("."),
            };
            if !folder.is_dir() {
                return Err(io::Error::other("its folder does not exist"));
            }
            // Created the ordinary way, so that the file is as readable as any other.
            let create = |path: &Path| File::create_new(path);
            Builder::new().suffix(".tmp").make_in(folder, create)
        };
        let file = begin().map_err(|error| cannot_write(path, error))?;
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// A buffered handle to write with.
    ///
    /// # Errors
    /// When the system gives no other handle of the file.
    pub fn writer(&self) -> Result<BufWriter<File>, CliError> {
        let handle = self.file.as_file().try_clone();
        let handle = handle.map_err(|error| cannot_write(&self.path, error))?;
        Ok(BufWriter::new(handle))
    }

    /// Writes all of `bytes` and gives the file its name.
    ///
    /// # Errors
    /// When the disk does not take them.
    pub fn commit_with(self, bytes: &[u8]) -> Result<(), CliError> {
        let written = self.file.as_file().write_all(bytes);
        written.map_err(|error| cannot_write(&self.path, error))?;
        self.commit()
    }

    /// Gives the file its name, in place of one that has it already.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn commit(self) -> Result<(), CliError> {
        let persisted = self.file.persist(&self.path);
        persisted.map_err(|error| cannot_write(&self.path, error.error))?;
        Ok(())
    }
}

fn cannot_write(path: &Path, error: io::Error) -> CliError {
    CliError::File {
        path: path.to_owned(),
        error,
    }
}
