//! Latency: stop and wait, one payload size after another.

mod machine;
mod options;
mod probe;
mod result;

pub use machine::Latency;
pub use options::{LatencyOptions, LatencyOptionsError};
pub use probe::TINY_NUMBERS;
pub use result::{LatencyResult, SizeLatency};
