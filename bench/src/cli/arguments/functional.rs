//! The arguments of the functional gate.

use super::Span;
use crate::{EmptyDatagrams, FunctionalOptions};

/// Every size, one datagram at a time, compared byte for byte.
#[derive(Clone, Debug, clap::Args)]
pub struct FunctionalArgs {
    /// Give every payload its bytes
    #[arg(long, default_value_t = FunctionalOptions::default().seed)]
    pub seed: u64,
    /// The payload sizes of a round, each at most 1472
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = FunctionalOptions::default().payload_bytes)]
    pub payload_bytes: Vec<u64>,
    /// How many rounds
    #[arg(long, default_value_t = FunctionalOptions::default().rounds)]
    pub rounds: u64,
    /// Wait for the reply to one attempt
    #[arg(long, value_name = "TIME", default_value_t = Span(FunctionalOptions::default().timeout_ns))]
    pub timeout: Span,
    /// Send a datagram this often before it counts as unanswered
    #[arg(long, value_name = "TIMES", default_value_t = FunctionalOptions::default().attempts)]
    pub attempts: u64,
    /// The server drops datagrams without payload by design
    #[arg(long)]
    pub empty_dropped: bool,
}

impl FunctionalArgs {
    /// What the state machine takes.
    pub fn into_options(self) -> FunctionalOptions {
        FunctionalOptions {
            seed: self.seed,
            payload_bytes: self.payload_bytes,
            rounds: self.rounds,
            timeout_ns: self.timeout.0,
            attempts: self.attempts,
            empty_datagrams: match self.empty_dropped {
                true => EmptyDatagrams::Dropped,
                false => EmptyDatagrams::Echoed,
            },
        }
    }
}
