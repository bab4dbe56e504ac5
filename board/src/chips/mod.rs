//! Chips beside the part.

pub mod lan8742a;
pub mod w5500;
