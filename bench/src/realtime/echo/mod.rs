//! An echo server that misbehaves on purpose, by a seed, and knows exactly how: anyone can hold
//! the counters of a bench against it.

mod counts;
mod faults;
mod held;
mod server;

pub use counts::{EchoCounts, Handled};
pub use faults::{Fate, Faults, FaultsError};
pub use server::{EchoServer, EchoServerOptions};
