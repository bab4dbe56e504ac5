//! What a soak found, in raw integers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SoakInterval, SoakOptions};
use crate::counts::{BrokenIdentity, at_most, equal, sum};
use crate::outcome::Outcome;
use crate::{Corruption, Counts, LatencyHistogram, Nanos, PacingRecord, RttSeries, Tail, Verdict};

/// What became of the datagrams of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeClass {
    /// The size of the payload in bytes.
    pub payload_bytes: u64,
    /// Datagrams of this size that the network stack took.
    pub sent: u64,
    /// Datagrams of this size that it refused.
    pub send_errors: u64,
    /// Of those sent, answered whole, in time or late.
    pub valid: u64,
    /// Of those sent, not answered whole.
    pub missing: u64,
    /// Of the valid ones, answered after the late threshold.
    pub late: u64,
    /// Valid ones whose send instant was no longer kept; they are not in `rtt`.
    pub rtt_unknown: u64,
    /// RTT of the first right copy of each other valid one, from its actual send.
    pub rtt: LatencyHistogram,
}

impl SizeClass {
    pub(super) fn new(payload_bytes: u64) -> Self {
        Self {
            payload_bytes,
            sent: 0,
            send_errors: 0,
            valid: 0,
            missing: 0,
            late: 0,
            rtt_unknown: 0,
            rtt: LatencyHistogram::new(),
        }
    }

    /// A datagram of this size was answered; `late` is 1 when that took too long.
    pub(super) fn answered(&mut self, late: u64, rtt: Option<Nanos>) {
        self.valid += 1;
        self.late += late;
        match rtt {
            Some(rtt) => self.rtt.record(rtt),
            None => self.rtt_unknown += 1,
        }
    }

    fn check(&self, late_threshold: Nanos) -> Result<(), BrokenIdentity> {
        let settled = sum([self.valid, self.missing]);
        equal("size: sent = valid + missing", self.sent, settled)?;
        let in_rtt = sum([self.rtt.count(), self.rtt_unknown]);
        equal("size: valid = count(rtt) + rtt_unknown", self.valid, in_rtt)?;
        let (surely_late, perhaps_late) = self.rtt.count_above(late_threshold);
        at_most(
            "size: rtt above threshold <= late",
            sum([surely_late, self.rtt_unknown]),
            self.late,
        )?;
        at_most(
            "size: late <= rtt above threshold",
            self.late,
            sum([perhaps_late, self.rtt_unknown]),
        )
    }
}

/// The result of one soak.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoakResult {
    /// The parameters.
    pub options: SoakOptions,
    /// What became of the warm-up's datagrams; part of no figure.
    pub warm_up: Counts,
    /// What became of the measured datagrams.
    pub counts: Counts,
    /// The same by size, in the order of `options.sizes`, with RTT.
    pub sizes: Vec<SizeClass>,
    /// The same by interval of the schedule, in order.
    pub intervals: Vec<SoakInterval>,
    /// RTT by the twentieth of the schedule in which the reply came.
    pub rtt_over_time: RttSeries,
    /// Valid datagrams so late that their send instant was no longer kept.
    pub rtt_unknown: u64,
    /// How the sender kept its schedule.
    pub pacing: PacingRecord,
    /// The end of the run, its instant counted from the schedule's start.
    pub tail: Tail,
    /// The first missing datagram, counted from 0 at the first measured one.
    pub first_missing: Option<u64>,
    /// The last missing datagram, counted alike.
    pub last_missing: Option<u64>,
    /// The first corrupt reply.
    pub first_corruption: Option<Corruption>,
}

impl SoakResult {
    /// RTT over all sizes.
    pub fn rtt(&self) -> LatencyHistogram {
        let mut all = LatencyHistogram::new();
        self.sizes.iter().for_each(|size| all.add(&size.rtt));
        all
    }

    /// Intervals in which a datagram was due that is missing.
    pub fn intervals_with_loss(&self) -> u64 {
        let lossy = self.intervals.iter();
        lossy.filter(|interval| interval.missing > 0).count() as u64
    }

    /// What the result says of the device, in words.
    pub fn verdict(&self) -> Verdict {
        Verdict::new(
            &self.counts,
            self.tail,
            self.pacing.last_try_ns,
            self.first_corruption,
            &self.rtt_over_time,
        )
    }

