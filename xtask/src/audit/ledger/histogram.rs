//! Histograms in raw JSON, and percentiles from their buckets.
//!
//! Buckets are those of an HDR histogram of three significant digits: one wide below 2048, and above
//! that 1024 to each power of two.

use super::super::node::{Misshapen, Node};
use super::super::report::Kind;
use super::Book;

/// Values below this lie in buckets of their own.
const SINGLE_VALUES: u64 = 2_048;
/// The power of two whose buckets are one wide: 1024 to 2047.
const SINGLE_POWER: u32 = 10;

/// A stored histogram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    pub count: u128,
    pub min_ns: Option<u128>,
    pub max_ns: Option<u128>,
    pub sum_ns: u128,
    /// The lowest value of each bucket and how many spans it holds, rising.
    pub buckets: Vec<(u64, u64)>,
}

/// How wide the bucket of a value is.
fn width(value: u64) -> u64 {
    if value < SINGLE_VALUES {
        1
    } else {
        1 << (value.ilog2() - SINGLE_POWER)
    }
}

/// The lowest value of the bucket of `value`.
pub fn lowest(value: u64) -> u64 {
    value & !(width(value) - 1)
}

/// The highest value of the bucket of `value`.
pub fn highest(value: u64) -> u64 {
    lowest(value) + (width(value) - 1)
}

impl Histogram {
    /// Reads the histogram at `node`.
    pub fn read(node: &Node) -> Result<Self, Misshapen> {
        Ok(Self {
            count: node.number("count")?,
            min_ns: node.number_if_any("min_ns")?,
            max_ns: node.number_if_any("max_ns")?,
            sum_ns: node.number("sum_ns")?,
            buckets: buckets(&node.get("buckets")?)?,
        })
    }

    /// Reads the histogram of a key and checks it.
    pub fn checked(book: &mut Book, at: &Node, key: &str) -> Result<Self, Misshapen> {
        let node = at.get(key)?;
        let histogram = Self::read(&node)?;
        book.histograms += 1;
        let digits = node.number("significant_digits")?;
        match histogram.problem() {
            _ if digits != 3 => {
                let message = format!("a histogram of {digits} significant digits in place of 3");
                book.breaks(Kind::Histogram, &node, message);
            }
            Some(message) => book.breaks(Kind::Histogram, &node, message),
            None => book.held += 1,
        }
        Ok(histogram)
    }

    /// What is wrong with it, if anything.
    fn problem(&self) -> Option<String> {
        let rising = self.buckets.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !rising {
            return Some("its buckets do not rise".to_owned());
        }
        let is_bucket = |&&(start, count): &&(u64, u64)| lowest(start) != start || count == 0;
        if let Some((start, _)) = self.buckets.iter().find(is_bucket) {
            return Some(format!("no bucket begins at {start}, or it is empty"));
        }
        let in_buckets = self.buckets.iter().map(|&(_, count)| u128::from(count));
        let in_buckets = in_buckets.sum::<u128>();
        if in_buckets != self.count {
            let count = self.count;
            return Some(format!(
                "its count is {count}, its buckets hold {in_buckets}"
            ));
        }
        self.problem_of_ends().or_else(|| self.problem_of_sum())
    }

    fn problem_of_ends(&self) -> Option<String> {
        let first = self.buckets.first().map(|&(start, _)| u128::from(start));
        let last = self.buckets.last().map(|&(start, _)| start);
        let end = last.map(|start| u128::from(highest(start)));
        let (Some(first), Some(last), Some(end)) = (first, last.map(u128::from), end) else {
            let absent = self.min_ns.is_none() && self.max_ns.is_none();
            return (!absent).then(|| "it is empty and has a minimum or maximum".to_owned());
        };
        let first_end = u128::from(highest(self.buckets[0].0));
        let min = self.min_ns.filter(|min| (first..=first_end).contains(min));
        let max = self.max_ns.filter(|max| (last..=end).contains(max));
        match (min, max) {
            (Some(min), Some(max)) if min <= max => None,
            (None, _) => Some(format!(
                "its minimum {:?} is not in the first bucket, {first} to {first_end}",
                self.min_ns
            )),
            _ => Some(format!(
                "its maximum {:?} is not in the last bucket, {last} to {end}, or below the minimum",
                self.max_ns
            )),
        }
    }

