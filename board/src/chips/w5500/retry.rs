//! How long the chip waits for an answer and how often it asks again: RTR and RCR.

use crate::time::Span;

/// Hundred-microsecond units of RTR (DS1.0.9 §4.1).
const UNIT: Span = Span::from_us(100);

/// RTR and RCR, as they read when a resolution, a connection or a SEND begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// RTR: the first wait, in units of 0.1 ms. Zero waits one unit: what the chip makes of it is
    /// not documented.
    pub time: u16,
    /// RCR: how often the chip asks again.
    pub count: u8,
}

impl Default for Retry {
    /// The reset values: 200 ms and 8.
    fn default() -> Self {
        Self {
            time: 0x07D0,
            count: 8,
        }
    }
}

impl Retry {
    /// RTR as a span.
    pub fn base(self) -> Span {
        ticks(u64::from(self.time.max(1)))
    }

    /// The wait after the `retry`-th repetition of a TCP segment (0: after its first transmission).
    /// It doubles as long as it fits the register's 16 bits (DS1.0.9 §4.1, RCR): 31.8 s in all at
    /// the reset values.
    pub fn doubled(self, retry: u8) -> Span {
        let base = u64::from(self.time.max(1));
        let doublings = (u64::from(u16::MAX) / base).ilog2().min(u32::from(retry));
        ticks(base << doublings)
    }
}

fn ticks(units: u64) -> Span {
    Span::from_ps(units * UNIT.as_ps())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum DS1.0.9 §4.1 gives at RCR for the reset values.
    #[test]
    fn tcp_gives_up_after_31_point_8_seconds_at_the_reset_values() {
        let retry = Retry::default();
        let waits = (0..=retry.count).map(|n| retry.doubled(n).as_ps());
        assert_eq!(waits.sum::<u64>(), Span::from_ms(31_800).as_ps());
        assert_eq!(retry.doubled(5), Span::from_ms(6_400));
        assert_eq!(retry.doubled(8), Span::from_ms(6_400));
    }

    #[test]
    fn the_wait_never_overflows_the_register() {
        for time in [0, 1, 2_000, 32_767, 32_768, u16::MAX] {
            let retry = Retry { time, count: 255 };
            assert!(retry.doubled(255) <= ticks(0xFFFF));
            assert!(retry.doubled(255) >= retry.base());
        }
        let slow = Retry {
            time: 32_767,
            count: 1,
        };
        assert_eq!(slow.doubled(1), ticks(65_534));
    }
}
