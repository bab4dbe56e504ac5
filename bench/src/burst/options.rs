//! How long a burst is, how often it comes, and how long it is quiet between two.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Nanos;
use crate::datagram::{HEADER_BYTES, MAX_PAYLOAD_BYTES};

/// The most datagrams of all bursts together: the send instant of each is kept.
pub const MAX_BURST_DATAGRAMS: u64 = 1 << 18;

/// Parameters of a burst workload. The default is 100 bursts of 8 datagrams of 64 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BurstOptions {
    /// Names the flow: its id, and the filler of every datagram.
    pub seed: u64,
    /// Datagrams of one burst, handed to the network back to back.
    pub packets: u64,
    /// The UDP payload of every datagram in bytes, from 16 to 1472.
    pub payload_bytes: u64,
    /// How many bursts are sent.
    pub repeats: u64,
    /// The next burst starts when this long nothing was sent and nothing came.
    pub quiet_ns: Nanos,
    /// The next burst starts at the latest this long after the last send of the one before,
    /// whatever still comes; the workload ends this long after the last send of all. At least
    /// `quiet_ns`.
    pub settle_limit_ns: Nanos,
    /// A reply that took longer than this from the actual send is late.
    pub late_threshold_ns: Nanos,
}

impl Default for BurstOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            packets: 8,
            payload_bytes: 64,
            repeats: 100,
            quiet_ns: Nanos::from_millis(200),
            settle_limit_ns: Nanos::from_secs(2),
            late_threshold_ns: Nanos::from_millis(50),
        }
    }
}

/// Parameters that make no burst.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BurstOptionsError {
    /// No datagram would be sent.
    #[error("a burst workload needs at least one datagram a burst and one burst")]
    Empty,
    /// The send instants of so many datagrams are not kept.
    #[error(
        "{packets} datagrams {repeats} times are too many, at most {MAX_BURST_DATAGRAMS} in all"
    )]
    TooMany {
        /// Datagrams of one burst.
        packets: u64,
        /// Bursts.
        repeats: u64,
    },
    /// The payload does not fit the datagram format or an Ethernet frame.
    #[error("the payload must have {HEADER_BYTES} to {MAX_PAYLOAD_BYTES} bytes, not {0}")]
    Payload(u64),
    /// The bursts would run together, or the limit cuts the quiet short.
    #[error(
        "the quiet between bursts must last longer than 0 and at most the settle limit, not {0}"
    )]
    Quiet(Nanos),
}

impl BurstOptions {
    /// Checks that these parameters make a burst workload.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn validate(&self) -> Result<(), BurstOptionsError> {
        let (packets, repeats) = (self.packets, self.repeats);
        if packets == 0 || repeats == 0 {
            return Err(BurstOptionsError::Empty);
        }
        let planned = packets.checked_mul(repeats);
        if planned.is_none_or(|planned| planned > MAX_BURST_DATAGRAMS) {
            return Err(BurstOptionsError::TooMany { packets, repeats });
        }
        if !(HEADER_BYTES as u64..=MAX_PAYLOAD_BYTES as u64).contains(&self.payload_bytes) {
            return Err(BurstOptionsError::Payload(self.payload_bytes));
        }
        if self.quiet_ns == Nanos::ZERO || self.quiet_ns > self.settle_limit_ns {
            return Err(BurstOptionsError::Quiet(self.quiet_ns));
        }
        Ok(())
    }

    /// How many datagrams all bursts hold.
    pub fn planned_packets(&self) -> u64 {
        self.packets.saturating_mul(self.repeats)
    }

    /// How long the workload takes when every reply comes within the quiet, the time of the
    /// replies left aside: the quiet after the warm-up and after each burst but the last.
    pub fn nominal_span(&self) -> Nanos {
        Nanos(self.quiet_ns.0.saturating_mul(self.repeats)) + self.settle_limit_ns
    }
}
