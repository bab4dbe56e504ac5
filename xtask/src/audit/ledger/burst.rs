//! Datagrams back to back.

use super::super::node::Node;
use super::counts::Counts;
use super::histogram::Histogram;
use super::{Book, Checked, flow};

/// Checks the result of one burst workload.
pub fn check(book: &mut Book, result: &Node) -> Checked {
    let options = &result.get("options")?;
    let (packets, repeats) = (options.number("packets")?, options.number("repeats")?);
    Counts::checked(book, result, "warm_up")?;
    let counts = Counts::checked(book, result, "counts")?;
    book.equal(
        result,
        "planned = packets * repeats",
        counts.planned,
        packets * repeats,
    );
    let whole = check_answers(book, result, &counts, (packets, repeats))?;

    let rtt = Histogram::checked(book, result, "rtt")?;
    let late_above_ns = options.number("late_threshold_ns")?;
    flow::check_rtt(
        book,
        result,
        (counts.valid, counts.late),
        &rtt,
        late_above_ns,
    )?;
    flow::check_rtt_over_time(book, result, std::slice::from_ref(&rtt))?;
    let absorb = Histogram::checked(book, result, "absorb_time")?;
    book.equal(
        result,
        "whole_bursts = count(absorb_time)",
        whole,
        absorb.count,
    );
    if let (Some(longest), Some(slowest)) = (rtt.max_ns, absorb.max_ns)
        && whole == repeats
    {
        // The slowest reply of all came in some burst, which lasted at least as long.
        book.at_most(result, "max(rtt) <= max(absorb_time)", longest, slowest);
    }
    if packets == 1 {
        book.equal(
            result,
            "sum(rtt) = sum(absorb_time)",
            rtt.sum_ns,
            absorb.sum_ns,
        );
    }
    let sent = result.number_if_any("last_send_ns")?.is_some();
    book.holds(
        result,
        "last_send_ns is there when some were sent",
        sent == (counts.sent > 0),
    );
    flow::check_tail(book, result, &counts)?;
    flow::check_corruption(book, result, counts.corrupt)
}

/// How many datagrams of how many bursts were answered; gives the bursts of which all were.
fn check_answers(
    book: &mut Book,
    result: &Node,
    counts: &Counts,
    (packets, repeats): (u128, u128),
) -> Result<u128, super::Misshapen> {
    let answered = result.get("answered")?.items()?;
    let answered = answered.iter().map(Node::as_number);
    let answered = answered.collect::<Result<Vec<_>, _>>()?;
    let places = answered.len() as u128;
    book.equal(
        result,
        "answered has a place for 0 to packets replies",
        places,
        packets + 1,
    );
    book.equal(
        result,
        "repeats = sum(answered)",
        repeats,
        answered.iter().sum(),
    );
    let replies = (0..)
        .zip(&answered)
        .map(|(replies, bursts)| replies * bursts);
    book.equal(
        result,
        "valid = replies of all bursts",
        counts.valid,
        replies.sum(),
    );
    let whole = result.number("whole_bursts")?;
    let all = answered.last().copied().unwrap_or(0);
    book.equal(result, "whole_bursts = last of answered", whole, all);
    let mut some = (0..).zip(&answered).filter(|(_, bursts)| **bursts > 0);
    let fewest = some.next().map_or(0, |(replies, _)| replies);
    let most = some.last().map_or(fewest, |(replies, _)| replies);
    book.equal(
        result,
        "answered_min = fewest of answered",
        result.number("answered_min")?,
        fewest,
    );
    book.equal(
        result,
        "answered_max = most of answered",
        result.number("answered_max")?,
        most,
    );
    Ok(whole)
}
