//! The sweeps of all builds side by side.

use std::collections::BTreeSet;

use bench::{Nanos, StreamResult};
use serde::Serialize;

use crate::results::{BuildResults, Trial};

/// Error events by rate and build.
#[derive(Serialize)]
pub struct SweepView {
    /// How long each rate was held; absent when nothing was swept, or builds differ.
    pub duration_ns: Option<Nanos>,
    /// Rising.
    pub rates: Vec<RateView>,
}

/// One rate.
#[derive(Serialize)]
pub struct RateView {
    pub rate_hz: u64,
    /// A cell for each build, in the order of `study.builds`.
    pub cells: Vec<CellView>,
}

/// One build at one rate.
#[derive(Serialize)]
pub struct CellView {
    pub failed: bool,
    /// The sender missed the rate, so the figure says nothing about the device.
    pub void: bool,
    pub error_events: Option<u64>,
}

impl SweepView {
    /// The sweeps of `builds`, in their order.
    pub fn new<'a>(builds: impl Iterator<Item = &'a BuildResults>) -> Self {
        let builds: Vec<_> = builds.collect();
        let all = || builds.iter().flat_map(|build| trials(build));
        let rates: BTreeSet<u64> = all().map(|trial| trial.options().rate_hz).collect();
        let durations: BTreeSet<Nanos> = all().map(|trial| trial.options().duration_ns).collect();
        let row = |rate_hz| RateView {
            rate_hz,
            cells: builds
                .iter()
                .map(|build| CellView::new(build, rate_hz))
                .collect(),
        };
        Self {
            duration_ns: durations.first().copied().filter(|_| durations.len() == 1),
            rates: rates.into_iter().map(row).collect(),
        }
    }
}

impl CellView {
    fn new(build: &BuildResults, rate_hz: u64) -> Self {
        let trial = trials(build)
            .iter()
            .find(|trial| trial.options().rate_hz == rate_hz);
        let result = trial.and_then(measured);
        Self {
            failed: matches!(trial, Some(Trial::Failed(_))),
            void: result.is_some_and(StreamResult::is_void),
            error_events: result.map(|result| result.counts.error_events()),
        }
    }
}

/// The highest rate of the sweep up to which every rate ran and is clean.
pub fn clean_up_to_hz(build: &BuildResults) -> Option<u64> {
    let clean = trials(build).iter().map_while(clean_rate_hz);
    clean.last()
}

/// The highest clean rate of the sweep.
pub fn highest_clean_hz(build: &BuildResults) -> Option<u64> {
    trials(build).iter().filter_map(clean_rate_hz).next_back()
}

fn trials(build: &BuildResults) -> &[Trial<StreamResult>] {
    build.sweep.as_ref().map_or(&[], |file| &file.trials)
}

fn measured(trial: &Trial<StreamResult>) -> Option<&StreamResult> {
    trial.measured().map(|measured| &measured.result)
}

fn clean_rate_hz(trial: &Trial<StreamResult>) -> Option<u64> {
    let result = measured(trial)?;
    result.is_clean().then_some(result.options.rate_hz)
}
