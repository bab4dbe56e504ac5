//! A mixture of sizes for long.

use super::super::node::Node;
use super::flow::{self, PacingFields};
use super::histogram::Histogram;
use super::{Book, Checked};

pub(super) const PACING: PacingFields = PacingFields {
    error: "error",
    first: "first_try_ns",
    last: "last_try_ns",
};

/// Checks the result of one soak.
pub fn check(book: &mut Book, result: &Node) -> Checked {
    let options = &result.get("options")?;
    let rate_hz = options.number("rate_hz")?;
    let counts = flow::check_planned(book, result)?;
    let planned = counts.planned;

    let rtts = check_sizes(book, result, options)?;
    check_intervals(book, result, options)?;
    flow::check_rtt_over_time(book, result, &rtts)?;
    check_pacing(book, result, planned, rate_hz)?;
    flow::check_tail(book, result, &counts)?;
    flow::check_missing_ends(book, result, &counts)?;
    flow::check_corruption(book, result, counts.corrupt)
}

/// How the sender kept its schedule, refused datagrams included.
pub(super) fn check_pacing(
    book: &mut Book,
    result: &Node,
    planned: u128,
    rate_hz: u128,
) -> Checked {
    let pacing = &result.get("pacing")?;
    let tries = pacing.number("tries")?;
    book.equal(pacing, "tries = planned", tries, planned);
    flow::check_pacing(book, pacing, &PACING, tries, (planned, rate_hz))?;
    Ok(())
}

fn check_sizes(
    book: &mut Book,
    result: &Node,
    options: &Node,
) -> Result<Vec<Histogram>, super::Misshapen> {
    let asked = options.get("sizes")?.items()?;
    let sizes = result.get("sizes")?.items()?;
    let (entries, payloads) = (sizes.len() as u128, asked.len() as u128);
    book.equal(result, "one entry a size", entries, payloads);
    let mut rtts = Vec::new();
    let late_above_ns = options.number("late_threshold_ns")?;
    for (size, asked) in sizes.iter().zip(&asked) {
        let payload_bytes = size.number("payload_bytes")?;
        let of_options = asked.number("payload_bytes")?;
        book.equal(
            size,
            "sizes in the order of the options",
            payload_bytes,
            of_options,
        );
        let (sent, valid) = (size.number("sent")?, size.number("valid")?);
        let settled = valid + size.number("missing")?;
        book.equal(size, "sent = valid + missing", sent, settled);
        let rtt = Histogram::checked(book, size, "rtt")?;
        flow::check_rtt(
            book,
            size,
            (valid, size.number("late")?),
            &rtt,
            late_above_ns,
        )?;
        rtts.push(rtt);
    }
    let counts = &result.get("counts")?;
    for field in ["sent", "send_errors", "valid", "missing", "late"] {
        check_total(
            book,
            result,
            counts.number(field)?,
            &sizes,
            ("sizes", field),
        )?;
    }
    let unknown = result.number("rtt_unknown")?;
    check_total(book, result, unknown, &sizes, ("sizes", "rtt_unknown"))?;
    Ok(rtts)
}

fn check_intervals(book: &mut Book, result: &Node, options: &Node) -> Checked {
    let (duration, length) = (
        options.number("duration_ns")?,
        options.number("interval_ns")?,
    );
    let intervals = result.get("intervals")?.items()?;
    let planned = duration.div_ceil(length.max(1));
    book.equal(
        result,
        "one entry an interval",
        intervals.len() as u128,
        planned,
    );
    for interval in &intervals {
        let settled = interval.number("valid")? + interval.number("missing")?;
        book.equal(
            interval,
            "sent = valid + missing",
            interval.number("sent")?,
            settled,
        );
        let [p50, p99, max] =
            ["rtt_p50_ns", "rtt_p99_ns", "rtt_max_ns"].map(|key| interval.number_if_any(key));
        let (p50, p99, max) = (p50?.unwrap_or(0), p99?.unwrap_or(0), max?.unwrap_or(0));
        book.at_most(interval, "p50 <= p99", p50, p99);
        book.at_most(interval, "p99 <= max", p99, max);
        for percentile in [p50, p99] {
            let is_end = percentile == max || flow::is_bucket_end(percentile);
            book.holds(interval, "percentiles are ends of buckets", is_end);
        }
    }
    let counts = &result.get("counts")?;
    for field in [
        "sent",
        "send_errors",
        "valid",
        "missing",
        "late",
        "duplicate",
        "reordered",
        "corrupt",
        "foreign",
    ] {
        check_total(
            book,
            result,
            counts.number(field)?,
            &intervals,
            ("intervals", field),
        )?;
    }
    check_total(
        book,
        result,
        counts.number("valid")?,
        &intervals,
        ("intervals", "replies"),
    )
}

/// The counter of the whole against the sum of one field over its parts.
fn check_total(
    book: &mut Book,
    result: &Node,
    whole: u128,
    parts: &[Node],
    (of, field): (&str, &str),
) -> Checked {
    let parts = parts.iter().map(|part| part.number(field));
    let total = parts.sum::<Result<u128, _>>()?;
    book.equal(
        result,
        &format!("the whole = sum({of}.{field})"),
        whole,
        total,
    );
    Ok(())
}
