//! Which sizes are asked how often, and how long a reply is waited for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Nanos;
use crate::datagram::MAX_PAYLOAD_BYTES;

/// Parameters of a latency workload. The default is the published one: 10,000 datagrams of each
/// of seven sizes from 1 to 1472 bytes, with 250 ms for each reply.
///
/// The published warm-up lasts 2 s; this one is a number of datagrams, so that what is sent does
/// not depend on how fast the device answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LatencyOptions {
    /// Gives every payload its bytes.
    pub seed: u64,
    /// The payload sizes in bytes, each once, from 1 to 1472, in the order they are asked.
    pub payload_bytes: Vec<u64>,
    /// Datagrams of each size.
    pub samples: u64,
    /// Datagrams of each size before the measured ones, counted apart.
    pub warm_up_packets: u64,
    /// How long the next datagram waits for the reply; a reply that comes after this is late.
    pub timeout_ns: Nanos,
    /// How long late replies and copies are waited for after the last datagram of a size.
    pub drain_ns: Nanos,
    /// A size is given up after this many datagrams in a row without a reply in time.
    pub give_up_after: u64,
}

impl Default for LatencyOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            payload_bytes: vec![1, 32, 64, 256, 512, 1024, 1472],
            samples: 10_000,
            warm_up_packets: 100,
            timeout_ns: Nanos::from_millis(250),
            drain_ns: Nanos::from_secs(2),
            give_up_after: 100,
        }
    }
}

/// Parameters that make no latency workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LatencyOptionsError {
    /// Nothing would be measured.
    #[error("a latency workload needs at least one payload size and one datagram of each")]
    Empty,
    /// A payload without bytes, or one that does not fit an Ethernet frame.
    #[error("a payload must have 1 to {MAX_PAYLOAD_BYTES} bytes, not {0}")]
    Payload(u64),
    /// Replies are told apart by their sizes.
    #[error("each payload size can be asked once only, {0} bytes are listed twice")]
    Repeated(u64),
    /// No reply could ever be in time.
    #[error("the timeout must not be zero")]
    Timeout,
    /// Every size would be given up at once.
    #[error("a size can be given up after 1 datagram without a reply at the earliest, not 0")]
    GiveUp,
}

impl LatencyOptions {
    /// Checks that these parameters make a latency workload.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn validate(&self) -> Result<(), LatencyOptionsError> {
        if self.payload_bytes.is_empty() || self.samples == 0 {
            return Err(LatencyOptionsError::Empty);
        }
        for (place, &bytes) in self.payload_bytes.iter().enumerate() {
            if !(1..=MAX_PAYLOAD_BYTES as u64).contains(&bytes) {
                return Err(LatencyOptionsError::Payload(bytes));
            }
            if self.payload_bytes[..place].contains(&bytes) {
                return Err(LatencyOptionsError::Repeated(bytes));
            }
        }
        if self.timeout_ns == Nanos::ZERO {
            return Err(LatencyOptionsError::Timeout);
        }
        if self.give_up_after == 0 {
            return Err(LatencyOptionsError::GiveUp);
        }
        Ok(())
    }

    /// How long the workload takes when each reply takes `rtt`.
    pub fn nominal_span(&self, rtt: Nanos) -> Nanos {
        let exchanges = self.samples.saturating_add(self.warm_up_packets);
        let size = rtt
            .0
            .saturating_mul(exchanges)
            .saturating_add(self.drain_ns.0);
        Nanos(size.saturating_mul(self.payload_bytes.len() as u64))
    }
}
