//! What became of every single datagram, written while the workload runs.
//!
//! A [`Tap`](tap::Tap) stands between driver and workload, looks at what passes, and hands each datagram on
//! once its fate is settled to a thread that writes files. Memory is bounded: the last
//! [`WINDOW_PACKETS`](window::WINDOW_PACKETS) datagrams wait for their replies, as many as the ledger keeps send instants
//! for; one older than that is written as it stands.

mod csv;
mod hdr_log;
mod sink;
mod tap;
mod window;

pub use sink::{Recording, RecordingPlan};
