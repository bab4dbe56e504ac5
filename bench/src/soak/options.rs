//! What a soak sends, how long, and by what intervals it is told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Nanos;
use crate::datagram::{HEADER_BYTES, MAX_PAYLOAD_BYTES};

/// The most intervals of a soak: each is kept in memory and in the result.
pub const MAX_INTERVALS: u64 = 100_000;

/// A payload size and how often it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeWeight {
    /// The UDP payload in bytes, from 16 to 1472.
    pub payload_bytes: u64,
    /// Its share of the draws is this over the sum of all weights.
    pub weight: u64,
}

/// Parameters of a soak. The default is the published one for the native variant: five sizes
/// drawn alike for 900 s, at 1.75 Mbit/s of payload, a reply within 250 ms.
///
/// The published rate is in bits: 70 % of the zero-loss rate of each variant. This one is in
/// datagrams, since a schedule is; [`mean_payload_bytes`](Self::mean_payload_bytes) converts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoakOptions {
    /// Names the flow: its id, the filler of every datagram, and the sequence of sizes.
    pub seed: u64,
    /// Offered load in datagrams a second.
    pub rate_hz: u64,
    /// The sizes, each once.
    pub sizes: Vec<SizeWeight>,
    /// The length of the measured schedule.
    pub duration_ns: Nanos,
    /// Datagrams sent at the same rate before the measured ones and counted apart.
    pub warm_up_packets: u64,
    /// How long replies are waited for after the last datagram, and after the warm-up's.
    pub drain_ns: Nanos,
    /// A reply that took longer than this from the actual send is late.
    pub late_threshold_ns: Nanos,
    /// The length of an interval of the schedule.
    pub interval_ns: Nanos,
}

impl Default for SoakOptions {
    fn default() -> Self {
        let size = |payload_bytes| SizeWeight {
            payload_bytes,
            weight: 1,
        };
        Self {
            seed: 0,
            rate_hz: 329,
            sizes: [64, 256, 512, 1024, 1472].map(size).to_vec(),
            duration_ns: Nanos::from_secs(900),
            warm_up_packets: 100,
            drain_ns: Nanos::from_secs(2),
            late_threshold_ns: Nanos::from_millis(250),
            interval_ns: Nanos::from_secs(60),
        }
    }
}

/// Parameters that make no soak.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SoakOptionsError {
    /// The rate is zero or above one datagram a nanosecond.
    #[error("the rate must lie between 1 and 1000000000 datagrams a second, not {0}")]
    Rate(u64),
    /// Nothing can be drawn.
    #[error("a soak needs at least one payload size, and one with a weight above 0")]
    NoSizes,
    /// The weights pass 32 bits.
    #[error("the weights of the sizes must add up to at most {max}, not {0}", max = u32::MAX)]
    Weights(u128),
    /// A payload that does not fit the datagram format or an Ethernet frame.
    #[error("a payload must have {HEADER_BYTES} to {MAX_PAYLOAD_BYTES} bytes, not {0}")]
    Payload(u64),
    /// A size with two weights.
    #[error("each payload size has one weight, {0} bytes are listed twice")]
    Repeated(u64),
    /// The schedule is shorter than one period.
    #[error("a duration of {0} holds no datagram at this rate")]
    Duration(Nanos),
    /// No interval, or more than are kept.
    #[error("the duration must make 1 to {MAX_INTERVALS} intervals, not {0}; change the interval")]
    Intervals(u64),
}

impl SoakOptions {
    /// Checks that these parameters make a soak.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn validate(&self) -> Result<(), SoakOptionsError> {
        if !(1..=Nanos::SECOND.0).contains(&self.rate_hz) {
            return Err(SoakOptionsError::Rate(self.rate_hz));
        }
        self.validate_sizes()?;
        if self.planned_packets() == 0 {
            return Err(SoakOptionsError::Duration(self.duration_ns));
        }
        let intervals = self.intervals();
        if !(1..=MAX_INTERVALS).contains(&intervals) {
            return Err(SoakOptionsError::Intervals(intervals));
        }
        Ok(())
    }

    fn validate_sizes(&self) -> Result<(), SoakOptionsError> {
        for (place, size) in self.sizes.iter().enumerate() {
            let bytes = size.payload_bytes;
            if !(HEADER_BYTES as u64..=MAX_PAYLOAD_BYTES as u64).contains(&bytes) {
                return Err(SoakOptionsError::Payload(bytes));
            }
            let before = &self.sizes[..place];
            if before.iter().any(|other| other.payload_bytes == bytes) {
                return Err(SoakOptionsError::Repeated(bytes));
            }
        }
        match self.total_weight() {
            0 => Err(SoakOptionsError::NoSizes),
            total if total > u128::from(u32::MAX) => Err(SoakOptionsError::Weights(total)),
            _ => Ok(()),
        }
    }

    /// The sum of all weights.
    pub fn total_weight(&self) -> u128 {
        crate::counts::sum(self.sizes.iter().map(|size| size.weight))
    }

    /// The mean of the payload that is drawn, in bytes.
    pub fn mean_payload_bytes(&self) -> Result<crate::Ratio, crate::Undefined> {
        let bytes = self.sizes.iter();
        let bytes = bytes.map(|size| u128::from(size.payload_bytes) * u128::from(size.weight));
        crate::Ratio::new(
            bytes.sum::<u128>(),
            self.total_weight(),
            "no size has a weight",
        )
    }

    /// How many datagrams the measured schedule holds: rate times duration, rounded down.
    pub fn planned_packets(&self) -> u64 {
        crate::schedule::packets_in(self.rate_hz, self.duration_ns)
    }

    /// How many intervals the schedule makes, the last of which can be shorter; 0 when the
    /// interval is.
    pub fn intervals(&self) -> u64 {
        match self.interval_ns.0 {
            0 => 0,
            interval => self.duration_ns.0.div_ceil(interval),
        }
    }

    /// How long the soak takes on a sender that keeps its schedule.
    pub fn nominal_span(&self) -> Nanos {
        let warm_up =
            crate::schedule::warm_up_span(self.rate_hz, self.warm_up_packets, self.drain_ns);
        warm_up + self.duration_ns + self.drain_ns
    }
}
