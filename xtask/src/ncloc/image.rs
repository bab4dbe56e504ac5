//! The lines of one image: every first-party file that it was made from, in one role or left out by a
//! rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::ensure;
use serde::Serialize;

use super::count::FileCount;
use super::counter::{Counted, Counter};
use super::cross_check::Difference;
use super::exclude::{self, Excluded};
use super::language::Language;
use super::role::Roles;
use crate::build::Sources;
use crate::metadata::Role;

/// The lines of one build of one variant.
#[derive(Clone, Debug, Serialize)]
pub struct LineCounts {
    /// The variant's id.
    pub variant: String,
    /// The build's name.
    pub build: String,
    /// Lines of code of all roles together.
    pub ncloc: u64,
    /// Lines of code by role; a role without files is absent.
    pub by_role: BTreeMap<Role, u64>,
    /// What the published study's script would count in all roles.
    pub published: u64,
    /// What was counted, by path.
    pub files: Vec<CountedFile>,
    /// What reached the image too and is no source of a program.
    pub apart: Vec<ApartFile>,
    /// Source files of the same packages that were not counted.
    pub excluded: Vec<Excluded>,
}

/// A first-party file of source that is in the image.
#[derive(Clone, Debug, Serialize)]
pub struct CountedFile {
    /// Its path in the firmware workspace.
    pub path: PathBuf,
    /// What its lines count as.
    pub role: Role,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its lines by kind.
    #[serde(flatten)]
    pub count: FileCount,
    /// The lines that tokei takes for something else.
    pub differences: Vec<Difference>,
}

/// A first-party file that shapes the image and is no source of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApartFile {
    /// Its path in the firmware workspace.
    pub path: PathBuf,
    /// What its lines would count as.
    pub role: Role,
    /// The lines of a linker script; none of included data.
    pub count: Option<FileCount>,
}

/// Which image's lines are counted, and where its sources are.
pub struct Image<'a> {
    /// The variant's id.
    pub variant: &'a str,
    /// The build's name.
    pub build: &'a str,
    /// The folder of the firmware workspace.
    pub workspace: &'a Path,
    /// The roles of the variant's folders and packages.
    pub roles: &'a Roles,
    /// The files it was made from.
    pub sources: &'a Sources,
}

/// Counts the lines of an image.
///
/// # Errors
///
/// When a first-party file has no role or two, cannot be counted, or there is none.
pub fn count(counter: &mut Counter, image: &Image) -> anyhow::Result<LineCounts> {
    let mut files = Vec::new();
    let mut apart = Vec::new();
    let mut build_scripts = BTreeSet::new();
    for (path, readers) in image.sources.readers() {
        let role = image.roles.of_file(path, &readers, image.workspace)?;
        let short = path.strip_prefix(image.workspace).unwrap_or(path);
        match Language::of(path) {
            Some(Language::Rust) if readers.is_empty() => {
                build_scripts.insert(path.to_path_buf());
            }
            Some(language) if language.is_program() => {
                files.push(counted_file(short, role, counter.count(path, language)?));
            }
            Some(language) => {
                let count = counter.count(path, language)?.count;
                apart.push(apart_file(short, role, Some(count)));
            }
            None => apart.push(apart_file(short, role, None)),
        }
    }
    ensure!(
        !files.is_empty(),
        "the compiler lists no first-party file for {} {}",
        image.variant,
        image.build
    );
    let counted = files.iter().map(|file| image.workspace.join(&file.path));
    let excluded = exclude::list(image, &counted.collect(), &build_scripts)?;
    let mut by_role = BTreeMap::new();
    for file in &files {
        *by_role.entry(file.role).or_default() += file.count.code;
    }
    Ok(LineCounts {
        variant: image.variant.to_string(),
        build: image.build.to_string(),
        ncloc: by_role.values().sum(),
        by_role,
        published: files.iter().map(|file| file.count.published).sum(),
        files,
        apart,
        excluded,
    })
}

fn counted_file(path: &Path, role: Role, counted: Counted) -> CountedFile {
    CountedFile {
        path: path.to_path_buf(),
        role,
        sha256: counted.sha256,
        count: counted.count,
        differences: counted.differences,
    }
}

fn apart_file(path: &Path, role: Role, count: Option<FileCount>) -> ApartFile {
    ApartFile {
        path: path.to_path_buf(),
        role,
        count,
    }
}
