//! The wait for a frame before the published firmware used INTn.

use core::convert::Infallible;

use embassy_time::Timer;
use embedded_hal::digital::ErrorType;
use embedded_hal_async::digital::Wait;
use published_states::next_poll;

/// What the driver takes for INTn: it is always what is waited for, a millisecond later.
pub struct Interrupt;

impl Interrupt {
    /// Lets go of INTn's pin.
    pub fn in_place_of(_: bring_up_w5500_spi::Interrupt) -> Self {
        Self
    }
}

impl ErrorType for Interrupt {
    type Error = Infallible;
}

impl Wait for Interrupt {
    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        self.wait_for_any_edge().await
    }

    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        self.wait_for_any_edge().await
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        self.wait_for_any_edge().await
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        self.wait_for_any_edge().await
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        Timer::at(next_poll()).await;
        Ok(())
    }
}
