//! Results in words for people.

mod searching;
mod steady;

use std::fmt::Write;

use crate::{Counts, LatencyHistogram, Nanos, Outcome, Ratio, Undefined};

/// A result that can be told to a person.
pub trait Summary: Outcome {
    /// What was found, a line a subject, each a name and a text.
    fn lines(&self) -> Vec<(String, String)>;

    /// The lines with their names in a column, and whether the run is clean.
    fn summary(&self) -> String {
        let mut lines = self.lines();
        let outcome = match (self.void_reason(), self.is_clean()) {
            (Some(reason), _) => format!("void: {reason}"),
            (None, true) => "clean".to_owned(),
            (None, false) => "not clean".to_owned(),
        };
        lines.push(("outcome".to_owned(), outcome));
        let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        lines.iter().fold(String::new(), |mut text, (name, what)| {
            let _ = writeln!(text, "{name:width$}  {what}");
            text
        })
    }
}

/// How many datagrams came back, and every counter that says what went wrong.
fn counts(counts: &Counts) -> String {
    let events = events(counts);
    format!("{} of {} valid{events}", counts.valid, counts.planned)
}

/// Every counter that says what went wrong and is not zero, each after a comma.
pub fn events(counts: &Counts) -> String {
    let events = [
        ("missing", counts.missing),
        ("late", counts.late),
        ("duplicate", counts.duplicate),
        ("reordered", counts.reordered),
        ("corrupt", counts.corrupt),
        ("foreign", counts.foreign),
        ("send errors", counts.send_errors),
    ];
    let events = events.iter().filter(|(_, count)| *count > 0);
    events
        .map(|(name, count)| format!(", {name} {count}"))
        .collect()
}

/// The percentiles that people look for.
fn rtt(rtt: &LatencyHistogram) -> String {
    let figures = [
        ("min", rtt.min()),
        ("p50", rtt.percentile(50, 100)),
        ("p95", rtt.percentile(95, 100)),
        ("p99", rtt.percentile(99, 100)),
        ("p99.9", rtt.percentile(999, 1_000)),
        ("max", rtt.max()),
    ];
    let figures = figures.map(|(name, figure)| format!("{name} {}", micros(figure)));
    format!("RTT {} us", figures.join(", "))
}

/// Microseconds with one decimal, rounded half up.
fn micros(span: Option<Nanos>) -> String {
    span.map_or("-".to_owned(), |span| tenths(u128::from(span.0), 1_000))
}

/// Seconds with three decimals, rounded half up.
fn seconds(span: Nanos) -> String {
    let ms = (u128::from(span.0) + 500_000) / 1_000_000;
    format!("{}.{:03} s", ms / 1_000, ms % 1_000)
}

/// Megabits a second with three decimals, rounded half up.
fn megabits(bits_per_s: Result<Ratio, Undefined>) -> String {
    match bits_per_s {
        Ok(ratio) => {
            let kilobits = Ratio {
                denominator: ratio.denominator * 1_000,
                ..ratio
            }
            .scaled(1);
            format!("{}.{:03} Mbit/s", kilobits / 1_000, kilobits % 1_000)
        }
        Err(undefined) => undefined.reason.to_owned(),
    }
}

/// The load of so many datagrams of so many bytes a second.
fn load(rate_hz: u64, payload_bytes: u64) -> String {
    let bits = u128::from(rate_hz) * u128::from(payload_bytes) * 8;
    megabits(Ratio::new(bits, 1u64, "")).to_string()
}

/// `value / unit` with one decimal, rounded half up.
fn tenths(value: u128, unit: u128) -> String {
    let tenths = (value * 20 + unit) / (2 * unit);
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn line(name: impl Into<String>, what: impl Into<String>) -> (String, String) {
    (name.into(), what.into())
}

#[cfg(test)]
mod tests;
