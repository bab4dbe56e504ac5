//! The two cores.

mod firmware;
mod ours;
mod theirs;

pub use firmware::{BootRun, record_boot, replay_boot};
pub use ours::{Finding, Ours, Prober};
pub use theirs::Theirs;
