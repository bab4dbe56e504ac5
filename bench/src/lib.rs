//! The host benchmark: workloads, datagrams, packet ledger and statistics.
//!
//! Everything here is a state machine without I/O and without a clock.

pub mod counts;
pub mod datagram;
pub mod functional;
pub mod histogram;
mod nanos;
mod ratio;
pub mod stream;
pub mod sweep;
pub mod telemetry;
mod workload;

pub use counts::{BrokenIdentity, Counts};
pub use datagram::Corruption;
pub use functional::{FunctionalOptions, FunctionalResult};
pub use histogram::LatencyHistogram;
pub use nanos::Nanos;
pub use ratio::{Ratio, Undefined};
pub use stream::{StreamOptions, StreamResult, TelemetryRecord};
pub use sweep::{SweepOptions, SweepResult};
pub use telemetry::Telemetry;
pub use workload::{Action, Endpoint, SendOutcome, Targets, Workload};
