//! The memories as DMA controllers reach them, behind the core's data cache if it has contents.

use super::Memory;
use crate::data_cache::{
    CACHED_REGIONS, CacheHazards, CacheModel, DataCache, LINE_LEN, line_of, lines_of,
};

/// What cache maintenance does with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maintenance {
    pub clean: bool,
    pub invalidate: bool,
}

impl Memory {
    /// Gives the data cache contents, or takes them away.
    pub fn set_cache_model(&mut self, model: CacheModel) {
        self.data_cache = DataCache::new(model).map(Box::new);
    }

    /// Whether the data cache has contents, so that it has to hear of every access to what it keeps.
    #[inline]
    pub fn has_cache_contents(&self) -> bool {
        self.data_cache.is_some()
    }

    pub fn cache_hazards(&self) -> CacheHazards {
        let cache = self.data_cache.as_ref();
        cache.map_or_else(CacheHazards::default, |cache| cache.hazards())
    }

    /// The bytes that a DMA controller reads.
    pub fn dma_read(&mut self, address: u32, len: u32) -> Option<&[u8]> {
        let (at, _) = self.place(address, len)?;
        let bytes = &self.bytes[at..at + len as usize];
        Some(match &mut self.data_cache {
            Some(cache) => cache.dma_read(address, bytes),
            None => bytes,
        })
    }

    /// Stores what a DMA controller writes; `None` where no RAM answers.
    pub fn dma_write(&mut self, address: u32, bytes: &[u8]) -> Option<()> {
        let mut cache = self.data_cache.take();
        let place = self.slice_mut(address, bytes.len() as u32);
        let is_ram = place.map(|seen| match &mut cache {
            Some(cache) => cache.dma_write(address, bytes, seen),
            None => seen.copy_from_slice(bytes),
        });
        self.data_cache = cache;
        is_ram
    }

    /// The core is about to load, or to store to what it keeps.
    pub fn touch_lines(&mut self, address: u32, len: u32) {
        for line in lines_of(address, len) {
            if let Some((cache, bytes)) = self.line(line) {
                cache.touch(line, bytes);
            }
        }
    }

    /// The core is about to store: a cache that writes through fetches no line for it.
    pub fn touch_lines_for_store(&mut self, address: u32, len: u32, write_back: bool) {
        for line in lines_of(address, len) {
            if let Some((cache, bytes)) = self.line(line)
                && (write_back || cache.has(line))
            {
                cache.touch(line, bytes);
                if write_back {
                    cache.make_dirty(line);
                }
            }
        }
    }

    /// The core has stored `bytes`, and they go through the cache.
    pub fn write_through(&mut self, address: u32, bytes: &[u8]) {
        if let Some(cache) = &mut self.data_cache {
            for (address, byte) in (address..).zip(bytes) {
                cache.write_through(address, std::slice::from_ref(byte));
            }
        }
    }

    /// Maintains the line that holds `address`.
    pub fn maintain_line(&mut self, address: u32, what: Maintenance) {
        let line = line_of(address);
        let Some((cache, bytes)) = self.line(line) else {
            return;
        };
        if what.clean {
            cache.clean(line, bytes);
        }
        if what.invalidate
            && let Some(behind) = cache.invalidate(line)
            && let Some(seen) = self.slice_mut(line, LINE_LEN)
        {
            seen.copy_from_slice(&behind);
        }
    }

    /// Maintains every line of a set: the model knows no ways.
    pub fn maintain_set(&mut self, set: u32, what: Maintenance) {
        let lines = self
            .data_cache
            .as_ref()
            .map(|cache| cache.lines_of_set(set));
        for line in lines.unwrap_or_default() {
            self.maintain_line(line, what);
        }
    }

    /// The cache and what the core sees of a line, if the cache may have it.
    fn line(&mut self, line: u32) -> Option<(&mut DataCache, &[u8; LINE_LEN as usize])> {
        let region = Self::region_at(line)?.region;
        let (at, _) = self.place(line, LINE_LEN)?;
        let bytes = self.bytes[at..].first_chunk()?;
        let cache = self.data_cache.as_mut()?;
        CACHED_REGIONS
            .contains(&region)
            .then_some((&mut **cache, bytes))
    }
}
