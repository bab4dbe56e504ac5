//! What several workloads keep of a flow besides its counters.

use super::super::node::{Misshapen, Node};
use super::counts::Counts;
use super::histogram::{Histogram, lowest};
use super::{Book, Checked, due_ns, packets_in};

/// Into how many slices RTT over time is cut.
const SLICES: u128 = 20;

/// The counters of a paced flow, which hold what its options plan.
pub fn check_planned(book: &mut Book, result: &Node) -> Result<Counts, Misshapen> {
    let options = &result.get("options")?;
    let (rate_hz, duration_ns) = (options.number("rate_hz")?, options.number("duration_ns")?);
    let warm_up = Counts::checked(book, result, "warm_up")?;
    let counts = Counts::checked(book, result, "counts")?;
    let planned = packets_in(rate_hz, duration_ns);
    book.equal(result, "planned = rate * duration", counts.planned, planned);
    let warm_up_packets = options.number("warm_up_packets")?;
    let identity = "warm_up.planned = warm_up_packets";
    book.equal(result, identity, warm_up.planned, warm_up_packets);
    Ok(counts)
}

/// RTTs against the counters: each valid datagram has one, but for those too late to be timed.
pub fn check_rtt(
    book: &mut Book,
    at: &Node,
    counts: (u128, u128),
    rtt: &Histogram,
    late_above_ns: u128,
) -> Checked {
    let (valid, late) = counts;
    let unknown = at
        .find("rtt_unknown")
        .map_or(Ok(0), |node| node.as_number())?;
    let identity = "valid = count(rtt) + rtt_unknown";
    book.equal(at, identity, valid, rtt.count + unknown);
    let (surely, perhaps) = rtt.above(late_above_ns);
    book.at_most(
        at,
        "RTTs above the threshold <= late",
        surely + unknown,
        late,
    );
    book.at_most(
        at,
        "late <= RTTs above the threshold",
        late,
        perhaps + unknown,
    );
    Ok(())
}

/// RTT over time against `rtts`, all RTTs of the run.
pub fn check_rtt_over_time(book: &mut Book, at: &Node, rtts: &[Histogram]) -> Checked {
    let node = at.get("rtt_over_time")?;
    let (mut count, mut ends) = (0, None);
    let slices = node.by_number()?;
    if let ([(_, only)], [rtt]) = (&slices[..], rtts) {
        let median = rtt.percentile(1, 2).unwrap_or(0);
        book.equal(
            only,
            "p50_ns = median of rtt",
            only.number("p50_ns")?,
            median,
        );
    }
    for (number, slice) in slices {
        book.at_most(&slice, "slice < 20", number, SLICES - 1);
        let [min, median, max] = ["min_ns", "p50_ns", "max_ns"].map(|key| slice.number(key));
        let (min, median, max) = (min?, median?, max?);
        book.at_most(&slice, "1 <= count", 1, slice.number("count")?);
        book.at_most(&slice, "min_ns <= p50_ns", min, median);
        book.at_most(&slice, "p50_ns <= max_ns", median, max);
        let recorded = |value: u128| {
            let value = u64::try_from(value);
            value.is_ok_and(|value| rtts.iter().any(|rtt| rtt.has(value)))
        };
        let all = [min, median, max].into_iter().all(recorded);
        book.holds(
            &slice,
            "min_ns, p50_ns and max_ns are in buckets of rtt",
            all,
        );
        let is_median = median == max
            || u64::try_from(median)
                .is_ok_and(|median| median == super::histogram::highest(median));
        book.holds(&slice, "p50_ns is the end of a bucket", is_median);
        count += slice.number("count")?;
        ends = Some(ends.map_or((min, max), |(low, high): (u128, u128)| {
            (low.min(min), high.max(max))
        }));
    }
    let recorded = rtts.iter().map(|rtt| rtt.count).sum();
    book.equal(&node, "sum of counts = count(rtt)", count, recorded);
    let (min, max) = ends.unwrap_or_default();
    let of_rtt = rtts.iter().filter_map(|rtt| rtt.min_ns).min();
    book.equal(&node, "min = min(rtt)", min, of_rtt.unwrap_or(0));
    let of_rtt = rtts.iter().filter_map(|rtt| rtt.max_ns).max();
    book.equal(&node, "max = max(rtt)", max, of_rtt.unwrap_or(0));
    Ok(())
}

/// The end of a flow against its counters.
pub fn check_tail(book: &mut Book, at: &Node, counts: &Counts) -> Checked {
    let tail = &at.get("tail")?;
    let unanswered = tail.number("unanswered")?;
    let lost = counts.missing.saturating_sub(counts.damaged);
    book.at_most(tail, "unanswered <= missing - damaged", unanswered, lost);
    let replied = counts.valid > 0 || counts.corrupt > 0;
    let last_reply = tail.number_if_any("last_reply_ns")?;
    let identity = "last_reply_ns is there when a reply came";
    book.holds(tail, identity, last_reply.is_some() == replied);
    if counts.valid == 0 && counts.damaged == 0 {
        book.equal(
            tail,
            "unanswered = sent without a reply",
            unanswered,
            counts.sent,
        );
    }
    tail.number("heard_after")?;
    Ok(())
}

