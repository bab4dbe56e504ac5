//! What is loaded into flash, found three ways that have to agree.

use anyhow::ensure;

use crate::metadata::{Region, RegionKind};

use super::elf::{Elf, Section};
use super::placement::end_of;

/// What is loaded into a flash region.
#[derive(Clone, Copy, Debug)]
pub struct Loaded<'a> {
    /// The region.
    pub region: &'a Region,
    /// Bytes of sections.
    pub content_bytes: u64,
    /// Bytes between them that are of no section.
    pub gap_bytes: u64,
}

/// Compares, for each flash region, the reach of the segments, the sum of the sections with the gaps
/// between them, and the length of the image made of the sections' content.
///
/// # Errors
///
/// When they differ: all three are named then.
pub fn check<'a>(elf: &Elf, regions: &'a [Region]) -> anyhow::Result<Vec<Loaded<'a>>> {
    let is_flash = |region: &&Region| region.kind == RegionKind::Flash;
    let loaded = regions.iter().filter(is_flash).map(|region| {
        let sections = sections_in(elf, region);
        let segments = reach_of_segments(elf, region);
        let content_bytes = sections
            .iter()
            .map(|(_, section)| section.size)
            .sum::<u64>();
        let gap_bytes = gaps(&sections);
        let image = extract(&sections).len() as u64;
        ensure!(
            segments == image && content_bytes + gap_bytes == image,
            "the sizes of the image in {} disagree: its segments reach over {segments} bytes, \
             its sections are {content_bytes} bytes with {gap_bytes} in gaps, \
             and extracted it is {image} bytes long",
            region.name
        );
        Ok(Loaded {
            region,
            content_bytes,
            gap_bytes,
        })
    });
    loaded.collect()
}

/// The sections whose content is loaded into a region, by load address.
fn sections_in<'a, 'data>(elf: &'a Elf<'data>, region: &Region) -> Vec<(u64, &'a Section<'data>)> {
    let sections = elf.sections.iter();
    let loaded = sections.filter_map(|section| Some((section.load_address?, section)));
    let mut loaded: Vec<_> = loaded.filter(|(start, _)| holds(region, *start)).collect();
    loaded.sort_by_key(|(start, section)| (*start, section.size));
    loaded
}

/// From the first byte that a segment loads into a region to the last.
fn reach_of_segments(elf: &Elf, region: &Region) -> u64 {
    let mut reach: Option<(u64, u64)> = None;
    for segment in &elf.segments {
        let start = segment.load_address;
        if !segment.content.is_empty() && holds(region, start) {
            let end = start + segment.content.len() as u64;
            let (first, last) = reach.unwrap_or((start, end));
            reach = Some((first.min(start), last.max(end)));
        }
    }
    reach.map_or(0, |(first, last)| last - first)
}

/// The bytes between one section's end and the beginning of the next, added up.
fn gaps(sections: &[(u64, &Section)]) -> u64 {
    let neighbours = sections.windows(2);
    let gaps = neighbours.map(|pair| {
        let end = pair[0].0 + pair[0].1.size;
        pair[1].0.saturating_sub(end)
    });
    gaps.sum()
}

/// The binary image, as `objcopy -O binary` makes it: the content of the sections at their load
/// addresses, zeros between them.
fn extract(sections: &[(u64, &Section)]) -> Vec<u8> {
    let mut image = Vec::new();
    let first = sections.first().map_or(0, |(start, _)| *start);
    for (start, section) in sections {
        let from = (start - first) as usize;
        let to = from + section.content.len();
        if image.len() < to {
            image.resize(to, 0);
        }
        image[from..to].copy_from_slice(section.content);
    }
    image
}

fn holds(region: &Region, address: u64) -> bool {
    (u64::from(region.origin)..end_of(region)).contains(&address)
}
