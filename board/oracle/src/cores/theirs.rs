//! The oracle: rigless's Cortex-M7, driven through its `Processor` trait without a board.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::num::{NonZeroU32, NonZeroU64};

use rigless::cpu::armv7m::processor;
use rigless::emulator::{Access, CoreBus, Exit, Processor, Queued};
use rigless::machine::armv7m::{Config, Core as CoreConfig, Fpu, Variant};
use rigless::soc::{Endian, Width};
use rigless::time::VirtualNanos;

use crate::machine::{
    CODE_BASE, CODE_LEN, Core, End, FLAGS, FPSCR, PROGRAM_BASE, RAM_BASE, RAM_LEN, Start,
};

/// Registers by the numbers GDB gives them (the crate's target description).
mod gdb {
    pub const PC: usize = 15;
    pub const XPSR: usize = 16;
    pub const D0: usize = 17;
    pub const FPSCR: usize = 33;
    pub const PRIMASK: usize = 36;
    pub const BASEPRI: usize = 37;
    pub const FAULTMASK: usize = 38;
    pub const CONTROL: usize = 39;
}

const CPACR: u64 = 0xE000_ED88;
/// Host memory is aligned to the processor's pages, which are 4 KB at most.
const PAGE: usize = 4096;

/// Host memory that the processor keeps pointers into.
pub(super) struct HostMemory {
    pub(super) at: *mut u8,
    layout: Layout,
}

impl HostMemory {
    pub(super) fn new(len: u32) -> Self {
        let layout = Layout::from_size_align(len as usize, PAGE).expect("a small size");
        // SAFETY: the layout has a size above zero.
        let at = unsafe { alloc_zeroed(layout) };
        assert!(!at.is_null(), "out of memory");
        Self { at, layout }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        // SAFETY: `at` is valid for the layout's size, and the processor does not run meanwhile.
        unsafe { std::slice::from_raw_parts(self.at, self.layout.size()) }.to_vec()
    }

    pub(super) fn write(&mut self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= self.layout.size());
        // SAFETY: the range was checked, and the processor does not run meanwhile.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at.add(offset), bytes.len());
        }
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        // SAFETY: allocated with the same layout.
        unsafe { dealloc(self.at, self.layout) };
    }
}

/// Nothing lies outside the mapped memories: every access there fails.
struct EmptyBus {
    queued: Vec<Queued>,
}

impl CoreBus for EmptyBus {
    fn access(&mut self, _: Access, _: bool) -> Option<u64> {
        None
    }

    fn time(&self, instructions: u64) -> VirtualNanos {
        VirtualNanos(instructions)
    }

    fn queued(&mut self) -> Vec<Queued> {
        std::mem::take(&mut self.queued)
    }
}

pub struct Theirs {
    // Declared before the memories, so that it is dropped first.
    processor: Box<dyn Processor>,
    code: HostMemory,
    ram: HostMemory,
}

/// A Cortex-M7 with double precision, as on the STM32H723.
pub(super) fn cortex_m7(vector_table: Option<u32>) -> Box<dyn Processor> {
    let rate = NonZeroU64::new(400_000_000).expect("not zero");
    let core = CoreConfig {
        variant: Variant::M7,
        clock_hz: rate,
        interrupt_lines: NonZeroU32::new(163).expect("not zero"),
        priority_bits: 4,
        refclk_divider: NonZeroU32::new(8).expect("not zero"),
        instructions_per_second: rate,
        boot: "code",
    };
    let mut config = Config::new(core, &[]);
    config.fpu = Fpu::FpV5Dp;
    config.vector_table = vector_table;
    processor(&config, Endian::Little).expect("a Cortex-M7")
}

impl Default for Theirs {
    fn default() -> Self {
        let mut processor = cortex_m7(None);
        let (code, ram) = (HostMemory::new(CODE_LEN), HostMemory::new(RAM_LEN));
        // SAFETY: both memories are page-aligned, live longer than the processor, never move, and
        // are touched by `HostMemory` alone between runs.
        unsafe {
            processor.map(CODE_BASE.into(), CODE_LEN.into(), code.at, false);
            processor.map(RAM_BASE.into(), RAM_LEN.into(), ram.at, true);
        }
        Self {
            processor,
            code,
            ram,
        }
    }
}

impl Theirs {
    fn set_word(&mut self, register: usize, value: u32) {
        assert!(
            self.processor
                .set_gdb_register(register, &value.to_le_bytes()),
            "register {register}"
        );
    }

    fn word(&self, register: usize) -> u32 {
        let bytes = self.processor.gdb_register(register).expect("a register");
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }

    fn double(&self, d: usize) -> [u32; 2] {
        let bytes = self.processor.gdb_register(gdb::D0 + d).expect("D0 to D15");
        let value = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        [value as u32, (value >> 32) as u32]
    }

    fn prepare(&mut self, code: &[u16], start: &Start) {
        let bytes: Vec<u8> = code.iter().flat_map(|hw| hw.to_le_bytes()).collect();
        self.code.write(0, &crate::machine::background_code());
        self.code.write((PROGRAM_BASE - CODE_BASE) as usize, &bytes);
        self.ram.write(0, &start.ram);
        self.processor.reset();
        self.processor
            .debugger_access(Some(0x00F0_0000), CPACR, Width::W32, VirtualNanos(0));
        for (n, value) in start.r.into_iter().enumerate() {
            self.set_word(n, value);
        }
        self.set_word(gdb::PC, PROGRAM_BASE);
        self.set_word(gdb::XPSR, start.flags | 1 << 24);
        for (d, pair) in start.s.chunks(2).enumerate() {
            let value = u64::from(pair[0]) | u64::from(pair[1]) << 32;
            let written = self
                .processor
                .set_gdb_register(gdb::D0 + d, &value.to_le_bytes());
            assert!(written, "D{d}");
        }
        self.set_word(gdb::FPSCR, start.fpscr);
        for register in [gdb::PRIMASK, gdb::BASEPRI, gdb::FAULTMASK, gdb::CONTROL] {
            self.set_word(register, 0);
        }
    }
}

impl Core for Theirs {
    fn run(&mut self, code: &[u16], start: &Start) -> End {
        self.prepare(code, start);
        let end = u64::from(PROGRAM_BASE) + 2 * code.len() as u64;
        let whole_code = Queued::Invalidate(CODE_BASE.into(), u64::from(CODE_BASE + CODE_LEN));
        self.processor.ask(whole_code);
        let mut bus = EmptyBus { queued: Vec::new() };
        assert!(self.processor.add_breakpoint(end));
        let (exit, _) = self.processor.run(10_000, &mut bus);
        self.processor.remove_breakpoint(end);
        let stop = match exit {
            Exit::Breakpoint => "end".to_owned(),
            other => format!("{other:?} at {:08x}", self.processor.pc()),
        };
        let mut s = [0; 32];
        for d in 0..16 {
            s[2 * d..2 * d + 2].copy_from_slice(&self.double(d));
        }
        End {
            stop,
            r: std::array::from_fn(|n| self.word(n)),
            flags: self.word(gdb::XPSR) & FLAGS,
            s,
            fpscr: self.word(gdb::FPSCR) & FPSCR,
            ram: self.ram.bytes(),
        }
    }
}
