//! The arguments of bursts.

use super::Span;
use crate::BurstOptions;

/// Datagrams back to back, then quiet.
#[derive(Clone, Debug, clap::Args)]
pub struct BurstArgs {
    /// Name the flow and the filler of its datagrams
    #[arg(long, default_value_t = BurstOptions::default().seed)]
    pub seed: u64,
    /// Datagrams of one burst
    #[arg(long, value_name = "PACKETS", default_value_t = BurstOptions::default().packets)]
    pub packets: u64,
    /// UDP payload of every datagram, 16 to 1472
    #[arg(long, value_name = "BYTES", default_value_t = BurstOptions::default().payload_bytes)]
    pub payload_bytes: u64,
    /// How many bursts
    #[arg(long, value_name = "BURSTS", default_value_t = BurstOptions::default().repeats)]
    pub repeats: u64,
    /// Start the next burst when nothing came for this long
    #[arg(long, value_name = "TIME", default_value_t = Span(BurstOptions::default().quiet_ns))]
    pub quiet_time: Span,
    /// Start the next burst at the latest this long after the one before
    #[arg(long, value_name = "TIME", default_value_t = Span(BurstOptions::default().settle_limit_ns))]
    pub settle_limit: Span,
    /// A reply that took longer is late
    #[arg(long, value_name = "TIME", default_value_t = Span(BurstOptions::default().late_threshold_ns))]
    pub late_threshold: Span,
}

impl BurstArgs {
    /// What the state machine takes.
    pub fn into_options(self) -> BurstOptions {
        BurstOptions {
            seed: self.seed,
            packets: self.packets,
            payload_bytes: self.payload_bytes,
            repeats: self.repeats,
            quiet_ns: self.quiet_time.0,
            settle_limit_ns: self.settle_limit.0,
            late_threshold_ns: self.late_threshold.0,
        }
    }
}
