//! The NUCLEO-H723ZG under every Rust variant: clock tree, caches, memory layout, fault reports.
//!
//! The SYSCFG clock, which RMII selection and external interrupts need, is switched on by
//! [`embassy_stm32::init`].

#![no_std]

mod clocks;
mod faults;

use defmt_rtt as _;
use embassy_stm32::Peripherals;
use panic_probe as _;

pub use clocks::CORE_HZ;

/// Brings the part from reset to full speed: core at [`CORE_HZ`], instruction cache on, and with
/// the feature `data-cache` the data cache too.
///
/// The data cache is for firmware without DMA: no driver of embassy's does cache maintenance.
///
/// # Panics
/// When called twice.
pub fn init() -> Peripherals {
    let mut core = cortex_m::Peripherals::take().expect("platform::init is called once");
    core.SCB.enable_icache();
    #[cfg(feature = "data-cache")]
    core.SCB.enable_dcache(&mut core.CPUID);
    embassy_stm32::init(clocks::config())
}
