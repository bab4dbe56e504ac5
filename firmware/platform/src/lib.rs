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

/// Brings the part from reset to full speed: instruction cache on, core at [`CORE_HZ`].
///
/// The data cache stays off, since embassy's Ethernet driver does no cache maintenance.
///
/// # Panics
/// When called twice.
pub fn init() -> Peripherals {
    let mut core = cortex_m::Peripherals::take().expect("platform::init is called once");
    core.SCB.enable_icache();
    embassy_stm32::init(clocks::config())
}
