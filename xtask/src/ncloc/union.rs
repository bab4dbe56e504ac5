//! The files of several images, each one once, with the images it is in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::image::{CountedFile, LineCounts};

/// A file and where it counts.
#[derive(Clone, Debug, Serialize)]
pub struct UnionFile {
    /// The file and its lines.
    #[serde(flatten)]
    pub file: CountedFile,
    /// The variants it counts in; in each of them once, and in full.
    pub variants: BTreeSet<String>,
    /// Other files with the very same bytes, which count by themselves.
    pub copies: Vec<PathBuf>,
}

impl UnionFile {
    /// Whether more than one variant has these lines, be it as a copy of the file.
    pub fn is_shared(&self) -> bool {
        self.variants.len() > 1 || !self.copies.is_empty()
    }
}

/// The files of all images, by path.
pub fn of(images: &[LineCounts]) -> Vec<UnionFile> {
    let mut files: BTreeMap<&Path, UnionFile> = BTreeMap::new();
    let mut by_text: BTreeMap<&str, BTreeSet<&Path>> = BTreeMap::new();
    for image in images {
        for file in &image.files {
            let entry = files.entry(&file.path).or_insert_with(|| UnionFile {
                file: file.clone(),
                variants: BTreeSet::new(),
                copies: Vec::new(),
            });
            entry.variants.insert(image.variant.clone());
            by_text.entry(&file.sha256).or_default().insert(&file.path);
        }
    }
    for paths in by_text.values() {
        for path in paths {
            let copies = paths.iter().filter(|other| *other != path);
            if let Some(file) = files.get_mut(path) {
                file.copies = copies.map(|path| path.to_path_buf()).collect();
            }
        }
    }
    files.into_values().collect()
}
