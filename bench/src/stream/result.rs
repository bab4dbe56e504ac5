//! What a stream found, in raw integers, and what follows from them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Rates, StreamOptions};
use crate::counts::{BrokenIdentity, at_most, check_missing_ends, equal, sum};
use crate::{
    Corruption, Counts, LatencyHistogram, Nanos, Ratio, RttSeries, Tail, Telemetry, Undefined,
    Verdict,
};

/// The share of the target rate that must have been offered for a trial to count, in percent, as
/// in the published study.
pub const OFFERED_MIN_PERCENT: u64 = 98;

/// The longest back-to-back burst that still passes for paced: the four receive descriptors of
/// the smallest ring in the study. A longer one measures the ring rather than the rate.
pub const PACED_BURST_MAX: u64 = 4;

/// The result of one stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamResult {
    /// The parameters.
    pub options: StreamOptions,
    /// What became of the warm-up's datagrams; part of no figure.
    pub warm_up: Counts,
    /// What became of the measured datagrams.
    pub counts: Counts,
    /// RTT of the first right copy of each valid datagram, from its actual send.
    pub rtt: LatencyHistogram,
    /// The same from the instant the schedule had for it.
    pub rtt_from_schedule: LatencyHistogram,
    /// `rtt` by the twentieth of the schedule in which the reply came; those after its end are in
    /// the last.
    pub rtt_over_time: RttSeries,
    /// Valid datagrams so late that their send instant was no longer kept: they are late, in
    /// `rtt_from_schedule`, and not in `rtt`.
    pub rtt_unknown: u64,
    /// How far behind its schedule each datagram was sent.
    pub pacing_error: LatencyHistogram,
    /// From the schedule's start to the first actual send; absent when nothing was sent.
    pub first_send_ns: Option<Nanos>,
    /// From the schedule's start to the last actual send; absent when nothing was sent.
    pub last_send_ns: Option<Nanos>,
    /// The end of the run, its instant counted from the schedule's start.
    pub tail: Tail,
    /// The most datagrams sent back to back because all were due.
    pub largest_burst: u64,
    /// Missing datagrams by the interval of `options.interval_ns` in which they were due, counted
    /// from 0; intervals without a missing one are left out.
    pub missing_by_interval: BTreeMap<u64, u64>,
    /// The first missing datagram, counted from 0 at the first measured one.
    pub first_missing: Option<u64>,
    /// The last missing datagram, counted alike.
    pub last_missing: Option<u64>,
    /// The first corrupt reply.
    pub first_corruption: Option<Corruption>,
    /// Background datagrams the network stack took; they are in no other figure.
    pub background_sent: u64,
    /// Background datagrams the network stack refused.
    pub background_send_errors: u64,
    /// The device's own counters; absent for a build without telemetry.
    pub telemetry: Option<TelemetryRecord>,
}

/// How the device's counters were read: reset just before the first measured datagram, read at
/// the end of the schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TelemetryRecord {
    /// Requests sent, repeats included.
    pub requests: u64,
    /// Requests the network stack refused.
    pub send_errors: u64,
    /// Datagrams from the telemetry port that were no reply to the request, or a second one.
    pub unexpected: u64,
    /// The reply to the reset; absent when none came.
    pub at_reset: Option<Telemetry>,
    /// The reading at the end; absent when none came.
    pub at_end: Option<Telemetry>,
}

/// Something a reader of the result has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The sender missed its target rate by more than 2 %: the trial is void.
    OfferedRateMissed,
    /// Datagrams left in bursts longer than [`PACED_BURST_MAX`]: losses may be the receiver's
    /// queue rather than its rate.
    SentInBursts,
}

