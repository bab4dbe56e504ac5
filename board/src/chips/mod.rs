//! Chips beside the part.

pub mod lan8742a;
mod link_mode;
pub mod w5500;

pub use link_mode::LinkMode;
