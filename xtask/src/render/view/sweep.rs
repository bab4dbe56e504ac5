//! Sweeps as a template sees them: each alone in a few figures, and side by side at every rate.

use bench::{Nanos, Ratio, StreamOptions, StreamResult};
use serde::Serialize;

use super::group::{Group, GroupKind};
use super::option::{distinct, option};
use super::status::Status;
use super::stream;
use crate::results::{BuildResults, Trial, TrialFile};
use crate::trace::{self, Candidate, Condition, Formula, Place, Relation, Rule, Traced, compare};

/// The file of trials that a sweep is in.
pub type SweepFile = TrialFile<StreamResult>;

/// One sweep in a few figures.
#[derive(Serialize)]
pub struct SweepSummary {
    pub status: Status,
    /// How long each rate was held.
    pub duration_ns: Option<Traced>,
    /// Whether every rate was tried; a trial that failed has no figures, and is not clean.
    pub has_figures: bool,
    /// The highest rate up to which every rate is clean.
    pub clean_up_to_hz: Option<Traced>,
    /// The highest clean rate, whatever lies below it.
    pub highest_clean_hz: Option<Traced>,
    /// Whether every rate is clean, so that the limit lies above what was tried.
    pub is_clean_throughout: bool,
    /// The rate at which most datagrams a second came back right, late ones included.
    pub best: Option<BestRate>,
}

/// The rate of a sweep at which most datagrams a second came back right.
#[derive(Serialize)]
pub struct BestRate {
    pub rate_hz: Traced,
    /// Valid datagrams a second of the send window.
    pub valid_hz: Traced,
    pub goodput_bits_per_s: Option<Traced>,
}

/// The sweeps of all builds at every rate.
#[derive(Serialize)]
pub struct SweepTables {
    /// How long each rate was held for builds that take part in all of the study; absent when nothing
    /// was swept, or they differ.
    pub duration_ns: Option<Traced>,
    /// The payload of every datagram; absent when nothing was swept, or builds differ.
    pub payload_bytes: Option<Traced>,
    pub tables: Vec<SweepTable>,
}

/// Sweeps side by side.
#[derive(Serialize)]
pub struct SweepTable {
    pub group: Group,
    /// How long each rate was held, for each column; absent where nothing was swept.
    pub durations_ns: Vec<Option<Traced>>,
    /// Rising.
    pub rates: Vec<RateView>,
}

/// One rate.
#[derive(Serialize)]
pub struct RateView {
    pub rate_hz: Traced,
    /// A cell for each column; absent where nothing was measured.
    pub cells: Vec<Option<CellView>>,
}

/// One build at one rate.
#[derive(Serialize)]
pub struct CellView {
    pub failed: bool,
    /// The sender missed the rate, so the figure says nothing about the device.
    pub void: bool,
    pub error_events: Option<Traced>,
    /// The verdict in words.
    pub verdict: Option<String>,
}

impl SweepSummary {
    /// What the trials in `file` say.
    pub fn new(file: Option<&SweepFile>) -> Self {
        let whole = |file: &&SweepFile| file.trials.len() as u64 == file.planned_trials;
        let swept = file.filter(whole);
        let trials = swept.map_or(&[][..], |file| &file.trials);
        let clean_in_a_row = trials.iter().map_while(clean_rate_hz);
        let highest_clean = trials.iter().filter_map(clean_rate_hz).next_back();
        let rate =
            |rule, rate_hz: Option<u64>| Some(Traced::whole(rate_hz?, clean_rate(rule, swept?)));
        Self {
            status: Status::of(file),
            duration_ns: swept.and_then(duration),
            has_figures: !trials.is_empty(),
            clean_up_to_hz: rate(Rule::LastOfUnbroken, clean_in_a_row.last()),
            highest_clean_hz: rate(Rule::Last, highest_clean),
            is_clean_throughout: !trials.is_empty()
                && trials.iter().all(|trial| clean_rate_hz(trial).is_some()),
            best: swept.and_then(BestRate::of),
        }
    }
}

impl BestRate {
    /// The best rate; the lowest of equals. A void trial has none.
    fn of(file: &SweepFile) -> Option<Self> {
        let results = trace::measured(file).map(|(place, measured)| (place, &measured.result));
        let offered = results.filter(|(_, result)| !result.is_void());
        let rates = offered.filter_map(|(place, result)| Some((place, result, valid_hz(result)?)));
        let (place, result, valid_hz) = rates.reduce(|best, next| {
            if compare(best.2, next.2).is_lt() {
                next
            } else {
                best
            }
        })?;
        let goodput = stream::goodput(&place.at("result"), result);
        let at_best = |of: fn(&Place) -> Formula| at_best(file, of);
        Some(Self {
            rate_hz: Traced::whole(
                result.options.rate_hz,
                at_best(|place| place.value("options/rate_hz")),
            ),
            valid_hz: Traced {
                value: valid_hz,
                formula: at_best(valid_rate),
            },
            goodput_bits_per_s: goodput,
        })
    }
}

