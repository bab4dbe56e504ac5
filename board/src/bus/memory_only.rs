//! A board with nothing on its bus but the memories: to measure the core, and to compare it.

use super::{AccessError, Bus, Loaded, Width};
use crate::irq::IrqLines;
use crate::memory::Memory;

/// The part's memories; every other address faults, nothing ever happens, and the core runs at
/// twice HCLK.
#[derive(Default)]
pub struct MemoryOnly {
    /// The memories, to put programs and data in.
    pub memory: Memory,
    lines: IrqLines,
}

impl Bus for MemoryOnly {
    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn load(&mut self, _: u32, _: Width, _: u64) -> Result<Loaded, AccessError> {
        Err(AccessError::Fault)
    }

    fn store(&mut self, _: u32, _: Width, _: u32, _: u64) -> Result<u32, AccessError> {
        Err(AccessError::Fault)
    }

    fn next_event_cycle(&self) -> u64 {
        u64::MAX
    }

    fn run_events(&mut self, _: u64) {}

    fn take_pause_request(&mut self) -> bool {
        false
    }

    fn irq_lines(&mut self) -> &mut IrqLines {
        &mut self.lines
    }

    fn clock_epoch(&self) -> u32 {
        0
    }

    fn core_cycles_per_hclk(&self) -> u32 {
        2
    }
}
