//! The functional gate.

use super::super::node::Node;
use super::{Book, Checked, flow};

/// Checks the result of the gate.
pub fn check(book: &mut Book, result: &Node) -> Checked {
    let options = &result.get("options")?;
    let (rounds, attempts) = (options.number("rounds")?, options.number("attempts")?);
    let asked = options.get("payload_bytes")?.items()?;
    let sizes = result.get("sizes")?.items()?;
    let (entries, payloads) = (sizes.len() as u128, asked.len() as u128);
    book.equal(result, "one entry a payload", entries, payloads);
    let mut corrupt = 0;
    for (size, asked) in sizes.iter().zip(&asked) {
        let payload_bytes = size.number("payload_bytes")?;
        book.equal(
            size,
            "payloads in the order of the options",
            payload_bytes,
            asked.as_number()?,
        );
        check_size(book, size, rounds, attempts)?;
        corrupt += size.number("corrupt")?;
    }
    flow::check_corruption(book, result, corrupt)
}

fn check_size(book: &mut Book, size: &Node, rounds: u128, attempts: u128) -> Checked {
    let (planned, intact) = (size.number("planned")?, size.number("intact")?);
    book.equal(size, "planned = rounds", planned, rounds);
    let settled = intact + size.number("unanswered")?;
    book.equal(size, "planned = intact + unanswered", planned, settled);
    let (sent, retries) = (size.number("sent")?, size.number("retries")?);
    let tried = sent + size.number("send_errors")?;
    book.equal(
        size,
        "planned + retries = sent + send_errors",
        planned + retries,
        tried,
    );
    book.at_most(size, "intact <= sent", intact, sent);
    book.at_most(
        size,
        "tries <= planned * attempts",
        tried,
        planned * attempts,
    );
    size.number("stale")?;
    size.number("foreign")?;
    Ok(())
}
