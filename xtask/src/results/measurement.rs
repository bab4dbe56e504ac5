//! What a workload's result must offer to be kept in a result file.

use std::fmt::Debug;

use bench::{
    BurstOptions, BurstResult, FunctionalOptions, FunctionalResult, LatencyOptions, LatencyResult,
    Outcome, RecoveryOptions, RecoveryResult, SoakOptions, SoakResult, StreamOptions, StreamResult,
    SweepOptions, SweepResult, ThroughputOptions, ThroughputResult,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::traffic::{TrafficOptions, TrafficResult};

/// The result of a workload.
pub trait Measurement: Outcome + Clone + Debug + PartialEq + Serialize + DeserializeOwned {
    /// The workload's parameters.
    type Options: Clone + Debug + PartialEq + Serialize + DeserializeOwned;

    /// The parameters this was measured with.
    fn options(&self) -> &Self::Options;
}

/// Results that hold their options.
macro_rules! measurements {
    ($($result:ty: $options:ty,)*) => {$(
        impl Measurement for $result {
            type Options = $options;

            fn options(&self) -> &Self::Options {
                &self.options
            }
        }
    )*};
}

measurements! {
    FunctionalResult: FunctionalOptions,
    LatencyResult: LatencyOptions,
    ThroughputResult: ThroughputOptions,
    BurstResult: BurstOptions,
    StreamResult: StreamOptions,
    SweepResult: SweepOptions,
    SoakResult: SoakOptions,
    RecoveryResult: RecoveryOptions,
    TrafficResult: TrafficOptions,
}
