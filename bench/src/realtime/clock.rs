//! The driver's clock, and how the kernel's receive timestamps map to it.

use std::time::{Duration, Instant, SystemTime};

use crate::Nanos;

/// Two readings of one clock that enclose one of the other and are no farther apart than this
/// make one instant of the three.
const READ_TOLERANCE: Nanos = Nanos(500);

/// How often the clocks are read until they make one instant; a thread that was interrupted in
/// between reads them once more.
const READ_ATTEMPTS: u32 = 4;

/// Nanoseconds of the monotonic clock since the driver started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    origin: Instant,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self {
            origin: Instant::now(),
        }
    }

    pub(super) fn now(&self) -> Nanos {
        nanos(self.origin.elapsed())
    }

    /// Both clocks at one instant.
    pub(super) fn reading(&self) -> Reading {
        let mut best: Option<(Nanos, Reading)> = None;
        for _ in 0..READ_ATTEMPTS {
            let before = self.now();
            let wall = SystemTime::now();
            let now = self.now();
            let apart = now - before;
            if best.is_none_or(|(least, _)| apart < least) {
                best = Some((apart, Reading { now, wall }));
            }
            if apart < READ_TOLERANCE {
                break;
            }
        }
        best.expect("the clocks are read at least once").1
    }
}

/// The driver's clock and the wall clock at one instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) now: Nanos,
    wall: SystemTime,
}

impl Reading {
    /// The instant of a wall-clock timestamp of the past on the driver's clock. Only its age
    /// counts, so a wall clock that is slewed does no harm.
    ///
    /// `None` when the timestamp lies in the future or before the driver started.
    pub(super) fn instant_of(&self, wall: Duration) -> Option<Nanos> {
        let stamp = SystemTime::UNIX_EPOCH + wall;
        let age = nanos(self.wall.duration_since(stamp).ok()?);
        self.now.0.checked_sub(age.0).map(Nanos)
    }

    /// Whether the wall clock was set between an earlier reading and this one: the time that went
    /// by on it differs from that on the driver's by more than a slew can explain (at most
    /// 500 ppm, adjtimex(2)).
    pub(super) fn was_set_since(&self, earlier: &Self) -> bool {
        let by_driver = self.now.since(earlier.now);
        let Ok(by_wall) = self.wall.duration_since(earlier.wall) else {
            return true;
        };
        let difference = nanos(by_wall).0.abs_diff(by_driver.0);
        difference > Nanos::from_millis(1).0 + by_driver.0 / 1_000
    }
}

/// A span of the standard library as ours.
pub(super) fn nanos(span: Duration) -> Nanos {
    Nanos(u64::try_from(span.as_nanos()).expect("a run ends within 584 years"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(now_ns: u64, wall_ns: u64) -> Reading {
        Reading {
            now: Nanos(now_ns),
            wall: SystemTime::UNIX_EPOCH + Duration::from_nanos(wall_ns),
        }
    }

    #[test]
    fn a_timestamp_maps_by_its_age_and_an_impossible_one_does_not() {
        let reading = reading(5_000, 100_000);
        let instant_of = |wall_ns| reading.instant_of(Duration::from_nanos(wall_ns));
        assert_eq!(instant_of(99_000), Some(Nanos(4_000)));
        assert_eq!(instant_of(95_000), Some(Nanos::ZERO));
        assert_eq!(instant_of(94_999), None);
        assert_eq!(instant_of(100_001), None);
    }

    #[test]
    fn a_wall_clock_that_is_set_is_seen_and_one_that_is_slewed_is_not() {
        let second = Nanos::SECOND.0;
        let earlier = reading(second, 100 * second);
        let later = |wall_ns: u64| reading(3 * second, wall_ns).was_set_since(&earlier);
        assert!(!later(102 * second));
        assert!(!later(102 * second + 1_000_000));
        assert!(!later(102 * second - 3_000_000));
        assert!(later(102 * second + 3_000_001));
        assert!(later(102 * second - 3_000_001));
        assert!(later(99 * second));
    }

    #[test]
    fn the_clocks_are_read_together() {
        let clock = Clock::start();
        let (first, second) = (clock.reading(), clock.reading());
        assert!(!second.was_set_since(&first));
        assert!(first.now <= second.now);
    }
}
