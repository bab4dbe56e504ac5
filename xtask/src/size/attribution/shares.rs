//! How the bytes of an image are shared out.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Attribution, Origin, SymbolKind};
use crate::metadata::{Region, RegionKind};
use crate::size::class::Class;
use crate::size::elf::Section;
use crate::size::placement::parts;

/// The bytes of all sections but reservations, shared out in three ways.
#[derive(Clone, Debug, Serialize)]
pub struct Shares {
    /// By package, the largest first.
    pub packages: Vec<PackageShare>,
    /// By what symbols stand for.
    pub kinds: Vec<KindShare>,
    /// How much of each region could not be attributed.
    pub regions: Vec<RegionShare>,
}

/// A package's share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackageShare {
    /// The package.
    pub origin: Origin,
    /// Code and vector tables in flash; code that is copied to RAM is in `copied_bytes`.
    pub code_bytes: u64,
    /// Constants in flash.
    pub constant_bytes: u64,
    /// What flash holds to be copied to RAM.
    pub copied_bytes: u64,
    /// Static RAM, what is copied to it among it.
    pub ram_bytes: u64,
}

impl PackageShare {
    /// The package's share of flash.
    pub fn flash_bytes(&self) -> u64 {
        self.code_bytes + self.constant_bytes + self.copied_bytes
    }
}

/// The share of a kind of symbols.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KindShare {
    /// The kind; none for bytes that no symbol covers.
    pub kind: Option<SymbolKind>,
    /// In flash.
    pub flash_bytes: u64,
    /// In RAM.
    pub ram_bytes: u64,
}

/// What is known of a region's bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RegionShare {
    /// The region.
    pub region: String,
    /// All bytes of sections there, reservations left out.
    pub bytes: u64,
    /// Those of no known package.
    pub unattributed_bytes: u64,
    /// Those that no symbol covers.
    pub without_symbol_bytes: u64,
}

impl Shares {
    /// Shares out the bytes of the sections.
    pub fn of(attribution: &Attribution, sections: &[Section], regions: &[Region]) -> Self {
        let mut sharing = Sharing {
            attribution,
            regions,
            packages: BTreeMap::new(),
            kinds: BTreeMap::new(),
            by_region: BTreeMap::new(),
        };
        for section in sections {
            if Class::of(section) != Class::Reservation {
                sharing.add(section);
            }
        }
        let mut packages: Vec<PackageShare> = sharing.packages.into_values().collect();
        packages.sort_by_key(|share| {
            let size = share.flash_bytes() + share.ram_bytes;
            (share.origin == Origin::Unknown, std::cmp::Reverse(size))
        });
        Self {
            packages,
            kinds: sharing.kinds.into_values().collect(),
            regions: sharing.by_region.into_values().collect(),
        }
    }
}

struct Sharing<'a> {
    attribution: &'a Attribution,
    regions: &'a [Region],
    packages: BTreeMap<Origin, PackageShare>,
    kinds: BTreeMap<Option<SymbolKind>, KindShare>,
    by_region: BTreeMap<u32, RegionShare>,
}

impl Sharing<'_> {
    fn add(&mut self, section: &Section) {
        let (start, end) = (section.address, section.address + section.size);
        let run = parts(start, end, self.regions).unwrap_or_default();
        let in_ram = run.iter().any(|(region, _)| region.kind == RegionKind::Ram);
        let in_flash = section.load_address.is_some();
        let origins = self.attribution.origins.within(start, end);
        for (bytes, origin) in whole(origins, section.size, Origin::Unknown) {
            self.add_to_package(origin, Class::of(section), bytes, in_ram);
        }
        let kinds = self.attribution.kinds.within(start, end);
        let kinds = kinds.map(|(bytes, kind)| (bytes, Some(*kind)));
        for (bytes, kind) in whole_of(kinds, section.size, None) {
            let none = KindShare {
                kind,
                flash_bytes: 0,
                ram_bytes: 0,
            };
            let share = self.kinds.entry(kind).or_insert(none);
            share.flash_bytes += if in_flash { bytes } else { 0 };
            share.ram_bytes += if in_ram { bytes } else { 0 };
        }
        if let Some(load) = section.load_address {
            self.add_to_regions(load, section);
        }
        if in_ram {
            self.add_to_regions(start, section);
        }
    }

    fn add_to_package(&mut self, origin: Origin, class: Class, bytes: u64, in_ram: bool) {
        let none = PackageShare {
            origin: origin.clone(),
            code_bytes: 0,
            constant_bytes: 0,
            copied_bytes: 0,
            ram_bytes: 0,
        };
        let share = self.packages.entry(origin).or_insert(none);
        match class {
            Class::VectorTable | Class::Code => share.code_bytes += bytes,
            Class::Constants => share.constant_bytes += bytes,
            Class::RamCode | Class::InitialisedData => share.copied_bytes += bytes,
            Class::ZeroedData | Class::UninitialisedData | Class::Reservation => {}
        }
        share.ram_bytes += if in_ram { bytes } else { 0 };
    }

    /// Adds a section to the regions that it lies in when it begins at an address.
    fn add_to_regions(&mut self, begin: u64, section: &Section) {
        let mut from = section.address;
        for (region, bytes) in parts(begin, begin + section.size, self.regions).unwrap_or_default()
        {
            let to = from + bytes;
            let attributed = self
                .attribution
                .origins
                .within(from, to)
                .map(|(bytes, _)| bytes);
            let in_symbols = self
                .attribution
                .kinds
                .within(from, to)
                .map(|(bytes, _)| bytes);
            let share = self.by_region.entry(region.origin).or_default();
            share.region.clone_from(&region.name);
            share.bytes += bytes;
            share.unattributed_bytes += bytes - attributed.sum::<u64>();
            share.without_symbol_bytes += bytes - in_symbols.sum::<u64>();
            from = to;
        }
    }
}

fn whole<'a, T: Clone + 'a>(
    known: impl Iterator<Item = (u64, &'a T)>,
    size: u64,
    rest: T,
) -> Vec<(u64, T)> {
    whole_of(known.map(|(bytes, what)| (bytes, what.clone())), size, rest)
}

/// What is known of `size` bytes, and what the rest is.
fn whole_of<T>(known: impl Iterator<Item = (u64, T)>, size: u64, rest: T) -> Vec<(u64, T)> {
    let mut all: Vec<(u64, T)> = known.collect();
    let known: u64 = all.iter().map(|(bytes, _)| bytes).sum();
    if known < size {
        all.push((size - known, rest));
    }
    all
}
