//! The seam between the core and the rest of the part.

mod memory_only;

pub use memory_only::MemoryOnly;

use crate::irq::IrqLines;
use crate::memory::Memory;

/// Width of one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Byte,
    Half,
    Word,
}

impl Width {
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Word => 4,
        }
    }
}

/// What a peripheral answers to a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    pub value: u32,
    /// Core cycles the access takes beyond the load instruction itself.
    pub cycles: u32,
    /// The read had no side effect and gives the same value, at the same cost, until the next event or
    /// store: a loop that only polls such registers may be skipped up to the next event.
    pub stable: bool,
}

/// Why an access did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessError {
    /// Nothing answers there: the part raises a bus fault.
    Fault,
    /// The part has something there that this board does not model: the run must end and name it.
    Unmodelled {
        /// The peripheral's name as ST writes it, e.g. `RCC`.
        block: &'static str,
        /// Byte offset of the register in the peripheral.
        offset: u32,
    },
}

/// Everything outside the core: memories are reached directly, peripherals through `load` and `store`.
///
/// The private peripheral bus (0xE000_0000 to 0xE00F_FFFF: NVIC, SCB, SysTick, DWT, MPU, FPU) belongs
/// to the core and never comes here.
pub trait Bus {
    fn memory(&self) -> &Memory;
    fn memory_mut(&mut self) -> &mut Memory;

    /// Loads from a peripheral at core cycle `cycle`; the value is zero-extended.
    fn load(&mut self, address: u32, width: Width, cycle: u64) -> Result<Loaded, AccessError>;

    /// Stores to a peripheral at core cycle `cycle`; gives the core cycles the access takes beyond
    /// the store instruction itself.
    fn store(
        &mut self,
        address: u32,
        width: Width,
        value: u32,
        cycle: u64,
    ) -> Result<u32, AccessError>;

    /// Whether the last load or store left alone all that a core attends to between instructions: no
    /// interrupt line changed, no event came nearer, the clocks are the same, and nobody asks for a
    /// pause. The core may then go on at once. A bus that does not know says no.
    fn last_access_was_quiet(&self) -> bool {
        false
    }

    /// The cycle up to which the last load, made at `cycle`, would give the same value and cost the same if it
    /// were made again, nothing else happening in between. Zero if that is not known.
    fn steady_until(&self, _cycle: u64) -> u64 {
        0
    }

    /// The last load was made `count` times more, between its cycle and what
    /// [`Bus::steady_until`] said.
    fn count_repeated_loads(&mut self, _count: u64) {}

    /// The core cycle at which the next event is due, `u64::MAX` if none is pending.
    /// It can change only through `store`, `load` and `run_events`.
    fn next_event_cycle(&self) -> u64;

    /// Runs every event due at `cycle` or before, in order.
    fn run_events(&mut self, cycle: u64);

    /// Whether something outside the core asks the run to pause here (e.g. a datagram reached the host).
    fn take_pause_request(&mut self) -> bool;

    fn irq_lines(&mut self) -> &mut IrqLines;

    /// Counts up whenever the clocks, and with them the cost of instructions and accesses, change.
    fn clock_epoch(&self) -> u32;

    /// Core clock periods in one AXI/AHB (HCLK) period: 1, 2, 4 ...
    fn core_cycles_per_hclk(&self) -> u32;
}
