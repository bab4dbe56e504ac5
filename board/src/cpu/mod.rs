//! The Cortex-M7 core.
//!
//! [`Cpu::run`] executes instructions until a cycle limit, a request of the bus, or something that
//! the firmware cannot survive. Everything is exact at instruction granularity: events, interrupts
//! and the limit are honoured before the first instruction that would start at their cycle or later.
//!
//! Code is decoded once into blocks (`block`) of compact steps (`op`) and run by one loop
//! (`execute`). What the model leaves out: all bus faults are precise, and caches have no contents unless
//! asked for (`data_cache`).

mod block;
mod data_cache;
mod decode;
pub mod dsp;
mod exception;
mod execute;
mod fault;
mod fetch;
pub mod fpu;
mod idle;
mod mpu;
mod nvic;
mod op;
mod ppb;
mod replay;
mod run;
mod scb;
mod state;
mod stop;
mod systick;
#[cfg(test)]
mod tests;
mod timing;
mod trace;

pub use stop::{Exit, FaultRecord, StopReason};

use crate::bus::Bus;
use crate::cost::{CostState, CostTable};
use block::{CodeCache, Costs};
use fpu::FpuRegs;
use idle::Idle;
use mpu::Mpu;
use op::Slot;
use state::{Core, Sleep};

/// How the core runs; none of it changes what a program computes, or when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Jump over passes of loops that only wait.
    pub idle_skip: bool,
    /// Decode blocks of at most this many instructions (1 to 48).
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

/// Counters since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuStats {
    /// Instructions retired, those of skipped passes included.
    pub instructions: u64,
    /// Core cycles since power-on.
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
    core: Core,
    code: CodeCache,
    idle: Idle,
    idle_skip: bool,
    options: Options,
    watched: Vec<String>,
    /// The bus's clock epoch for which costs were baked in.
    clock_epoch: Option<u32>,
    /// The slots of an instruction that is executed by itself.
    scratch: Vec<Slot>,
    sleep_cycles: u64,
    skipped_passes: u64,
    skipped_cycles: u64,
}

impl Cpu {
    /// A core before reset.
    pub fn new(cost: CostTable, options: Options) -> Self {
        let state = CostState {
            instruction_cache: false,
            data_cache: false,
            core_cycles_per_hclk: 1,
        };
        let costs = Costs::new(cost.clone(), state, &Mpu::default());
        let mut core = Core::new(cost);
        core.stop_on_undefined = options.stop_on_undefined;
        Self {
            core,
            code: CodeCache::new(options.block_len, costs),
            idle: Idle::default(),
            idle_skip: options.idle_skip,
            options,
            watched: Vec::new(),
            clock_epoch: None,
            scratch: Vec::new(),
            sleep_cycles: 0,
            skipped_passes: 0,
            skipped_cycles: 0,
        }
    }

    /// Takes the core out of reset: stack pointer and program counter come from `vector_table`.
    /// Counts of cycles and instructions go on.
    pub fn reset<B: Bus>(&mut self, bus: &mut B, vector_table: u32) {
        let old = std::mem::replace(&mut self.core, Core::new(CostTable::default()));
        self.core.cost = old.cost;
        self.core.cycle = old.cycle;
        self.core.instructions = old.instructions;
        self.core.stop_on_undefined = old.stop_on_undefined;
        self.core.scb.vtor = vector_table;
        self.core.r[13] = bus.memory().load_u32(vector_table).unwrap_or(0) & !3;
        self.core.r[14] = u32::MAX;
        let entry = bus.memory().load_u32(vector_table.wrapping_add(4));
        self.core.branch_exchange(entry.unwrap_or(0));
        self.idle = Idle::default();
        self.clock_epoch = None;
    }

    /// Ends a run when the instruction at `pc` is about to execute. Costs nothing elsewhere.
    pub fn watch(&mut self, pc: u32, name: &str) {
        self.code.watch(pc & !1, self.watched.len() as u16);
        self.watched.push(name.to_owned());
    }

    /// Core cycles since power-on.
    pub fn cycle(&self) -> u64 {
        self.core.cycle
    }

    /// Instructions retired since power-on.
    pub fn instructions(&self) -> u64 {
        self.core.instructions
    }

    /// Cycles spent asleep since power-on.
    pub fn sleep_cycles(&self) -> u64 {
        self.sleep_cycles
    }

    pub fn stats(&self) -> CpuStats {
        CpuStats {
            instructions: self.core.instructions,
            cycles: self.core.cycle,
            sleep_cycles: self.sleep_cycles,
            skipped_passes: self.skipped_passes,
            skipped_cycles: self.skipped_cycles,
        }
    }

    /// General register `n`; 13 is the current stack pointer, 15 the next instruction's address.
    pub fn register(&self, n: usize) -> u32 {
        if n == 15 {
            self.core.pc
        } else {
            self.core.r[n]
        }
    }

    /// Writes general register `n`; 15 is where execution goes on.
    pub fn set_register(&mut self, n: usize, value: u32) {
        match n {
            13 => self.core.r[13] = value & !3,
            15 => {
                self.core.pc = value & !1;
                self.core.it = 0;
                self.core.fetched.flush();
            }
            _ => self.core.r[n] = value,
        }
    }

    pub fn pc(&self) -> u32 {
        self.core.pc
    }

    /// The combined program status register (flags, IT state, exception number).
    pub fn xpsr(&self) -> u32 {
        self.core.xpsr()
    }

    pub fn set_xpsr(&mut self, value: u32) {
        self.core
            .change_stack_selection(|core| core.set_xpsr(value));
    }

    /// The floating-point registers.
    pub fn fpu(&self) -> &FpuRegs {
        &self.core.fpu
    }

    pub fn fpu_mut(&mut self) -> &mut FpuRegs {
        &mut self.core.fpu
    }

    /// Gives everyone access to the floating-point unit, as firmware does through CPACR.
    pub fn enable_fpu(&mut self) {
        self.core.scb.cpacr = 0x00F0_0000;
        self.core.update_float_ready();
    }

    /// PRIMASK.
    pub fn interrupts_masked(&self) -> bool {
        self.core.primask
    }

    pub fn asleep(&self) -> bool {
        self.core.sleep != Sleep::Awake
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// The most recent fault, if any was raised since reset.
    pub fn last_fault(&self) -> Option<FaultRecord> {
        self.core.last_fault
    }

    pub fn cost(&self) -> &CostTable {
        &self.core.cost
    }
}
