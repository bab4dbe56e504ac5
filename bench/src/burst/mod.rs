//! Bursts: datagrams back to back, then quiet, again and again.

mod machine;
mod options;
mod result;

pub use machine::Burst;
pub use options::{BurstOptions, BurstOptionsError, MAX_BURST_DATAGRAMS};
pub use result::BurstResult;
