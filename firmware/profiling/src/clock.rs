//! The two clocks behind every measurement: the DWT cycle counter and embassy-time.

use cortex_m::peripheral::{DCB, DWT};
use embassy_time::{Instant, TICK_HZ};
use platform::CORE_HZ;
use profiling_model::{CyclesPerTick, Reading};

pub(crate) const CYCLES_PER_TICK: CyclesPerTick = {
    assert!((CORE_HZ as u64).is_multiple_of(TICK_HZ));
    CyclesPerTick((CORE_HZ as u64 / TICK_HZ) as u32)
};

/// Starts the cycle counter, which is off after reset and locked on the Cortex-M7.
pub(crate) fn start() {
    // SAFETY: nothing else in the firmware uses the DCB or the DWT.
    let mut core = unsafe { cortex_m::Peripherals::steal() };
    DCB::enable_trace(&mut core.DCB);
    DWT::unlock();
    core.DWT.enable_cycle_counter();
}

pub(crate) fn now() -> Reading {
    Reading {
        cycle_counter: DWT::cycle_count(),
        ticks: Instant::now().as_ticks(),
    }
}
