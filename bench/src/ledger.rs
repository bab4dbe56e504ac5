//! The packet ledger: what became of every single datagram of a flow.
//!
//! Memory is two bits a datagram (was it sent, has it come back) and a ring of recent send
//! instants. The instant a datagram was *due* follows from its number, but the instant it *left*
//! does not, and RTT is measured from there: so the ring keeps the send instants of the last
//! [`KEPT_SEND_SECONDS`] of the schedule, far beyond the late threshold. A reply older than the
//! ring is still found by its bit and is valid and late; only its RTT from the actual send is
//! unknown, and that is counted.

use std::collections::BTreeMap;

use crate::bitset::BitSet;
use crate::datagram::{Corruption, Verdict};
use crate::schedule::Schedule;
use crate::{Counts, LatencyHistogram, Nanos, SendOutcome};

/// How many seconds of the schedule the ring of send instants covers at least.
pub const KEPT_SEND_SECONDS: u64 = 8;

/// The most and the fewest entries of the ring: 2 MiB and 8 KiB.
const RING_ENTRIES: (u64, u64) = (1 << 10, 1 << 18);

/// The exact record of one flow of datagrams with consecutive sequence numbers.
#[derive(Clone, Debug)]
pub struct Ledger {
    schedule: Schedule,
    late_threshold: Nanos,
    /// Every counter except `missing`, which is counted from the sets.
    counts: Counts,
    /// How many datagrams were tried; the index of the next one.
    tried: u64,
    sent: BitSet,
    returned: BitSet,
    send_instants: Box<[Nanos]>,
    highest_valid: Option<u64>,
    rtt: LatencyHistogram,
    rtt_from_schedule: LatencyHistogram,
    rtt_unknown: u64,
    first_corruption: Option<Corruption>,
}

/// What a ledger holds when its flow is over.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerSummary {
    /// Every counter.
    pub counts: Counts,
    /// RTT from the actual send.
    pub rtt: LatencyHistogram,
    /// RTT from the instant each datagram was due.
    pub rtt_from_schedule: LatencyHistogram,
    /// Valid datagrams in `rtt_from_schedule` whose send instant was no longer kept.
    pub rtt_unknown: u64,
    /// Missing datagrams by the interval in which they were due; only intervals that have some.
    pub missing_by_interval: BTreeMap<u64, u64>,
    /// The index of the first missing datagram.
    pub first_missing: Option<u64>,
    /// The index of the last missing datagram.
    pub last_missing: Option<u64>,
    /// The first corrupt reply.
    pub first_corruption: Option<Corruption>,
}

impl Ledger {
    /// An empty ledger for the datagrams of `schedule`.
    pub fn new(schedule: Schedule, late_threshold: Nanos) -> Self {
        let (fewest, most) = RING_ENTRIES;
        let kept = schedule
            .rate_hz
            .saturating_mul(KEPT_SEND_SECONDS)
            .clamp(fewest, most);
        let ring = vec![Nanos::ZERO; kept.next_power_of_two() as usize];
        Self {
            schedule,
            late_threshold,
            counts: Counts {
                planned: schedule.packets,
                ..Counts::default()
            },
            tried: 0,
            sent: BitSet::new(schedule.packets),
            returned: BitSet::new(schedule.packets),
            send_instants: ring.into_boxed_slice(),
            highest_valid: None,
            rtt: LatencyHistogram::new(),
            rtt_from_schedule: LatencyHistogram::new(),
            rtt_unknown: 0,
            first_corruption: None,
        }
    }

    /// Moves the schedule to begin at `start`.
    ///
    /// # Panics
    /// When a datagram was tried already.
    pub fn begin(&mut self, start: Nanos) {
        assert_eq!(self.tried, 0, "a schedule begins before its first datagram");
        self.schedule.start = start;
    }

    /// The schedule of the flow.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The next datagram to be sent, as (sequence number, instant due); `None` when all were
    /// tried.
    pub fn next_due(&self) -> Option<(u64, Nanos)> {
        (self.tried < self.schedule.packets).then(|| {
            let sequence = self.schedule.first_sequence + self.tried;
            (sequence, self.schedule.instant(self.tried))
        })
    }