    /// The sum lies between that of all lowest values and that of all highest, when one span is the
    /// minimum and one the maximum.
    fn problem_of_sum(&self) -> Option<String> {
        let total = |value: fn(u64) -> u64| {
            let spans = self.buckets.iter();
            let spans = spans.map(|&(start, count)| u128::from(value(start)) * u128::from(count));
            spans.sum::<u128>()
        };
        let (low, high) = (total(lowest), total(highest));
        let (Some(min), Some(max)) = (self.min_ns, self.max_ns) else {
            return (self.sum_ns != 0).then(|| "it is empty and has a sum".to_owned());
        };
        let (above_first, below_last) = match (self.buckets.first(), self.buckets.last()) {
            (Some(&(first, _)), Some(&(last, _))) => {
                (min - u128::from(first), u128::from(highest(last)) - max)
            }
            _ => (0, 0),
        };
        // Every span is at least the minimum and at most the maximum, and one of each is exactly that.
        let (low, high) = match self.count {
            1 => (min, max),
            _ => (low + above_first, high - below_last),
        };
        let sum = self.sum_ns;
        (!(low..=high).contains(&sum))
            .then(|| format!("its sum {sum} cannot come from its buckets: {low} to {high}"))
    }

    /// The percentile `numerator / denominator` by nearest rank: the highest value of the bucket that
    /// holds the span of that rank, counted from 1; in the last bucket the maximum itself.
    pub fn percentile(&self, numerator: u128, denominator: u128) -> Option<u128> {
        let rank = (self.count * numerator).div_ceil(denominator).max(1);
        let mut before = 0;
        for (index, &(start, count)) in self.buckets.iter().enumerate() {
            before += u128::from(count);
            if before >= rank {
                let is_last = index + 1 == self.buckets.len();
                return if is_last {
                    self.max_ns
                } else {
                    Some(highest(start).into())
                };
            }
        }
        None
    }

    /// At least and at most how many spans exceed `threshold`.
    pub fn above(&self, threshold: u128) -> (u128, u128) {
        let surely = |start: u64| u128::from(lowest(start)) > threshold;
        let perhaps = |start: u64| u128::from(highest(start)) > threshold;
        let total = |holds: &dyn Fn(u64) -> bool| {
            let spans = self.buckets.iter().filter(|&&(start, _)| holds(start));
            spans.map(|&(_, count)| u128::from(count)).sum::<u128>()
        };
        (total(&surely), total(&perhaps))
    }

    /// Whether a bucket that is not empty holds `value`.
    pub fn has(&self, value: u64) -> bool {
        let start = lowest(value);
        let found = self
            .buckets
            .binary_search_by_key(&start, |&(start, _)| start);
        found.is_ok()
    }
}

fn buckets(node: &Node) -> Result<Vec<(u64, u64)>, Misshapen> {
    let pairs = node.value.as_array();
    let pairs = pairs.ok_or_else(|| node.misshapen("its buckets are no list"))?;
    let pair = |pair: &serde_json::Value| match pair.as_array()?.as_slice() {
        [start, count] => Some((start.as_u64()?, count.as_u64()?)),
        _ => None,
    };
    let pairs = pairs.iter().map(pair).collect::<Option<Vec<_>>>();
    pairs.ok_or_else(|| node.misshapen("a bucket is no pair of whole numbers"))
}

#[cfg(test)]
mod tests {
    use bench::{LatencyHistogram, Nanos};
    use proptest::prelude::*;

    use super::*;

    fn of(spans: &[u64]) -> Histogram {
        let mut histogram = Histogram {
            count: spans.len() as u128,
            min_ns: spans.iter().min().map(|&span| span.into()),
            max_ns: spans.iter().max().map(|&span| span.into()),
            sum_ns: spans.iter().map(|&span| u128::from(span)).sum(),
            buckets: Vec::new(),
        };
        let mut starts: Vec<u64> = spans.iter().map(|&span| lowest(span)).collect();
        starts.sort_unstable();
        for start in starts {
            match histogram.buckets.last_mut() {
                Some((last, count)) if *last == start => *count += 1,
                _ => histogram.buckets.push((start, 1)),
            }
        }
        histogram
    }

