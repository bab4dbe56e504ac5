//! Recovery: a stream, a disturbance in it, and how long the device was gone.

mod machine;
mod options;
mod outage;
mod result;

pub use machine::Recovery;
pub use options::{RecoveryOptions, RecoveryOptionsError};
pub use outage::Outage;
pub use result::{Disturbed, RecoveryResult};