    fn check_sizes(&self) -> Result<(), BrokenIdentity> {
        let asked = &self.options.sizes;
        equal(
            "one entry a size",
            self.sizes.len() as u64,
            asked.len() as u64,
        )?;
        for (size, asked) in self.sizes.iter().zip(asked) {
            equal(
                "entries in the order of the sizes",
                size.payload_bytes,
                asked.payload_bytes,
            )?;
            size.check(self.options.late_threshold_ns)?;
        }
        let total = |field: fn(&SizeClass) -> u64| sum(self.sizes.iter().map(field));
        equal(
            "sent = sum(sizes.sent)",
            self.counts.sent,
            total(|size| size.sent),
        )?;
        equal(
            "send_errors = sum(sizes.send_errors)",
            self.counts.send_errors,
            total(|size| size.send_errors),
        )?;
        equal(
            "valid = sum(sizes.valid)",
            self.counts.valid,
            total(|size| size.valid),
        )?;
        equal(
            "late = sum(sizes.late)",
            self.counts.late,
            total(|size| size.late),
        )?;
        equal(
            "rtt_unknown = sum(sizes.rtt_unknown)",
            self.rtt_unknown,
            total(|size| size.rtt_unknown),
        )
    }

    fn check_intervals(&self) -> Result<(), BrokenIdentity> {
        let intervals = self.intervals.len() as u64;
        equal("one entry an interval", intervals, self.options.intervals())?;
        for interval in &self.intervals {
            let settled = sum([interval.valid, interval.missing]);
            equal("interval: sent = valid + missing", interval.sent, settled)?;
            at_most("interval: late <= valid", interval.late, interval.valid)?;
            let [p50, p99, max] = [
                interval.rtt_p50_ns,
                interval.rtt_p99_ns,
                interval.rtt_max_ns,
            ]
            .map(|rtt| rtt.unwrap_or_default().0);
            at_most("interval: p50 <= p99", p50, p99)?;
            at_most("interval: p99 <= max", p99, max)?;
        }
        let mut total = SoakInterval::default();
        self.intervals
            .iter()
            .for_each(|interval| total.add(interval));
        let counts = &self.counts;
        for (identity, whole, intervals) in [
            ("sent = sum(intervals.sent)", counts.sent, total.sent),
            (
                "send_errors = sum(intervals.send_errors)",
                counts.send_errors,
                total.send_errors,
            ),
            ("valid = sum(intervals.valid)", counts.valid, total.valid),
            (
                "missing = sum(intervals.missing)",
                counts.missing,
                total.missing,
            ),
            ("late = sum(intervals.late)", counts.late, total.late),
            (
                "valid = sum(intervals.replies)",
                counts.valid,
                total.replies,
            ),
            (
                "duplicate = sum(intervals.duplicate)",
                counts.duplicate,
                total.duplicate,
            ),
            (
                "reordered = sum(intervals.reordered)",
                counts.reordered,
                total.reordered,
            ),
            (
                "corrupt = sum(intervals.corrupt)",
                counts.corrupt,
                total.corrupt,
            ),
            (
                "foreign = sum(intervals.foreign)",
                counts.foreign,
                total.foreign,
            ),
        ] {
            equal(identity, whole, intervals)?;
        }
        Ok(())
    }
}

/// Clean when the rate was offered and there is no error event; void when less than 98 % of the
/// rate was offered.
impl Outcome for SoakResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        self.warm_up.check()?;
        self.counts.check()?;
        let planned = self.options.planned_packets();
        equal("planned = rate * duration", self.counts.planned, planned)?;
        equal(
            "warm_up.planned = warm_up_packets",
            self.warm_up.planned,
            self.options.warm_up_packets,
        )?;
        self.check_sizes()?;
        self.check_intervals()?;
        self.pacing.check(planned)?;
        self.rtt_over_time.check(&self.rtt())?;
        self.tail.check(&self.counts)?;
        crate::counts::check_missing_ends(&self.counts, self.first_missing, self.last_missing)
    }

    fn is_clean(&self) -> bool {
        self.void_reason().is_none() && self.counts.error_events() == 0
    }

    fn void_reason(&self) -> Option<String> {
        self.pacing.void_reason(self.options.rate_hz)
    }
}
