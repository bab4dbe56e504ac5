//! The arguments of the throughput workload.

use super::Span;
use crate::{StreamOptions, ThroughputOptions};

/// The highest rate without loss, searched for and confirmed, and the peak goodput.
#[derive(Clone, Debug, clap::Args)]
pub struct ThroughputArgs {
    /// Name the streams and the filler of their datagrams
    #[arg(long, default_value_t = ThroughputOptions::default().stream.seed)]
    pub seed: u64,
    /// The payload sizes to search at, 16 to 1472
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = ThroughputOptions::default().payload_bytes)]
    pub payload_bytes: Vec<u64>,
    /// The first load, in bits of payload a second; it doubles from there
    #[arg(long, value_name = "BITS", default_value_t = ThroughputOptions::default().start_bits_per_s)]
    pub start: u64,
    /// The highest load
    #[arg(long, value_name = "BITS", default_value_t = ThroughputOptions::default().ceiling_bits_per_s)]
    pub ceiling: u64,
    /// The finest step of the search
    #[arg(long, value_name = "BITS", default_value_t = ThroughputOptions::default().resolution_bits_per_s)]
    pub resolution: u64,
    /// The length of a trial
    #[arg(long, value_name = "TIME", default_value_t = Span(ThroughputOptions::default().stream.duration_ns))]
    pub duration: Span,
    /// The length of the trial that confirms a rate
    #[arg(long, value_name = "TIME", default_value_t = Span(ThroughputOptions::default().verify_ns))]
    pub verify: Span,
    /// Datagrams before the measured ones of each trial
    #[arg(long, value_name = "PACKETS", default_value_t = ThroughputOptions::default().stream.warm_up_packets)]
    pub warm_up_packets: u64,
    /// Wait for the last replies of each trial
    #[arg(long, value_name = "TIME", default_value_t = Span(ThroughputOptions::default().stream.drain_ns))]
    pub drain: Span,
    /// A reply that took longer is late
    #[arg(long, value_name = "TIME", default_value_t = Span(ThroughputOptions::default().stream.late_threshold_ns))]
    pub late_threshold: Span,
}

impl ThroughputArgs {
    /// What the state machine takes.
    pub fn into_options(self) -> ThroughputOptions {
        ThroughputOptions {
            payload_bytes: self.payload_bytes,
            start_bits_per_s: self.start,
            ceiling_bits_per_s: self.ceiling,
            resolution_bits_per_s: self.resolution,
            verify_ns: self.verify.0,
            stream: StreamOptions {
                seed: self.seed,
                duration_ns: self.duration.0,
                warm_up_packets: self.warm_up_packets,
                drain_ns: self.drain.0,
                late_threshold_ns: self.late_threshold.0,
                ..ThroughputOptions::default().stream
            },
        }
    }
}
