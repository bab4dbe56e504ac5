//! What is done to the device when, and how long it may take to come back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::datagram::{HEADER_BYTES, MAX_PAYLOAD_BYTES};
use crate::schedule::{packets_in, warm_up_span};
use crate::{Disturbance, Nanos};

/// Parameters of a recovery workload. The default resets the device 2 s into the published
/// stream, 100-byte datagrams at 1000/s, and gives it 30 s; the published plan names the
/// disturbances and gives no figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryOptions {
    /// Names the stream: its id, and the filler of every datagram.
    pub seed: u64,
    /// Offered load in datagrams a second. One period is how finely an outage is known.
    pub rate_hz: u64,
    /// The UDP payload of every datagram in bytes, from 16 to 1472.
    pub payload_bytes: u64,
    /// What is done.
    pub disturbance: Disturbance,
    /// How long the measured stream runs before it.
    pub before_ns: Nanos,
    /// How long the stream goes on after it: the time limit for the device to be back. For a
    /// manual disturbance it includes the time the person takes.
    pub limit_ns: Nanos,
    /// The device is gone when no good reply comes for this long.
    pub gap_min_ns: Nanos,
    /// Datagrams sent at the same rate before the measured ones and counted apart.
    pub warm_up_packets: u64,
    /// How long replies are waited for after the last datagram, and after the warm-up's.
    pub drain_ns: Nanos,
    /// A reply that took longer than this from the actual send is late.
    pub late_threshold_ns: Nanos,
}

impl Default for RecoveryOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            rate_hz: 1_000,
            payload_bytes: 100,
            disturbance: Disturbance::Reset,
            before_ns: Nanos::from_secs(2),
            limit_ns: Nanos::from_secs(30),
            gap_min_ns: Nanos::from_millis(100),
            warm_up_packets: 100,
            drain_ns: Nanos::from_secs(2),
            late_threshold_ns: Nanos::from_millis(50),
        }
    }
}

/// Parameters that make no recovery workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecoveryOptionsError {
    /// The rate is zero or above one datagram a nanosecond.
    #[error("the rate must lie between 1 and 1000000000 datagrams a second, not {0}")]
    Rate(u64),
    /// The payload does not fit the datagram format or an Ethernet frame.
    #[error("the payload must have {HEADER_BYTES} to {MAX_PAYLOAD_BYTES} bytes, not {0}")]
    Payload(u64),
    /// Nothing would be sent before the disturbance, or after it.
    #[error("the stream must hold a datagram before the disturbance and one after it")]
    NoStream,
    /// The silence between two replies on schedule would be a gap.
    #[error("a gap must be longer than two periods of the stream, not {0}")]
    Gap(Nanos),
    /// A gap would not show before the time limit.
    #[error("the time limit must be longer than the shortest gap, not {0}")]
    Limit(Nanos),
}

impl RecoveryOptions {
    /// Checks that these parameters make a recovery workload.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn validate(&self) -> Result<(), RecoveryOptionsError> {
        if !(1..=Nanos::SECOND.0).contains(&self.rate_hz) {
            return Err(RecoveryOptionsError::Rate(self.rate_hz));
        }
        if !(HEADER_BYTES as u64..=MAX_PAYLOAD_BYTES as u64).contains(&self.payload_bytes) {
            return Err(RecoveryOptionsError::Payload(self.payload_bytes));
        }
        if packets_in(self.rate_hz, self.before_ns).min(packets_in(self.rate_hz, self.limit_ns))
            == 0
        {
            return Err(RecoveryOptionsError::NoStream);
        }
        let two_periods = Nanos(2 * Nanos::SECOND.0 / self.rate_hz);
        if self.gap_min_ns <= two_periods {
            return Err(RecoveryOptionsError::Gap(self.gap_min_ns));
        }
        if self.limit_ns <= self.gap_min_ns {
            return Err(RecoveryOptionsError::Limit(self.limit_ns));
        }
        Ok(())
    }

    /// How many datagrams the measured schedule holds when it is not ended early.
    pub fn planned_packets(&self) -> u64 {
        let span = self.before_ns.0.saturating_add(self.limit_ns.0);
        packets_in(self.rate_hz, Nanos(span))
    }

    /// How long the workload takes on a sender that keeps its schedule.
    pub fn nominal_span(&self) -> Nanos {
        warm_up_span(self.rate_hz, self.warm_up_packets, self.drain_ns)
            + self.before_ns
            + self.limit_ns
            + self.drain_ns
    }
}
