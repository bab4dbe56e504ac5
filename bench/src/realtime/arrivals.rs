//! When each datagram came.

use super::clock::{Clock, Reading};
use super::conditions::ArrivalClock;
use super::socket::Arrival;
use crate::Nanos;

/// What was read from one socket.
#[derive(Debug)]
pub(super) struct Arrivals {
    pub(super) received: u64,
    pub(super) oversized: u64,
    pub(super) unusable_timestamps: u64,
    stamped: bool,
    last_reading: Option<Reading>,
}

/// Datagrams that were read by one system call.
pub(super) struct Batch {
    /// When they were read.
    now: Nanos,
    /// The wall clock at that instant, where timestamps are to be mapped and it was not set.
    reading: Option<Reading>,
}

impl Arrivals {
    /// Nothing yet, from a socket whose arrivals count from `clock`.
    pub(super) fn new(clock: ArrivalClock) -> Self {
        Self {
            received: 0,
            oversized: 0,
            unusable_timestamps: 0,
            stamped: clock == ArrivalClock::Kernel,
            last_reading: None,
        }
    }

    /// Begins a batch that was just read.
    pub(super) fn begin_batch(&mut self, clock: &Clock) -> Batch {
        if !self.stamped {
            let now = clock.now();
            return Batch { now, reading: None };
        }
        let reading = clock.reading();
        let last = self.last_reading.replace(reading);
        let wall_was_set = last.is_some_and(|last| reading.was_set_since(&last));
        Batch {
            now: reading.now,
            reading: (!wall_was_set).then_some(reading),
        }
    }

    /// Counts one datagram of the batch and tells when it came.
    pub(super) fn enter(&mut self, batch: &Batch, arrival: &Arrival<'_>) -> Nanos {
        let mapped = batch.reading.as_ref().zip(arrival.stamp);
        let instant = mapped.and_then(|(reading, stamp)| reading.instant_of(stamp));
        self.received += 1;
        self.oversized += u64::from(arrival.cut);
        self.unusable_timestamps += u64::from(self.stamped && instant.is_none());
        instant.unwrap_or(batch.now)
    }
}
