//! The datagrams of one schedule: their ledger, and what only a schedule tells of them.

use std::collections::BTreeMap;

use crate::datagram::Classification;
use crate::ledger::{FirstCopy, Ledger, LedgerSummary};
use crate::schedule::Schedule;
use crate::{Counts, LatencyHistogram, Nanos, SendOutcome};

/// How many seconds of the schedule the ledger keeps send instants for at least: far more than
/// the late threshold.
pub const KEPT_SEND_SECONDS: u64 = 8;

/// A schedule and the ledger of its datagrams.
#[derive(Clone, Debug)]
pub struct Flow {
    schedule: Schedule,
    ledger: Ledger,
    rtt_from_schedule: LatencyHistogram,
}

/// What a flow holds when it is over.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowSummary {
    /// What the ledger holds.
    pub ledger: LedgerSummary,
    /// RTT from the instant each datagram was due.
    pub rtt_from_schedule: LatencyHistogram,
    /// Missing datagrams by the interval in which they were due; only intervals that have some.
    pub missing_by_interval: BTreeMap<u64, u64>,
    /// The index of the first missing datagram.
    pub first_missing: Option<u64>,
    /// The index of the last missing datagram.
    pub last_missing: Option<u64>,
}

impl Flow {
    /// An empty ledger for the datagrams of `schedule`.
    pub fn new(schedule: Schedule, late_threshold: Nanos) -> Self {
        let sequences = schedule.first_sequence..schedule.first_sequence + schedule.packets;
        let kept_sends = schedule.rate_hz.saturating_mul(KEPT_SEND_SECONDS);
        Self {
            schedule,
            ledger: Ledger::new(sequences, kept_sends, late_threshold),
            rtt_from_schedule: LatencyHistogram::new(),
        }
    }

    /// Moves the schedule to begin at `start`.
    ///
    /// # Panics
    /// When a datagram was tried already.
    pub fn begin(&mut self, start: Nanos) {
        let tried = self.ledger.tried();
        assert_eq!(tried, 0, "a schedule begins before its first datagram");
        self.schedule.start = start;
    }

    /// Ends the flow early: the datagrams not yet tried are no longer planned.
    pub fn stop(&mut self) {
        self.ledger.stop();
        self.schedule.packets = self.ledger.planned();
    }

    /// The schedule of the flow.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The next datagram to be sent, as (sequence number, instant due); `None` when all were
    /// tried.
    pub fn next_due(&self) -> Option<(u64, Nanos)> {
        let sequence = self.ledger.next_sequence()?;
        Some((sequence, self.schedule.instant(self.ledger.tried())))
    }

    /// The datagram of [`next_due`](Self::next_due) was tried at `now`.
    pub fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        self.ledger.sent(now, outcome);
    }

    /// A datagram from the echo server arrived at `now`; `class` says what it is to this flow.
    /// Tells whether it was the first right copy of one that was sent.
    pub fn received(&mut self, now: Nanos, class: Classification) -> Option<FirstCopy> {
        let copy = self.ledger.received(now, class)?;
        let due = self.schedule.instant(copy.index);
        self.rtt_from_schedule.record(now.since(due));
        Some(copy)
    }

    /// A datagram from another address or port than the echo server's arrived.
    pub fn stranger(&mut self, from_device: bool) {
        self.ledger.stranger(from_device);
    }

    /// The device sent something that is no matter of this flow.
    pub fn heard(&mut self) {
        self.ledger.heard();
    }

    /// What [`Ledger::tally`] gives.
    pub fn tally(&self) -> Counts {
        self.ledger.tally()
    }

    /// The indices of the datagrams sent of which no right copy has come, rising.
    pub fn missing(&self) -> impl Iterator<Item = u64> + '_ {
        self.ledger.missing()
    }

    /// Every counter as of now: a datagram still under way counts as missing.
    pub fn counts(&self) -> Counts {
        self.ledger.counts()
    }

    /// Closes the flow; missing datagrams are counted by `interval` of the schedule.
    pub fn close(self, interval: Nanos) -> FlowSummary {
        let (mut first_missing, mut last_missing) = (None, None);
        let mut missing_by_interval = BTreeMap::new();
        for index in self.ledger.missing() {
            let due = self.schedule.instant(index).since(self.schedule.start);
            *missing_by_interval.entry(due.0 / interval.0).or_insert(0) += 1;
            first_missing = first_missing.or(Some(index));
            last_missing = Some(index);
        }
        FlowSummary {
            ledger: self.ledger.close(),
            rtt_from_schedule: self.rtt_from_schedule,
            missing_by_interval,
            first_missing,
            last_missing,
        }
    }

    /// The memory of the flow in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Schedule>() + self.ledger.memory_bytes() + self.rtt_from_schedule.heap_bytes()
    }
}
