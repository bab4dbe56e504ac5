//! What a profiling build measures about itself and answers over UDP: the executor's load, the
//! stack's high-water mark, and static RAM. Release builds contain none of it.

#![no_std]

mod clock;
mod executor;
mod memory;
mod telemetry;

pub use executor::Executor;
pub use telemetry::{PORT, serve};
