//! Sweeps as a template sees them: each alone in a few figures, and side by side at every rate.

use std::collections::BTreeSet;

use bench::{Nanos, Ratio, StreamResult};
use serde::Serialize;

use super::group::{Group, GroupKind};
use super::ratio::{RatioView, compare};
use super::status::Status;
use crate::results::{BuildResults, Trial, TrialFile};

/// The file of trials that a sweep is in.
pub type SweepFile = TrialFile<StreamResult>;

/// One sweep in a few figures.
#[derive(Serialize)]
pub struct SweepSummary {
    pub status: Status,
    /// How long each rate was held.
    pub duration_ns: Option<Nanos>,
    /// Whether every rate was tried; a trial that failed has no figures, and is not clean.
    pub has_figures: bool,
    /// The highest rate up to which every rate is clean.
    pub clean_up_to_hz: Option<u64>,
    /// The highest clean rate, whatever lies below it.
    pub highest_clean_hz: Option<u64>,
    /// Whether every rate is clean, so that the limit lies above what was tried.
    pub is_clean_throughout: bool,
    /// The rate at which most datagrams a second came back right, late ones included.
    pub best: Option<BestRate>,
}

/// The rate of a sweep at which most datagrams a second came back right.
#[derive(Serialize)]
pub struct BestRate {
    pub rate_hz: u64,
    /// Valid datagrams a second of the send window.
    pub valid_hz: RatioView,
    pub goodput_bits_per_s: Option<RatioView>,
}

/// The sweeps of all builds at every rate.
#[derive(Serialize)]
pub struct SweepTables {
    /// How long each rate was held for builds that take part in all of the study; absent when nothing
    /// was swept, or they differ.
    pub duration_ns: Option<Nanos>,
    /// The payload of every datagram; absent when nothing was swept, or builds differ.
    pub payload_bytes: Option<u64>,
    pub tables: Vec<SweepTable>,
}

/// Sweeps side by side.
#[derive(Serialize)]
pub struct SweepTable {
    pub group: Group,
    /// How long each rate was held, for each column; absent where nothing was swept.
    pub durations_ns: Vec<Option<Nanos>>,
    /// Rising.
    pub rates: Vec<RateView>,
}

/// One rate.
#[derive(Serialize)]
pub struct RateView {
    pub rate_hz: u64,
    /// A cell for each column; absent where nothing was measured.
    pub cells: Vec<Option<CellView>>,
}

/// One build at one rate.
#[derive(Serialize)]
pub struct CellView {
    pub failed: bool,
    /// The sender missed the rate, so the figure says nothing about the device.
    pub void: bool,
    pub error_events: Option<u64>,
    /// The verdict in words.
    pub verdict: Option<String>,
}

impl SweepSummary {
    /// What the trials in `file` say.
    pub fn new(file: Option<&SweepFile>) -> Self {
        let whole = |file: &&SweepFile| file.trials.len() as u64 == file.planned_trials;
        let trials = file.filter(whole).map_or(&[][..], |file| &file.trials);
        let clean_in_a_row = trials.iter().map_while(clean_rate_hz);
        Self {
            status: Status::of(file),
            duration_ns: duration(trials),
            has_figures: !trials.is_empty(),
            clean_up_to_hz: clean_in_a_row.last(),
            highest_clean_hz: trials.iter().filter_map(clean_rate_hz).next_back(),
            is_clean_throughout: !trials.is_empty()
                && trials.iter().all(|trial| clean_rate_hz(trial).is_some()),
            best: BestRate::of(trials),
        }
    }
}

impl BestRate {
    /// The best rate; the lowest of equals. A void trial has none.
    fn of(trials: &[Trial<StreamResult>]) -> Option<Self> {
        let results = trials.iter().filter_map(measured);
        let offered = results.filter(|result| !result.is_void());
        let rates = offered.filter_map(|result| Some((result, valid_hz(result)?)));
        let (result, valid_hz) = rates.reduce(|best, next| {
            if compare(best.1, next.1).is_lt() {
                next
            } else {
                best
            }
        })?;
        Some(Self {
            rate_hz: result.options.rate_hz,
            valid_hz: valid_hz.into(),
            goodput_bits_per_s: RatioView::new(result.goodput_bits_per_s()),
        })
    }
}

impl SweepTables {
    /// The sweeps that `file` finds in the builds of `groups`.
    pub fn new<'a>(
        groups: &[(Group, Vec<&'a BuildResults>)],
        file: impl Fn(&'a BuildResults) -> Option<&'a SweepFile>,
    ) -> Self {
        let trials = |build: &&'a BuildResults| file(build).map_or(&[][..], |file| &file.trials);
        let all = || {
            groups
                .iter()
                .flat_map(|(_, builds)| builds)
                .flat_map(trials)
        };
        let full = groups
            .iter()
            .filter(|(group, _)| group.kind == GroupKind::Build);
        let full = full.flat_map(|(_, builds)| builds);
        let durations: BTreeSet<Nanos> = full.filter_map(|build| duration(trials(build))).collect();
        let payloads: BTreeSet<u64> = all().map(|trial| trial.options().payload_bytes).collect();
        let rates: BTreeSet<u64> = all().map(|trial| trial.options().rate_hz).collect();
        let is_swept = |build: &&'a BuildResults| !trials(build).is_empty();
        let swept = groups
            .iter()
            .filter(|(_, builds)| builds.iter().any(is_swept));
        let table = |(group, builds): &(Group, Vec<&'a BuildResults>)| SweepTable {
            group: group.clone(),
            durations_ns: builds.iter().map(|build| duration(trials(build))).collect(),
            rates: rates
                .iter()
                .map(|&rate_hz| RateView::new(rate_hz, builds.iter().map(trials)))
                .collect(),
        };
        Self {
            duration_ns: super::only(durations),
            payload_bytes: super::only(payloads),
            tables: swept.map(table).collect(),
        }
    }
}

/// How long each rate of a sweep was held.
fn duration(trials: &[Trial<StreamResult>]) -> Option<Nanos> {
    trials.first().map(|trial| trial.options().duration_ns)
}

impl RateView {
    fn new<'a>(rate_hz: u64, sweeps: impl Iterator<Item = &'a [Trial<StreamResult>]>) -> Self {
        let cell = |trials: &'a [Trial<StreamResult>]| {
            let mut trials = trials.iter();
            let trial = trials.find(|trial| trial.options().rate_hz == rate_hz);
            trial.map(CellView::new)
        };
        Self {
            rate_hz,
            cells: sweeps.map(cell).collect(),
        }
    }
}

impl CellView {
    fn new(trial: &Trial<StreamResult>) -> Self {
        let result = measured(trial);
        Self {
            failed: result.is_none(),
            void: result.is_some_and(StreamResult::is_void),
            error_events: result.map(|result| result.counts.error_events()),
            verdict: result.map(|result| result.verdict().to_string()),
        }
    }
}

/// Valid datagrams a second of the send window.
fn valid_hz(result: &StreamResult) -> Option<Ratio> {
    let valid = u128::from(result.counts.valid) * u128::from(Nanos::SECOND.0);
    Ratio::new(valid, result.send_window()?.0, "no datagram was sent").ok()
}

fn measured(trial: &Trial<StreamResult>) -> Option<&StreamResult> {
    trial.measured().map(|measured| &measured.result)
}

fn clean_rate_hz(trial: &Trial<StreamResult>) -> Option<u64> {
    let result = measured(trial)?;
    result.is_clean().then_some(result.options.rate_hz)
}
