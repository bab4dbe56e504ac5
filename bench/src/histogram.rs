//! HDR histograms in nanoseconds that are kept whole in a result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Nanos;

/// Significant decimal digits of every histogram: buckets are at most 0.1 % wide, and one
/// nanosecond wide below 2048 ns.
pub const SIGNIFICANT_DIGITS: u8 = 3;

/// A histogram of spans, with count, minimum, maximum and sum kept exactly beside the buckets.
///
/// Percentiles are by nearest rank, in integer arithmetic, over the recorded buckets, so they can
/// be recomputed from a stored histogram to the last digit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "HistogramRecord", into = "HistogramRecord")]
pub struct LatencyHistogram {
    buckets: hdrhistogram::Histogram<u64>,
    extremes: Option<(Nanos, Nanos)>,
    sum_ns: u128,
}

/// A stored histogram.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistogramRecord {
    /// The significant decimal digits of the buckets, always [`SIGNIFICANT_DIGITS`].
    pub significant_digits: u8,
    /// How many spans were recorded.
    pub count: u64,
    /// The smallest of them, exactly; absent when there is none.
    pub min_ns: Option<u64>,
    /// The largest of them, exactly; absent when there is none.
    pub max_ns: Option<u64>,
    /// Their sum, exactly.
    pub sum_ns: u128,
    /// The lowest value of each bucket that is not empty, in nanoseconds, and its count, rising.
    pub buckets: Vec<(u64, u64)>,
}

/// A stored histogram that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistogramError {
    /// Recorded with another bucket width.
    #[error("histogram with {0} significant digits, expected {SIGNIFICANT_DIGITS}")]
    SignificantDigits(u8),
    /// The count is not the sum over the buckets.
    #[error("histogram count is {count}, its buckets hold {in_buckets:?}")]
    Count {
        /// The stored count.
        count: u64,
        /// The sum over the buckets; `None` when it passes 64 bits.
        in_buckets: Option<u64>,
    },
    /// A bucket is empty, begins elsewhere than at the lowest value of one, or comes after a higher one.
    #[error("histogram has no bucket that starts at {0} ns, or stores it empty or out of order")]
    Bucket(u64),
    /// Minimum or maximum lie outside the first or last bucket.
    #[error("histogram minimum or maximum lies outside its first or last bucket")]
    Extremes,
    /// The sum cannot come from these buckets.
    #[error("histogram sum {0} ns cannot come from its buckets")]
    Sum(u128),
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        Self::new()
    }
}

impl LatencyHistogram {
    /// An empty histogram. It grows when a larger magnitude first comes, at most 54 times ever.
    pub fn new() -> Self {
        let buckets = hdrhistogram::Histogram::new(SIGNIFICANT_DIGITS)
            .expect("three significant digits are allowed");
        Self {
            buckets,
            extremes: None,
            sum_ns: 0,
        }
    }

    /// Records one span.
    pub fn record(&mut self, span: Nanos) {
        self.buckets
            .record(span.0)
            .expect("a histogram that grows takes any value");
        self.sum_ns += u128::from(span.0);
        self.extremes = Some(match self.extremes {
            Some((min, max)) => (min.min(span), max.max(span)),
            None => (span, span),
        });
    }

    /// Adds the spans of another histogram: percentiles over several flows come from their merged
    /// buckets, never from their percentiles.
    pub fn add(&mut self, other: &Self) {
        self.buckets
            .add(&other.buckets)
            .expect("a histogram that grows takes any other");
        self.sum_ns += other.sum_ns;
        self.extremes = match (self.extremes, other.extremes) {
            (Some((min, max)), Some((low, high))) => Some((min.min(low), max.max(high))),
            (own, others) => own.or(others),
        };
    }

    /// How many spans were recorded.
    pub fn count(&self) -> u64 {
        self.buckets.len()
    }

    /// The smallest span, exactly; `None` when there is none.
    pub fn min(&self) -> Option<Nanos> {
        self.extremes.map(|(min, _)| min)
    }

    /// The largest span, exactly; `None` when there is none.
    pub fn max(&self) -> Option<Nanos> {
        self.extremes.map(|(_, max)| max)
    }

    /// The exact sum of all spans in nanoseconds.
    pub fn sum_ns(&self) -> u128 {
        self.sum_ns
    }

    /// The mean, exactly: sum over count in nanoseconds; absent when there is no span.
    pub fn mean_ns(&self) -> Result<crate::Ratio, crate::Undefined> {
        crate::Ratio::new(self.sum_ns, self.count(), "no span was recorded")
    }

