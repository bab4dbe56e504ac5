//! Orders along the rates of a sweep, and between durations of one rate.

use std::collections::BTreeMap;

use super::{Checker, Exact, Side};
use crate::published::fact::{Fact, Subject};
use crate::published::figure::in_unit;
use crate::published::set::{Cited, Place};
use crate::published::unit::Unit;

/// Rates of a sweep below which a series of error events is no sweep.
const SWEEP_RATES: usize = 12;
/// The rate, in Hz, above which the 3-second sweep was measured later.
const CONTINUED_ABOVE_HZ: i128 = 20_000;

/// What does not fall when there is more to do: rule, quantity, and what there is more of.
const RISING: [(&str, &str, &str); 8] = [
    ("p99-does-not-fall-with-the-rate", "rtt_p99", "rate"),
    ("p50-does-not-fall-with-the-rate", "rtt_p50", "rate"),
    (
        "round-trips-do-not-fall-with-the-payload",
        "rtt_min",
        "payload",
    ),
    (
        "round-trips-do-not-fall-with-the-payload",
        "rtt_p50",
        "payload",
    ),
    (
        "round-trips-do-not-fall-with-the-payload",
        "rtt_p99",
        "payload",
    ),
    (
        "goodput-does-not-fall-with-the-payload",
        "zero_loss",
        "payload",
    ),
    (
        "p99-does-not-fall-with-the-burst",
        "rtt_p99",
        "burst_packets",
    ),
    (
        "losses-do-not-fall-with-the-burst",
        "missing_datagrams",
        "burst_packets",
    ),
];

/// The figures of one quantity by rate, in Hz.
type Series<'a> = BTreeMap<Exact, Vec<Cited<'a>>>;

/// Runs the rules on every sweep, and on round-trip times at several rates or durations.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for ((subject, _), series) in series(checker, "error_events", "rate", |place| place.table) {
        if series.len() >= SWEEP_RATES {
            never_everything_missing(checker, &subject, &series);
            never_fewer_at_a_higher_rate(checker, &series);
            one_curve(checker, &subject, &series);
            steady(checker, &subject, &series);
            zero_error_range(checker, &subject, &series);
        }
    }
    for (rule, quantity, dimension) in RISING {
        for ((subject, _), series) in series(checker, quantity, dimension, |_| "") {
            // Of a longer burst fewer datagrams survive, and those waited less.
            if dimension == "payload" && subject.get("burst_packets").is_some() {
                continue;
            }
            for (less, more) in series.values().zip(series.values().skip(1)) {
                checker.ordered(rule, less[less.len() - 1], more[more.len() - 1]);
            }
        }
    }
    for (_, series) in series(checker, "rtt_p99", "duration", |_| "") {
        let pairs = series.values().zip(series.values().skip(1));
        for (short, long) in pairs {
            let (low, high) = (short[0].figure.value, long[0].figure.value);
            let holds = low * 3 <= high * 4 && high * 3 <= low * 4;
            let sides = (Side::printed(short[0]), Side::printed(long[0]));
            checker.check(
                "durations-agree-on-p99-within-a-third",
                holds,
                sides.0,
                sides.1,
            );
        }
    }
    reliability_knee(checker)
}

