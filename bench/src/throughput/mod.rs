//! Throughput: the highest rate without loss, searched for and confirmed, and the peak goodput.

mod machine;
mod options;
mod result;
mod search;
mod trial;

pub use machine::Throughput;
pub use options::{ThroughputOptions, ThroughputOptionsError};
pub use result::{SizeThroughput, ThroughputResult};
pub use search::{Limit, Purpose, ZeroLoss};
pub use trial::{
    SATURATED_GOODPUT_PERCENT, SATURATED_LOSS_PER_MILLE, ThroughputTrial, TrialStream,
};
