//! What an echo server did, in raw counts.

use serde::{Deserialize, Serialize};

use super::Fate;
use crate::Nanos;
use crate::counts::{BrokenIdentity, at_most, equal, sum};

/// Every datagram that came has one fate; what was sent follows from the fates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EchoCounts {
    /// Datagrams that came.
    pub received: u64,
    /// Answered as they came.
    pub echoed: u64,
    /// Not answered.
    pub lost: u64,
    /// Answered with one wrong byte.
    pub corrupted: u64,
    /// Answered too short.
    pub truncated: u64,
    /// Answered twice.
    pub duplicated: u64,
    /// Answered late.
    pub delayed: u64,
    /// Held back until later ones were answered.
    pub reordered: u64,
    /// Answered, after a copy from another port.
    pub strayed: u64,
    /// Longer than any the study sends, and not answered.
    pub oversized: u64,
    /// Replies the network stack took.
    pub replies_sent: u64,
    /// Copies from the other port the network stack took.
    pub strays_sent: u64,
    /// Replies and copies the network stack refused.
    pub send_errors: u64,
    /// Right replies, the second of a duplicate left aside, that were sent after the one to a
    /// later datagram, whatever the reason.
    pub out_of_order: u64,
    /// Datagrams the kernel dropped at the server's socket: they are in no other count. Absent
    /// where the system does not tell.
    pub dropped_by_kernel: Option<u64>,
}

/// One datagram that came, for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handled {
    /// Its number in the order of arrival, from 0.
    pub index: u64,
    /// When it came, since the server started; by the kernel's clock where it tells.
    pub received_ns: Nanos,
    /// The UDP payload in bytes.
    pub payload_bytes: u64,
    /// What was done with it; `None` when it was oversized.
    pub fate: Option<Fate>,
}

impl EchoCounts {
    /// Counts one datagram that came.
    pub(super) fn handled(&mut self, fate: Option<Fate>) {
        self.received += 1;
        *match fate {
            None => &mut self.oversized,
            Some(Fate::Echoed) => &mut self.echoed,
            Some(Fate::Lost) => &mut self.lost,
            Some(Fate::Corrupted { .. }) => &mut self.corrupted,
            Some(Fate::Truncated { .. }) => &mut self.truncated,
            Some(Fate::Duplicated) => &mut self.duplicated,
            Some(Fate::Delayed) => &mut self.delayed,
            Some(Fate::Reordered { .. }) => &mut self.reordered,
            Some(Fate::Strayed) => &mut self.strayed,
        } += 1;
    }

    /// Checks the identities of a server that ended; names the first broken one.
    ///
    /// # Errors
    /// The first identity that does not hold.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        let answered_once = [
            self.echoed,
            self.corrupted,
            self.truncated,
            self.delayed,
            self.reordered,
            self.strayed,
        ];
        let answered = sum(answered_once) + sum([self.duplicated]);
        let fates = answered + sum([self.lost, self.oversized]);
        equal("received = sum of the fates", self.received, fates)?;
        let owed = answered + sum([self.duplicated, self.strayed]);
        let tried = sum([self.replies_sent, self.strays_sent, self.send_errors]);
        equal(
            "replies and copies = replies_sent + strays_sent + send_errors",
            owed,
            tried,
        )?;
        at_most(
            "out_of_order < received, or both 0",
            self.out_of_order,
            self.received,
        )
    }
}
