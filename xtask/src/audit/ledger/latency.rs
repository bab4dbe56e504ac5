//! One datagram after another, by size.

use super::super::node::Node;
use super::counts::Counts;
use super::histogram::Histogram;
use super::{Book, Checked, flow};

/// Checks the result of a latency workload.
pub fn check(book: &mut Book, result: &Node) -> Checked {
    let options = &result.get("options")?;
    let asked = options.get("payload_bytes")?.items()?;
    let sizes = result.get("sizes")?.items()?;
    let (entries, payloads) = (sizes.len() as u128, asked.len() as u128);
    book.equal(result, "one entry a payload", entries, payloads);
    for (size, asked) in sizes.iter().zip(&asked) {
        let payload_bytes = size.number("payload_bytes")?;
        book.equal(
            size,
            "payloads in the order of the options",
            payload_bytes,
            asked.as_number()?,
        );
        check_size(book, size, options)?;
    }
    Ok(())
}

fn check_size(book: &mut Book, size: &Node, options: &Node) -> Checked {
    let warm_up = Counts::checked(book, size, "warm_up")?;
    let counts = Counts::checked(book, size, "counts")?;
    let warm_up_packets = options.number("warm_up_packets")?;
    book.at_most(
        size,
        "warm_up.planned <= warm_up_packets",
        warm_up.planned,
        warm_up_packets,
    );
    let (planned, samples) = (counts.planned, options.number("samples")?);
    book.at_most(size, "planned <= samples", planned, samples);
    if planned < samples {
        let unanswered = counts.missing + counts.late + counts.planned - counts.sent;
        let given_up = options.number("give_up_after")?;
        let identity = "a size is given up after give_up_after datagrams without a reply in time";
        let warm_up = warm_up.planned - warm_up.valid + warm_up.late;
        book.at_most(size, identity, given_up, unanswered + warm_up);
    }
    let rtt = Histogram::checked(book, size, "rtt")?;
    let timeout_ns = options.number("timeout_ns")?;
    flow::check_rtt(book, size, (counts.valid, counts.late), &rtt, timeout_ns)?;
    flow::check_corruption(book, size, counts.corrupt)
}
