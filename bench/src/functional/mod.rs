//! The functional gate: every size comes back byte for byte before anything is measured.

mod machine;
mod result;

pub use machine::FunctionalGate;
pub use result::{
    EmptyDatagrams, FunctionalOptions, FunctionalOptionsError, FunctionalResult, SizeCounts,
};
