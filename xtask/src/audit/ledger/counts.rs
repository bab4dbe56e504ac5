//! The counters of a flow.

use super::super::node::{Misshapen, Node};
use super::Book;

/// The counters that identities elsewhere need.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub planned: u128,
    pub sent: u128,
    pub valid: u128,
    pub missing: u128,
    pub late: u128,
    pub corrupt: u128,
    pub damaged: u128,
    /// Missing, late, duplicate, reordered, corrupt, foreign and refused, one datagram possibly in several.
    pub error_events: u128,
}

impl Counts {
    /// Reads the counters of a key and checks what binds them.
    pub fn checked(book: &mut Book, at: &Node, key: &str) -> Result<Self, Misshapen> {
        let node = &at.get(key)?;
        let counts = Self {
            planned: node.number("planned")?,
            sent: node.number("sent")?,
            valid: node.number("valid")?,
            missing: node.number("missing")?,
            late: node.number("late")?,
            corrupt: node.number("corrupt")?,
            damaged: node.number("damaged")?,
            error_events: error_events(node)?,
        };
        let Self {
            planned,
            sent,
            valid,
            missing,
            late,
            corrupt,
            damaged,
            ..
        } = counts;
        let tried = sent + node.number("send_errors")?;
        book.equal(node, "planned = sent + send_errors", planned, tried);
        book.equal(node, "sent = valid + missing", sent, valid + missing);
        book.at_most(node, "late <= valid", late, valid);
        let reordered = node.number("reordered")?;
        // The reply to the highest sequence number cannot come after that to a higher one.
        let overtaken = valid.saturating_sub(1);
        book.at_most(node, "reordered < valid", reordered, overtaken);
        let truncated = node.number("truncated")?;
        book.at_most(node, "truncated <= corrupt", truncated, corrupt);
        book.at_most(node, "damaged <= corrupt", damaged, corrupt);
        book.at_most(node, "damaged <= missing", damaged, missing);
        Ok(counts)
    }
}

fn error_events(counts: &Node) -> Result<u128, Misshapen> {
    let kinds = [
        "missing",
        "late",
        "duplicate",
        "reordered",
        "corrupt",
        "foreign",
        "send_errors",
    ];
    kinds.into_iter().map(|kind| counts.number(kind)).sum()
}
