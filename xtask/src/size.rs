//! `cargo xtask size`: flash and static RAM of firmware ELF files.

mod attribution;
mod class;
mod compare;
mod crosscheck;
mod elf;
mod placement;
mod render;
mod report;
mod usage;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;

use crate::build::{self, ImageSources, SelectionArgs};
use crate::cli::Outcome;
use crate::metadata::{Region, Study};
use crate::output;
use crate::pool::run_jobs;
use crate::setup::InstallArgs;

pub use attribution::Packages;
pub use class::Sizes;
use compare::Comparison;
pub use elf::{Elf, Segment};
use report::Account;
pub use report::{Part, Report};

/// How many symbols a comparison shows unless told otherwise.
const COMPARED_SYMBOLS: usize = 20;

/// Print the flash and static RAM use of firmware, built first or given as ELF files.
///
/// Of one image, or with --details, the tables by region, section, package and symbol come too.
///
/// Flash is counted by load address, from the program headers; RAM by run-time address, for each memory
/// region of the part. Initialised data and code that is copied to RAM count in both. What is set aside
/// for stack and heap is no part of static RAM.
#[derive(clap::Args)]
pub struct SizeArgs {
    /// ELF files to measure instead of building any.
    #[arg(value_name = "ELF", conflicts_with_all = ["variant", "build"])]
    elf: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    install: InstallArgs,
    /// Print the tables of each image even for more than one.
    #[arg(long, conflicts_with = "json")]
    details: bool,
    /// Compare the one image that is measured with this one: what it has more or less.
    #[arg(long, value_name = "ELF", conflicts_with = "details")]
    compare: Option<PathBuf>,
    /// How many symbols to show of each image, the largest first, or of a comparison those that
    /// changed most. By default none, or 20 in a comparison.
    #[arg(long, value_name = "COUNT")]
    symbols: Option<usize>,
    /// Print JSON, with everything the tables of each image show, instead of tables.
    #[arg(long)]
    json: bool,
}

impl SizeArgs {
    /// Measures every file before printing anything.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let study = Study::load()?;
        let part = Part::of(&study);
        let files = self.files(&study)?;
        if self.compare.is_some() && files.len() != 1 {
            bail!(
                "--compare takes one image to compare with; {} are selected",
                files.len()
            );
        }
        let reports = measure_all(files, &part)?;
        let text = match (&self.compare, &reports[..]) {
            (Some(other), [report]) => {
                let other = Report::of(other, other.display().to_string(), &part)?;
                self.show_comparison(&other, report)?
            }
            _ => self.show(reports)?,
        };
        output::print(&text)?;
        Ok(Outcome::Done)
    }

    fn show(&self, mut reports: Vec<Report>) -> anyhow::Result<String> {
        for report in &mut reports {
            report.symbols.truncate(self.symbols.unwrap_or(0));
        }
        if self.json {
            return Ok(serde_json::to_string_pretty(&reports)? + "\n");
        }
        let mut text = render::summary(&reports);
        if self.details || reports.len() == 1 {
            text.extend(reports.iter().map(render::details));
        }
        Ok(text)
    }

    fn show_comparison(&self, before: &Report, after: &Report) -> anyhow::Result<String> {
        let mut comparison = Comparison::of(before, after);
        comparison
            .symbols
            .truncate(self.symbols.unwrap_or(COMPARED_SYMBOLS));
        if self.json {
            return Ok(serde_json::to_string_pretty(&comparison)? + "\n");
        }
        Ok(render::comparison(&comparison))
    }

    /// The files to measure and what to call them.
    fn files(&self, study: &Study) -> anyhow::Result<Vec<(PathBuf, String)>> {
        if !self.elf.is_empty() {
            let named = self.elf.iter();
            let named = named.map(|path| (path.clone(), path.display().to_string()));
            return Ok(named.collect());
        }
        let SelectionArgs { variant, build } = &self.selection;
        let selected = study.select(variant.as_deref(), build.as_deref())?;
        let built = build::sources_of_selected(study, selected, self.install)?.into_iter();
        let named = built.map(|ImageSources { variant, build, .. }| {
            let name = format!("{} {}", variant.id, build.name);
            (build::elf_path(variant, build), name)
        });
        Ok(named.collect())
    }
}

/// Measures the files, each on a thread of its own as far as there are processors.
fn measure_all(files: Vec<(PathBuf, String)>, part: &Part) -> anyhow::Result<Vec<Report>> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut reports = BTreeMap::new();
    let numbered = files.into_iter().enumerate().collect();
    let measure = |(number, (path, name)): (usize, (PathBuf, String))| {
        Some((number, Report::of(&path, name, part)))
    };
    run_jobs(numbered, workers, measure, |(number, report)| {
        reports.insert(number, report);
    });
    reports.into_values().collect()
}

/// The sizes of an ELF image in memory, by the sections that the published study names.
///
/// # Errors
///
/// When the bytes are no linked 32-bit little-endian ARM ELF image, are cut short or contradict
/// themselves, or do not fit `regions`.
pub fn measure(bytes: &[u8], regions: &[Region]) -> anyhow::Result<Sizes> {
    Ok(Account::of(bytes, regions)?.published.sections)
}

#[cfg(test)]
pub mod tests;
