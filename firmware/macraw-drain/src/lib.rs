//! Makes embassy-net-wiznet 0.3 empty the W5500's receive buffer, without a change to the driver.
//!
//! The driver reads one frame each time INTn is low, and clears the interrupt before it does. Two
//! frames that arrive before the clear share one interrupt, so that the second one waits for the
//! arrival of a third (embassy issue 6456). [`drain`] wraps the driver's SPI device and interrupt
//! pin: the first knows from the accesses that pass by whether frames were left, and then the
//! second is low to the driver although INTn is high. Besides, the clear moves in front of the
//! driver's reads of the received size; that takes no further byte on the bus.
//!
//! No frame is left waiting without an interrupt:
//!
//! * A frame that arrives after the clear pulls INTn low, and nothing but the next clear, at the
//!   beginning of the next read, raises it.
//! * A frame that arrived before the clear is part of the received size, which is read after it. If
//!   the driver advances the read pointer by less than this size, frames are left.
//! * Where a frame arrives while the size is read, its two bytes may not belong together. Whatever
//!   they say: this frame arrived after the clear.
//!
//! Nor is an empty frame read: INTn is low, or frames were left, only while one is in the buffer,
//! since each read clears the interrupt of the frame that it takes out.

#![no_std]

#[cfg(test)]
extern crate std;

mod access;
#[cfg(test)]
mod tests;

use core::cell::Cell;

use embedded_hal::{digital, spi};
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::{Operation, SpiDevice};

use access::Access;

/// The W5500's SPI device as the driver gets it.
pub struct Spi<'a, S> {
    inner: S,
    frames_left: &'a Cell<bool>,
    /// The interrupt was cleared for the read that is going on.
    cleared: bool,
    /// Bytes in the receive buffer, when they were last read.
    received_size: u16,
    /// Where the frame begins that is being read.
    read_pointer: u16,
}

/// The W5500's INTn as the driver gets it.
pub struct Interrupt<'a, I> {
    inner: I,
    frames_left: &'a Cell<bool>,
}

/// Wraps what connects the driver to a chip; `frames_left` is false at first, and theirs alone.
pub fn drain<S, I>(
    spi: S,
    interrupt: I,
    frames_left: &Cell<bool>,
) -> (Spi<'_, S>, Interrupt<'_, I>) {
    let spi = Spi {
        inner: spi,
        frames_left,
        cleared: false,
        received_size: 0,
        read_pointer: 0,
    };
    let interrupt = Interrupt {
        inner: interrupt,
        frames_left,
    };
    (spi, interrupt)
}

impl<S> Spi<'_, S> {
    fn passed(&mut self, access: Option<Access>) {
        match access {
            Some(Access::ReadReceivedSize(0)) => self.read_ended(false),
            Some(Access::ReadReceivedSize(bytes)) => self.received_size = bytes,
            Some(Access::ReadReadPointer(start)) => self.read_pointer = start,
            Some(Access::WriteReadPointer(end)) => {
                self.read_ended(end.wrapping_sub(self.read_pointer) != self.received_size);
            }
            Some(Access::ClearReceived) | None => {}
        }
    }

    fn read_ended(&mut self, frames_left: bool) {
        self.frames_left.set(frames_left);
        self.cleared = false;
    }
}

impl<S: SpiDevice> SpiDevice for Spi<'_, S> {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), S::Error> {
        match Access::of(operations) {
            Some(Access::ReadReceivedSize(_)) if !self.cleared => {
                self.inner.write(&access::CLEAR_RECEIVED).await?;
                self.cleared = true;
            }
            Some(Access::ClearReceived) if self.cleared => return Ok(()),
            _ => {}
        }
        self.inner.transaction(operations).await?;
        self.passed(Access::of(operations));
        Ok(())
    }
}

impl<S: spi::ErrorType> spi::ErrorType for Spi<'_, S> {
    type Error = S::Error;
}

impl<I: Wait> Wait for Interrupt<'_, I> {
    async fn wait_for_low(&mut self) -> Result<(), I::Error> {
        if self.frames_left.get() {
            return Ok(());
        }
        self.inner.wait_for_low().await
    }

    async fn wait_for_high(&mut self) -> Result<(), I::Error> {
        self.inner.wait_for_high().await
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), I::Error> {
        self.inner.wait_for_rising_edge().await
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), I::Error> {
        self.inner.wait_for_falling_edge().await
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), I::Error> {
        self.inner.wait_for_any_edge().await
    }
}

impl<I: digital::ErrorType> digital::ErrorType for Interrupt<'_, I> {
    type Error = I::Error;
}
