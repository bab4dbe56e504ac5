//! The course of a soak, interval by interval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Counts, LatencyHistogram, Nanos};

/// One interval of the schedule.
///
/// What became of a datagram counts in the interval in which it was due, however late its reply
/// came. What arrived counts in the interval in which it arrived; what came after the end of the
/// schedule is in the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoakInterval {
    /// Datagrams due in the interval that the network stack took.
    pub sent: u64,
    /// Datagrams due in it that the network stack refused.
    pub send_errors: u64,
    /// Of those sent, answered whole, in time or late.
    pub valid: u64,
    /// Of those sent, not answered whole.
    pub missing: u64,
    /// Of the valid ones, answered after the late threshold.
    pub late: u64,
    /// First right copies that arrived in the interval.
    pub replies: u64,
    /// Right copies beyond the first that arrived.
    pub duplicate: u64,
    /// First right copies that arrived after that of a higher sequence number.
    pub reordered: u64,
    /// Corrupt replies that arrived.
    pub corrupt: u64,
    /// Foreign datagrams that arrived.
    pub foreign: u64,
    /// The median RTT of `replies` by nearest rank, to the bucket of a histogram; absent when none
    /// came, or of none the send instant was still kept.
    pub rtt_p50_ns: Option<Nanos>,
    /// Their 99th percentile, likewise.
    pub rtt_p99_ns: Option<Nanos>,
    /// Their largest, exactly.
    pub rtt_max_ns: Option<Nanos>,
}

impl SoakInterval {
    /// Adds the counters of another interval, from a stored result which may hold anything.
    pub(super) fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.sent, other.sent),
            (&mut self.send_errors, other.send_errors),
            (&mut self.valid, other.valid),
            (&mut self.missing, other.missing),
            (&mut self.late, other.late),
            (&mut self.replies, other.replies),
            (&mut self.duplicate, other.duplicate),
            (&mut self.reordered, other.reordered),
            (&mut self.corrupt, other.corrupt),
            (&mut self.foreign, other.foreign),
        ];
        for (sum, count) in pairs {
            *sum = sum.saturating_add(count);
        }
    }
}

/// The intervals as they are recorded. Arrivals only ever go on in time, so one histogram is
/// enough.
#[derive(Clone, Debug)]
pub(super) struct IntervalRecorder {
    intervals: Box<[SoakInterval]>,
    interval: Nanos,
    /// The interval of the last arrival.
    arriving: usize,
    rtt: LatencyHistogram,
}

impl IntervalRecorder {
    pub(super) fn new(intervals: u64, interval: Nanos) -> Self {
        Self {
            intervals: vec![SoakInterval::default(); intervals as usize].into_boxed_slice(),
            interval,
            arriving: 0,
            rtt: LatencyHistogram::new(),
        }
    }

    /// The interval of an instant of the schedule.
    pub(super) fn at(&mut self, since_start: Nanos) -> &mut SoakInterval {
        let number = self.number(since_start);
        &mut self.intervals[number]
    }

    fn number(&self, since_start: Nanos) -> usize {
        let last = self.intervals.len() - 1;
        let number = since_start.0 / self.interval.0;
        usize::try_from(number).map_or(last, |number| number.min(last))
    }

    /// Something arrived that changed the counters from `before` to `after`; `rtt` when it was a
    /// first right copy whose send instant is known.
    pub(super) fn arrived(
        &mut self,
        since_start: Nanos,
        before: &Counts,
        after: &Counts,
        rtt: Option<Nanos>,
    ) {
        let number = self.number(since_start);
        if number > self.arriving {
            self.finish_rtt();
            self.arriving = number;
        }
        let interval = &mut self.intervals[self.arriving];
        interval.replies += after.valid - before.valid;
        interval.duplicate += after.duplicate - before.duplicate;
        interval.reordered += after.reordered - before.reordered;
        interval.corrupt += after.corrupt - before.corrupt;
        interval.foreign += after.foreign - before.foreign;
        if let Some(rtt) = rtt {
            self.rtt.record(rtt);
        }
    }

    fn finish_rtt(&mut self) {
        let rtt = std::mem::take(&mut self.rtt);
        let interval = &mut self.intervals[self.arriving];
        interval.rtt_p50_ns = rtt.percentile(1, 2);
        interval.rtt_p99_ns = rtt.percentile(99, 100);
        interval.rtt_max_ns = rtt.max();
    }

    pub(super) fn finish(mut self) -> Vec<SoakInterval> {
        self.finish_rtt();
        self.intervals.into_vec()
    }

    /// The heap memory in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.intervals) + self.rtt.heap_bytes()
    }
}