    /// The datagram of [`next_due`](Self::next_due) was tried at `now`.
    pub fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        let index = self.tried;
        self.tried += 1;
        match outcome {
            SendOutcome::Sent => {
                self.counts.sent += 1;
                self.sent.insert(index);
                let slot = self.slot(index);
                self.send_instants[slot] = now;
            }
            SendOutcome::Failed => self.counts.send_errors += 1,
        }
    }

    /// A datagram from the echo server arrived at `now`; `verdict` says what it is to this
    /// stream.
    pub fn received(&mut self, now: Nanos, verdict: Verdict) {
        match verdict {
            Verdict::Good { sequence } => self.good(now, sequence),
            Verdict::Corrupt(corruption) => self.corrupt(corruption),
            Verdict::Foreign => self.foreign(),
        }
    }

    /// A datagram that is no answer to this flow arrived.
    pub fn foreign(&mut self) {
        self.counts.foreign += 1;
    }

    fn corrupt(&mut self, corruption: Corruption) {
        self.counts.corrupt += 1;
        self.counts.truncated += u64::from(corruption.is_truncated());
        self.first_corruption.get_or_insert(corruption);
    }

    fn good(&mut self, now: Nanos, sequence: u64) {
        let index = self
            .schedule
            .index_of(sequence)
            .filter(|&index| self.sent.contains(index));
        let Some(index) = index else {
            return self.foreign();
        };
        if self.returned.contains(index) {
            self.counts.duplicate += 1;
            return;
        }
        self.returned.insert(index);
        self.counts.valid += 1;
        self.counts.reordered += u64::from(self.highest_valid > Some(index));
        self.highest_valid = self.highest_valid.max(Some(index));
        self.record_rtt(now, index);
    }

    /// Records both RTTs of a first right copy and decides whether it is late.
    fn record_rtt(&mut self, now: Nanos, index: u64) {
        self.rtt_from_schedule
            .record(now.since(self.schedule.instant(index)));
        let kept = self.tried - index <= self.send_instants.len() as u64;
        if kept {
            let rtt = now.since(self.send_instants[self.slot(index)]);
            self.rtt.record(rtt);
            self.counts.late += u64::from(rtt > self.late_threshold);
        } else {
            self.rtt_unknown += 1;
            self.counts.late += 1;
        }
    }

    fn slot(&self, index: u64) -> usize {
        index as usize & (self.send_instants.len() - 1)
    }

    /// Every counter as of now: a datagram still under way counts as missing.
    pub fn counts(&self) -> Counts {
        let missing = self.sent.difference(&self.returned).count() as u64;
        Counts {
            missing,
            ..self.counts
        }
    }

    /// Closes the ledger. Missing datagrams are found in the sets rather than by subtraction, so
    /// that the identities say something, and are counted by `interval` of the schedule.
    pub fn close(self, interval: Nanos) -> LedgerSummary {
        let mut missing_by_interval = BTreeMap::new();
        let (mut first_missing, mut last_missing, mut missing) = (None, None, 0);
        for index in self.sent.difference(&self.returned) {
            let due = self.schedule.instant(index).since(self.schedule.start);
            *missing_by_interval.entry(due.0 / interval.0).or_insert(0) += 1;
            first_missing = first_missing.or(Some(index));
            last_missing = Some(index);
            missing += 1;
        }
        LedgerSummary {
            counts: Counts {
                missing,
                ..self.counts
            },
            rtt: self.rtt,
            rtt_from_schedule: self.rtt_from_schedule,
            rtt_unknown: self.rtt_unknown,
            missing_by_interval,
            first_missing,
            last_missing,
            first_corruption: self.first_corruption,
        }
    }

    /// The memory of the ledger in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.sent.heap_bytes()
            + self.returned.heap_bytes()
            + size_of_val(&*self.send_instants)
            + self.rtt.heap_bytes()
            + self.rtt_from_schedule.heap_bytes()
    }
}
