//! What the firmware of every published state shares.
//!
//! The published study (mixxen/nucleo-h723zg-udp-echo) took its figures at several points of its
//! history. This package puts the study's own crates into those states; nothing of it is a variant.

#![no_std]

#[cfg(feature = "polled")]
mod poll;
#[cfg(any(feature = "macraw", feature = "rmii"))]
pub mod udp_echo;

use cortex_m::peripheral::SCB;
#[cfg(not(feature = "profiling"))]
pub use embassy_executor::Executor;
use embassy_stm32::Peripherals;
#[cfg(feature = "polled")]
pub use poll::next_poll;
#[cfg(feature = "profiling")]
pub use profiling::Executor;

/// The largest datagram that the servers take.
pub const WORK_BUFFER_BYTES: usize = 1536;

/// The board at full speed with the caches of the state.
///
/// # Panics
/// When called twice.
pub fn init() -> Peripherals {
    let peripherals = platform::init();
    #[cfg(not(feature = "icache"))]
    disable_icache();
    // SAFETY: the register is always mapped, and reading it has no side effects.
    let ccr = unsafe { (*SCB::PTR).ccr.read() };
    // As the published profiling reports say it.
    defmt::info!("CCR {=u32:#010x}", ccr);
    peripherals
}

/// The published firmware left the cache off, as it is after reset, until commit 65c61c7.
#[cfg(not(feature = "icache"))]
fn disable_icache() {
    // SAFETY: `platform::init` has let go of the SCB, and nothing else here uses it.
    let mut core = unsafe { cortex_m::Peripherals::steal() };
    core.SCB.disable_icache();
}
