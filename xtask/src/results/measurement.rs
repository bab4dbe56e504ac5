//! What a workload's result must offer to be kept in a result file.

use std::fmt::Debug;

use bench::{
    BrokenIdentity, BurstOptions, BurstResult, FunctionalOptions, FunctionalResult, StreamOptions,
    StreamResult,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::traffic::{TrafficOptions, TrafficResult};

/// The result of a workload.
pub trait Measurement: Clone + Debug + PartialEq + Serialize + DeserializeOwned {
    /// The workload's parameters.
    type Options: Clone + Debug + PartialEq + Serialize + DeserializeOwned;

    /// The parameters this was measured with.
    fn options(&self) -> &Self::Options;

    /// Checks the identities that bind the result's counters.
    ///
    /// # Errors
    /// The first identity that does not hold.
    fn check(&self) -> Result<(), BrokenIdentity>;
}

/// Results that hold their options and check themselves.
macro_rules! measurements {
    ($($result:ty: $options:ty,)*) => {$(
        impl Measurement for $result {
            type Options = $options;

            fn options(&self) -> &Self::Options {
                &self.options
            }

            fn check(&self) -> Result<(), BrokenIdentity> {
                self.check()
            }
        }
    )*};
}

measurements! {
    FunctionalResult: FunctionalOptions,
    StreamResult: StreamOptions,
    BurstResult: BurstOptions,
    TrafficResult: TrafficOptions,
}
