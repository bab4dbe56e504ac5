//! Histograms: nearest rank, exact extremes, and storage.

use bench::histogram::{HistogramError, HistogramRecord};
use bench::{LatencyHistogram, Nanos};
use proptest::prelude::*;

fn histogram(spans: impl IntoIterator<Item = u64>) -> LatencyHistogram {
    let mut histogram = LatencyHistogram::new();
    spans
        .into_iter()
        .for_each(|span| histogram.record(Nanos(span)));
    histogram
}

/// 1..100: p99 is 99. Ten samples: p90 is the ninth. p7 of 100 is 7, not 8.
#[test]
fn nearest_rank_is_not_off_by_one() {
    let hundred = histogram(1..=100);
    assert_eq!(hundred.percentile(99, 100), Some(Nanos(99)));
    assert_eq!(hundred.percentile(7, 100), Some(Nanos(7)));
    assert_eq!(hundred.percentile(70, 1_000), Some(Nanos(7)));
    assert_eq!(
        histogram((1..=10).map(|n| n * 11)).percentile(90, 100),
        Some(Nanos(99))
    );
    assert_eq!(hundred.percentile(0, 100), Some(Nanos(1)));
    assert_eq!(hundred.percentile(100, 100), Some(Nanos(100)));
    assert_eq!(hundred.percentile(9_901, 10_000), Some(Nanos(100)));
}

#[test]
fn zero_is_a_value() {
    let zeros = histogram([0, 0, 0, 5]);
    assert_eq!(zeros.percentile(1, 2), Some(Nanos(0)));
    assert_eq!((zeros.min(), zeros.max()), (Some(Nanos(0)), Some(Nanos(5))));
}

#[test]
fn an_empty_histogram_has_no_figures() {
    let empty = LatencyHistogram::new();
    assert_eq!(
        (empty.min(), empty.max(), empty.percentile(1, 2)),
        (None, None, None)
    );
    assert!(empty.mean_ns().is_err());
}

#[test]
fn extremes_and_sum_are_exact_and_percentiles_within_a_thousandth() {
    let spans = [1_234_567, 1_234_568, 987_654_321, u64::MAX];
    let wide = histogram(spans);
    assert_eq!(
        (wide.min(), wide.max()),
        (Some(Nanos(1_234_567)), Some(Nanos(u64::MAX)))
    );
    assert_eq!(
        wide.sum_ns(),
        spans.iter().map(|&span| u128::from(span)).sum()
    );
    assert_eq!(wide.percentile(1, 1), Some(Nanos(u64::MAX)));
    let third = wide.percentile(3, 4).unwrap().0;
    assert!(
        (987_654_321..987_654_321 + 987_654).contains(&third),
        "{third}"
    );
}

#[test]
fn a_percentile_never_exceeds_the_maximum() {
    assert_eq!(
        histogram([1_000_001]).percentile(1, 2),
        Some(Nanos(1_000_001))
    );
}

#[test]
fn bounds_on_what_exceeds_a_threshold() {
    let histogram = histogram([100, 50_000_000, 50_000_001, 60_000_000]);
    let (surely, perhaps) = histogram.count_above(Nanos(50_000_000));
    assert_eq!((surely, perhaps), (1, 3));
    assert_eq!(histogram.count_above(Nanos(100)), (3, 3));
    assert_eq!(histogram.count_above(Nanos(99)), (4, 4));
}

#[test]
fn storage_is_a_pair_a_bucket() {
    let json = serde_json::to_string(&histogram([5, 5, 300_000])).unwrap();
    let expected = concat!(
        r#"{"significant_digits":3,"count":3,"min_ns":5,"max_ns":300000,"sum_ns":300010,"#,
        r#""buckets":[[5,2],[299776,1]]}"#
    );
    assert_eq!(json, expected);
}

