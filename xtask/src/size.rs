//! `cargo xtask size`: flash and static RAM of firmware ELF files.

mod classify;
mod elf;
#[cfg(test)]
mod fixture;
mod placement;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use crate::build::{self, SelectionArgs};
use crate::cli::Outcome;
use crate::hash::sha256_hex;
use crate::metadata::{Region, Study};
use crate::setup::InstallArgs;
use crate::{files, output};

pub use classify::Sizes;

/// Print the flash and static RAM use of firmware, built first or given as ELF files.
///
/// Flash is vector table + text + rodata + data; static RAM is data + bss + uninit.
#[derive(clap::Args)]
pub struct SizeArgs {
    /// ELF files to measure instead of building any.
    #[arg(value_name = "ELF", conflicts_with_all = ["variant", "build"])]
    elf: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    install: InstallArgs,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// The sizes of one ELF file, named by its hash.
#[derive(Clone, Debug, Serialize)]
pub struct SizedElf {
    /// What the file is called in the table.
    pub name: String,
    /// SHA-256 of the whole file, in hexadecimal.
    pub sha256: String,
    /// Vector table + text + rodata + data, in bytes.
    pub flash_bytes: u64,
    /// Data + bss + uninit, in bytes.
    pub static_ram_bytes: u64,
    /// What the two sums are made of.
    pub sections: Sizes,
}

impl SizeArgs {
    /// Measures every file before printing anything.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let regions = Study::load()?.regions;
        let mut files = Vec::new();
        for path in &self.elf {
            files.push((path.clone(), path.display().to_string()));
        }
        if self.elf.is_empty() {
            for firmware in build::build_selected(&self.selection, self.install)? {
                let name = format!("{} {}", firmware.variant, firmware.build);
                files.push((firmware.elf, name));
            }
        }
        let sized = files.into_iter();
        let sized = sized.map(|(path, name)| size_file(&path, name, &regions));
        let sized = sized.collect::<anyhow::Result<Vec<_>>>()?;
        if self.json {
            output::print(&(serde_json::to_string_pretty(&sized)? + "\n"))?;
        } else {
            output::print(&render(&sized))?;
        }
        Ok(Outcome::Done)
    }
}

/// Measures the ELF file at `path`; errors name the file.
fn size_file(path: &Path, name: String, regions: &[Region]) -> anyhow::Result<SizedElf> {
    let bytes = files::read(path)?;
    let sections =
        measure(&bytes, regions).with_context(|| format!("cannot size {}", path.display()))?;
    Ok(SizedElf {
        name,
        sha256: sha256_hex(&bytes),
        flash_bytes: sections.flash_bytes(),
        static_ram_bytes: sections.static_ram_bytes(),
        sections,
    })
}

/// The sizes of an ELF image in memory.
///
/// # Errors
///
/// When the bytes are no linked 32-bit little-endian ARM ELF image, are cut short, or do not fit `regions`.
pub fn measure(bytes: &[u8], regions: &[Region]) -> anyhow::Result<Sizes> {
    let sections = elf::allocated_sections(bytes)?;
    placement::check(&sections, regions)?;
    Ok(classify::sum(&sections))
}

fn render(sized: &[SizedElf]) -> String {
    let header = [
        "bytes", "flash", "RAM", "vectors", "text", "rodata", "data", "bss", "uninit", "reserved",
    ];
    let row = |elf: &SizedElf| {
        let Sizes {
            vector_table,
            text,
            rodata,
            data,
            bss,
            uninit,
            reserved,
        } = elf.sections;
        let figures = [
            elf.flash_bytes,
            elf.static_ram_bytes,
            vector_table,
            text,
            rodata,
            data,
            bss,
            uninit,
            reserved,
        ];
        let figures = figures.iter().map(u64::to_string);
        [elf.name.clone()].into_iter().chain(figures).collect()
    };
    output::table(&header, &sized.iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
