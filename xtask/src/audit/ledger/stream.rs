//! A stream, which is also what each rate of a sweep is.

use super::super::node::Node;
use super::flow::{self, PacingFields};
use super::histogram::Histogram;
use super::telemetry::{self, ImageFacts};
use super::{Book, Checked, packets_in};

const PACING: PacingFields = PacingFields {
    error: "pacing_error",
    first: "first_send_ns",
    last: "last_send_ns",
};

/// Checks the result of one stream.
pub fn check(book: &mut Book, result: &Node, facts: &ImageFacts) -> Checked {
    let options = &result.get("options")?;
    let (rate_hz, duration_ns) = (options.number("rate_hz")?, options.number("duration_ns")?);
    let counts = flow::check_planned(book, result)?;
    let planned = counts.planned;

    let rtt = Histogram::checked(book, result, "rtt")?;
    let (valid, late) = (counts.valid, counts.late);
    let late_above_ns = options.number("late_threshold_ns")?;
    flow::check_rtt(book, result, (valid, late), &rtt, late_above_ns)?;
    flow::check_rtt_over_time(book, result, std::slice::from_ref(&rtt))?;
    let schedule = (planned, rate_hz);
    let pacing = flow::check_pacing(book, result, &PACING, counts.sent, schedule)?;
    flow::check_from_schedule(book, result, &counts, &rtt, &pacing)?;

    flow::check_missing_ends(book, result, &counts)?;
    let interval_ns = options.number("interval_ns")?;
    flow::check_missing_by_interval(book, result, &counts, (rate_hz, interval_ns))?;
    flow::check_tail(book, result, &counts)?;
    flow::check_corruption(book, result, counts.corrupt)?;
    check_background(book, result, options, duration_ns)?;
    match result.find("telemetry") {
        Some(record) => telemetry::check(book, &record, facts, duration_ns, valid),
        None => Ok(()),
    }
}

fn check_background(book: &mut Book, result: &Node, options: &Node, duration_ns: u128) -> Checked {
    let planned = packets_in(options.number("background_hz")?, duration_ns);
    let sent = result.number("background_sent")?;
    let refused = result.number("background_send_errors")?;
    let identity = "background: rate * duration = sent + send errors";
    book.equal(result, identity, planned, sent + refused);
    Ok(())
}
