//! Checks that an image fits the memory of its part.

use anyhow::{bail, ensure};

use crate::metadata::{Region, RegionKind};

use super::elf::{Elf, Section, Segment};

/// Sections this far apart still belong to the same run of an image; linkers align by less.
const LARGEST_ALIGNMENT: u64 = 4096;

/// A section's name and the addresses it takes up, the end excluded.
type Placed<'a> = (&'a str, u64, u64);

/// Refuses an image that is larger than a region, and sections or content outside the right ones.
///
/// Linkers accept these without a word when a script places sections by expressions.
pub fn check(elf: &Elf, regions: &[Region]) -> anyhow::Result<()> {
    let mut loaded = Vec::new();
    let mut run = Vec::new();
    for Section {
        name,
        address,
        load_address,
        size,
        ..
    } in &elf.sections
    {
        run.push((name.as_str(), *address, address + size));
        if let Some(load_address) = load_address {
            loaded.push((name.as_str(), *load_address, load_address + size));
        }
    }
    for memory in joined(regions) {
        check_length(&memory, &mut run)?;
        if memory.kind == RegionKind::Flash {
            check_length(&memory, &mut loaded)?;
        }
    }
    check_loaded(elf, regions)?;
    for section in &elf.sections {
        check_run_time(section, regions)?;
    }
    Ok(())
}

/// The regions that a range of addresses lies in and its bytes in each; none when a part of it lies in
/// no region, or when it goes from one kind of memory to another.
pub fn parts(start: u64, end: u64, regions: &[Region]) -> Option<Vec<(&Region, u64)>> {
    let mut parts: Vec<(&Region, u64)> = Vec::new();
    let mut at = start;
    while at < end {
        let region = region_at(at, regions)?;
        if parts
            .first()
            .is_some_and(|(first, _)| first.kind != region.kind)
        {
            return None;
        }
        let until = end.min(end_of(region));
        parts.push((region, until - at));
        at = until;
    }
    Some(parts)
}

/// The regions in the order of their addresses, those of a kind without a gap between them as one.
fn joined(regions: &[Region]) -> Vec<Region> {
    let mut sorted = regions.to_vec();
    sorted.sort_by_key(|region| region.origin);
    let mut joined: Vec<Region> = Vec::new();
    for region in sorted {
        match joined.last_mut() {
            Some(last) if last.kind == region.kind && end_of(last) == u64::from(region.origin) => {
                last.name += &format!(" with {}", region.name);
                last.length += region.length;
            }
            _ => joined.push(region),
        }
    }
    joined
}

/// Refuses sections that begin in a memory, or follow on one that does, and go beyond its end.
fn check_length(memory: &Region, placed: &mut [Placed]) -> anyhow::Result<()> {
    placed.sort_by_key(|(_, start, end)| (*start, *end));
    let (origin, end) = (u64::from(memory.origin), end_of(memory));
    let mut reach = None;
    let mut last = "";
    for &(name, from, to) in placed.iter() {
        let follows = reach.is_some_and(|reach| from <= reach + LARGEST_ALIGNMENT);
        let belongs = from >= origin && (from < end || follows);
        if belongs && reach.is_none_or(|reach| to > reach) {
            reach = Some(to);
            last = name;
        }
    }
    let need = reach.map_or(0, |reach| reach - origin);
    let length = u64::from(memory.length);
    ensure!(
        need <= length,
        "{} is too small: {need} bytes are needed up to the end of section {last}, \
         and it has {length}: {} too many",
        memory.name,
        need.saturating_sub(length)
    );
    Ok(())
}

/// Refuses content that is loaded elsewhere than into flash.
fn check_loaded(elf: &Elf, regions: &[Region]) -> anyhow::Result<()> {
    let (mut inside, mut outside) = (None::<(u64, u64)>, 0);
    let mut places = Vec::new();
    for segment in elf
        .segments
        .iter()
        .filter(|segment| !segment.content.is_empty())
    {
        let size = segment.content.len() as u64;
        let (start, end) = (segment.load_address, segment.load_address + size);
        let parts = parts(start, end, regions).unwrap_or_default();
        match parts.first() {
            Some((region, _)) if region.kind == RegionKind::Flash => {
                let (first, last) = inside.unwrap_or((start, end));
                inside = Some((first.min(start), last.max(end)));
            }
            part => {
                let region = part.map_or("no region", |(region, _)| region.name.as_str());
                let names = names_in(elf, segment);
                places.push(format!("{size} at {start:#010x} in {region} ({names})"));
                outside += size;
            }
        }
    }
    let span = inside.map_or(0, |(first, last)| last - first);
    ensure!(
        outside == 0,
        "{outside} loadable bytes are outside flash, where {span} are: {}",
        places.join(", ")
    );
    Ok(())
}

/// The names of the sections within a segment's content.
fn names_in(elf: &Elf, segment: &Segment) -> String {
    let end = segment.address + segment.content.len() as u64;
    let is_in = |section: &&Section| (segment.address..end).contains(&section.address);
    let names = elf.sections.iter().filter(is_in);
    names
        .map(|section| section.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Refuses a section that is outside the part's memory when the image runs, or has flash for memory.
fn check_run_time(section: &Section, regions: &[Region]) -> anyhow::Result<()> {
    let Section {
        name,
        address,
        size,
        load_address,
        ..
    } = section;
    let end = address + size;
    let Some(parts) = parts(*address, end, regions) else {
        bail!(
            "section {name}, {address:#010x} to {end:#010x}, is outside every region of the part"
        );
    };
    let is_memory = load_address.is_none();
    let in_flash = parts
        .iter()
        .find(|(region, _)| region.kind == RegionKind::Flash);
    match in_flash {
        Some((region, _)) if is_memory => {
            bail!("section {name} has no content but lies in {}", region.name)
        }
        _ => Ok(()),
    }
}

fn region_at(address: u64, regions: &[Region]) -> Option<&Region> {
    let mut regions = regions.iter();
    regions.find(|region| (u64::from(region.origin)..end_of(region)).contains(&address))
}

/// The first address behind a region.
pub fn end_of(region: &Region) -> u64 {
    u64::from(region.origin) + u64::from(region.length)
}