/// Figures of `quantity` that differ in `dimension` alone, apart by what `part` makes of their place.
fn series<'a>(
    checker: &Checker<'a>,
    quantity: &str,
    dimension: &str,
    part: fn(Place<'a>) -> &'a str,
) -> BTreeMap<(Subject, &'a str), Series<'a>> {
    let mut all: BTreeMap<_, Series<'a>> = BTreeMap::new();
    let figures = checker
        .facts
        .iter()
        .filter(|fact| fact.quantity == quantity);
    for fact in figures {
        let (Some(at), Some(cited)) = (fact.subject.figure(dimension), fact.figure()) else {
            continue;
        };
        let series = all
            .entry((fact.subject.without(dimension), part(fact.place)))
            .or_default();
        series.entry(at).or_default().push(cited);
    }
    all
}

/// At every rate something came back.
fn never_everything_missing(checker: &mut Checker<'_>, subject: &Subject, series: &Series<'_>) {
    let Some(duration) = subject.figure("duration") else {
        return;
    };
    for (rate, events) in series {
        let planned = *rate * duration / 1_000_000_000;
        let holds = events[0].figure.value < planned;
        let shown = format!("{} planned", in_unit(planned, events[0].figure.unit, 0));
        let right = Side::computed(shown, &[events[0]]);
        checker.check(
            "something-comes-back",
            holds,
            Side::printed(events[0]),
            right,
        );
    }
}

fn never_fewer_at_a_higher_rate(checker: &mut Checker<'_>, series: &Series<'_>) {
    for (slower, faster) in series.values().zip(series.values().skip(1)) {
        checker.ordered("error-events-rise-with-the-rate", slower[0], faster[0]);
    }
}

/// Once datagrams are lost, those that come back do not jump where the sweep was continued.
fn one_curve(checker: &mut Checker<'_>, subject: &Subject, series: &Series<'_>) {
    let Some(duration) = subject.figure("duration") else {
        return;
    };
    let last = Exact::from_integer(CONTINUED_ABOVE_HZ);
    let next = last + 1_000;
    let (Some(before), Some(after)) = (series.get(&last), series.get(&next)) else {
        return;
    };
    if before[0].figure.value == Exact::from_integer(0) {
        return;
    }
    let returned = |rate: Exact, events: &[Cited<'_>]| {
        rate - events[0].figure.value * 1_000_000_000 / duration
    };
    let (before_per_s, after_per_s) = (returned(last, before), returned(next, after));
    let jump = if before_per_s > after_per_s {
        before_per_s - after_per_s
    } else {
        after_per_s - before_per_s
    };
    let (per_s, _) = Unit::of("returned_per_s");
    let side = |value, events: &[Cited<'_>]| {
        let shown = format!("{} returned", in_unit(value, per_s, 0));
        Side::computed(shown, &[events[0]])
    };
    checker.check(
        "a-sweep-is-one-curve",
        jump * 100 <= next + 1_000,
        side(before_per_s, before),
        side(after_per_s, after),
    );
}

/// Once the W5500 is saturated, the next rate returns as many datagrams as the one before: within 8 a
/// second, or half a percent.
fn steady(checker: &mut Checker<'_>, subject: &Subject, series: &Series<'_>) {
    let Some(duration) = subject.figure("duration") else {
        return;
    };
    if !subject
        .get("variant")
        .is_some_and(|variant| variant.starts_with("w5500"))
    {
        return;
    }
    let returned = |rate: Exact, events: &[Cited<'_>]| {
        rate - events[0].figure.value * 1_000_000_000 / duration
    };
    let (per_s, _) = Unit::of("returned_per_s");
    let side = |value, events: &[Cited<'_>]| {
        let shown = format!("{} returned", in_unit(value, per_s, 0));
        Side::computed(shown, &[events[0]])
    };
    let saturated = series.iter().filter(|(rate, events)| {
        let lost = rate.to_integer() / 50 * duration.to_integer() / 1_000_000_000;
        **rate >= Exact::from_integer(5_000) && events[0].figure.value > Exact::from_integer(lost)
    });
    let saturated: Vec<_> = saturated.collect();
    for pair in saturated.windows(2) {
        let [(before_rate, before), (rate, events)] = [pair[0], pair[1]];
        let (before_per_s, per_s) = (returned(*before_rate, before), returned(*rate, events));
        let jump = if before_per_s > per_s {
            before_per_s - per_s
        } else {
            per_s - before_per_s
        };
        checker.check(
            "saturation-is-steady",
            jump <= Exact::from_integer(8).max(before_per_s / 200),
            side(before_per_s, before),
            side(per_s, events),
        );
    }
}

/// The printed zero-error range and first failure are those of the printed error events.
fn zero_error_range(checker: &mut Checker<'_>, subject: &Subject, series: &Series<'_>) {
    let zero = Exact::from_integer(0);
    let Some((first, events)) = series
        .iter()
        .find(|(_, events)| events[0].figure.value > zero)
    else {
        return;
    };
    let clean = *first - 1_000;
    let of = |quantity: &str| -> Vec<Cited<'_>> {
        let same = |fact: &&Fact<'_>| fact.quantity == quantity && fact.subject == *subject;
        let facts = checker.facts.iter().filter(same);
        facts.filter_map(Fact::figure).collect()
    };
    let (ranges, failures) = (of("zero_error_max"), of("first_failure"));
    for printed in ranges {
        checker.follows(
            "zero-error-range-is-that-of-the-events",
            printed,
            clean,
            &[events[0]],
        );
    }
    for printed in failures {
        checker.follows(
            "first-failure-is-that-of-the-events",
            printed,
            *first,
            &[events[0]],
        );
    }
}

/// A range ends one step below the first rate that failed.
fn reliability_knee(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let knee = "reliability-knee-3s";
    for row in &checker.set.table(knee)?.rows {
        let failed = checker.figure(knee, &row.id, "rate_khz")?;
        let clean = checker.figure(knee, &row.id, "zero_error_max_khz")?;
        let last = failed.figure.value - 1_000;
        checker.follows(
            "a-range-ends-below-its-first-failure",
            clean,
            last,
            &[failed],
        );
    }
    Ok(())
}
