//! The counters of the packet ledger and the identities that bind them.

use std::ops::AddAssign;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ratio::{Ratio, Undefined};

/// What became of every datagram of one flow.
///
/// One datagram can count in several of the error counters, as the published study defines its
/// error events. All counts are raw; ratios are derived by methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Datagrams the schedule asked for.
    pub planned: u64,
    /// Datagrams the network stack took.
    pub sent: u64,
    /// Datagrams the network stack refused.
    pub send_errors: u64,
    /// Sent datagrams of which a whole, right copy came back, in time or late.
    pub valid: u64,
    /// Sent datagrams of which no right copy came back.
    pub missing: u64,
    /// Valid datagrams whose first right copy took longer than the late threshold, from the
    /// actual send.
    pub late: u64,
    /// Right copies beyond the first.
    pub duplicate: u64,
    /// Valid datagrams whose first right copy came after that of a higher sequence number.
    pub reordered: u64,
    /// Replies of this flow in which a byte was wrong, absent or too many.
    pub corrupt: u64,
    /// Of the corrupt ones, those shorter than what was sent.
    pub truncated: u64,
    /// Missing datagrams of which a corrupt reply came: damaged rather than lost.
    pub damaged: u64,
    /// Datagrams from another address or port, of another format or stream, or carrying a
    /// sequence number this flow did not send.
    pub foreign: u64,
}

/// An identity of the ledger that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ledger identity broken: {identity} ({left} against {right})")]
pub struct BrokenIdentity {
    /// The identity, in terms of the counters' names.
    pub identity: &'static str,
    /// The value of its left side.
    pub left: u128,
    /// The value of its right side.
    pub right: u128,
}

/// Requires `left == right`.
pub(crate) fn equal(
    identity: &'static str,
    left: impl Into<u128>,
    right: impl Into<u128>,
) -> Result<(), BrokenIdentity> {
    require(identity, left.into(), right.into(), |left, right| {
        left == right
    })
}

/// Requires `left <= right`.
pub(crate) fn at_most(
    identity: &'static str,
    left: impl Into<u128>,
    right: impl Into<u128>,
) -> Result<(), BrokenIdentity> {
    require(identity, left.into(), right.into(), |left, right| {
        left <= right
    })
}

fn require(
    identity: &'static str,
    left: u128,
    right: u128,
    holds: fn(u128, u128) -> bool,
) -> Result<(), BrokenIdentity> {
    if holds(left, right) {
        Ok(())
    } else {
        Err(BrokenIdentity {
            identity,
            left,
            right,
        })
    }
}

/// The sum of counts from a stored result, which may hold anything, without overflow.
pub(crate) fn sum(counts: impl IntoIterator<Item = u64>) -> u128 {
    counts.into_iter().map(u128::from).sum()
}

/// Checks that the first and the last missing datagram of a flow go with its counters.
pub(crate) fn check_missing_ends(
    counts: &Counts,
    first_missing: Option<u64>,
    last_missing: Option<u64>,
) -> Result<(), BrokenIdentity> {
    let present = [first_missing, last_missing].iter().flatten().count() as u64;
    equal(
        "first and last missing exist when some are missing",
        present,
        2 * counts.missing.min(1),
    )?;
    let (first, last) = (
        first_missing.unwrap_or_default(),
        last_missing.unwrap_or_default(),
    );
    at_most("first_missing <= last_missing", first, last)?;
    at_most(
        "last_missing < planned",
        last,
        counts.planned.saturating_sub(1),
    )
}

impl Counts {
    /// Checks every identity that binds the counters of a finished flow; names the first broken
    /// one.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        let tried = sum([self.sent, self.send_errors]);
        equal("planned = sent + send_errors", self.planned, tried)?;
        equal(
            "sent = valid + missing",
            self.sent,
            sum([self.valid, self.missing]),
        )?;
        at_most("late <= valid", self.late, self.valid)?;
        at_most(
            "reordered < valid, or both 0",
            self.reordered,
            self.valid.saturating_sub(1),
        )?;
        at_most("truncated <= corrupt", self.truncated, self.corrupt)?;
        at_most("damaged <= corrupt", self.damaged, self.corrupt)?;
        at_most("damaged <= missing", self.damaged, self.missing)
    }

    /// Error events as the published study counts them: missing, late, duplicate, reordered,
    /// corrupt, foreign and send errors, one datagram possibly in several.
    pub fn error_events(&self) -> u64 {
        let kinds = [
            self.missing,
            self.late,
            self.duplicate,
            self.reordered,
            self.corrupt,
            self.foreign,
            self.send_errors,
        ];
        kinds.into_iter().fold(0, u64::saturating_add)
    }

    /// Missing datagrams of which nothing came back at all.
    pub fn lost(&self) -> u64 {
        self.missing.saturating_sub(self.damaged)
    }

    /// Missing over sent; absent when nothing was sent.
    pub fn loss(&self) -> Result<Ratio, Undefined> {
        Ratio::new(self.missing, self.sent, "no datagram was sent")
    }
}

impl AddAssign for Counts {
    /// Adds the counts of another flow, for totals over several. Each field is summed alone, so
    /// identities that hold for both hold for the sum.
    fn add_assign(&mut self, other: Self) {
        self.planned += other.planned;
        self.sent += other.sent;
        self.send_errors += other.send_errors;
        self.valid += other.valid;
        self.missing += other.missing;
        self.late += other.late;
        self.duplicate += other.duplicate;
        self.reordered += other.reordered;
        self.corrupt += other.corrupt;
        self.truncated += other.truncated;
        self.damaged += other.damaged;
        self.foreign += other.foreign;
    }
}
