//! How long a frame takes, and the delays between the block's two clock domains.

use crate::soc::clocks::Clocks;
use crate::time::Span;

/// Periods of the kernel clock from a store to TXDR or CR1.CSTART until the first edge of SCK, when
/// nothing was being sent. Nobody documents it; two, the least that a synchroniser takes. An error goes
/// into every byte of a driver that waits for each.
pub const START_KERNEL_PERIODS: u64 = 2;

/// Periods of the APB clock from the last edge of SCK until the status register shows what came in. As
/// [`START_KERNEL_PERIODS`], the other way.
pub const SEEN_APB_PERIODS: u64 = 2;

const BITS: u64 = 8;

/// Times at the frequencies in force, rounded up to picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    pub sck_hz: u64,
    /// Eight periods of SCK.
    pub frame: Span,
    pub start: Span,
    pub seen: Span,
}

impl Timing {
    /// With SCK at the kernel clock divided by 2^(`mbr` + 1); `None` while the kernel has no clock.
    pub fn new(clocks: &Clocks, mbr: u32) -> Option<Self> {
        let kernel_hz = clocks.spi123_hz?;
        let divider = 2 << mbr;
        Some(Self {
            sck_hz: kernel_hz / divider,
            frame: Span::of_ticks(BITS * divider, kernel_hz),
            start: Span::of_ticks(START_KERNEL_PERIODS, kernel_hz),
            seen: Span::of_ticks(SEEN_APB_PERIODS, clocks.pclk2_hz),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_eight_periods_of_the_divided_kernel_clock() {
        let clocks = Clocks {
            spi123_hz: Some(200_000_000),
            pclk2_hz: 100_000_000,
            ..Clocks::after_reset()
        };
        let timing = Timing::new(&clocks, 2).unwrap();
        assert_eq!(timing.sck_hz, 25_000_000);
        assert_eq!(timing.frame, Span::from_ns(320));
        assert_eq!(timing.start, Span::from_ns(10));
        assert_eq!(timing.seen, Span::from_ns(20));
        assert_eq!(Timing::new(&Clocks::after_reset(), 2), None);
    }
}
