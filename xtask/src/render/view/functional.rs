//! The functional gate as a template sees it.

use bench::FunctionalResult;
use serde::Serialize;

use crate::results::{BuildResults, Measured, Trial};
use crate::trace::{self, Place, Traced, Tree};

/// The functional gate of one build.
#[derive(Serialize)]
pub struct FunctionalView {
    pub passed: bool,
    pub sizes: Vec<Tree>,
}

/// The gate of `build`, if it ran to its end.
pub fn of_build(build: &BuildResults) -> Option<FunctionalView> {
    let (place, measured) = trace::measured(build.functional.as_ref()?).next()?;
    Some(FunctionalView::new(&place, measured))
}

/// The payloads of the gate of `build`.
pub fn payloads(build: &BuildResults) -> Vec<Traced> {
    let trials = build.functional.iter().flat_map(trace::trials);
    let of_trial = |(place, trial): (Place, &Trial<FunctionalResult>)| {
        let at = match trial {
            Trial::Measured(_) => place.at("measured/result/options/payload_bytes"),
            Trial::Failed(_) => place.at("failed/options/payload_bytes"),
        };
        let payloads = trial
            .options()
            .payload_bytes
            .clone()
            .into_iter()
            .enumerate();
        payloads.map(move |(index, bytes)| at.figure(&index.to_string(), bytes))
    };
    trials.flat_map(of_trial).collect()
}

impl FunctionalView {
    /// What `measured`, which is at `place`, says.
    pub fn new(place: &Place, measured: &Measured<FunctionalResult>) -> Self {
        let sizes = measured.result.sizes.iter().enumerate();
        let tree = |(index, size)| place.tree(&format!("result/sizes/{index}"), size);
        Self {
            passed: measured.result.passed(),
            sizes: sizes.map(tree).collect(),
        }
    }
}
