//! What a workload's result must offer to be kept in a result file.

use std::fmt::Debug;

use bench::{
    BurstOptions, BurstResult, FunctionalOptions, FunctionalResult, LatencyOptions, LatencyResult,
    Outcome, RecoveryOptions, RecoveryResult, SoakOptions, SoakResult, StreamOptions, StreamResult,
    SweepOptions, SweepResult, ThroughputOptions, ThroughputResult,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::traffic::{TrafficOptions, TrafficResult};

/// What is kept in result files.
pub trait Kept: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema {}

impl<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema> Kept for T {}

/// The result of a workload.
pub trait Measurement: Outcome + Kept {
    /// The workload's parameters.
    type Options: Kept;

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
