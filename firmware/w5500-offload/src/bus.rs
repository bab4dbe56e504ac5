//! The chip's registers over SPI.

#[cfg(feature = "dma")]
mod dma;

use bring_up_w5500_spi::Bus;
use embassy_stm32::gpio::Output;
use embassy_time::Timer;
use embedded_hal::spi::ErrorType;
use embedded_hal_bus::spi::{ExclusiveDevice, NoDelay};
use w5500_hl::ll::eh1::vdm::W5500;
use w5500_hl::ll::{Registers, VERSION};

#[cfg(not(feature = "dma"))]
type ChipBus = Bus;
#[cfg(feature = "dma")]
type ChipBus = dma::SleepingBus;

type Device = ExclusiveDevice<ChipBus, Output<'static>, NoDelay>;
/// The W5500 with chip select per access (variable data length mode).
pub type Chip = W5500<Device>;
/// What can go wrong on the bus.
pub type BusError = <Device as ErrorType>::Error;

/// The chip as soon as it answers; it starts up for a millisecond after reset.
pub async fn chip(spi: Bus, chip_select: Output<'static>) -> Chip {
    #[cfg(feature = "dma")]
    let spi = dma::SleepingBus(spi);
    let Ok(device) = ExclusiveDevice::new_no_delay(spi, chip_select);
    let mut chip = W5500::new(device);
    while chip.version().ok() != Some(VERSION) {
        Timer::after_millis(1).await;
    }
    chip
}
