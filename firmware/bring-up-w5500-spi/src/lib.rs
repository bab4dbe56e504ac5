//! Brings up the WIZnet Ethernet shield on the Arduino headers of the NUCLEO-H723ZG: SPI1 with its
//! chip select, and the W5500's interrupt. The chip's reset is the board's NRST.
//!
//! The core moves every SPI byte unless the feature `dma` is on. DMA1 reaches all buffers, since
//! `platform` links data and stack to AXI SRAM.

#![no_std]

#[cfg(not(feature = "dma"))]
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_stm32::exti::{self, ExtiInput};
use embassy_stm32::gpio::{Level, Output, Pull, Speed};
#[cfg(feature = "dma")]
use embassy_stm32::mode::Async as Mode;
#[cfg(not(feature = "dma"))]
use embassy_stm32::mode::Blocking as Mode;
use embassy_stm32::spi::mode::Master;
use embassy_stm32::spi::{Config, Spi};
use embassy_stm32::time::Hertz;
use embassy_stm32::{Peripherals, bind_interrupts, interrupt, mode};
#[cfg(feature = "dma")]
use embassy_stm32::{dma, peripherals};
use embedded_hal_bus::spi::{ExclusiveDevice, NoDelay};

#[cfg(all(feature = "dma", feature = "performance"))]
compile_error!(
    "the performance builds have a data cache, for which the DMA buffers are not maintained"
);

/// What is asked of embassy, which takes a nearby power of two of its kernel clock: 20 MHz of
/// 200 MHz gives 25 MHz on the pin, 40 MHz of 80 MHz is exact (embassy-stm32 0.6, spi/mod.rs).
const REQUESTED_SCK: Hertz = Hertz::mhz(if cfg!(feature = "performance") {
    40
} else {
    20
});

/// SPI1, whose `embedded_hal` traits block in any build.
pub type Bus = Spi<'static, Mode, Master>;
/// SPI1 behind the asynchronous traits: a transfer of the core's never yields, one by DMA does.
#[cfg(not(feature = "dma"))]
pub type AsyncBus = BlockingAsync<Bus>;
/// SPI1 behind the asynchronous traits: a transfer of the core's never yields, one by DMA does.
#[cfg(feature = "dma")]
pub type AsyncBus = Bus;
/// The W5500 as an asynchronous SPI device.
pub type AsyncDevice = ExclusiveDevice<AsyncBus, Output<'static>, NoDelay>;
/// The W5500's INTn, low while an unmasked interrupt is pending.
pub type Interrupt = ExtiInput<'static, mode::Async>;

/// The shield's signals.
pub struct Shield {
    /// SCK, MISO and MOSI.
    pub spi: Bus,
    /// Selects the W5500 while low.
    pub chip_select: Output<'static>,
    /// The W5500's INTn.
    pub interrupt: Interrupt,
}

bind_interrupts!(struct Irqs {
    EXTI15_10 => exti::InterruptHandler<interrupt::typelevel::EXTI15_10>;
});

#[cfg(feature = "dma")]
bind_interrupts!(struct DmaIrqs {
    DMA1_STREAM0 => dma::InterruptHandler<peripherals::DMA1_CH0>;
    DMA1_STREAM1 => dma::InterruptHandler<peripherals::DMA1_CH1>;
});

impl Shield {
    /// The device for drivers with asynchronous traits, and its interrupt.
    pub fn into_async(self) -> (AsyncDevice, Interrupt) {
        #[cfg(not(feature = "dma"))]
        let bus = BlockingAsync::new(self.spi);
        #[cfg(feature = "dma")]
        let bus = self.spi;
        let Ok(device) = ExclusiveDevice::new_no_delay(bus, self.chip_select);
        (device, self.interrupt)
    }
}

/// Pins of the shield on this board (WIZnet document_framework, W5500_Ethernet_Shield.md; Zephyr,
/// boards/st/nucleo_h723zg arduino header).
pub fn shield(p: Peripherals) -> Shield {
    // The SD card shares the bus; dropping the pin would let it float.
    core::mem::forget(Output::new(p.PE14, Level::High, Speed::Low));

    let mut config = Config::default();
    config.frequency = REQUESTED_SCK;
    #[cfg(not(feature = "dma"))]
    let spi = Spi::new_blocking(p.SPI1, p.PA5, p.PB5, p.PA6, config);
    #[cfg(feature = "dma")]
    let spi = Spi::new(
        p.SPI1, p.PA5, p.PB5, p.PA6, p.DMA1_CH0, p.DMA1_CH1, DmaIrqs, config,
    );
    // Read back from the clock tree and the divider, which is not what was asked for.
    defmt::info!("SCK {} Hz", spi.get_current_config().frequency.0);

    Shield {
        spi,
        chip_select: Output::new(p.PD14, Level::High, Speed::VeryHigh),
        interrupt: ExtiInput::new(p.PG14, p.EXTI14, Pull::Up, Irqs),
    }
}
