//! When each datagram of a stream is due.

use crate::Nanos;

/// A fixed-rate schedule: the instant of every datagram is a pure function of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The instant at which the first datagram is due.
    pub start: Nanos,
    /// The sequence number of the first datagram.
    pub first_sequence: u64,
    /// How many datagrams are due in all.
    pub packets: u64,
    /// Datagrams a second.
    pub rate_hz: u64,
}

impl Schedule {
    /// The instant at which datagram `index`, counted from 0, is due, rounded down to a
    /// nanosecond. No rounding error accumulates.
    pub fn instant(&self, index: u64) -> Nanos {
        // A 128-bit division costs as much as all else done for a packet; few schedules need it.
        let offset = match index.checked_mul(Nanos::SECOND.0) {
            Some(product) => product / self.rate_hz,
            None => {
                let product = u128::from(index) * u128::from(Nanos::SECOND.0);
                let offset = product / u128::from(self.rate_hz);
                u64::try_from(offset).expect("a schedule ends within 584 years")
            }
        };
        self.start + Nanos(offset)
    }

    /// One period after the last datagram is due.
    pub fn end(&self) -> Nanos {
        self.instant(self.packets)
    }
}

/// How many datagrams a schedule of this rate and length holds, rounded down.
pub fn packets_in(rate_hz: u64, duration: Nanos) -> u64 {
    let product = u128::from(rate_hz) * u128::from(duration.0);
    u64::try_from(product / u128::from(Nanos::SECOND.0)).unwrap_or(u64::MAX)
}

/// How long a warm-up of so many datagrams takes, its drain included; nothing when there is none.
pub(crate) fn warm_up_span(rate_hz: u64, packets: u64, drain: Nanos) -> Nanos {
    if packets == 0 {
        return Nanos::ZERO;
    }
    let span = u128::from(packets) * u128::from(Nanos::SECOND.0) / u128::from(rate_hz);
    Nanos(u64::try_from(span).unwrap_or(u64::MAX)) + drain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_that_is_no_whole_nanosecond_does_not_drift() {
        let schedule = Schedule {
            start: Nanos(7),
            first_sequence: 0,
            packets: 3_000_000,
            rate_hz: 3_000,
        };
        assert_eq!(schedule.instant(1), Nanos(7 + 333_333));
        assert_eq!(schedule.instant(2), Nanos(7 + 666_666));
        assert_eq!(schedule.end(), Nanos(7) + Nanos::from_secs(1_000));
    }

    #[test]
    fn long_schedules_stay_exact() {
        let packets = 100_000_000_000;
        let schedule = Schedule {
            start: Nanos::ZERO,
            first_sequence: 0,
            packets,
            rate_hz: 7,
        };
        assert_eq!(
            schedule.instant(packets - 1),
            Nanos(14_285_714_285_571_428_571)
        );
    }
}
