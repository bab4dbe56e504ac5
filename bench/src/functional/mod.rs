//! The functional gate: every size comes back byte for byte before anything is measured.

mod result;

pub use result::{FunctionalOptions, FunctionalOptionsError, FunctionalResult, SizeCounts};
