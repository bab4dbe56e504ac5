//! Trials without figures as a template sees them.

use serde::Serialize;

use crate::results::{BuildResults, Measurement, Trial, TrialFile, VariantResults, WorkloadName};
use crate::trace::{Traced, Tree, trials};

/// A trial without figures.
#[derive(Serialize)]
pub struct FailureView {
    pub variant: String,
    pub build: String,
    pub workload: WorkloadName,
    /// The parameters of the workload.
    pub options: Tree,
    /// In virtual time.
    pub at_ns: Traced,
    pub message: String,
}

/// The trials of `build` that have no figures.
pub fn of_build(variant: &VariantResults, build: &BuildResults) -> Vec<FailureView> {
    let mut failures = Failures {
        variant: &variant.subject.id,
        build: &build.subject.name,
        found: Vec::new(),
    };
    failures.add(build.functional.as_ref());
    for streams in [&build.stream, &build.sweep, &build.large_sweep] {
        failures.add(streams.as_ref());
    }
    failures.add(build.burst.as_ref());
    failures.add(build.latency.as_ref());
    failures.add(build.throughput.as_ref());
    failures.add(build.soak.as_ref());
    failures.add(build.recovery.as_ref());
    failures.add(build.traffic.as_ref());
    failures.found
}

struct Failures<'a> {
    variant: &'a str,
    build: &'a str,
    found: Vec<FailureView>,
}

impl Failures<'_> {
    /// Adds the failed trials of `file`: which, when and why.
    fn add<M: Measurement>(&mut self, file: Option<&TrialFile<M>>) {
        let Some(file) = file else {
            return;
        };
        for (place, trial) in trials(file) {
            let Trial::Failed(failed) = trial else {
                continue;
            };
            let place = place.at("failed");
            self.found.push(FailureView {
                variant: self.variant.to_owned(),
                build: self.build.to_owned(),
                workload: file.workload,
                options: place.tree("options", &failed.options),
                at_ns: place.figure("at_ns", failed.at_ns.0),
                message: failed.message.clone(),
            });
        }
    }
}
