//! Bursts as a template sees them: each build in a few figures, and every length side by side.

use std::collections::BTreeSet;

use bench::{BurstOptions, BurstResult};
use serde::Serialize;

use super::group::{Group, GroupedBuilds};
use super::option::{distinct, option};
use super::status::Status;
use crate::results::{BuildResults, Trial, TrialFile};
use crate::trace::{Candidate, Condition, Formula, Place, Relation, Rule, Traced, trials};

type BurstFile = TrialFile<BurstResult>;

/// The bursts of one build in a few figures.
#[derive(Serialize)]
pub struct BurstSummary {
    pub status: Status,
    /// For each payload of `study.bursts.payloads`.
    pub absorbed: Vec<AbsorbedView>,
}

/// What a build absorbs of bursts of one payload.
#[derive(Serialize)]
pub struct AbsorbedView {
    /// Whether every length was tried, and there are figures of at least one.
    pub measured: bool,
    /// The longest burst that came back whole each time, and so did all shorter ones; absent when
    /// not even the shortest did.
    pub packets: Option<Traced>,
    /// From the first send of such a burst to its last reply, the median.
    pub absorb_p50_ns: Option<Traced>,
}

/// The bursts of all builds at every length.
#[derive(Serialize)]
pub struct BurstTables {
    /// Rising.
    pub payloads: Vec<Traced>,
    /// How often each burst was sent; absent when there is none, or builds differ.
    pub repeats: Option<Traced>,
    /// How long it was quiet between two; absent alike.
    pub quiet_ns: Option<Traced>,
    /// One for each variant.
    pub tables: Vec<BurstTable>,
}

/// The builds of one variant side by side.
#[derive(Serialize)]
pub struct BurstTable {
    pub group: Group,
    /// By payload, then by length.
    pub rows: Vec<BurstRow>,
}

/// Bursts of one payload and length.
#[derive(Serialize)]
pub struct BurstRow {
    pub payload_bytes: Traced,
    pub packets: Traced,
    /// A cell for each column; absent where nothing was measured.
    pub cells: Vec<Option<BurstCell>>,
}

/// One build at one payload and length.
#[derive(Serialize)]
pub struct BurstCell {
    pub failed: bool,
    pub repeats: Traced,
    /// Bursts of which every datagram came back right.
    pub whole_bursts: Option<Traced>,
    pub is_whole: bool,
    /// The fewest and most valid datagrams of a burst.
    pub answered_min: Option<Traced>,
    pub answered_max: Option<Traced>,
    /// The verdict in words.
    pub verdict: Option<String>,
}

impl BurstTables {
    /// The bursts of the builds of each variant.
    pub fn new(variants: &[GroupedBuilds]) -> Self {
        let all = || {
            let builds = variants.iter().flat_map(|(_, builds)| builds);
            builds.flat_map(|build| bursts(build))
        };
        let figures = |name: &str, of: fn(&BurstOptions) -> u64| {
            distinct(
                all()
                    .map(|(place, trial)| option(&place, trial, name, of))
                    .collect(),
            )
        };
        let table = |(group, builds): &GroupedBuilds| BurstTable {
            group: group.clone(),
            rows: rows(builds),
        };
        Self {
            payloads: figures("payload_bytes", |options| options.payload_bytes),
            repeats: super::only(figures("repeats", |options| options.repeats)),
            quiet_ns: super::only(figures("quiet_ns", |options| options.quiet_ns.0)),
            tables: variants
                .iter()
                .map(table)
                .filter(|table| !table.rows.is_empty())
                .collect(),
        }
    }
}

impl BurstSummary {
    /// What `build` absorbs of bursts of each of the `payloads`.
    pub fn new(build: &BuildResults, payloads: &[Traced]) -> Self {
        let whole = |file: &&BurstFile| file.trials.len() as u64 == file.planned_trials;
        let file = build.burst.as_ref().filter(whole);
        let of_payload = |payload: &Traced| AbsorbedView::new(file, payload.value.numerator);
        Self {
            status: Status::of(build.burst.as_ref()),
            absorbed: payloads.iter().map(of_payload).collect(),
        }
    }
}