#[test]
fn contradictions_in_storage_are_named() {
    let load = |spoil: &dyn Fn(&mut HistogramRecord)| {
        let mut record = HistogramRecord::from(histogram([5, 5, 300_000]));
        spoil(&mut record);
        LatencyHistogram::try_from(record).unwrap_err()
    };
    assert_eq!(
        load(&|r| r.significant_digits = 2),
        HistogramError::SignificantDigits(2)
    );
    let count = HistogramError::Count {
        count: 4,
        in_buckets: Some(3),
    };
    assert_eq!(load(&|r| r.count = 4), count);
    let overflow = HistogramError::Count {
        count: 3,
        in_buckets: None,
    };
    assert_eq!(load(&|r| r.buckets.insert(1, (6, u64::MAX))), overflow);
    assert_eq!(
        load(&|r| r.buckets.insert(1, (7, 0))),
        HistogramError::Bucket(7)
    );
    let misplaced = load(&|r| r.buckets[1].0 = 299_777);
    assert_eq!(misplaced, HistogramError::Bucket(299_777));
    let falling = load(&|r| r.buckets.reverse());
    assert_eq!(falling, HistogramError::Bucket(5));
    let twice = load(&|r| r.buckets = vec![(5, 1), (5, 1), (299_776, 1)]);
    assert_eq!(twice, HistogramError::Bucket(5));
    assert_eq!(load(&|r| r.sum_ns = 299_785), HistogramError::Sum(299_785));
    assert_eq!(load(&|r| r.min_ns = Some(4)), HistogramError::Extremes);
    assert_eq!(
        load(&|r| r.max_ns = Some(310_000)),
        HistogramError::Extremes
    );
    assert_eq!(load(&|r| r.max_ns = None), HistogramError::Extremes);
    assert_eq!(
        load(&|r| (r.min_ns, r.max_ns) = (None, None)),
        HistogramError::Extremes
    );
}

fn spans() -> impl Strategy<Value = Vec<u64>> {
    let span = prop_oneof![0..5_000u64, 0..100_000_000u64, any::<u64>()];
    proptest::collection::vec(span, 0..200)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn storage_keeps_everything(spans in spans()) {
        let before = histogram(spans);
        let json = serde_json::to_string(&before).unwrap();
        let after: LatencyHistogram = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(&after, &before);
        prop_assert_eq!(serde_json::to_string(&after).unwrap(), json);
    }

    #[test]
    fn percentiles_agree_with_sorted_spans(
        mut spans in spans(),
        numerator in 0..=1_000u64,
    ) {
        let histogram = histogram(spans.iter().copied());
        spans.sort_unstable();
        let rank = (spans.len() as u64 * numerator).div_ceil(1_000).max(1) as usize;
        let exact = spans.get(rank - 1).copied();
        let found = histogram.percentile(numerator, 1_000).map(|span| span.0);
        prop_assert_eq!(found.is_some(), exact.is_some());
        if let (Some(found), Some(exact)) = (found, exact) {
            prop_assert!(exact <= found && found - exact <= exact / 1_000, "{} {}", found, exact);
        }
    }

    #[test]
    fn any_record_is_refused_or_stored_as_it_is(
        buckets in proptest::collection::btree_map(0..5_000u64, 0..3u64, 0..5),
        slack in 0..3u64,
        wrong_count: bool,
        extremes in any::<Option<(u64, u64)>>(),
        keep_extremes: bool,
    ) {
        let ends = buckets.keys().next().copied().zip(buckets.keys().next_back().copied());
        let extremes = if keep_extremes { ends } else { extremes };
        let record = HistogramRecord {
            significant_digits: 3,
            count: buckets.values().sum::<u64>() + u64::from(wrong_count),
            min_ns: extremes.map(|(min, _)| min),
            max_ns: extremes.map(|(_, max)| max),
            sum_ns: u128::from(buckets.iter().map(|(span, count)| span * count).sum::<u64>() + slack),
            buckets: buckets.into_iter().collect(),
        };
        if let Ok(histogram) = LatencyHistogram::try_from(record.clone()) {
            prop_assert!(!wrong_count);
            prop_assert_eq!(HistogramRecord::from(histogram), record);
        }
    }
}
