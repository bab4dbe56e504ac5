//! Trials without figures as a template sees them.

use bench::{BurstOptions, Nanos, StreamOptions};
use serde::Serialize;

use crate::results::{
    BuildResults, Measurement, TrafficOptions, Trial, TrialFile, VariantResults, WorkloadName,
};

/// A trial without figures.
#[derive(Serialize)]
pub struct FailureView {
    pub variant: String,
    pub build: String,
    pub workload: WorkloadName,
    pub load: Load,
    /// In virtual time.
    pub at_ns: Nanos,
    pub message: String,
}

/// What tells a trial from the others of its workload; absent where nothing does.
#[derive(Default, Serialize)]
pub struct Load {
    pub rate_hz: Option<u64>,
    pub payload_bytes: Option<u64>,
    /// The length of a burst.
    pub packets: Option<u64>,
}

/// The trials of `build` that have no figures.
pub fn of_build(variant: &VariantResults, build: &BuildResults) -> Vec<FailureView> {
    let mut failures = failed(build.functional.as_ref(), |_| Load::default());
    for streams in [&build.stream, &build.sweep, &build.large_sweep] {
        failures.extend(failed(streams.as_ref(), of_stream));
    }
    failures.extend(failed(build.burst.as_ref(), of_burst));
    failures.extend(failed(build.traffic.as_ref(), of_traffic));
    let of_build = failures
        .into_iter()
        .map(|(workload, load, at_ns, message)| FailureView {
            variant: variant.subject.id.clone(),
            build: build.subject.name.clone(),
            workload,
            load,
            at_ns,
            message,
        });
    of_build.collect()
}

/// The failed trials of a file: which, when and why.
fn failed<M: Measurement>(
    file: Option<&TrialFile<M>>,
    load: fn(&M::Options) -> Load,
) -> Vec<(WorkloadName, Load, Nanos, String)> {
    let trials = file.into_iter().flat_map(|file| {
        let trials = file.trials.iter();
        trials.map(|trial| (file.workload, trial))
    });
    let failed = trials.filter_map(|(workload, trial)| match trial {
        Trial::Measured(_) => None,
        Trial::Failed(failed) => Some((
            workload,
            load(&failed.options),
            failed.at_ns,
            failed.message.clone(),
        )),
    });
    failed.collect()
}

fn of_stream(options: &StreamOptions) -> Load {
    Load {
        rate_hz: Some(options.rate_hz),
        payload_bytes: Some(options.payload_bytes),
        packets: None,
    }
}

fn of_burst(options: &BurstOptions) -> Load {
    Load {
        rate_hz: None,
        payload_bytes: Some(options.payload_bytes),
        packets: Some(options.packets),
    }
}

fn of_traffic(options: &TrafficOptions) -> Load {
    Load {
        rate_hz: Some(options.rate_hz),
        payload_bytes: Some(options.payload_bytes),
        packets: None,
    }
}