impl AbsorbedView {
    fn new(file: Option<&BurstFile>, payload_bytes: u128) -> Self {
        let trials = file.into_iter().flat_map(trials);
        let of_payload =
            |trial: &Trial<BurstResult>| u128::from(trial.options().payload_bytes) == payload_bytes;
        let mut of_payload: Vec<_> = trials.filter(|(_, trial)| of_payload(trial)).collect();
        of_payload.sort_by_key(|(_, trial)| trial.options().packets);
        let results = of_payload
            .iter()
            .map(|(place, trial)| measured(trial).map(|result| (place, result)));
        let whole = results
            .clone()
            .map_while(|result| result.filter(|(_, result)| is_whole(result)));
        let longest = whole.last();
        let packets = |(_, result): (&Place, &BurstResult)| {
            Traced::whole(result.options.packets, absorbed(&of_payload))
        };
        Self {
            measured: results.flatten().next().is_some(),
            packets: longest.map(packets),
            absorb_p50_ns: longest.and_then(|(place, result)| {
                let place = place.at("measured/result");
                place.percentile("absorb_time", &result.absorb_time, 50, 100)
            }),
        }
    }
}

/// The formula of the longest burst of the trials that, like all shorter ones, came back whole.
fn absorbed(trials: &[(Place, &Trial<BurstResult>)]) -> Formula {
    let candidates = trials.iter().map(|(place, trial)| {
        let packets = option(place, trial, "packets", |options| options.packets).formula;
        Candidate {
            value: packets.clone(),
            rank: packets,
            conditions: came_back_whole(place, trial),
        }
    });
    Formula::Selected {
        rule: Rule::LastOfUnbroken,
        candidates: candidates.collect(),
    }
}

/// What a trial has of which every burst came back whole.
fn came_back_whole(place: &Place, trial: &Trial<BurstResult>) -> Vec<Condition> {
    if trial.measured().is_none() {
        return super::sweep::never();
    }
    vec![each_is_whole(&place.at("measured/result"))]
}

/// That every burst of the result at `place` came back whole.
pub fn each_is_whole(place: &Place) -> Condition {
    Condition::new(
        place.value("whole_bursts"),
        Relation::Equal,
        place.value("options/repeats"),
    )
}

/// Two builds at every payload and length that one of them was measured with.
pub fn pairs(baseline: &BuildResults, build: &BuildResults) -> Vec<BurstRow> {
    rows(&[baseline, build])
}

/// A row for each payload and length that any of the builds was measured with.
fn rows(builds: &[&BuildResults]) -> Vec<BurstRow> {
    let all = || builds.iter().flat_map(|build| bursts(build));
    let sizes: BTreeSet<(u64, u64)> = all().map(|(_, trial)| size(trial)).collect();
    let row = |wanted| {
        let (place, trial) = all().find(|(_, trial)| size(trial) == wanted)?;
        Some(BurstRow {
            payload_bytes: option(&place, trial, "payload_bytes", |options| {
                options.payload_bytes
            }),
            packets: option(&place, trial, "packets", |options| options.packets),
            cells: builds
                .iter()
                .map(|build| {
                    let (place, trial) = bursts(build).find(|(_, trial)| size(trial) == wanted)?;
                    Some(BurstCell::new(&place, trial))
                })
                .collect(),
        })
    };
    sizes.into_iter().filter_map(row).collect()
}

impl BurstCell {
    fn new(place: &Place, trial: &Trial<BurstResult>) -> Self {
        let result = measured(trial);
        let at = place.at("measured/result");
        let figure = |name: &str, of: fn(&BurstResult) -> u64| Some(at.figure(name, of(result?)));
        Self {
            failed: result.is_none(),
            repeats: option(place, trial, "repeats", |options| options.repeats),
            whole_bursts: figure("whole_bursts", |result| result.whole_bursts),
            is_whole: result.is_some_and(is_whole),
            answered_min: figure("answered_min", |result| result.answered_min),
            answered_max: figure("answered_max", |result| result.answered_max),
            verdict: result.map(|result| result.verdict().to_string()),
        }
    }
}

/// The trials of `build`, each with its place.
pub fn bursts(build: &BuildResults) -> impl Iterator<Item = (Place, &Trial<BurstResult>)> {
    build.burst.iter().flat_map(trials)
}

/// Payload, then length.
pub fn size(trial: &Trial<BurstResult>) -> (u64, u64) {
    (trial.options().payload_bytes, trial.options().packets)
}

fn measured(trial: &Trial<BurstResult>) -> Option<&BurstResult> {
    trial.measured().map(|measured| &measured.result)
}

/// Whether every burst came back whole.
pub fn is_whole(result: &BurstResult) -> bool {
    result.whole_bursts == result.options.repeats
}
