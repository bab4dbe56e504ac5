//! Between which loads the search goes, how finely, and how long each trial lasts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Nanos;
use crate::datagram::derive_seed;
use crate::stream::{OptionsError, StreamOptions};

/// Parameters of a throughput workload. The default is the published one: five sizes, loads that
/// double from 0.25 to 80 Mbit/s of payload, trials of 10 s with 2 s of drain, 250 ms for each
/// reply, and 0.05 Mbit/s as the finest step.
///
/// Two things differ. The published sender stops while 256 datagrams are unanswered, which makes
/// it slower when the device is; this one is open loop like every stream here, and has no window.
/// The published search bisects twice; this one goes on to the resolution, and confirms the rate
/// found by a trial of 60 s, the length RFC 2544 §24 asks of a final trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThroughputOptions {
    /// The payload sizes in bytes, from 16 to 1472, each searched for by itself.
    pub payload_bytes: Vec<u64>,
    /// The first load offered, in bits of payload a second.
    pub start_bits_per_s: u64,
    /// The highest load offered.
    pub ceiling_bits_per_s: u64,
    /// The search ends when the highest load without loss and the lowest with it are no farther
    /// apart.
    pub resolution_bits_per_s: u64,
    /// The length of the trial that confirms a rate.
    pub verify_ns: Nanos,
    /// The stream of every trial; its `rate_hz` and `payload_bytes` are replaced, its `seed` by
    /// one derived from it, and its `duration_ns` by `verify_ns` to confirm a rate.
    pub stream: StreamOptions,
}

impl Default for ThroughputOptions {
    fn default() -> Self {
        Self {
            payload_bytes: vec![64, 256, 512, 1024, 1472],
            start_bits_per_s: 250_000,
            ceiling_bits_per_s: 80_000_000,
            resolution_bits_per_s: 50_000,
            verify_ns: Nanos::from_secs(60),
            stream: StreamOptions {
                duration_ns: Nanos::from_secs(10),
                drain_ns: Nanos::from_secs(2),
                late_threshold_ns: Nanos::from_millis(250),
                ..StreamOptions::default()
            },
        }
    }
}

/// Parameters that make no throughput workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThroughputOptionsError {
    /// Nothing would be searched for.
    #[error("a throughput workload needs at least one payload size")]
    NoSizes,
    /// The loads do not make a search.
    #[error(
        "the loads must rise from the start to the ceiling, and both must be above 0, \
         not {start} and {ceiling} bit/s"
    )]
    Loads {
        /// The first load.
        start: u64,
        /// The highest load.
        ceiling: u64,
    },
    /// A stream of the search is out of range.
    #[error("a trial at {rate_hz} datagrams of {payload_bytes} bytes a second: {reason}")]
    Trial {
        /// Its rate.
        rate_hz: u64,
        /// Its payload.
        payload_bytes: u64,
        /// What is wrong with it.
        reason: OptionsError,
    },
}

impl ThroughputOptions {
    /// Checks that these parameters make a throughput workload.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn validate(&self) -> Result<(), ThroughputOptionsError> {
        if self.payload_bytes.is_empty() {
            return Err(ThroughputOptionsError::NoSizes);
        }
        let (start, ceiling) = (self.start_bits_per_s, self.ceiling_bits_per_s);
        if start == 0 || start > ceiling {
            return Err(ThroughputOptionsError::Loads { start, ceiling });
        }
        for size in 0..self.payload_bytes.len() {
            // A bisection goes down to half the resolution; each length must hold a datagram then.
            let lowest = self.rate_hz(size, self.resolution_bits_per_s).div_ceil(2);
            let rates = [
                lowest,
                self.rate_hz(size, start),
                self.rate_hz(size, ceiling),
            ];
            for (rate_hz, verify) in rates
                .into_iter()
                .flat_map(|rate| [(rate, false), (rate, true)])
            {
                let trial = self.trial(size, 0, rate_hz, verify);
                let payload_bytes = trial.payload_bytes;
                trial
                    .validate()
                    .map_err(|reason| ThroughputOptionsError::Trial {
                        rate_hz,
                        payload_bytes,
                        reason,
                    })?;
            }
        }
        Ok(())
    }

    /// The rate of a load at one of the sizes, in datagrams a second, rounded down, at least 1.
    pub fn rate_hz(&self, size: usize, bits_per_s: u64) -> u64 {
        let bits = self.payload_bytes[size].saturating_mul(8);
        bits_per_s.checked_div(bits).unwrap_or(0).max(1)
    }

    /// The options of trial `number` of one of the sizes.
    pub(super) fn trial(
        &self,
        size: usize,
        number: usize,
        rate_hz: u64,
        verify: bool,
    ) -> StreamOptions {
        let seed = derive_seed(self.stream.seed, size as u64);
        let duration_ns = match verify {
            true => self.verify_ns,
            false => self.stream.duration_ns,
        };
        StreamOptions {
            seed: derive_seed(seed, number as u64),
            rate_hz,
            payload_bytes: self.payload_bytes[size],
            duration_ns,
            ..self.stream.clone()
        }
    }

    /// About how long the workload takes: a dozen trials and one confirmation for each size.
    pub fn nominal_span(&self) -> Nanos {
        let trial = self
            .stream
            .duration_ns
            .0
            .saturating_add(self.stream.drain_ns.0);
        let size = trial.saturating_mul(12).saturating_add(self.verify_ns.0);
        Nanos(size.saturating_mul(self.payload_bytes.len() as u64))
    }
}
