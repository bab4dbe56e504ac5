//! What a disturbance does to a stream.

use super::super::node::Node;
use super::counts::Counts;
use super::histogram::Histogram;
use super::{Book, Checked, flow, packets_in, soak};

/// Checks the result of one recovery workload.
pub fn check(book: &mut Book, result: &Node) -> Checked {
    let options = &result.get("options")?;
    let rate_hz = options.number("rate_hz")?;
    let span_ns = options.number("before_ns")? + options.number("limit_ns")?;
    Counts::checked(book, result, "warm_up")?;
    let counts = Counts::checked(book, result, "counts")?;
    let asked = packets_in(rate_hz, span_ns);
    book.at_most(
        result,
        "planned <= rate * (before + limit)",
        counts.planned,
        asked,
    );
    let disturbed = result.find("disturbed");
    let begun = match &disturbed {
        Some(disturbed) => disturbed.text("outcome")? == "begun",
        None => false,
    };
    if begun {
        book.equal(
            result,
            "planned = rate * (before + limit)",
            counts.planned,
            asked,
        );
    }
    if let Some(disturbed) = &disturbed {
        let (at, before) = (disturbed.number("at_ns")?, options.number("before_ns")?);
        book.at_most(disturbed, "before_ns <= at_ns", before, at);
    }
    let rtt = Histogram::checked(book, result, "rtt")?;
    let late_above_ns = options.number("late_threshold_ns")?;
    flow::check_rtt(
        book,
        result,
        (counts.valid, counts.late),
        &rtt,
        late_above_ns,
    )?;
    soak::check_pacing(book, result, counts.planned, rate_hz)?;
    flow::check_missing_ends(book, result, &counts)?;
    flow::check_corruption(book, result, counts.corrupt)?;
    match result.find("outage") {
        Some(outage) => {
            book.holds(&outage, "an outage follows a disturbance", begun);
            check_outage(book, &outage, &counts, options.number("gap_min_ns")?)
        }
        None => Ok(()),
    }
}

fn check_outage(book: &mut Book, outage: &Node, counts: &Counts, gap_min_ns: u128) -> Checked {
    let (gaps, lost) = (outage.number("gaps")?, outage.number("lost")?);
    book.at_most(outage, "1 <= gaps", 1, gaps);
    book.at_most(outage, "lost <= missing", lost, counts.missing);
    let first = outage.number_if_any("first_good_ns")?;
    let address = !outage.get("address_after")?.value.is_null();
    let identity = "address_after is there with first_good_ns";
    book.holds(outage, identity, address == first.is_some());
    if let Some(first) = first {
        let last = outage.number_if_any("last_good_ns")?.unwrap_or(0);
        book.at_most(
            outage,
            "last_good_ns + gaps * gap_min_ns <= first_good_ns",
            last + gaps * gap_min_ns,
            first,
        );
    }
    Ok(())
}