impl StreamResult {
    /// Checks every identity of the counters and between counters, histograms and intervals;
    /// names the first broken one.
    ///
    /// # Errors
    /// The first identity that does not hold.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        self.warm_up.check()?;
        self.counts.check()?;
        let planned = self.options.planned_packets();
        equal("planned = rate * duration", self.counts.planned, planned)?;
        let warm_up_packets = self.options.warm_up_packets;
        equal(
            "warm_up.planned = warm_up_packets",
            self.warm_up.planned,
            warm_up_packets,
        )?;
        self.check_rtt()?;
        self.check_pacing()?;
        self.check_missing()?;
        self.tail.check(&self.counts)?;
        let background = sum([self.background_sent, self.background_send_errors]);
        equal(
            "background planned = sent + send errors",
            self.options.background_packets(),
            background,
        )?;
        let readings = self
            .telemetry
            .iter()
            .flat_map(|record| [record.at_reset, record.at_end]);
        readings.flatten().try_for_each(|reading| reading.check())
    }

    fn check_rtt(&self) -> Result<(), BrokenIdentity> {
        let Counts { valid, late, .. } = self.counts;
        let in_rtt = sum([self.rtt.count(), self.rtt_unknown]);
        equal("valid = count(rtt) + rtt_unknown", valid, in_rtt)?;
        equal(
            "valid = count(rtt_from_schedule)",
            valid,
            self.rtt_from_schedule.count(),
        )?;
        self.rtt_over_time.check(&self.rtt)?;
        let (surely_late, perhaps_late) = self.rtt.count_above(self.options.late_threshold_ns);
        at_most(
            "rtt above threshold <= late",
            sum([surely_late, self.rtt_unknown]),
            late,
        )?;
        at_most(
            "late <= rtt above threshold",
            late,
            sum([perhaps_late, self.rtt_unknown]),
        )
    }

    fn check_pacing(&self) -> Result<(), BrokenIdentity> {
        let sent = self.counts.sent;
        equal(
            "sent = count(pacing_error)",
            sent,
            self.pacing_error.count(),
        )?;
        at_most("largest_burst <= sent", self.largest_burst, sent)?;
        let ends = [self.first_send_ns, self.last_send_ns];
        let present = ends.iter().flatten().count() as u64;
        equal(
            "first and last send exist when some were sent",
            present,
            2 * sent.min(1),
        )?;
        let [first, last] = ends.map(|instant| instant.unwrap_or_default().0);
        at_most("first_send_ns <= last_send_ns", first, last)
    }

    fn check_missing(&self) -> Result<(), BrokenIdentity> {
        let missing = self.counts.missing;
        let by_interval = sum(self.missing_by_interval.values().copied());
        equal("missing = sum(missing_by_interval)", missing, by_interval)?;
        check_missing_ends(&self.counts, self.first_missing, self.last_missing)
    }

    fn rates(&self) -> Rates<'_> {
        Rates {
            options: &self.options,
            counts: &self.counts,
            last_send_ns: self.last_send_ns,
        }
    }

    /// From the schedule's start to one period after the last send, in nanoseconds; `None` when
    /// nothing was sent.
    pub fn send_window(&self) -> Option<Nanos> {
        self.rates().send_window()
    }

    /// The achieved offered load in datagrams a second: sent over [`send_window`](Self::send_window).
    pub fn offered_rate_hz(&self) -> Result<Ratio, Undefined> {
        self.rates().offered_hz()
    }

    /// Whether at least [`OFFERED_MIN_PERCENT`] of the target rate was offered.
    pub fn offered_rate_met(&self) -> bool {
        self.rates().offered_is_met()
    }

    /// What the result says of the device, in words.
    pub fn verdict(&self) -> Verdict {
        Verdict::new(
            &self.counts,
            self.tail,
            self.last_send_ns,
            self.first_corruption,
            &self.rtt_over_time,
        )
    }

    /// What a reader has to know before using the figures.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.offered_rate_met() {
            findings.push(Finding::OfferedRateMissed);
        }
        if self.largest_burst > PACED_BURST_MAX {
            findings.push(Finding::SentInBursts);
        }
        findings
    }

    /// Whether the trial says nothing about the device, because the sender missed its target.
    pub fn is_void(&self) -> bool {
        !self.offered_rate_met()
    }

    /// The published rule for a clean rate: at least 98 % of the rate offered and no error event,
    /// so that every planned datagram was sent and came back whole, once, in order and within the
    /// late threshold.
    pub fn is_clean(&self) -> bool {
        self.rates().is_clean()
    }

    /// The interval with most missing datagrams, as (interval, missing); the first of equals.
    pub fn worst_interval(&self) -> Option<(u64, u64)> {
        let by_interval = self.missing_by_interval.iter();
        by_interval
            .map(|(&interval, &missing)| (interval, missing))
            .rev()
            .max_by_key(|&(_, missing)| missing)
    }

    /// Valid datagrams times payload, in bits a second over the send window.
    pub fn goodput_bits_per_s(&self) -> Result<Ratio, Undefined> {
        self.rates().goodput_bits_per_s()
    }
}
