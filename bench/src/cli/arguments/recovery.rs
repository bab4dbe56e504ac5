//! The arguments of the recovery workload.

use super::Span;
use crate::{Disturbance, RecoveryOptions};

/// How long the length of a lost link is when none is given.
const DEFAULT_LINK_LOSS: crate::Nanos = crate::Nanos::from_secs(2);

/// A stream, a disturbance in it, and how long the device is gone.
#[derive(Clone, Debug, clap::Args)]
pub struct RecoveryArgs {
    /// Name the stream and the filler of its datagrams
    #[arg(long, default_value_t = RecoveryOptions::default().seed)]
    pub seed: u64,
    /// Offered load in datagrams a second
    #[arg(long, value_name = "HZ", default_value_t = RecoveryOptions::default().rate_hz)]
    pub rate_hz: u64,
    /// UDP payload of every datagram, 16 to 1472
    #[arg(long, value_name = "BYTES", default_value_t = RecoveryOptions::default().payload_bytes)]
    pub payload_bytes: u64,
    /// What is done to the device
    #[arg(long, value_enum, default_value_t = DisturbanceArg::Reset)]
    pub disturbance: DisturbanceArg,
    /// How long a lost link is lost
    #[arg(long, value_name = "TIME", default_value_t = Span(DEFAULT_LINK_LOSS))]
    pub link_loss: Span,
    /// How long the stream runs before it
    #[arg(long, value_name = "TIME", default_value_t = Span(RecoveryOptions::default().before_ns))]
    pub before: Span,
    /// How long the device may take to be back
    #[arg(long, value_name = "TIME", default_value_t = Span(RecoveryOptions::default().limit_ns))]
    pub limit: Span,
    /// The device is gone when no good reply comes for this long
    #[arg(long, value_name = "TIME", default_value_t = Span(RecoveryOptions::default().gap_min_ns))]
    pub gap: Span,
    /// Datagrams before the measured ones
    #[arg(long, value_name = "PACKETS", default_value_t = RecoveryOptions::default().warm_up_packets)]
    pub warm_up_packets: u64,
    /// Wait for the last replies
    #[arg(long, value_name = "TIME", default_value_t = Span(RecoveryOptions::default().drain_ns))]
    pub drain: Span,
    /// A reply that took longer is late
    #[arg(long, value_name = "TIME", default_value_t = Span(RecoveryOptions::default().late_threshold_ns))]
    pub late_threshold: Span,
}

/// A disturbance by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum DisturbanceArg {
    /// The device is reset
    Reset,
    /// Its link is lost for a time
    LinkLoss,
    /// The DHCP server gives it another address
    DhcpChange,
    /// Somebody does something to it by hand
    Manual,
}

impl RecoveryArgs {
    /// What the state machine takes.
    pub fn into_options(self) -> RecoveryOptions {
        RecoveryOptions {
            seed: self.seed,
            rate_hz: self.rate_hz,
            payload_bytes: self.payload_bytes,
            disturbance: match self.disturbance {
                DisturbanceArg::Reset => Disturbance::Reset,
                DisturbanceArg::LinkLoss => Disturbance::LinkLoss(self.link_loss.0),
                DisturbanceArg::DhcpChange => Disturbance::DhcpChange,
                DisturbanceArg::Manual => Disturbance::Manual,
            },
            before_ns: self.before.0,
            limit_ns: self.limit.0,
            gap_min_ns: self.gap.0,
            warm_up_packets: self.warm_up_packets,
            drain_ns: self.drain.0,
            late_threshold_ns: self.late_threshold.0,
        }
    }
}
