//! Counts files, each one once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::count::{FileCount, count};
use super::cross_check::{self, Difference};
use super::language::Language;
use crate::files;
use crate::hash::sha256_hex;

/// What is known of a file's lines.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Its lines by kind.
    pub count: FileCount,
    /// The lines that tokei takes for something else.
    pub differences: Vec<Difference>,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// The files counted so far.
#[derive(Default)]
pub struct Counter(BTreeMap<PathBuf, Counted>);

impl Counter {
    /// The counts of the file at `path`.
    ///
    /// # Errors
    ///
    /// When it cannot be read or counted; names it.
    pub fn count(&mut self, path: &Path, language: Language) -> anyhow::Result<Counted> {
        if let Some(counted) = self.0.get(path) {
            return Ok(counted.clone());
        }
        let text = files::read(path)?;
        let counted = counted(&text, language)
            .with_context(|| format!("cannot count the lines of {}", path.display()))?;
        self.0.insert(path.to_path_buf(), counted.clone());
        Ok(counted)
    }
}

fn counted(text: &[u8], language: Language) -> anyhow::Result<Counted> {
    let count = count(text, language)?;
    let differences = if count.tokei == count.reading() {
        Vec::new()
    } else {
        cross_check::differences(text, language)?
    };
    Ok(Counted {
        count,
        differences,
        sha256: sha256_hex(text),
    })
}
