//! The arguments of soaks.

use std::str::FromStr;

use super::Span;
use crate::SoakOptions;
use crate::soak::SizeWeight;

/// Mixed sizes for long, told interval by interval.
#[derive(Clone, Debug, clap::Args)]
pub struct SoakArgs {
    /// Name the flow, the filler of its datagrams and the sequence of sizes
    #[arg(long, default_value_t = SoakOptions::default().seed)]
    pub seed: u64,
    /// Offered load in datagrams a second
    #[arg(long, value_name = "HZ", default_value_t = SoakOptions::default().rate_hz)]
    pub rate_hz: u64,
    /// The payload sizes, 16 to 1472, each with its weight if that is not 1: 64:3,1472
    #[arg(long, value_name = "BYTES[:WEIGHT]", value_delimiter = ',', default_values_t = default_sizes())]
    pub sizes: Vec<SizeArg>,
    /// The length of the measured schedule
    #[arg(long, value_name = "TIME", default_value_t = Span(SoakOptions::default().duration_ns))]
    pub duration: Span,
    /// Datagrams before the measured ones
    #[arg(long, value_name = "PACKETS", default_value_t = SoakOptions::default().warm_up_packets)]
    pub warm_up_packets: u64,
    /// Wait for the last replies
    #[arg(long, value_name = "TIME", default_value_t = Span(SoakOptions::default().drain_ns))]
    pub drain: Span,
    /// A reply that took longer is late
    #[arg(long, value_name = "TIME", default_value_t = Span(SoakOptions::default().late_threshold_ns))]
    pub late_threshold: Span,
    /// Count by intervals of this length
    #[arg(long, value_name = "TIME", default_value_t = Span(SoakOptions::default().interval_ns))]
    pub interval: Span,
}

/// A size and its weight as they are written on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeArg(pub SizeWeight);

/// A text that is no size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a size in bytes, and after a colon its weight if that is not 1, such as 64:3")]
pub struct SizeArgError;

impl FromStr for SizeArg {
    type Err = SizeArgError;

    fn from_str(text: &str) -> Result<Self, SizeArgError> {
        let (bytes, weight) = text.split_once(':').unwrap_or((text, "1"));
        let number = |text: &str| text.parse().map_err(|_| SizeArgError);
        Ok(Self(SizeWeight {
            payload_bytes: number(bytes)?,
            weight: number(weight)?,
        }))
    }
}

impl std::fmt::Display for SizeArg {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.weight {
            1 => write!(formatter, "{}", self.0.payload_bytes),
            weight => write!(formatter, "{}:{weight}", self.0.payload_bytes),
        }
    }
}

fn default_sizes() -> Vec<SizeArg> {
    SoakOptions::default()
        .sizes
        .into_iter()
        .map(SizeArg)
        .collect()
}

impl SoakArgs {
    /// What the state machine takes.
    pub fn into_options(self) -> SoakOptions {
        SoakOptions {
            seed: self.seed,
            rate_hz: self.rate_hz,
            sizes: self.sizes.into_iter().map(|size| size.0).collect(),
            duration_ns: self.duration.0,
            warm_up_packets: self.warm_up_packets,
            drain_ns: self.drain.0,
            late_threshold_ns: self.late_threshold.0,
            interval_ns: self.interval.0,
        }
    }
}
