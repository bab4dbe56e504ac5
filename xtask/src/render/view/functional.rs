//! The functional gate as a template sees it.

use bench::FunctionalResult;
use bench::functional::SizeCounts;
use serde::Serialize;

use crate::results::{BuildResults, Measured};

/// The functional gate of one build.
#[derive(Serialize)]
pub struct FunctionalView {
    pub passed: bool,
    pub sizes: Vec<SizeCounts>,
}

/// The gate of `build`, if it ran to its end.
pub fn of_build(build: &BuildResults) -> Option<FunctionalView> {
    let trial = build.functional.as_ref()?.trials.first()?;
    trial.measured().map(FunctionalView::new)
}

/// The payloads of the gate of `build`.
pub fn payloads(build: &BuildResults) -> Vec<u64> {
    let trials = build.functional.iter().flat_map(|file| &file.trials);
    trials
        .flat_map(|trial| trial.options().payload_bytes.clone())
        .collect()
}

impl FunctionalView {
    /// What `measured` says.
    pub fn new(measured: &Measured<FunctionalResult>) -> Self {
        Self {
            passed: measured.result.passed(),
            sizes: measured.result.sizes.clone(),
        }
    }
}
