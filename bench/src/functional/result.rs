//! What the functional gate asks and what it found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{BrokenIdentity, at_most, equal, sum};
use crate::datagram::MAX_PAYLOAD_BYTES;
use crate::{Corruption, Nanos};

/// Parameters of the functional gate. The default asks the published sizes twenty times each,
/// 100 datagrams in all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionalOptions {
    /// Gives every payload its bytes.
    pub seed: u64,
    /// The payload sizes of a round, in bytes, each at most 1472.
    pub payload_bytes: Vec<u64>,
    /// How many rounds are asked.
    pub rounds: u64,
    /// How long one attempt waits for its reply.
    pub timeout_ns: Nanos,
    /// How often a datagram is sent before it counts as unanswered, at least 1.
    pub attempts: u64,
    /// What is to become of a datagram without payload.
    pub empty_datagrams: EmptyDatagrams,
}

/// What an echo server does with a datagram that has no payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyDatagrams {
    /// It echoes it like any other.
    #[default]
    Echoed,
    /// It drops it by design: one attempt is made, and a reply to it does not pass.
    Dropped,
}

impl Default for FunctionalOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            payload_bytes: vec![0, 1, 32, 256, 1472],
            rounds: 20,
            timeout_ns: Nanos::SECOND,
            attempts: 3,
            empty_datagrams: EmptyDatagrams::default(),
        }
    }
}

/// Parameters that make no gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FunctionalOptionsError {
    /// No datagram would be sent.
    #[error("the functional gate needs at least one payload size, round and attempt")]
    Empty,
    /// A payload that does not fit an Ethernet frame.
    #[error(
        "a payload of {0} bytes does not fit an Ethernet frame, at most {MAX_PAYLOAD_BYTES} do"
    )]
    Payload(u64),
}

impl FunctionalOptions {
    /// Whether a datagram of this size is to be answered.
    pub fn expects_reply(&self, payload_bytes: u64) -> bool {
        payload_bytes > 0 || self.empty_datagrams == EmptyDatagrams::Echoed
    }

    /// How often a datagram of this size is sent before it counts as unanswered.
    pub(super) fn attempts_for(&self, payload_bytes: u64) -> u64 {
        if self.expects_reply(payload_bytes) {
            self.attempts
        } else {
            1
        }
    }

    /// Checks that these parameters make a gate.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn validate(&self) -> Result<(), FunctionalOptionsError> {
        if self.payload_bytes.is_empty() || self.rounds == 0 || self.attempts == 0 {
            return Err(FunctionalOptionsError::Empty);
        }
        match self
            .payload_bytes
            .iter()
            .find(|&&bytes| bytes > MAX_PAYLOAD_BYTES as u64)
        {
            Some(&bytes) => Err(FunctionalOptionsError::Payload(bytes)),
            None => Ok(()),
        }
    }
}

/// What became of the datagrams of one size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeCounts {
    /// The size of the payload in bytes.
    pub payload_bytes: u64,
    /// Datagrams of this size to be answered.
    pub planned: u64,
    /// Of those, answered byte for byte.
    pub intact: u64,
    /// Of those, not answered byte for byte in any attempt.
    pub unanswered: u64,
    /// Attempts the network stack took.
    pub sent: u64,
    /// Attempts the network stack refused.
    pub send_errors: u64,
    /// Attempts beyond the first of a datagram.
    pub retries: u64,
    /// Replies that differed from what was sent, while this size was asked.
    pub corrupt: u64,
    /// Further copies of a reply already taken, and replies to the datagram before.
    pub stale: u64,
    /// Datagrams from another address or port.
    pub foreign: u64,
}

/// The result of the functional gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionalResult {
    /// The parameters.
    pub options: FunctionalOptions,
    /// What became of each size, in the order of `options.payload_bytes`.
    pub sizes: Vec<SizeCounts>,
    /// The first reply that differed; its sequence is the number of the datagram, from 0.
    pub first_corruption: Option<Corruption>,
}

impl SizeCounts {
    /// Checks the identities that bind the counters of one size; names the first broken one.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        let settled = sum([self.intact, self.unanswered]);
        equal("planned = intact + unanswered", self.planned, settled)?;
        let (asked, tried) = (
            sum([self.planned, self.retries]),
            sum([self.sent, self.send_errors]),
        );
        equal("planned + retries = sent + send_errors", asked, tried)?;
        at_most("intact <= sent", self.intact, self.sent)
    }

    /// Whether every datagram came back byte for byte, none came back wrong, and no copy came
    /// too many beyond those a retry explains.
    fn echoed(&self) -> bool {
        self.intact == self.planned && self.corrupt == 0 && self.stale <= self.retries
    }

    /// Whether no datagram was answered with anything.
    fn dropped(&self) -> bool {
        self.unanswered == self.planned && self.corrupt == 0 && self.stale == 0
    }
}

impl FunctionalResult {
    /// Checks the identities of every size; names the first broken one.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        let sizes = self.sizes.len() as u64;
        equal(
            "one count a size",
            sizes,
            self.options.payload_bytes.len() as u64,
        )?;
        for (size, &payload_bytes) in self.sizes.iter().zip(&self.options.payload_bytes) {
            equal(
                "counts in the order of the sizes",
                size.payload_bytes,
                payload_bytes,
            )?;
            equal("planned = rounds", size.planned, self.options.rounds)?;
            size.check()?;
        }
        Ok(())
    }

    /// Whether the datagrams of one of the sizes became what the options say.
    pub fn size_passed(&self, size: &SizeCounts) -> bool {
        if self.options.expects_reply(size.payload_bytes) {
            size.echoed()
        } else {
            size.dropped()
        }
    }

    /// Whether every size passed.
    pub fn passed(&self) -> bool {
        self.sizes.iter().all(|size| self.size_passed(size))
    }
}
