//! `cargo xtask ncloc`: lines of code of each variant, by role.
//!
//! The files counted are the ones the compiler read for the image, as its dependency file lists
//! them; a file's role is that of its package or, in C, that which its folder is named after.

mod c;
mod count;
mod cross_check;
mod exclude;
mod language;
mod line;
mod place;
mod published;
mod report;
mod rust;
mod uncountable;
mod unit_tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::Serialize;

use crate::build::{self, BuiltFirmware, SelectionArgs};
use crate::cli::Outcome;
use crate::metadata::{Role, Study};
use crate::setup::InstallArgs;
use crate::{dependencies, files, output, paths};

pub use count::{FileCount, count};
use cross_check::Difference;
pub use exclude::Excluded;
pub use language::Language;

use place::Place;
use uncountable::Uncountable;

/// Print the lines of code of each variant by role.
///
/// A line of code is neither blank nor a comment. Counted are the first-party files that the
/// compiler read for the image, without unit tests and build scripts.
#[derive(clap::Args)]
pub struct NclocArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    install: InstallArgs,
    /// Print JSON, with every file, instead of a table.
    #[arg(long)]
    json: bool,
}

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
    /// What was counted, by path.
    pub files: Vec<CountedFile>,
    /// Source files of the same packages that were not counted.
    pub excluded: Vec<Excluded>,
}

/// A first-party file that is compiled into the image.
#[derive(Clone, Debug, Serialize)]
pub struct CountedFile {
    /// Its path in the firmware workspace.
    pub path: PathBuf,
    /// What its lines count as.
    pub role: Role,
    /// Its lines by kind.
    #[serde(flatten)]
    pub count: FileCount,
    /// The lines that tokei takes for something else.
    pub differences: Vec<Difference>,
}

impl NclocArgs {
    /// Builds what is selected, so that the compiler names the files, and counts them.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let study = Study::load()?;
        let built = build::build_selected(&self.selection, self.install)?;
        let counts = built.iter().map(|firmware| count_lines(&study, firmware));
        let counts = counts.collect::<anyhow::Result<Vec<_>>>()?;
        if self.json {
            output::print(&(serde_json::to_string_pretty(&counts)? + "\n"))?;
        } else {
            output::print(&render(&counts))?;
        }
        Ok(Outcome::Done)
    }
}

/// Counts the first-party lines that were compiled into the image.
///
/// # Errors
///
/// When a file that reached the image is in no package that the study describes.
pub fn count_lines(study: &Study, firmware: &BuiltFirmware) -> anyhow::Result<LineCounts> {
    let compiled = dependencies::parse(&files::read_text(&firmware.dependency_file)?)?;
    let workspace = paths::firmware_manifest();
    let workspace = workspace.parent().context("the firmware has no folder")?;
    let places = place::of_variant(study, study.variant(&firmware.variant)?);
    count_files(workspace, &places, &compiled).map(|(files, excluded)| {
        let mut by_role = BTreeMap::new();
        for file in &files {
            *by_role.entry(file.role).or_default() += file.count.code;
        }
        LineCounts {
            variant: firmware.variant.clone(),
            build: firmware.build.clone(),
            ncloc: by_role.values().sum(),
            by_role,
            files,
            excluded,
        }
    })
}

fn count_files(
    workspace: &Path,
    places: &[Place],
    compiled: &[PathBuf],
) -> anyhow::Result<(Vec<CountedFile>, Vec<Excluded>)> {
    let mut files = Vec::new();
    let mut folders = BTreeSet::new();
    for path in compiled {
        let Some(language) = Language::of(path).filter(|language| language.is_program()) else {
            continue;
        };
        if let Some(place) = place::of_file(path, places, workspace)? {
            folders.insert(place.package.as_path());
            let (count, differences) = count::count_file(path, language)?;
            files.push(CountedFile {
                path: path.strip_prefix(workspace).unwrap_or(path).to_path_buf(),
                role: place.role,
                count,
                differences,
            });
        }
    }
    ensure!(
        !files.is_empty(),
        "the compiler's dependency file lists no source file of the study"
    );
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let counted = files.iter().map(|file| workspace.join(&file.path));
    let excluded = exclude::list(workspace, &folders, &counted.collect())?;
    Ok((files, excluded))
}

fn render(counts: &[LineCounts]) -> String {
    const ROLES: [Role; 5] = [
        Role::Entry,
        Role::BringUp,
        Role::Server,
        Role::Platform,
        Role::Profiling,
    ];
    let roles = ROLES.map(|role| role.to_string());
    let mut header = vec!["lines of code", "total"];
    header.extend(roles.iter().map(String::as_str));
    let row = |counts: &LineCounts| {
        let of_role = |role| counts.by_role.get(&role).copied().unwrap_or(0);
        let figures = [counts.ncloc].into_iter().chain(ROLES.map(of_role));
        let name = format!("{} {}", counts.variant, counts.build);
        let cells = figures.map(|figure| figure.to_string());
        [name].into_iter().chain(cells).collect()
    };
    let mut text = output::table(&header, &counts.iter().map(row).collect::<Vec<_>>());
    for build in counts {
        text += &remarks(build);
    }
    text
}

/// What was left out of a build's count, and where tokei reads a file differently.
fn remarks(build: &LineCounts) -> String {
    let mut text = format!("\nnot counted in {} {}:\n", build.variant, build.build);
    for Excluded { path, reason } in &build.excluded {
        text += &format!("  {} ({reason})\n", path.display());
    }
    for CountedFile { path, count, .. } in &build.files {
        if count.test_lines > 0 {
            let lines = count.test_lines;
            text += &format!("  {} ({lines} lines of unit tests)\n", path.display());
        }
    }
    let misread = build
        .files
        .iter()
        .filter(|file| !file.differences.is_empty());
    let misread: Vec<String> = misread.map(report::misreading).collect();
    if !misread.is_empty() {
        text += "counted differently by tokei:\n";
    }
    text + &misread.concat()
}

#[cfg(test)]
mod tests;
