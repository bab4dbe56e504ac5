//! A sweep: the same stream at one rate after another.

mod result;

pub use result::{SweepOptions, SweepResult};
