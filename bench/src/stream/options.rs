//! What a stream sends, for how long, and what it calls late.

use std::net::Ipv4Addr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::datagram::{HEADER_BYTES, MAX_PAYLOAD_BYTES};
use crate::schedule::{packets_in, warm_up_span};
use crate::{Endpoint, Nanos};

/// Parameters of a stream. The default is the published one-hour run: 100-byte datagrams at
/// 1000/s for 3600 s, late above 50 ms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamOptions {
    /// Names the stream: its id, and the filler of every datagram.
    pub seed: u64,
    /// Offered load in datagrams a second.
    pub rate_hz: u64,
    /// The UDP payload of every datagram in bytes, from 16 to 1472.
    pub payload_bytes: u64,
    /// The length of the measured schedule.
    pub duration_ns: Nanos,
    /// Datagrams sent at the same rate before the measured ones and counted apart.
    pub warm_up_packets: u64,
    /// How long the stream waits for replies after its last datagram, and after the warm-up's.
    pub drain_ns: Nanos,
    /// A reply that took longer than this from the actual send is late.
    pub late_threshold_ns: Nanos,
    /// Missing datagrams are counted by intervals of this length.
    pub interval_ns: Nanos,
    /// How long to wait for a telemetry reply before asking again.
    pub telemetry_timeout_ns: Nanos,
    /// How often telemetry is asked for before it is given up.
    pub telemetry_attempts: u64,
    /// Multicast datagrams a second that are sent beside the measured ones and answered by
    /// nobody; 0 for none.
    pub background_hz: u64,
    /// The UDP payload of every background datagram in bytes, at most 1472.
    pub background_payload_bytes: u64,
    /// Where background datagrams go; the default lies in the local scope of RFC 2365 §6.1.
    pub background_group: Endpoint,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            rate_hz: 1_000,
            payload_bytes: 100,
            duration_ns: Nanos::from_secs(3_600),
            warm_up_packets: 100,
            drain_ns: Nanos::from_secs(1),
            late_threshold_ns: Nanos::from_millis(50),
            interval_ns: Nanos::from_secs(60),
            telemetry_timeout_ns: Nanos::from_millis(250),
            telemetry_attempts: 4,
            background_hz: 0,
            background_payload_bytes: 128,
            background_group: Endpoint::new(Ipv4Addr::new(239, 255, 72, 35), 7_235),
        }
    }
}

/// Parameters that make no stream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// The rate is zero or above one datagram a nanosecond.
    #[error("the rate must lie between 1 and 1000000000 datagrams a second, not {0}")]
    Rate(u64),
    /// The payload does not fit the datagram format or an Ethernet frame.
    #[error("the payload must have {HEADER_BYTES} to {MAX_PAYLOAD_BYTES} bytes, not {0}")]
    Payload(u64),
    /// The schedule is shorter than one period.
    #[error("a duration of {0} holds no datagram at this rate")]
    Duration(Nanos),
    /// The interval for missing datagrams is zero.
    #[error("the interval for missing datagrams must not be zero")]
    Interval,
    /// The background rate is above one datagram a nanosecond.
    #[error("the background must have at most 1000000000 datagrams a second, not {0}")]
    BackgroundRate(u64),
    /// A background payload that does not fit an Ethernet frame.
    #[error("the background's payload must have at most {MAX_PAYLOAD_BYTES} bytes, not {0}")]
    BackgroundPayload(u64),
    /// Somebody could answer the background.
    #[error("the background must go to a multicast group (224.0.0.0/4), not to {0}")]
    BackgroundGroup(Endpoint),
    /// A sweep without rates.
    #[error("a sweep needs at least one rate")]
    NoRates,
    /// A sweep whose rates do not rise.
    #[error("the rates of a sweep must rise, {next} follows {previous}")]
    RatesDoNotRise {
        /// A rate.
        previous: u64,
        /// The rate after it.
        next: u64,
    },
}

impl StreamOptions {
    /// Checks that these parameters make a stream.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn validate(&self) -> Result<(), OptionsError> {
        if !(1..=Nanos::SECOND.0).contains(&self.rate_hz) {
            return Err(OptionsError::Rate(self.rate_hz));
        }
        if !(HEADER_BYTES as u64..=MAX_PAYLOAD_BYTES as u64).contains(&self.payload_bytes) {
            return Err(OptionsError::Payload(self.payload_bytes));
        }
        if self.planned_packets() == 0 {
            return Err(OptionsError::Duration(self.duration_ns));
        }
        if self.interval_ns == Nanos::ZERO {
            return Err(OptionsError::Interval);
        }
        self.validate_background()
    }

    fn validate_background(&self) -> Result<(), OptionsError> {
        if self.background_hz > Nanos::SECOND.0 {
            return Err(OptionsError::BackgroundRate(self.background_hz));
        }
        if self.background_payload_bytes > MAX_PAYLOAD_BYTES as u64 {
            return Err(OptionsError::BackgroundPayload(
                self.background_payload_bytes,
            ));
        }
        if !self.background_group.ip().is_multicast() {
            return Err(OptionsError::BackgroundGroup(self.background_group));
        }
        Ok(())
    }

    /// How many datagrams the measured schedule holds: rate times duration, rounded down.
    pub fn planned_packets(&self) -> u64 {
        packets_in(self.rate_hz, self.duration_ns)
    }

    /// How many background datagrams are sent: rate times duration, rounded down.
    pub fn background_packets(&self) -> u64 {
        packets_in(self.background_hz, self.duration_ns)
    }

    /// How long the stream takes on a sender that keeps its schedule, telemetry left aside.
    pub fn nominal_span(&self) -> Nanos {
        warm_up_span(self.rate_hz, self.warm_up_packets, self.drain_ns)
            + self.duration_ns
            + self.drain_ns
    }
}
