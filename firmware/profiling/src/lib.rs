//! What a profiling build measures about itself and answers over UDP: the executor's load, the
//! stack's high-water mark, and static RAM. Release builds contain none of it.

#![no_std]

mod clock;
mod executor;
mod memory;
#[cfg(feature = "embassy-net")]
mod server;
mod telemetry;

pub use executor::{Executor, sleep_in_poll};
#[cfg(feature = "embassy-net")]
pub use server::serve;
pub use telemetry::{PORT, answer};
