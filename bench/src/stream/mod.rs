//! An open-loop stream: datagrams leave on their schedule whatever comes back.

mod background;
mod flow;
mod machine;
mod options;
mod rates;
mod result;
mod telemetry_client;

pub use flow::{Flow, FlowSummary, KEPT_SEND_SECONDS};
pub use machine::Stream;
pub use options::{OptionsError, StreamOptions};
pub(crate) use rates::Rates;
pub use result::{Finding, OFFERED_MIN_PERCENT, PACED_BURST_MAX, StreamResult, TelemetryRecord};
