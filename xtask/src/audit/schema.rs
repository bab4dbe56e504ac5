//! Whether a result file is of the schema: what the types of the pipeline read is, and nothing else.

use bench::{
    BurstResult, FunctionalResult, LatencyResult, RecoveryResult, SoakResult, StreamResult,
    ThroughputResult,
};
use serde::Deserialize as _;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer as _};

use crate::results::{LinesFile, Measurement, SizeFile, TrafficResult, TrialFile, WorkloadName};

/// What lies in the folder of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Sizes,
    Lines,
    Trials(WorkloadName),
}

impl FileKind {
    /// The kind of the file of this name; `None` for a name that no result has.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "size.json" => Some(Self::Sizes),
            "ncloc.json" => Some(Self::Lines),
            _ => {
                let stem = name.strip_suffix(".json")?;
                let stem: StrDeserializer<Error> = stem.into_deserializer();
                WorkloadName::deserialize(stem).ok().map(Self::Trials)
            }
        }
    }

    /// Reads a file of this kind through its type.
    ///
    /// # Errors
    /// What the type refuses, with line and column.
    pub fn read(self, bytes: &[u8]) -> Result<(), serde_json::Error> {
        match self {
            Self::Sizes => typed::<SizeFile>(bytes),
            Self::Lines => typed::<LinesFile>(bytes),
            Self::Trials(workload) => match workload {
                WorkloadName::Functional => trials::<FunctionalResult>(bytes),
                WorkloadName::Stream | WorkloadName::Sweep | WorkloadName::LargeSweep => {
                    trials::<StreamResult>(bytes)
                }
                WorkloadName::Burst => trials::<BurstResult>(bytes),
                WorkloadName::Latency => trials::<LatencyResult>(bytes),
                WorkloadName::Throughput => trials::<ThroughputResult>(bytes),
                WorkloadName::Soak => trials::<SoakResult>(bytes),
                WorkloadName::Recovery => trials::<RecoveryResult>(bytes),
                WorkloadName::Traffic => trials::<TrafficResult>(bytes),
            },
        }
    }
}

fn trials<M: Measurement>(bytes: &[u8]) -> Result<(), serde_json::Error> {
    typed::<TrialFile<M>>(bytes)
}

fn typed<T: DeserializeOwned>(bytes: &[u8]) -> Result<(), serde_json::Error> {
    serde_json::from_slice::<T>(bytes).map(drop)
}
