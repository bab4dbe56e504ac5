//! The two cores.

mod ours;
mod theirs;

pub use ours::{Finding, Ours, Prober};
pub use theirs::Theirs;
