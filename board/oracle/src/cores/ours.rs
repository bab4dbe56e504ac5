//! The core under test, with memories and nothing else.

use board::bus::MemoryOnly;
use board::cost::CostTable;
use board::cpu::{Cpu, Exit, Options, StopReason};

use crate::machine::{
    CODE_BASE, Core, End, FLAGS, FPSCR, PROGRAM_BASE, RAM_BASE, RAM_LEN, Start, background_code,
};

pub struct Ours {
    options: Options,
    background: Vec<u8>,
}

impl Default for Ours {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Ours {
    pub fn new(options: Options) -> Self {
        Self {
            options,
            background: background_code(),
        }
    }
}

fn bytes_of(code: &[u16]) -> Vec<u8> {
    code.iter().flat_map(|hw| hw.to_le_bytes()).collect()
}

fn core(options: Options) -> Cpu {
    let mut cpu = Cpu::new(CostTable::default(), options);
    cpu.enable_fpu();
    cpu
}

impl Core for Ours {
    fn run(&mut self, code: &[u16], start: &Start) -> End {
        let bytes = bytes_of(code);
        let mut bus = MemoryOnly::default();
        bus.memory.program(CODE_BASE, &self.background);
        bus.memory.program(PROGRAM_BASE, &bytes);
        bus.memory.program(RAM_BASE, &start.ram);
        let mut cpu = core(self.options);
        for (n, value) in start.r.into_iter().enumerate() {
            cpu.set_register(n, value);
        }
        cpu.set_register(15, PROGRAM_BASE);
        cpu.set_xpsr(start.flags | 1 << 24);
        cpu.fpu_mut().s = start.s;
        cpu.fpu_mut().fpscr = start.fpscr;
        cpu.watch(PROGRAM_BASE + bytes.len() as u32, "end");
        let stop = match cpu.run(&mut bus, 1_000_000) {
            Exit::Stopped(StopReason::Watched { .. }) => "end".to_owned(),
            Exit::Stopped(reason) => reason.to_string(),
            other => format!("{other:?} at {:08x}", cpu.pc()),
        };
        End {
            stop,
            r: std::array::from_fn(|n| cpu.register(n)),
            flags: cpu.xpsr() & FLAGS,
            s: cpu.fpu().s,
            fpscr: cpu.fpu().fpscr & FPSCR,
            ram: bus.memory.slice(RAM_BASE, RAM_LEN).expect("RAM").to_vec(),
        }
    }
}

/// What the core makes of one encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It executes, or faults in executing.
    Executes,
    Undefined,
    /// The core ends the run and names it: what it does with unpredictable encodings.
    Refused,
}

/// Asks the core what it makes of single encodings.
#[derive(Default)]
pub struct Prober {
    bus: MemoryOnly,
}

impl Prober {
    pub fn probe(&mut self, halfwords: &[u16]) -> Finding {
        self.bus.memory.program(PROGRAM_BASE, &bytes_of(halfwords));
        let mut cpu = core(Options::default());
        cpu.set_register(15, PROGRAM_BASE);
        cpu.set_xpsr(1 << 24);
        match cpu.run(&mut self.bus, 1) {
            Exit::Stopped(StopReason::Undefined { .. }) => Finding::Undefined,
            Exit::Stopped(StopReason::UnmodelledInstruction { .. }) => Finding::Refused,
            _ => Finding::Executes,
        }
    }
}
