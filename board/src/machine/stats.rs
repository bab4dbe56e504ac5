//! Counters of a run.

use crate::cpu::CpuStats;
use crate::data_cache::CacheHazards;
use crate::soc::AccessStats;
use crate::soc::eth::EthCounters;

/// Counters since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardStats {
    /// Instructions executed, those of skipped loop passes included.
    pub instructions: u64,
    /// Core cycles.
    pub cycles: u64,
    /// Core cycles asleep in WFI or WFE.
    pub sleep_cycles: u64,
    /// Passes of idle loops that were skipped, and their cycles.
    pub skipped_passes: u64,
    pub skipped_cycles: u64,
    /// Loads from and stores to peripherals, without those of skipped passes.
    pub peripheral_loads: u64,
    pub peripheral_stores: u64,
    /// Accesses to peripherals, SRAM1 or SRAM2 whose clock was off: a fault of the firmware.
    pub unclocked_accesses: u64,
    /// The address of the first of these.
    pub first_unclocked_address: Option<u32>,
    /// Lines that the firmware should have cleaned or invalidated; counted only where
    /// [`BoardConfig::data_cache`](crate::BoardConfig::data_cache) gives the cache contents.
    pub cache_hazards: CacheHazards,
    /// Frames in the part's Ethernet block.
    pub ethernet: EthCounters,
    /// Bytes clocked over the shield's SPI, each out and in.
    pub spi_bytes: u64,
    /// Bytes of the firmware's log that could not be decoded.
    pub undecodable_log_bytes: u64,
}

impl BoardStats {
    pub(super) fn new(
        cpu: CpuStats,
        accesses: AccessStats,
        cache_hazards: CacheHazards,
        ethernet: EthCounters,
        spi_bytes: u64,
        undecodable_log_bytes: u64,
    ) -> Self {
        Self {
            instructions: cpu.instructions,
            cycles: cpu.cycles,
            sleep_cycles: cpu.sleep_cycles,
            skipped_passes: cpu.skipped_passes,
            skipped_cycles: cpu.skipped_cycles,
            peripheral_loads: accesses.loads,
            peripheral_stores: accesses.stores,
            unclocked_accesses: accesses.unclocked,
            first_unclocked_address: accesses.first_unclocked,
            cache_hazards,
            ethernet,
            spi_bytes,
            undecodable_log_bytes,
        }
    }
}
