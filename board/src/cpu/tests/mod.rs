//! Whole programs on the core: encodings in, registers, flags, cycles and exits out.

mod alu;
mod data_cache;
mod exceptions;
mod faults;
mod idle;
mod memory;
mod mpu;
mod replay;
mod shapes;

use super::{Cpu, Exit, Options, StopReason};
use crate::bus::{AccessError, Bus, Loaded, Width};
use crate::cost::CostTable;
use crate::irq::IrqLines;
use crate::memory::Memory;

const VECTORS: u32 = 0x0800_0000;
const CODE: u32 = 0x0800_0400;
const STACK_TOP: u32 = 0x2000_1000;
const RAM: u32 = 0x2400_0000;
const DEVICE: u32 = 0x4000_0000;
/// CCR.IC.
const INSTRUCTION_CACHE: u32 = 1 << 17;

/// Loads of the device's registers: what a program under test can see of the outside.
mod device {
    /// Bit 0 rises with the event; stable.
    pub const STATUS: u32 = 0;
    /// How often this register was read; not stable.
    pub const READS: u32 = 4;
    /// A store of n makes the event due n cycles later.
    pub const TIMER: u32 = 8;
    /// A store of n sets the level of interrupt line 5 to bit 0 of n.
    pub const LINE: u32 = 12;
    /// A store asks the run to pause.
    pub const PAUSE: u32 = 16;
    /// Not modelled.
    pub const HOLE: u32 = 20;
    /// Takes one of a few values at each read, always in the same order; not stable.
    pub const SEQUENCE: u32 = 24;
}

/// A bus with one device on it.
struct TestBus {
    memory: Memory,
    lines: IrqLines,
    due: u64,
    status: u32,
    reads: u32,
    pause: bool,
    /// The event also raises interrupt line 5.
    event_raises_line: bool,
    events_at: Vec<u64>,
    /// Loads of the device, those that were only counted included.
    loads: u64,
    /// The last access was a load of STATUS.
    polled: bool,
}

impl Bus for TestBus {
    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn load(&mut self, address: u32, _: Width, _: u64) -> Result<Loaded, AccessError> {
        self.loads += 1;
        self.polled = address == DEVICE + device::STATUS;
        let (value, stable) = match address.wrapping_sub(DEVICE) {
            device::STATUS => (self.status, true),
            device::SEQUENCE => {
                self.reads += 1;
                (self.reads.wrapping_mul(0x9E37_79B9) >> 30, false)
            }
            device::READS => {
                self.reads += 1;
                (self.reads, false)
            }
            device::HOLE => {
                return Err(AccessError::Unmodelled {
                    block: "DEVICE",
                    offset: device::HOLE,
                });
            }
            _ => return Err(AccessError::Fault),
        };
        Ok(Loaded {
            value,
            cycles: 4,
            stable,
        })
    }

    fn store(
        &mut self,
        address: u32,
        _: Width,
        value: u32,
        cycle: u64,
    ) -> Result<u32, AccessError> {
        self.polled = false;
        match address.wrapping_sub(DEVICE) {
            device::STATUS => self.status = value,
            device::TIMER => self.due = cycle + u64::from(value),
            device::LINE => self.lines.set(5, value & 1 != 0),
            device::PAUSE => self.pause = true,
            _ => return Err(AccessError::Fault),
        }
        Ok(3)
    }

    fn steady_until(&self, _: u64) -> u64 {
        if self.polled { self.due } else { 0 }
    }

    fn count_repeated_loads(&mut self, count: u64) {
        self.loads += count;
    }

    fn next_event_cycle(&self) -> u64 {
        self.due
    }

    fn run_events(&mut self, cycle: u64) {
        if cycle >= self.due {
            self.due = u64::MAX;
            self.polled = false;
            self.status |= 1;
            self.events_at.push(cycle);
            if self.event_raises_line {
                self.lines.set(5, true);
            }
        }
    }

    fn take_pause_request(&mut self) -> bool {
        std::mem::take(&mut self.pause)
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

fn bytes_of(code: &[u16]) -> Vec<u8> {
    code.iter().flat_map(|half| half.to_le_bytes()).collect()
}

/// Where the handler of exception `n` starts.
const fn handler(n: u32) -> u32 {
    0x0800_1000 + 0x40 * n
}

/// A core in front of `code`, with a vector table whose handlers are all breakpoints 99.
struct Machine {
    cpu: Cpu,
    bus: TestBus,
}

impl Machine {
    fn new(code: &[u16]) -> Self {
        Self::with(code, Options::default())
    }

    /// As [`Machine::with`], with the instruction cache on: nothing waits for code.
    fn with_cached_code(code: &[u16], options: Options) -> Self {
        let mut machine = Self::with(code, options);
        machine.cpu.core.scb.write_ccr(INSTRUCTION_CACHE);
        machine
    }

    fn with(code: &[u16], options: Options) -> Self {
        let mut memory = Memory::default();
        memory.program(VECTORS, &STACK_TOP.to_le_bytes());
        memory.program(VECTORS + 4, &(CODE | 1).to_le_bytes());
        for n in 2..180 {
            memory.program(VECTORS + 4 * n, &(handler(n) | 1).to_le_bytes());
            memory.program(handler(n), &bytes_of(&[0xBE63]));
        }
        memory.program(CODE, &bytes_of(code));
        let mut bus = TestBus {
            memory,
            lines: IrqLines::default(),
            due: u64::MAX,
            status: 0,
            reads: 0,
            pause: false,
            event_raises_line: false,
            events_at: Vec::new(),
            loads: 0,
            polled: false,
        };
        let mut cpu = Cpu::new(CostTable::default(), options);
        cpu.reset(&mut bus, VECTORS);
        Self { cpu, bus }
    }

    /// Puts `code` where the handler of exception `n` starts.
    fn handler(&mut self, n: u32, code: &[u16]) -> &mut Self {
        self.bus.memory.program(handler(n), &bytes_of(code));
        self
    }

    fn set(&mut self, registers: &[(usize, u32)]) -> &mut Self {
        for &(n, value) in registers {
            self.cpu.set_register(n, value);
        }
        self
    }

    fn r(&self, n: usize) -> u32 {
        self.cpu.register(n)
    }

    /// Runs to a breakpoint and gives its number.
    fn run_to_breakpoint(&mut self) -> u8 {
        match self.cpu.run(&mut self.bus, 1_000_000) {
            Exit::Stopped(StopReason::Breakpoint { value, .. }) => value,
            exit => panic!("{exit:?}, fault {:?}", self.cpu.last_fault()),
        }
    }

    /// N, Z, C, V as a string with capitals for set ones.
    fn flags(&self) -> String {
        "nzcv"
            .chars()
            .enumerate()
            .map(|(n, name)| {
                if self.cpu.xpsr() >> (31 - n) & 1 != 0 {
                    name.to_ascii_uppercase()
                } else {
                    name
                }
            })
            .collect()
    }

    fn word(&self, address: u32) -> u32 {
        self.bus.memory.load_u32(address).expect("memory")
    }
}

/// Runs `code`, followed by a breakpoint, with `registers` set.
fn run(code: &[u16], registers: &[(usize, u32)]) -> Machine {
    let mut code = code.to_vec();
    code.push(0xBE00);
    let mut machine = Machine::new(&code);
    machine.set(registers);
    assert_eq!(machine.run_to_breakpoint(), 0);
    machine
}
