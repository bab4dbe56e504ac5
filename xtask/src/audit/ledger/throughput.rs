//! Streams of a search for the highest rate without loss.

use super::super::node::Node;
use super::telemetry::ImageFacts;
use super::{Book, Checked, stream};

/// Checks the result of a throughput workload.
///
/// That the trials are those that the search asks for is left to the pipeline: what is shown here is
/// that each of them is a whole stream of the size it stands under, at a load between the bounds.
pub fn check(book: &mut Book, result: &Node, facts: &ImageFacts) -> Checked {
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
        for trial in size.get("trials")?.items()? {
            check_trial(book, &trial, options, payload_bytes)?;
            stream::check(book, &trial.get("stream")?, facts)?;
        }
    }
    Ok(())
}

fn check_trial(book: &mut Book, trial: &Node, options: &Node, payload_bytes: u128) -> Checked {
    let of_trial = &trial.get("stream")?.get("options")?;
    let identity = "the payload of a trial is that of its size";
    book.equal(
        of_trial,
        identity,
        of_trial.number("payload_bytes")?,
        payload_bytes,
    );
    let highest = options.number("ceiling_bits_per_s")? / (8 * payload_bytes.max(1));
    let rate_hz = of_trial.number("rate_hz")?;
    book.at_most(
        of_trial,
        "the load is at most the ceiling",
        rate_hz,
        highest.max(1),
    );
    let lengths = match trial.text("purpose")? {
        "verify" => options.number("verify_ns")?,
        _ => options.get("stream")?.number("duration_ns")?,
    };
    let duration_ns = of_trial.number("duration_ns")?;
    book.equal(
        of_trial,
        "a trial lasts as long as its purpose asks",
        duration_ns,
        lengths,
    );
    Ok(())
}