    /// The percentile `numerator / denominator` (99.9 % is `percentile(999, 1000)`) by nearest
    /// rank: the highest value of the bucket that holds the span of rank
    /// `ceil(count * numerator / denominator)`, at least 1; in the last bucket the exact maximum.
    ///
    /// `None` when there is no span.
    ///
    /// # Panics
    /// When `denominator` is zero or the fraction is above one.
    pub fn percentile(&self, numerator: u64, denominator: u64) -> Option<Nanos> {
        assert!(
            denominator > 0 && numerator <= denominator,
            "a percentile lies in 0..=1"
        );
        let max = self.max()?;
        let product = u128::from(self.count()) * u128::from(numerator);
        let rank = product.div_ceil(u128::from(denominator)).max(1);
        let mut seen = 0;
        let mut buckets = self.recorded();
        let (lowest, _) = buckets.find(|&(_, count)| {
            seen += u128::from(count);
            seen >= rank
        })?;
        let is_last = seen == u128::from(self.count());
        Some(if is_last {
            max
        } else {
            Nanos(self.buckets.highest_equivalent(lowest))
        })
    }

    /// Bounds on how many spans exceed `threshold`: those in buckets wholly above it, and those
    /// plus the bucket it falls in.
    pub fn count_above(&self, threshold: Nanos) -> (u64, u64) {
        let mut bounds = (0, 0);
        for (lowest, count) in self.recorded() {
            let highest = self.buckets.highest_equivalent(lowest);
            bounds.0 += if lowest > threshold.0 { count } else { 0 };
            bounds.1 += if highest > threshold.0 { count } else { 0 };
        }
        bounds
    }

    /// The buckets, for writing them in other formats.
    pub(crate) fn buckets(&self) -> &hdrhistogram::Histogram<u64> {
        &self.buckets
    }

    /// The heap memory of the buckets in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.buckets.distinct_values() * size_of::<u64>()
    }

    /// The lowest value and the count of each bucket that is not empty, in rising order.
    fn recorded(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.buckets.iter_recorded().map(|bucket| {
            let lowest = self.buckets.lowest_equivalent(bucket.value_iterated_to());
            (lowest, bucket.count_at_value())
        })
    }
}

impl From<LatencyHistogram> for HistogramRecord {
    fn from(histogram: LatencyHistogram) -> Self {
        Self {
            significant_digits: SIGNIFICANT_DIGITS,
            count: histogram.count(),
            min_ns: histogram.min().map(|min| min.0),
            max_ns: histogram.max().map(|max| max.0),
            sum_ns: histogram.sum_ns,
            buckets: histogram.recorded().collect(),
        }
    }
}

impl TryFrom<HistogramRecord> for LatencyHistogram {
    type Error = HistogramError;

    fn try_from(record: HistogramRecord) -> Result<Self, HistogramError> {
        if record.significant_digits != SIGNIFICANT_DIGITS {
            return Err(HistogramError::SignificantDigits(record.significant_digits));
        }
        let total = record
            .buckets
            .iter()
            .try_fold(0u64, |sum, &(_, count)| sum.checked_add(count));
        if total != Some(record.count) {
            return Err(HistogramError::Count {
                count: record.count,
                in_buckets: total,
            });
        }
        let mut histogram = Self::new();
        let (mut sum_low, mut sum_high) = (0u128, 0u128);
        let mut above = None;
        for &(lowest, count) in &record.buckets {
            let buckets = &mut histogram.buckets;
            buckets
                .record_n(lowest, count)
                .map_err(|_| HistogramError::Bucket(lowest))?;
            let is_rising = above.replace(lowest).is_none_or(|above| above < lowest);
            if !is_rising || count == 0 || buckets.lowest_equivalent(lowest) != lowest {
                return Err(HistogramError::Bucket(lowest));
            }
            let highest = buckets.highest_equivalent(lowest);
            sum_low += u128::from(lowest) * u128::from(count);
            sum_high += u128::from(highest) * u128::from(count);
        }
        if !(sum_low..=sum_high).contains(&record.sum_ns) {
            return Err(HistogramError::Sum(record.sum_ns));
        }
        let ends = record.buckets.first().zip(record.buckets.last());
        let stored = record.min_ns.zip(record.max_ns);
        let lowest = |value: u64| histogram.buckets.lowest_equivalent(value);
        let consistent = stored.is_some() == (record.min_ns.is_some() || record.max_ns.is_some())
            && stored.map(|(min, max)| (lowest(min), lowest(max)))
                == ends.map(|(first, last)| (first.0, last.0))
            && stored.is_none_or(|(min, max)| min <= max);
        if !consistent {
            return Err(HistogramError::Extremes);
        }
        histogram.sum_ns = record.sum_ns;
        histogram.extremes = stored.map(|(min, max)| (Nanos(min), Nanos(max)));
        Ok(histogram)
    }
}
