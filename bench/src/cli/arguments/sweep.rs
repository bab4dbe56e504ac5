//! The arguments of sweeps.

use super::Span;
use crate::{StreamOptions, SweepOptions};

/// The same stream at one rate after another.
#[derive(Clone, Debug, clap::Args)]
pub struct SweepArgs {
    /// Name the streams and the filler of their datagrams
    #[arg(long, default_value_t = SweepOptions::default().stream.seed)]
    pub seed: u64,
    /// The rates in datagrams a second, rising
    #[arg(long, value_name = "HZ", value_delimiter = ',', default_values_t = SweepOptions::default().rates_hz)]
    pub rates_hz: Vec<u64>,
    /// UDP payload of every datagram, 16 to 1472
    #[arg(long, value_name = "BYTES", default_value_t = SweepOptions::default().stream.payload_bytes)]
    pub payload_bytes: u64,
    /// How long each rate is held
    #[arg(long, value_name = "TIME", default_value_t = Span(SweepOptions::default().stream.duration_ns))]
    pub duration: Span,
    /// Datagrams before the measured ones of each rate
    #[arg(long, value_name = "PACKETS", default_value_t = SweepOptions::default().stream.warm_up_packets)]
    pub warm_up_packets: u64,
    /// Wait for the last replies of each rate
    #[arg(long, value_name = "TIME", default_value_t = Span(SweepOptions::default().stream.drain_ns))]
    pub drain: Span,
    /// A reply that took longer is late
    #[arg(long, value_name = "TIME", default_value_t = Span(SweepOptions::default().stream.late_threshold_ns))]
    pub late_threshold: Span,
    /// Count missing datagrams by intervals of this length
    #[arg(long, value_name = "TIME", default_value_t = Span(SweepOptions::default().stream.interval_ns))]
    pub interval: Span,
}

impl SweepArgs {
    /// What the state machine takes.
    pub fn into_options(self) -> SweepOptions {
        SweepOptions {
            rates_hz: self.rates_hz,
            stream: StreamOptions {
                seed: self.seed,
                payload_bytes: self.payload_bytes,
                duration_ns: self.duration.0,
                warm_up_packets: self.warm_up_packets,
                drain_ns: self.drain.0,
                late_threshold_ns: self.late_threshold.0,
                interval_ns: self.interval.0,
                ..SweepOptions::default().stream
            },
        }
    }
}
