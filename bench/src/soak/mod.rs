//! Soak: datagrams of mixed sizes for a long time, told interval by interval.

mod intervals;
mod machine;
mod mixture;
mod options;
mod result;

pub use intervals::SoakInterval;
pub use machine::Soak;
pub use mixture::Mixture;
pub use options::{MAX_INTERVALS, SizeWeight, SoakOptions, SoakOptionsError};
pub use result::{SizeClass, SoakResult};
