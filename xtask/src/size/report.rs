//! Everything that is said of one ELF file.

use std::path::Path;

use anyhow::Context;
use serde::Serialize;

use crate::files;
use crate::hash::sha256_hex;
use crate::metadata::{Region, Study};

use super::attribution::{Attribution, NamedSymbol, Packages, Shares};
use super::class::{Class, Sizes};
use super::crosscheck;
use super::elf::{Elf, Section};
use super::placement::{self, parts};
use super::usage::{self, FlashUse, RamUse};

/// An ELF file and what it takes up.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What the file is called in tables.
    pub name: String,
    /// SHA-256 of the whole file, in hexadecimal.
    pub sha256: String,
    /// What it takes up.
    #[serde(flatten)]
    pub account: Account,
    /// Which packages that comes from.
    pub shares: Shares,
    /// The symbols with a length, the largest first.
    pub symbols: Vec<NamedSymbol>,
}

/// What images are measured against.
pub struct Part {
    /// The memory of the part.
    pub regions: Vec<Region>,
    /// The packages that images are made of.
    pub packages: Packages,
}

/// What an image takes up.
#[derive(Clone, Debug, Serialize)]
pub struct Account {
    /// Flash by region.
    pub flash: Vec<FlashUse>,
    /// RAM by region.
    pub ram: Vec<RamUse>,
    /// Flash and RAM as the published study defines them.
    pub published: Published,
    /// The allocated sections in file order.
    pub sections: Vec<SectionUse>,
}

/// Flash and RAM as the published study defines them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Published {
    /// Vector table + text + rodata + data.
    pub flash_bytes: u64,
    /// Data + bss + uninit.
    pub static_ram_bytes: u64,
    /// What the two sums are made of.
    pub sections: Sizes,
}

/// An allocated section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionUse {
    /// Its name.
    pub name: String,
    /// What it is to the running image.
    pub class: Class,
    /// Its length.
    pub size_bytes: u64,
    /// Where it is at run time (VMA).
    pub address: u64,
    /// The region of that address.
    pub region: String,
    /// Where its content is loaded (LMA), if it has any.
    pub load_address: Option<u64>,
    /// The region of that address.
    pub load_region: Option<String>,
}

impl Part {
    /// The study's part, and its packages.
    pub fn of(study: &Study) -> Self {
        Self {
            regions: study.regions.clone(),
            packages: Packages::of(study),
        }
    }
}

impl Report {
    /// Measures the ELF file at `path`; errors name the file.
    pub fn of(path: &Path, name: String, part: &Part) -> anyhow::Result<Self> {
        let bytes = files::read(path)?;
        let report = Self::of_bytes(&bytes, name, part);
        report.with_context(|| format!("cannot size {}", path.display()))
    }

    /// Measures an ELF file's bytes.
    pub fn of_bytes(bytes: &[u8], name: String, part: &Part) -> anyhow::Result<Self> {
        let elf = Elf::parse(bytes)?;
        let account = Account::of_elf(&elf, &part.regions)?;
        let attribution = Attribution::of(&elf, &part.packages)?;
        let shares = Shares::of(&attribution, &elf.sections, &part.regions);
        let mut symbols = attribution.symbols;
        symbols.sort_by(|a, b| (b.size, &a.name).cmp(&(a.size, &b.name)));
        Ok(Self {
            name,
            sha256: sha256_hex(bytes),
            account,
            shares,
            symbols,
        })
    }
}

impl Account {
    /// Accounts for an image.
    ///
    /// # Errors
    ///
    /// When the bytes are no linked 32-bit little-endian ARM ELF image, are cut short or contradict
    /// themselves, or do not fit `regions`.
    pub fn of(bytes: &[u8], regions: &[Region]) -> anyhow::Result<Self> {
        Self::of_elf(&Elf::parse(bytes)?, regions)
    }

    fn of_elf(elf: &Elf, regions: &[Region]) -> anyhow::Result<Self> {
        placement::check(elf, regions)?;
        let loaded = crosscheck::check(elf, regions)?;
        let sizes = Sizes::of(&elf.sections);
        Ok(Self {
            flash: usage::flash(&loaded),
            ram: usage::ram(&elf.sections, regions),
            published: Published {
                flash_bytes: sizes.flash_bytes(),
                static_ram_bytes: sizes.static_ram_bytes(),
                sections: sizes,
            },
            sections: section_uses(&elf.sections, regions),
        })
    }

    /// What the sections put into flash, all regions together.
    pub fn flash_content_bytes(&self) -> u64 {
        self.flash.iter().map(|flash| flash.content_bytes).sum()
    }

    /// Static RAM of all regions together, reservations left out.
    pub fn static_ram_bytes(&self) -> u64 {
        self.ram.iter().map(RamUse::static_bytes).sum()
    }

    /// What is set aside for stack and heap in all regions together.
    pub fn reserved_bytes(&self) -> u64 {
        self.ram.iter().map(|ram| ram.reserved_bytes).sum()
    }
}

fn section_uses(sections: &[Section], regions: &[Region]) -> Vec<SectionUse> {
    let region_of = |address: u64| {
        let parts = parts(address, address + 1, regions).unwrap_or_default();
        parts
            .first()
            .map_or_else(String::new, |(region, _)| region.name.clone())
    };
    let uses = sections.iter().map(|section| SectionUse {
        name: section.name.clone(),
        class: Class::of(section),
        size_bytes: section.size,
        address: section.address,
        region: region_of(section.address),
        load_address: section.load_address,
        load_region: section.load_address.map(region_of),
    });
    uses.collect()
}
