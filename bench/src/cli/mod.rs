//! The command line of the bench.

pub mod arguments;
pub mod summary;