impl SweepTables {
    /// The sweeps that `file` finds in the builds of `groups`.
    pub fn new<'a>(
        groups: &[(Group, Vec<&'a BuildResults>)],
        file: impl Fn(&'a BuildResults) -> Option<&'a SweepFile>,
    ) -> Self {
        let full = groups
            .iter()
            .filter(|(group, _)| group.kind == GroupKind::Build);
        let full = full.flat_map(|(_, builds)| builds);
        let durations = full.filter_map(|build| duration(file(build)?));
        let options = |name: &str, of: fn(&StreamOptions) -> u64| {
            let files = groups.iter().flat_map(|(_, builds)| builds);
            let trials = files
                .filter_map(|build| file(build))
                .flat_map(trace::trials);
            let figures = trials.map(|(place, trial)| option(&place, trial, name, of));
            distinct(figures.collect())
        };
        let payloads = options("payload_bytes", |options| options.payload_bytes);
        let rates = options("rate_hz", |options| options.rate_hz);
        let is_swept =
            |build: &&'a BuildResults| file(build).is_some_and(|file| !file.trials.is_empty());
        let swept = groups
            .iter()
            .filter(|(_, builds)| builds.iter().any(is_swept));
        let table = |(group, builds): &(Group, Vec<&'a BuildResults>)| SweepTable {
            group: group.clone(),
            durations_ns: builds.iter().map(|build| duration(file(build)?)).collect(),
            rates: rates
                .iter()
                .map(|rate_hz| RateView::new(rate_hz, builds.iter().map(|build| file(build))))
                .collect(),
        };
        Self {
            duration_ns: super::only(distinct(durations.collect())),
            payload_bytes: super::only(payloads.clone()),
            tables: swept.map(table).collect(),
        }
    }
}

/// How long each rate of a sweep was held.
fn duration(file: &SweepFile) -> Option<Traced> {
    let (place, trial) = trace::trials(file).next()?;
    Some(option(&place, trial, "duration_ns", |options| {
        options.duration_ns.0
    }))
}

impl RateView {
    fn new<'a>(rate_hz: &Traced, sweeps: impl Iterator<Item = Option<&'a SweepFile>>) -> Self {
        let cell = |file: Option<&'a SweepFile>| {
            let mut trials = trace::trials(file?);
            let is_rate = |trial: &Trial<StreamResult>| {
                u128::from(trial.options().rate_hz) == rate_hz.value.numerator
            };
            let (place, trial) = trials.find(|(_, trial)| is_rate(trial))?;
            Some(CellView::new(&place, trial))
        };
        Self {
            rate_hz: rate_hz.clone(),
            cells: sweeps.map(cell).collect(),
        }
    }
}

impl CellView {
    fn new(place: &Place, trial: &Trial<StreamResult>) -> Self {
        let result = measured(trial);
        let place = place.at("measured/result");
        Self {
            failed: result.is_none(),
            void: result.is_some_and(StreamResult::is_void),
            error_events: result.map(|result| {
                Traced::whole(result.counts.error_events(), stream::error_events(&place))
            }),
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

/// The formula of the clean rate that `rule` selects.
fn clean_rate(rule: Rule, file: &SweepFile) -> Formula {
    let candidates = trace::trials(file).map(|(place, trial)| {
        let result = place.at("measured/result");
        let (rate, conditions) = match trial.measured() {
            Some(_) => (result.value("options/rate_hz"), stream::is_clean(&result)),
            None => (place.value("failed/options/rate_hz"), never()),
        };
        Candidate {
            value: rate.clone(),
            rank: rate,
            conditions,
        }
    });
    Formula::Selected {
        rule,
        candidates: candidates.collect(),
    }
}

/// What no trial has: a failed one is not clean.
pub fn never() -> Vec<Condition> {
    let [none, one] = [0_u64, 1].map(|value| Formula::stated(value, "the trial failed"));
    vec![Condition::new(none, Relation::Equal, one)]
}

/// The formula of a figure at the rate of most valid datagrams.
fn at_best(file: &SweepFile, of: fn(&Place) -> Formula) -> Formula {
    let candidates = trace::measured(file).map(|(place, _)| {
        let result = place.at("result");
        Candidate {
            value: of(&result),
            rank: valid_rate(&result),
            conditions: stream::is_offered(&result),
        }
    });
    Formula::Selected {
        rule: Rule::Largest,
        candidates: candidates.collect(),
    }
}

fn valid_rate(place: &Place) -> Formula {
    stream::per_second(place, place.value("counts/valid"))
}
