//! Lines of the data cache, for those who ask what a firmware without cache maintenance would see.
//!
//! The board has no cache contents unless [`CacheModel`] asks for them. Then every line that the core
//! loads from or stores to cacheable memory is kept until the firmware invalidates it: nothing is ever
//! evicted, so whatever can be stale is. A part evicts, and hides the same fault most of the time.
//!
//! [`Memory`](crate::memory::Memory) keeps what the core sees; a line here keeps what the memory behind
//! the cache holds.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use crate::memory::Region;

/// Bytes of a line.
pub const LINE_LEN: u32 = 32;
/// Sets of the cache: 32 KB in four ways (CCSIDR).
const SETS: u32 = 256;

/// Memories that a DMA controller reaches and the data cache keeps.
pub const CACHED_REGIONS: [Region; 3] = [Region::AxiSram, Region::D2Sram, Region::Sram4];

/// What the board knows of the data cache's contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheModel {
    /// Nothing: core and DMA always see the same bytes, whatever the firmware cleans and invalidates.
    #[default]
    Coherent,
    /// Core and DMA see the same bytes, and each line that could have been stale is counted. Slow.
    Checked,
    /// What could be stale is stale, and counted. Slow.
    Stale,
}

/// Lines that the firmware should have cleaned or invalidated, with the D-cache on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheHazards {
    /// Lines that the core used after DMA had written them, though it had them from before.
    pub stale_lines_used: u64,
    /// The address of the first of these.
    pub first_stale_line: Option<u32>,
    /// Lines that DMA read though the core's stores to them were not cleaned.
    pub dirty_lines_read: u64,
    /// The address of the first of these.
    pub first_dirty_line: Option<u32>,
    /// Lines that DMA wrote though the core's stores to them were not cleaned: of both only one stays.
    pub dirty_lines_overwritten: u64,
}

/// A line the cache has.
#[derive(Clone, Debug)]
struct Line {
    /// What the memory behind the cache holds.
    behind: [u8; LINE_LEN as usize],
    /// It holds stores that are not cleaned.
    is_dirty: bool,
    /// DMA wrote what the core has not used yet.
    is_stale: bool,
}

/// The lines that the core has loaded or stored and not given up.
#[derive(Clone, Debug)]
pub struct DataCache {
    is_effective: bool,
    lines: HashMap<u32, Line>,
    hazards: CacheHazards,
    /// What DMA read last.
    read: Vec<u8>,
}

impl DataCache {
    /// An empty cache, if `model` asks for one.
    pub fn new(model: CacheModel) -> Option<Self> {
        (model != CacheModel::Coherent).then(|| Self {
            is_effective: model == CacheModel::Stale,
            lines: HashMap::new(),
            hazards: CacheHazards::default(),
            read: Vec::new(),
        })
    }

    pub fn hazards(&self) -> CacheHazards {
        self.hazards
    }

    pub fn has(&self, line: u32) -> bool {
        self.lines.contains_key(&line)
    }

    /// The core uses `line`, which holds `bytes` if it has to be fetched.
    pub fn touch(&mut self, line: u32, bytes: &[u8; LINE_LEN as usize]) {
        match self.lines.entry(line) {
            Entry::Vacant(entry) => {
                entry.insert(Line {
                    behind: *bytes,
                    is_dirty: false,
                    is_stale: false,
                });
            }
            Entry::Occupied(mut entry) => {
                if std::mem::take(&mut entry.get_mut().is_stale) {
                    self.hazards.stale_lines_used += 1;
                    self.hazards.first_stale_line.get_or_insert(line);
                }
            }
        }
    }

    /// A store of the core to a line that it has was kept from the memory behind.
    pub fn make_dirty(&mut self, line: u32) {
        if let Some(held) = self.lines.get_mut(&line) {
            held.is_dirty = true;
        }
    }

    /// A store of `bytes` to a line that the core has went through to the memory behind.
    pub fn write_through(&mut self, address: u32, bytes: &[u8]) {
        if let Some(held) = self.lines.get_mut(&line_of(address)) {
            let at = (address % LINE_LEN) as usize;
            held.behind[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }

    /// What a DMA controller reads at `address`, where the core sees `bytes`.
    pub fn dma_read(&mut self, address: u32, bytes: &[u8]) -> &[u8] {
        self.read.clear();
        self.read.extend_from_slice(bytes);
        for (line, inside, at) in parts(address, bytes.len()) {
            let Some(held) = self.lines.get(&line) else {
                continue;
            };
            if held.is_dirty {
                self.hazards.dirty_lines_read += 1;
                self.hazards.first_dirty_line.get_or_insert(line);
            }
            if self.is_effective {
                self.read[at.clone()].copy_from_slice(&held.behind[inside..inside + at.len()]);
            }
        }
        &self.read
    }

    /// A DMA controller writes `bytes` at `address`; `seen` is what the core sees there.
    pub fn dma_write(&mut self, address: u32, bytes: &[u8], seen: &mut [u8]) {
        for (line, inside, at) in parts(address, bytes.len()) {
            let held = self.lines.get_mut(&line);
            let is_hidden = held.is_some() && self.is_effective;
            if let Some(held) = held {
                held.behind[inside..inside + at.len()].copy_from_slice(&bytes[at.clone()]);
                held.is_stale = true;
                self.hazards.dirty_lines_overwritten += u64::from(held.is_dirty);
            }
            if !is_hidden {
                seen[at.clone()].copy_from_slice(&bytes[at]);
            }
        }
    }

    /// The core writes `line`, of which it sees `bytes`, back if it has to.
    pub fn clean(&mut self, line: u32, bytes: &[u8; LINE_LEN as usize]) {
        if let Some(held) = self.lines.get_mut(&line)
            && std::mem::take(&mut held.is_dirty)
        {
            held.behind = *bytes;
            held.is_stale = false;
        }
    }

    /// The core gives `line` up; what it then sees there, if that is something else than before.
    pub fn invalidate(&mut self, line: u32) -> Option<[u8; LINE_LEN as usize]> {
        let held = self.lines.remove(&line)?;
        self.is_effective.then_some(held.behind)
    }

    /// The lines of a set, whatever their way.
    pub fn lines_of_set(&self, set: u32) -> Vec<u32> {
        let lines = self.lines.keys().copied();
        lines
            .filter(|line| line / LINE_LEN % SETS == set % SETS)
            .collect()
    }
}

/// The address of the line that holds `address`.
pub const fn line_of(address: u32) -> u32 {
    address & !(LINE_LEN - 1)
}

/// The addresses of the lines that hold `len` bytes at `address`.
pub fn lines_of(address: u32, len: u32) -> impl Iterator<Item = u32> {
    (line_of(address)..address + len).step_by(LINE_LEN as usize)
}

/// Of `len` bytes at `address`: each line, where in it the bytes begin, and which of them it holds.
fn parts(address: u32, len: usize) -> impl Iterator<Item = (u32, usize, Range<usize>)> {
    let end = address + len as u32;
    lines_of(address, len as u32).map(move |line| {
        let from = line.max(address);
        let to = end.min(line + LINE_LEN);
        let at = (from - address) as usize..(to - address) as usize;
        (line, (from - line) as usize, at)
    })
}
