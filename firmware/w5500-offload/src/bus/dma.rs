//! Payloads by DMA behind the blocking traits of the W5500's drivers: the core sleeps meanwhile.
//!
//! It has nothing else to do in this firmware. A driver with asynchronous traits would sleep in the
//! executor instead, and wake through it.

use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use bring_up_w5500_spi::Bus;
use embassy_stm32::spi::Error;
use embedded_hal::spi::{ErrorType, SpiBus};

/// Headers and registers are shorter, and take the core less time than setting up DMA does.
const DMA_MIN_BYTES: usize = 16;

/// SPI whose longer transfers let the core sleep.
pub struct SleepingBus(pub Bus);

impl ErrorType for SleepingBus {
    type Error = Error;
}

impl SpiBus for SleepingBus {
    fn read(&mut self, words: &mut [u8]) -> Result<(), Error> {
        if words.len() < DMA_MIN_BYTES {
            self.0.blocking_read(words)
        } else {
            sleep_until(self.0.read(words))
        }
    }

    fn write(&mut self, words: &[u8]) -> Result<(), Error> {
        if words.len() < DMA_MIN_BYTES {
            self.0.blocking_write(words)
        } else {
            sleep_until(self.0.write(words))
        }
    }

    fn transfer(&mut self, read: &mut [u8], write: &[u8]) -> Result<(), Error> {
        self.0.blocking_transfer(read, write)
    }

    fn transfer_in_place(&mut self, words: &mut [u8]) -> Result<(), Error> {
        self.0.blocking_transfer_in_place(words)
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Any interrupt ends the sleep, also one that comes just before it (ARMv7-M: the return from an
/// exception is an event). Whether it was the DMA's shows when the future is polled.
fn sleep_until<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    let mut slept = false;
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            if slept {
                // The executor's own event may have ended a sleep; without it the executor would
                // sleep on while a task is ready.
                cortex_m::asm::sev();
            }
            return output;
        }
        profiling::sleep_in_poll();
        slept = true;
    }
}
