//! One study at a time in a checkout.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use anyhow::Context;

/// Held while a study runs; the operating system frees it however the process ends.
#[derive(Debug)]
pub struct StudyLock {
    _file: File,
}

impl StudyLock {
    /// Takes the lock file at `path`, creating it and its folder where they are missing.
    ///
    /// Errors when another study holds it or the file cannot be made.
    pub fn take(path: &Path) -> anyhow::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
        }
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .with_context(|| format!("cannot open the lock file {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => anyhow::bail!(
                "another study runs in this checkout (it holds {}); wait for it to end",
                path.display()
            ),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_study_is_refused_until_the_first_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("target/study.lock");
        let first = StudyLock::take(&path).unwrap();
        let refusal = StudyLock::take(&path).unwrap_err().to_string();
        assert!(refusal.starts_with("another study runs in this checkout"));
        drop(first);
        StudyLock::take(&path).unwrap();
    }
}
