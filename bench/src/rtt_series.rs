//! RTT over the course of a run, coarsely: enough to tell a growing RTT from a wide one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{BrokenIdentity, at_most, equal, sum};
use crate::{LatencyHistogram, Nanos};

/// Into how many slices a run is cut.
pub const RTT_SLICES: u64 = 20;

/// RTT is growing when the median of the last slice is at least this many times that of the first
/// and no slice's median lies below [`GROWTH_KEPT_PERCENT`] of the one before.
pub const GROWTH_FACTOR: u64 = 2;

/// How much of the median before each slice has to keep for RTT to be growing, in percent.
pub const GROWTH_KEPT_PERCENT: u64 = 90;

/// Growth is judged over at least this many slices with replies.
pub const GROWTH_SLICES_MIN: usize = 3;

/// The RTTs of the replies that came in one slice of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RttSlice {
    /// How many.
    pub count: u64,
    /// The smallest, exactly.
    pub min_ns: Nanos,
    /// The median by nearest rank, to the bucket of a [`LatencyHistogram`].
    pub p50_ns: Nanos,
    /// The largest, exactly.
    pub max_ns: Nanos,
}

/// The slices of a run in which replies came, by number from 0; a reply belongs to the slice in
/// which it arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RttSeries {
    slices: BTreeMap<u64, RttSlice>,
}

/// A rise of RTT over a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RttGrowth {
    /// The median of the first slice with replies.
    pub first_p50_ns: Nanos,
    /// The median of the last slice with replies.
    pub last_p50_ns: Nanos,
}

impl RttSeries {
    /// The slices in which replies came, rising.
    pub fn slices(&self) -> impl Iterator<Item = (u64, RttSlice)> + '_ {
        self.slices.iter().map(|(&number, &slice)| (number, slice))
    }

    /// The rise of RTT, if it grows by the rule of [`GROWTH_FACTOR`].
    pub fn growth(&self) -> Option<RttGrowth> {
        let medians = Vec::from_iter(self.slices.values().map(|slice| slice.p50_ns));
        let (&first_p50_ns, &last_p50_ns) = (medians.first()?, medians.last()?);
        let kept = |pair: &[Nanos]| {
            u128::from(pair[1].0) * 100 >= u128::from(pair[0].0) * u128::from(GROWTH_KEPT_PERCENT)
        };
        let grows = medians.len() >= GROWTH_SLICES_MIN
            && last_p50_ns.0 >= first_p50_ns.0.saturating_mul(GROWTH_FACTOR)
            && medians.windows(2).all(kept);
        grows.then_some(RttGrowth {
            first_p50_ns,
            last_p50_ns,
        })
    }

    /// Checks that the slices hold what `rtt` holds; names the first identity that is broken.
    ///
    /// # Errors
    /// The first identity that does not hold.
    pub(crate) fn check(&self, rtt: &LatencyHistogram) -> Result<(), BrokenIdentity> {
        for (number, slice) in self.slices() {
            at_most("rtt_over_time: slice in range", number, RTT_SLICES - 1)?;
            at_most("rtt_over_time: 1 <= count", 1u64, slice.count)?;
            let (min, median) = (slice.min_ns.0, slice.p50_ns.0);
            at_most("rtt_over_time: min <= median", min, median)?;
            at_most("rtt_over_time: median <= max", median, slice.max_ns.0)?;
        }
        let counts = self.slices.values().map(|slice| slice.count);
        equal("count(rtt) = sum(rtt_over_time)", rtt.count(), sum(counts))?;
        let extreme = |nanos: Option<Nanos>| nanos.unwrap_or_default().0;
        let min = self.slices.values().map(|slice| slice.min_ns).min();
        equal(
            "min(rtt) = min(rtt_over_time)",
            extreme(rtt.min()),
            extreme(min),
        )?;
        let max = self.slices.values().map(|slice| slice.max_ns).max();
        equal(
            "max(rtt) = max(rtt_over_time)",
            extreme(rtt.max()),
            extreme(max),
        )
    }
}

/// A series as it is recorded. Slices only ever follow each other, so one histogram is enough.
#[derive(Clone, Debug, Default)]
pub(crate) struct RttRecorder {
    series: RttSeries,
    number: u64,
    slice: LatencyHistogram,
}

impl RttRecorder {
    /// Records a reply that came when `done` of `whole` of the run was over; beyond the whole it
    /// belongs to the last slice.
    pub(crate) fn record(&mut self, done: u64, whole: u64, rtt: Nanos) {
        let number = match done.checked_mul(RTT_SLICES) {
            Some(product) => product / whole,
            None => RTT_SLICES,
        };
        let number = number.min(RTT_SLICES - 1);
        if number > self.number {
            self.finish_slice();
            self.number = number;
        }
        self.slice.record(rtt);
    }

    /// The series.
    pub(crate) fn finish(mut self) -> RttSeries {
        self.finish_slice();
        self.series
    }

    /// The heap memory in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.slice.heap_bytes() + self.series.slices.len() * size_of::<(u64, RttSlice)>()
    }

    fn finish_slice(&mut self) {
        let slice = std::mem::take(&mut self.slice);
        let extremes = slice.min().zip(slice.percentile(1, 2)).zip(slice.max());
        if let Some(((min_ns, p50_ns), max_ns)) = extremes {
            let count = slice.count();
            let finished = RttSlice {
                count,
                min_ns,
                p50_ns,
                max_ns,
            };
            self.series.slices.insert(self.number, finished);
        }
    }
}
