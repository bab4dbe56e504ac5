//! When the W5500 is looked at next.

use embassy_time::{Instant, TICK_HZ};

const _: () = assert!(TICK_HZ == 1_000_000, "an instant is in microseconds");

/// What the published firmware's clock ticks are to a microsecond: 32,768 Hz to 1 MHz, shortened.
const PUBLISHED_TICKS: u64 = 512;
const MICROSECONDS: u64 = 15_625;

/// A millisecond in ticks of 32,768 Hz, rounded up as embassy-time does.
const PERIOD_PUBLISHED_TICKS: u64 = 33;

/// The end of a wait of one millisecond that begins now, by a clock of 32,768 Hz: 33 ticks from the
/// tick before. That is 977 to 1,007 µs, which a client that waits for each reply locks on to.
pub fn next_poll() -> Instant {
    let now = Instant::now().as_micros() * PUBLISHED_TICKS / MICROSECONDS;
    let due = now + PERIOD_PUBLISHED_TICKS;
    Instant::from_micros((due * MICROSECONDS).div_ceil(PUBLISHED_TICKS))
}
