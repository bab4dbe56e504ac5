//! The hardware-free half of profiling, tested on the host: cycle accounting that outlives the
//! 32-bit cycle counter, the executor's load, and the telemetry datagrams.
//!
//! Run its tests with `cargo test --manifest-path firmware/Cargo.toml --package profiling-model`.

#![no_std]

mod executor_load;
mod telemetry;
mod wide_cycles;

pub use executor_load::{ExecutorLoad, LoadWindow};
pub use telemetry::{Command, REPLY_BYTES, REQUEST_BYTES, Reply};
pub use wide_cycles::{CyclesPerTick, Reading};
