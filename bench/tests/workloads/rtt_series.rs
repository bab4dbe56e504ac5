//! RTT over the course of a run, and the rule that calls it growing.

use bench::{Nanos, RttGrowth, StreamOptions, StreamResult};

use crate::scripted_echo::*;

/// 200 datagrams at 1000/s, 10 a slice; `micros` is the RTT of each slice.
fn run(micros: impl Fn(u64) -> u64) -> StreamResult {
    run_stream(short_stream(200), |sequence, payload| {
        reply_after(Nanos::from_micros(micros(sequence / 10)), payload)
    })
}

#[test]
fn a_slice_holds_count_extremes_and_median() {
    let result = run_stream(short_stream(200), |sequence, payload| {
        let micros = match sequence % 10 {
            0 => 100,
            9 => 900,
            _ => 500,
        };
        match sequence {
            55 => Reaction::lost(),
            _ => reply_after(Nanos::from_micros(micros), payload),
        }
    });
    let slices = Vec::from_iter(result.rtt_over_time.slices());
    assert_eq!(slices.len(), 20);
    for (number, slice) in slices {
        assert_eq!(slice.count, if number == 5 { 9 } else { 10 });
        let extremes = (slice.min_ns, slice.max_ns);
        assert_eq!(extremes, (Nanos::from_micros(100), Nanos::from_micros(900)));
        let off = slice.p50_ns.0.abs_diff(500_000);
        assert!(off <= 500, "the median is in its bucket: {}", slice.p50_ns);
    }
}

#[test]
fn a_reply_belongs_to_the_slice_in_which_it_comes() {
    let result = run_stream(short_stream(200), |sequence, payload| match sequence {
        // Due at 0, it comes in the third slice; the last one comes after the schedule.
        0 => reply_after(Nanos::from_millis(25), payload),
        199 => reply_after(Nanos::from_millis(40), payload),
        20..30 => Reaction::lost(),
        100..200 => Reaction::lost(),
        _ => faithful(payload),
    });
    let counts = result.rtt_over_time.slices();
    let counts = Vec::from_iter(counts.map(|(number, slice)| (number, slice.count)));
    let whole = |number| (number, 10);
    let expected = [
        vec![(0, 9), whole(1), (2, 1)],
        (3..10).map(whole).collect(),
        vec![(19, 1)],
    ];
    assert_eq!(counts, expected.concat());
}

#[test]
fn slices_count_from_the_start_of_the_measured_schedule() {
    let options = StreamOptions {
        warm_up_packets: 10,
        ..short_stream(200)
    };
    let result = run_stream(options, |_, payload| faithful(payload));
    let counts = result.rtt_over_time.slices();
    let counts = counts.map(|(number, slice)| (number, slice.count));
    assert!(counts.eq((0..20).map(|number| (number, 10))));
}

#[test]
fn rtt_grows_when_its_medians_rise_to_twice_the_first() {
    let growth = |micros: &dyn Fn(u64) -> u64| run(micros).rtt_over_time.growth();
    let grown = growth(&|slice| 100 + 10 * slice).expect("290 is more than twice 100");
    let RttGrowth {
        first_p50_ns,
        last_p50_ns,
    } = grown;
    assert!(first_p50_ns.0.abs_diff(100_000) <= 100 && last_p50_ns.0.abs_diff(290_000) <= 290);
    assert_eq!(growth(&|_| 300), None);
    assert_eq!(growth(&|slice| 400 - 10 * slice), None);
    assert_eq!(
        growth(&|slice| 100 + 5 * slice),
        None,
        "195 is less than twice 100"
    );
    // A rise that falls back between is a wander.
    assert_eq!(
        growth(&|slice| if slice == 10 { 150 } else { 100 + 10 * slice }),
        None
    );
}

#[test]
fn two_slices_are_too_few_to_grow() {
    let answered_in = |slices: u64| {
        let result = run_stream(short_stream(200), |sequence, payload| {
            let slice = sequence / 10;
            match slice < slices {
                true => reply_after(Nanos::from_micros(100 << slice), payload),
                false => Reaction::lost(),
            }
        });
        result.rtt_over_time.growth()
    };
    assert!(answered_in(2).is_none() && answered_in(3).is_some());
}

#[test]
fn growth_alone_is_no_fault() {
    let result = run(|slice| 100 + 10 * slice);
    assert!(result.verdict().is_clean());
    assert_eq!(result.verdict().to_string(), "growing RTT, clean");
}

#[test]
fn the_series_is_checked_against_the_histogram() {
    let good = run(|slice| 100 + slice);
    let broken = |from: &str, to: &str| {
        let json = serde_json::to_string(&good).unwrap();
        let (before, series) = json.split_once("\"rtt_over_time\"").unwrap();
        assert!(series.contains(from), "{series}");
        let series = series.replacen(from, to, 1);
        let json = format!("{before}\"rtt_over_time\"{series}");
        let result: StreamResult = serde_json::from_str(&json).unwrap();
        result.check().unwrap_err().identity
    };
    let count = "count(rtt) = sum(rtt_over_time)";
    assert_eq!(broken("\"count\":10", "\"count\":11"), count);
    let empty = "rtt_over_time: 1 <= count";
    assert_eq!(broken("\"count\":10", "\"count\":0"), empty);
    let range = "rtt_over_time: slice in range";
    assert_eq!(broken("\"19\":", "\"20\":"), range);
    let min = "min(rtt) = min(rtt_over_time)";
    assert_eq!(broken("\"min_ns\":100000", "\"min_ns\":99999"), min);
    let max = "max(rtt) = max(rtt_over_time)";
    assert_eq!(broken("\"max_ns\":119000", "\"max_ns\":119100"), max);
    let low = "rtt_over_time: min <= median";
    assert_eq!(broken("\"min_ns\":100000", "\"min_ns\":100100"), low);
    let high = "rtt_over_time: median <= max";
    assert_eq!(broken("\"max_ns\":119000", "\"max_ns\":118900"), high);
}
