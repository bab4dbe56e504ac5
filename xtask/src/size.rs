//! `cargo xtask size`: flash and static RAM of firmware ELF files.

mod class;
mod crosscheck;
mod elf;
mod placement;
mod render;
mod report;
mod usage;

use std::path::PathBuf;

use crate::build::{self, SelectionArgs};
use crate::cli::Outcome;
use crate::metadata::{Region, Study};
use crate::output;
use crate::setup::InstallArgs;

pub use class::Sizes;
use report::{Account, Report};

/// Print the flash and static RAM use of firmware, built first or given as ELF files.
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
    /// Print JSON, with everything the tables of each image show, instead of tables.
    #[arg(long)]
    json: bool,
}

impl SizeArgs {
    /// Measures every file before printing anything.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let regions = Study::load()?.regions;
        let files = self.files()?.into_iter();
        let reports = files.map(|(path, name)| Report::of(&path, name, &regions));
        let reports = reports.collect::<anyhow::Result<Vec<_>>>()?;
        if self.json {
            output::print(&(serde_json::to_string_pretty(&reports)? + "\n"))?;
            return Ok(Outcome::Done);
        }
        let mut text = render::summary(&reports);
        if self.details || reports.len() == 1 {
            text.extend(reports.iter().map(render::details));
        }
        output::print(&text)?;
        Ok(Outcome::Done)
    }

    /// The files to measure and what to call them.
    fn files(&self) -> anyhow::Result<Vec<(PathBuf, String)>> {
        if !self.elf.is_empty() {
            let named = self
                .elf
                .iter()
                .map(|path| (path.clone(), path.display().to_string()));
            return Ok(named.collect());
        }
        let built = build::build_selected(&self.selection, self.install)?.into_iter();
        let named = built.map(|firmware| {
            let name = format!("{} {}", firmware.variant, firmware.build);
            (firmware.elf, name)
        });
        Ok(named.collect())
    }
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
mod tests;