/// The first and the last missing datagram against the counters.
pub fn check_missing_ends(book: &mut Book, at: &Node, counts: &Counts) -> Checked {
    let first = at.number_if_any("first_missing")?;
    let last = at.number_if_any("last_missing")?;
    let some = counts.missing > 0;
    let present = first.is_some() == some && last.is_some() == some;
    book.holds(
        at,
        "first and last missing are there when some are missing",
        present,
    );
    if let (Some(first), Some(last)) = (first, last) {
        let between = (last + 1).saturating_sub(first);
        let enough = first <= last && counts.missing <= between;
        let identity = "missing <= last_missing - first_missing + 1";
        book.require(at, identity, counts.missing, between, enough);
        let alone = (counts.missing == 1) == (first == last);
        book.holds(
            at,
            "first_missing = last_missing when one is missing",
            alone,
        );
        book.at_most(at, "last_missing < planned", last + 1, counts.planned);
    }
    Ok(())
}

/// The first corrupt reply against the counters.
pub fn check_corruption(book: &mut Book, at: &Node, corrupt: u128) -> Checked {
    let first = !at.get("first_corruption")?.value.is_null();
    book.holds(
        at,
        "first_corruption is there when a reply was corrupt",
        first == (corrupt > 0),
    );
    Ok(())
}

/// Names of the fields that say how a sender kept its schedule.
pub struct PacingFields {
    pub error: &'static str,
    pub first: &'static str,
    pub last: &'static str,
}

/// How a sender kept a fixed-rate schedule of `planned` datagrams, of which it `tried` some.
pub fn check_pacing(
    book: &mut Book,
    at: &Node,
    fields: &PacingFields,
    tried: u128,
    schedule: (u128, u128),
) -> Result<Histogram, Misshapen> {
    let (planned, rate_hz) = schedule;
    let error = Histogram::checked(book, at, fields.error)?;
    book.equal(
        at,
        "datagrams tried = count(pacing error)",
        tried,
        error.count,
    );
    let burst = at.number("largest_burst")?;
    book.at_most(at, "largest_burst <= datagrams tried", burst, tried);
    book.at_most(
        at,
        "1 <= largest_burst when some were tried",
        tried.min(1),
        burst,
    );
    let (first, last) = (
        at.number_if_any(fields.first)?,
        at.number_if_any(fields.last)?,
    );
    let present = first.is_some() == (tried > 0) && last.is_some() == (tried > 0);
    book.holds(
        at,
        "first and last send are there when some were tried",
        present,
    );
    if let (Some(first), Some(last), Some(late)) = (first, last, error.max_ns) {
        book.at_most(at, "first send <= last send", first, last);
        book.at_most(at, "last send <= when it was due + pacing error", last, {
            due_ns(planned.saturating_sub(1), rate_hz) + late
        });
        if tried == planned {
            let due = due_ns(planned.saturating_sub(1), rate_hz);
            book.at_most(at, "when the last was due <= last send", due, last);
            book.at_most(at, "first send <= pacing error", first, late);
        }
    }
    Ok(error)
}

/// RTT from the schedule is RTT from the actual send and the pacing error together.
pub fn check_from_schedule(
    book: &mut Book,
    at: &Node,
    counts: &Counts,
    rtt: &Histogram,
    pacing: &Histogram,
) -> Checked {
    let scheduled = Histogram::checked(book, at, "rtt_from_schedule")?;
    book.equal(
        at,
        "valid = count(rtt_from_schedule)",
        counts.valid,
        scheduled.count,
    );
    if scheduled.count == rtt.count {
        book.at_most(
            at,
            "sum(rtt) <= sum(rtt_from_schedule)",
            rtt.sum_ns,
            scheduled.sum_ns,
        );
        let both = rtt.sum_ns + pacing.sum_ns;
        let identity = "sum(rtt_from_schedule) <= sum(rtt) + sum(pacing_error)";
        book.at_most(at, identity, scheduled.sum_ns, both);
        if counts.valid == counts.planned {
            let identity = "sum(rtt_from_schedule) = sum(rtt) + sum(pacing_error)";
            book.equal(at, identity, scheduled.sum_ns, both);
        }
    }
    Ok(())
}

/// Missing datagrams by interval of the schedule.
pub fn check_missing_by_interval(
    book: &mut Book,
    at: &Node,
    counts: &Counts,
    schedule: (u128, u128),
) -> Checked {
    let (rate_hz, interval_ns) = schedule;
    let by_interval = at.get("missing_by_interval")?;
    let mut total = 0;
    let mut seen = Vec::new();
    for (interval, missing) in by_interval.by_number()? {
        let missing = missing.as_number()?;
        book.at_most(&by_interval, "1 <= missing of an interval", 1, missing);
        total += missing;
        seen.push(interval);
    }
    book.equal(
        &by_interval,
        "missing = sum of intervals",
        counts.missing,
        total,
    );
    let interval = |index: u128| due_ns(index, rate_hz).checked_div(interval_ns).unwrap_or(0);
    for (key, of_seen) in [
        ("first_missing", seen.first()),
        ("last_missing", seen.last()),
    ] {
        if let Some(index) = at.number_if_any(key)? {
            let identity = format!("the interval of {key} is an end of missing_by_interval");
            let of_seen = of_seen.copied().unwrap_or(u128::MAX);
            book.equal(&by_interval, &identity, interval(index), of_seen);
        }
    }
    Ok(())
}

/// Whether `value` is the lowest of a bucket; for RTTs of which only percentiles are kept.
pub fn is_bucket_end(value: u128) -> bool {
    u64::try_from(value)
        .is_ok_and(|value| lowest(value) == value || super::histogram::highest(value) == value)
}