    #[test]
    fn buckets_are_one_wide_to_2047_and_a_thousandth_above() {
        for (value, bucket) in [
            (0, (0, 0)),
            (2_047, (2_047, 2_047)),
            (2_048, (2_048, 2_049)),
            (4_095, (4_094, 4_095)),
            (4_097, (4_096, 4_099)),
            (303_149, (303_104, 303_359)),
        ] {
            assert_eq!((lowest(value), highest(value)), bucket, "{value}");
        }
    }

    /// R1 of the cases this project collects: nearest rank, in whole numbers.
    #[test]
    fn percentiles_are_by_nearest_rank() {
        let hundred = of(&Vec::from_iter(1..=100));
        assert_eq!(hundred.percentile(99, 100), Some(99));
        assert_eq!(hundred.percentile(7, 100), Some(7));
        assert_eq!(hundred.percentile(0, 100), Some(1));
        assert_eq!(hundred.percentile(1, 1), Some(100));
        assert_eq!(of(&Vec::from_iter(1..=10)).percentile(90, 100), Some(9));
        assert_eq!(of(&[]).percentile(1, 2), None);
        // R6: a percentile of zero is a value.
        assert_eq!(of(&[0, 0, 5]).percentile(50, 100), Some(0));
    }

    type Change = fn(&mut Histogram);

    #[test]
    fn a_faulty_histogram_is_told_from_a_right_one() {
        let right = of(&[5, 5, 3_000, 303_149]);
        assert_eq!(right.problem(), None);
        assert_eq!(of(&[]).problem(), None);
        assert_eq!(of(&[77]).problem(), None);
        let faulty = |change: Change| {
            let mut histogram = right.clone();
            change(&mut histogram);
            histogram.problem().unwrap_or_default()
        };
        let cases: [(Change, &str); 9] = [
            (|one| one.count = 5, "its count is 5, its buckets hold 4"),
            (|one| one.buckets[1].0 = 3_001, "no bucket begins at 3001"),
            (|one| one.buckets[1].1 = 0, "no bucket begins at 3000"),
            (|one| one.buckets.swap(0, 1), "do not rise"),
            (|one| one.min_ns = Some(6), "its minimum Some(6) is not"),
            (|one| one.min_ns = None, "its minimum None is not"),
            (
                |one| one.max_ns = Some(303_103),
                "its maximum Some(303103) is not",
            ),
            (|one| one.sum_ns -= 46, "cannot come from its buckets"),
            (|one| one.sum_ns += 2, "cannot come from its buckets"),
        ];
        for (change, message) in cases {
            let problem = faulty(change);
            assert!(problem.contains(message), "{message}: {problem}");
        }
        let mut single = of(&[303_149]);
        single.sum_ns += 1;
        assert!(single.problem().is_some());
        let mut empty = of(&[]);
        empty.max_ns = Some(0);
        let problem = empty.problem().unwrap();
        assert!(problem.contains("has a minimum or maximum"), "{problem}");
        empty.max_ns = None;
        empty.sum_ns = 1;
        assert_eq!(empty.problem().unwrap(), "it is empty and has a sum");
    }

    #[test]
    fn a_bucket_is_a_pair() {
        for buckets in [
            serde_json::json!([[1]]),
            serde_json::json!([[1, 2, 3]]),
            serde_json::json!({"1": 2}),
        ] {
            let value = serde_json::json!({"count": 2, "min_ns": 1, "max_ns": 1, "sum_ns": 2, "buckets": buckets});
            assert!(Histogram::read(&Node::root(&value)).is_err(), "{value}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Two codes that share nothing come to the same buckets, percentiles and bounds.
        #[test]
        fn it_is_the_histogram_of_the_bench(
            spans in prop::collection::vec(0_u64..1 << 40, 1..60),
            numerator in 0_u64..=1_000,
            threshold in 0_u64..1 << 40,
        ) {
            let mut other = LatencyHistogram::new();
            spans.iter().for_each(|&span| other.record(Nanos(span)));
            let own = of(&spans);
            let value = serde_json::to_value(&other).unwrap();
            prop_assert_eq!(&Histogram::read(&Node::root(&value)).unwrap(), &own);
            prop_assert_eq!(own.problem(), None);
            let percentile = other.percentile(numerator, 1_000).map(|span| u128::from(span.0));
            prop_assert_eq!(own.percentile(numerator.into(), 1_000), percentile);
            let (surely, perhaps) = other.count_above(Nanos(threshold));
            prop_assert_eq!(own.above(threshold.into()), (surely.into(), perhaps.into()));
        }
    }
}
