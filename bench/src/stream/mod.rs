//! An open-loop stream: datagrams leave on their schedule whatever comes back.

mod options;
mod result;

pub use options::{OptionsError, StreamOptions};
pub use result::{Finding, OFFERED_MIN_PERCENT, PACED_BURST_MAX, StreamResult, TelemetryRecord};
