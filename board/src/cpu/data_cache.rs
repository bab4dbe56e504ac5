//! What the data cache, where it has contents, hears of the core: loads, stores and maintenance.

use super::mpu::MemoryType;
use super::state::Core;
use crate::bus::Bus;
use crate::data_cache::CACHED_REGIONS;
use crate::memory::{Maintenance, Memory, REGIONS};

/// Registers of cache maintenance by address and by set and way (ARMv7-M B3.2.2).
const DCIMVAC: u32 = 0xE000_EF5C;
const DCISW: u32 = 0xE000_EF60;
const DCCMVAU: u32 = 0xE000_EF64;
const DCCMVAC: u32 = 0xE000_EF68;
const DCCSW: u32 = 0xE000_EF6C;
const DCCIMVAC: u32 = 0xE000_EF70;
const DCCISW: u32 = 0xE000_EF74;

const CLEAN: Maintenance = Maintenance {
    clean: true,
    invalidate: false,
};
const INVALIDATE: Maintenance = Maintenance {
    clean: false,
    invalidate: true,
};
const CLEAN_AND_INVALIDATE: Maintenance = Maintenance {
    clean: true,
    invalidate: true,
};

impl Core {
    /// Lets the slow path see every access to what the data cache keeps, if it has contents.
    pub(super) fn watch_data_cache<B: Bus>(&self, bus: &mut B) {
        if !bus.memory().has_cache_contents() || !self.scb.data_cache() {
            return;
        }
        for info in REGIONS {
            if CACHED_REGIONS.contains(&info.region) {
                bus.memory_mut().limit_fast_path(info, false, false);
            }
        }
    }

    /// Whether the data cache keeps what is at `address`, and writes it back.
    fn kept_at(&self, memory: &Memory, address: u32) -> Option<MemoryType> {
        let watched = memory.has_cache_contents() && self.scb.data_cache();
        watched
            .then(|| self.scb.memory_type(address))
            .filter(|memory_type| memory_type.is_cached())
    }

    /// A load is about to happen.
    #[inline]
    pub(super) fn load_through_cache<B: Bus>(&self, bus: &mut B, address: u32, len: u32) {
        if self.kept_at(bus.memory(), address).is_some() {
            bus.memory_mut().touch_lines(address, len);
        }
    }

    /// A store of `bytes` is about to happen.
    #[inline]
    pub(super) fn store_through_cache<B: Bus>(&self, bus: &mut B, address: u32, bytes: &[u8]) {
        if let Some(memory_type) = self.kept_at(bus.memory(), address) {
            let memory = bus.memory_mut();
            let write_back = memory_type == MemoryType::WriteBack;
            memory.touch_lines_for_store(address, bytes.len() as u32, write_back);
            if !write_back {
                memory.write_through(address, bytes);
            }
        }
    }

    /// A store to the private peripheral bus happened: it may have been cache maintenance.
    pub(super) fn maintain_data_cache<B: Bus>(&self, bus: &mut B, register: u32, value: u32) {
        let memory = bus.memory_mut();
        match register {
            DCIMVAC => memory.maintain_line(value, INVALIDATE),
            DCCMVAU | DCCMVAC => memory.maintain_line(value, CLEAN),
            DCCIMVAC => memory.maintain_line(value, CLEAN_AND_INVALIDATE),
            DCISW => memory.maintain_set(value >> 5, INVALIDATE),
            DCCSW => memory.maintain_set(value >> 5, CLEAN),
            DCCISW => memory.maintain_set(value >> 5, CLEAN_AND_INVALIDATE),
            _ => {}
        }
    }
}
