//! Throughput: the highest rate without loss, searched for and confirmed, and the peak goodput.

mod machine;
mod options;
mod result;
mod search;

pub use machine::Throughput;
pub use options::{ThroughputOptions, ThroughputOptionsError};
pub use result::{
    SATURATED_GOODPUT_PERCENT, SATURATED_LOSS_PER_MILLE, SizeThroughput, ThroughputResult,
    ThroughputTrial,
};
pub use search::{Limit, Purpose, ZeroLoss};
