//! The arguments of the latency workload.

use super::Span;
use crate::LatencyOptions;

/// Stop and wait: RTT of one datagram at a time, size after size.
#[derive(Clone, Debug, clap::Args)]
pub struct LatencyArgs {
    /// Give every payload its bytes
    #[arg(long, default_value_t = LatencyOptions::default().seed)]
    pub seed: u64,
    /// The payload sizes, each once, 1 to 1472
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = LatencyOptions::default().payload_bytes)]
    pub payload_bytes: Vec<u64>,
    /// Datagrams of each size
    #[arg(long, value_name = "PACKETS", default_value_t = LatencyOptions::default().samples)]
    pub samples: u64,
    /// Datagrams of each size before the measured ones
    #[arg(long, value_name = "PACKETS", default_value_t = LatencyOptions::default().warm_up_packets)]
    pub warm_up_packets: u64,
    /// Send the next datagram when no reply came for this long; a later one is late
    #[arg(long, value_name = "TIME", default_value_t = Span(LatencyOptions::default().timeout_ns))]
    pub timeout: Span,
    /// Wait for stragglers after the last datagram of each size
    #[arg(long, value_name = "TIME", default_value_t = Span(LatencyOptions::default().drain_ns))]
    pub drain: Span,
    /// Give a size up after so many datagrams in a row without a reply in time
    #[arg(long, value_name = "PACKETS", default_value_t = LatencyOptions::default().give_up_after)]
    pub give_up_after: u64,
}

impl LatencyArgs {
    /// What the state machine takes.
    pub fn into_options(self) -> LatencyOptions {
        LatencyOptions {
            seed: self.seed,
            payload_bytes: self.payload_bytes,
            samples: self.samples,
            warm_up_packets: self.warm_up_packets,
            timeout_ns: self.timeout.0,
            drain_ns: self.drain.0,
            give_up_after: self.give_up_after,
        }
    }
}
