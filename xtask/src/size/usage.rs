//! How much of each memory region an image takes up.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::metadata::{Region, RegionKind};

use super::class::Class;
use super::crosscheck::Loaded;
use super::elf::Section;
use super::placement::parts;

/// Bytes of a flash region, by load address (LMA).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlashUse {
    /// The region's name.
    pub region: String,
    /// The region's length.
    pub length_bytes: u64,
    /// What the sections put there.
    pub content_bytes: u64,
    /// What lies between them and holds nothing.
    pub gap_bytes: u64,
    /// From the first to the last byte: content and gaps, the length of the extracted image.
    pub span_bytes: u64,
}

/// Bytes of a RAM region, by run-time address (VMA).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RamUse {
    /// The region's name.
    pub region: String,
    /// The region's length.
    pub length_bytes: u64,
    /// Code that is copied there; flash holds it too.
    pub code_bytes: u64,
    /// Data whose first values flash holds too.
    pub initialised_bytes: u64,
    /// Memory that starts as zeros.
    pub zeroed_bytes: u64,
    /// Memory that starts as it is found.
    pub uninitialised_bytes: u64,
    /// Memory set aside for stack and heap; no part of [`RamUse::static_bytes`].
    pub reserved_bytes: u64,
}

impl RamUse {
    /// Static RAM: all but the reservations.
    pub fn static_bytes(&self) -> u64 {
        self.code_bytes + self.initialised_bytes + self.zeroed_bytes + self.uninitialised_bytes
    }
}

/// The use of the flash regions, from what was found to be loaded into each.
pub fn flash(loaded: &[Loaded]) -> Vec<FlashUse> {
    let uses = loaded.iter().map(|loaded| FlashUse {
        region: loaded.region.name.clone(),
        length_bytes: loaded.region.length.into(),
        content_bytes: loaded.content_bytes,
        gap_bytes: loaded.gap_bytes,
        span_bytes: loaded.content_bytes + loaded.gap_bytes,
    });
    uses.collect()
}

/// The use of the RAM regions that are used at all, in the order of their addresses.
pub fn ram(sections: &[Section], regions: &[Region]) -> Vec<RamUse> {
    let mut uses = BTreeMap::new();
    for section in sections {
        let end = section.address + section.size;
        for (region, bytes) in parts(section.address, end, regions).unwrap_or_default() {
            if region.kind == RegionKind::Ram {
                let in_use = uses.entry(region.origin).or_insert_with(|| RamUse {
                    region: region.name.clone(),
                    length_bytes: region.length.into(),
                    ..RamUse::default()
                });
                if let Some(sum) = sum_of(in_use, Class::of(section)) {
                    *sum += bytes;
                }
            }
        }
    }
    uses.into_values().collect()
}

fn sum_of(ram: &mut RamUse, class: Class) -> Option<&mut u64> {
    match class {
        Class::RamCode => Some(&mut ram.code_bytes),
        Class::InitialisedData => Some(&mut ram.initialised_bytes),
        Class::ZeroedData => Some(&mut ram.zeroed_bytes),
        Class::UninitialisedData => Some(&mut ram.uninitialised_bytes),
        Class::Reservation => Some(&mut ram.reserved_bytes),
        Class::VectorTable | Class::Code | Class::Constants => None,
    }
}
