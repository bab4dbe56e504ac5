//! The end of a run: what came last, and what was never answered after it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{BrokenIdentity, at_most, equal};
use crate::{Counts, Nanos};

/// What tells a stall from a loss. A reply here is the first right copy of a datagram, or a
/// corrupt datagram of the flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tail {
    /// When the last reply came; absent when none did.
    pub last_reply_ns: Option<Nanos>,
    /// Datagrams sent after the highest one that is known to have been replied to.
    pub unanswered: u64,
    /// Datagrams from the device's address that came after the last reply and were none: a sign
    /// that it still transmits.
    pub heard_after: u64,
}

impl Tail {
    /// The same with the instant counted from `start`.
    pub(crate) fn since(self, start: Nanos) -> Self {
        Self {
            last_reply_ns: self.last_reply_ns.map(|instant| instant.since(start)),
            ..self
        }
    }

    /// Checks the identities that bind the tail to the counters of its flow.
    pub(crate) fn check(&self, counts: &Counts) -> Result<(), BrokenIdentity> {
        at_most(
            "tail.unanswered <= missing - damaged",
            self.unanswered,
            counts.lost(),
        )?;
        let present = u64::from(self.last_reply_ns.is_some());
        let replied = u64::from(counts.valid > 0 || counts.corrupt > 0);
        equal("tail.last_reply_ns exists with a reply", present, replied)?;
        if counts.valid == 0 && counts.damaged == 0 {
            let unanswered = self.unanswered;
            equal(
                "tail.unanswered = sent without a reply",
                unanswered,
                counts.sent,
            )?;
        }
        Ok(())
    }
}
