//! The trials of a search for the highest rate without loss.

use super::super::node::Node;
use super::counts::Counts;
use super::histogram::Histogram;
use super::{Book, Checked, NS_PER_S, due_ns, packets_in};

const BITS_PER_BYTE: u128 = 8;
/// Less than this share of the rate offered says nothing of the device, in percent.
const OFFERED_MIN_PERCENT: u128 = 98;

/// Checks the result of a throughput workload.
///
/// That the trials are those that the search asks for is left to the pipeline: what is shown here is
/// that each of them is a stream of the size it stands under, at a load up to the ceiling.
pub fn check(book: &mut Book, result: &Node) -> Checked {
    let options = &result.get("options")?;
    let asked = options.get("payload_bytes")?.items()?;
    let sizes = result.get("sizes")?.items()?;
    let (entries, payloads) = (sizes.len() as u128, asked.len() as u128);
    book.equal(result, "one entry a payload", entries, payloads);
    for (size, asked) in sizes.iter().zip(&asked) {
        let payload_bytes = size.number("payload_bytes")?;
        let of_options = asked.as_number()?;
        let identity = "payloads in the order of the options";
        book.equal(size, identity, payload_bytes, of_options);
        for trial in size.get("trials")?.items()? {
            let is_verified = trial.text("purpose")? == "verify";
            let stream = &trial.get("stream")?;
            check_options(book, stream, options, payload_bytes, is_verified)?;
            check_stream(book, stream, is_verified)?;
        }
    }
    Ok(())
}

/// The parameters of a trial against those of the search.
fn check_options(
    book: &mut Book,
    stream: &Node,
    options: &Node,
    payload_bytes: u128,
    is_verified: bool,
) -> Checked {
    let of_trial = &stream.get("options")?;
    let of_search = &options.get("stream")?;
    let payload = of_trial.number("payload_bytes")?;
    let identity = "the payload of a trial is that of its size";
    book.equal(of_trial, identity, payload, payload_bytes);
    let rate_hz = of_trial.number("rate_hz")?;
    let bits = BITS_PER_BYTE * payload_bytes.max(1);
    let highest = (options.number("ceiling_bits_per_s")? / bits).max(1);
    let identity = "the load is at most the ceiling";
    book.at_most(of_trial, identity, rate_hz, highest);
    let length = match is_verified {
        true => options.number("verify_ns")?,
        false => of_search.number("duration_ns")?,
    };
    let identity = "a trial lasts as long as its purpose asks";
    book.equal(of_trial, identity, of_trial.number("duration_ns")?, length);
    for same in ["warm_up_packets", "drain_ns", "late_threshold_ns"] {
        let identity = format!("{same} is that of the search");
        let [of_trial_value, of_search] = [of_trial, of_search].map(|of| of.number(same));
        book.equal(of_trial, &identity, of_trial_value?, of_search?);
    }
    Ok(())
}

fn check_stream(book: &mut Book, stream: &Node, is_verified: bool) -> Checked {
    let options = &stream.get("options")?;
    let (rate_hz, duration_ns) = (options.number("rate_hz")?, options.number("duration_ns")?);
    let warm_up = Counts::checked(book, stream, "warm_up")?;
    let counts = Counts::checked(book, stream, "counts")?;
    let planned = packets_in(rate_hz, duration_ns);
    book.equal(stream, "planned = rate * duration", counts.planned, planned);
    let warm_up_packets = options.number("warm_up_packets")?;
    let identity = "warm_up.planned = warm_up_packets";
    book.equal(stream, identity, warm_up.planned, warm_up_packets);
    let burst = stream.number("largest_burst")?;
    book.at_most(stream, "largest_burst <= sent", burst, counts.sent);
    let last_send = stream.number_if_any("last_send_ns")?;
    let identity = "last_send_ns is there when some were sent";
    book.holds(stream, identity, last_send.is_some() == (counts.sent > 0));
    if let Some(last_send) = last_send
        && counts.sent == planned
    {
        let due = due_ns(planned.saturating_sub(1), rate_hz);
        let identity = "when the last was due <= last_send_ns";
        book.at_most(stream, identity, due, last_send);
    }
    let offered = last_send.is_some_and(|last_send| {
        let window_ns = last_send + NS_PER_S.div_ceil(rate_hz.max(1));
        counts.sent * NS_PER_S * 100 >= rate_hz * OFFERED_MIN_PERCENT * window_ns
    });
    let confirms = is_verified && offered && counts.error_events == 0;
    let has_rtt = stream.find("rtt").is_some();
    let identity = "rtt is kept of trials that confirm a rate";
    book.holds(stream, identity, has_rtt == confirms);
    if has_rtt {
        let rtt = Histogram::checked(book, stream, "rtt")?;
        book.equal(stream, "valid = count(rtt)", counts.valid, rtt.count);
        let (surely_late, _) = rtt.above(options.number("late_threshold_ns")?);
        book.equal(stream, "no RTT is above the threshold", surely_late, 0);
    }
    Ok(())
}
