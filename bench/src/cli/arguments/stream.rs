//! The arguments of a stream.

use super::Span;
use crate::{Endpoint, StreamOptions};

/// Datagrams on a schedule, whatever comes back.
#[derive(Clone, Debug, clap::Args)]
pub struct StreamArgs {
    /// Name the stream and the filler of its datagrams
    #[arg(long, default_value_t = StreamOptions::default().seed)]
    pub seed: u64,
    /// Datagrams a second
    #[arg(long, value_name = "HZ", default_value_t = StreamOptions::default().rate_hz)]
    pub rate_hz: u64,
    /// UDP payload of every datagram, 16 to 1472
    #[arg(long, value_name = "BYTES", default_value_t = StreamOptions::default().payload_bytes)]
    pub payload_bytes: u64,
    /// Length of the measured schedule
    #[arg(long, value_name = "TIME", default_value_t = Span(StreamOptions::default().duration_ns))]
    pub duration: Span,
    /// Datagrams sent before the measured ones
    #[arg(long, value_name = "PACKETS", default_value_t = StreamOptions::default().warm_up_packets)]
    pub warm_up_packets: u64,
    /// Wait for the last replies
    #[arg(long, value_name = "TIME", default_value_t = Span(StreamOptions::default().drain_ns))]
    pub drain: Span,
    /// A reply that took longer is late
    #[arg(long, value_name = "TIME", default_value_t = Span(StreamOptions::default().late_threshold_ns))]
    pub late_threshold: Span,
    /// Count missing datagrams by intervals of this length
    #[arg(long, value_name = "TIME", default_value_t = Span(StreamOptions::default().interval_ns))]
    pub interval: Span,
    /// Wait for a telemetry reply before asking again
    #[arg(long, value_name = "TIME", default_value_t = Span(StreamOptions::default().telemetry_timeout_ns))]
    pub telemetry_timeout: Span,
    /// Ask for telemetry this often before giving up
    #[arg(long, value_name = "TIMES", default_value_t = StreamOptions::default().telemetry_attempts)]
    pub telemetry_attempts: u64,
    /// Multicast datagrams a second beside the stream
    #[arg(long, value_name = "HZ", default_value_t = StreamOptions::default().background_hz)]
    pub background_hz: u64,
    /// UDP payload of every background datagram, at most 1472
    #[arg(long, value_name = "BYTES", default_value_t = StreamOptions::default().background_payload_bytes)]
    pub background_payload_bytes: u64,
    /// Multicast group and port of the background
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = StreamOptions::default().background_group)]
    pub background_group: Endpoint,
}

impl StreamArgs {
    /// What the state machine takes.
    pub fn into_options(self) -> StreamOptions {
        StreamOptions {
            seed: self.seed,
            rate_hz: self.rate_hz,
            payload_bytes: self.payload_bytes,
            duration_ns: self.duration.0,
            warm_up_packets: self.warm_up_packets,
            drain_ns: self.drain.0,
            late_threshold_ns: self.late_threshold.0,
            interval_ns: self.interval.0,
            telemetry_timeout_ns: self.telemetry_timeout.0,
            telemetry_attempts: self.telemetry_attempts,
            background_hz: self.background_hz,
            background_payload_bytes: self.background_payload_bytes,
            background_group: self.background_group,
        }
    }
}
