//! What there is of a workload, in the words of the documents.

use serde::Serialize;

use crate::results::{Measurement, TrialFile};

/// What there is of a workload on one build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Status {
    /// Every trial ran to its end.
    #[serde(rename = "measured")]
    Measured,
    /// A trial failed.
    #[serde(rename = "failed")]
    Failed,
    /// Some trials were not run yet.
    #[serde(rename = "not finished")]
    NotFinished,
    #[serde(rename = "not measured")]
    NotMeasured,
}

impl Status {
    /// What there is of the trials in `file`.
    pub fn of<M: Measurement>(file: Option<&TrialFile<M>>) -> Self {
        let Some(file) = file else {
            return Self::NotMeasured;
        };
        if file.trials.iter().any(|trial| trial.measured().is_none()) {
            Self::Failed
        } else if (file.trials.len() as u64) < file.planned_trials {
            Self::NotFinished
        } else {
            Self::Measured
        }
    }
}
