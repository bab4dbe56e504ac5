//! Bursts as a template sees them: each build in a few figures, and every length side by side.

use std::collections::BTreeSet;

use bench::verdict::{STALL_SILENCE_MIN, STALL_UNANSWERED_MIN};
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
    pub rtt_p99_ns: Option<Traced>,
    /// The verdict in words.
    pub verdict: Option<String>,
    /// Whether nothing was answered any more from some instant on.
    pub is_stalled: bool,
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
    whole(&place.at("measured/result"))
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

/// What became of the bursts that two builds were measured with.
#[derive(Serialize)]
pub struct BurstPairCounts {
    /// Kinds of bursts, by payload and length.
    pub kinds: Traced,
    /// Of the one that the other is compared with: kinds of which each burst came back whole.
    pub baseline_whole: Traced,
    /// The same of the other.
    pub build_whole: Traced,
    /// Kinds after which the other answered nothing any more.
    pub build_stalled: Traced,
}

impl BurstPairCounts {
    /// Absent when there is no burst that both were measured with.
    pub fn new(baseline: &BuildResults, build: &BuildResults) -> Option<Self> {
        let measured_of = |build: &'_ BuildResults| {
            let file = build.burst.clone();
            file.map_or_else(Vec::new, |file| {
                let measured = trials(&file).filter(|(_, trial)| trial.measured().is_some());
                measured
                    .map(|(place, trial)| (place, trial.clone()))
                    .collect()
            })
        };
        let both = |of: Vec<(Place, Trial<BurstResult>)>, other: &BuildResults| {
            let in_other = |trial: &Trial<BurstResult>| {
                let mut others = bursts(other);
                others.any(|(_, one)| one.measured().is_some() && size(one) == size(trial))
            };
            let both = of.into_iter().filter(|(_, trial)| in_other(trial));
            both.collect::<Vec<_>>()
        };
        let of_baseline = both(measured_of(baseline), build);
        let of_build = both(measured_of(build), baseline);
        if of_baseline.is_empty() {
            return None;
        }
        let count = |trials: &[(Place, Trial<BurstResult>)],
                     holds: fn(&BurstResult) -> bool,
                     conditions: fn(&Place, &BurstResult) -> Vec<Condition>| {
            let results = trials
                .iter()
                .filter_map(|(place, trial)| Some((place.at("measured/result"), measured(trial)?)));
            let number = results.clone().filter(|(_, result)| holds(result)).count();
            let cases = results.map(|(place, result)| conditions(&place, result));
            Traced::whole(number as u64, Formula::Count(cases.collect()))
        };
        Some(Self {
            kinds: count(&of_baseline, |_| true, |place, _| was_sent(place)),
            baseline_whole: count(&of_baseline, is_whole, |place, _| whole(place)),
            build_whole: count(&of_build, is_whole, |place, _| whole(place)),
            build_stalled: count(&of_build, is_stalled, stalled),
        })
    }
}

fn was_sent(place: &Place) -> Vec<Condition> {
    let none = Formula::stated(0_u64, "nothing was sent");
    vec![Condition::new(
        place.value("counts/sent"),
        Relation::Greater,
        none,
    )]
}

fn whole(place: &Place) -> Vec<Condition> {
    vec![Condition::new(
        place.value("whole_bursts"),
        Relation::Equal,
        place.value("options/repeats"),
    )]
}

/// What a result has whose device answered nothing any more from some instant on.
fn stalled(place: &Place, result: &BurstResult) -> Vec<Condition> {
    let unanswered = Formula::stated(STALL_UNANSWERED_MIN, "bench/src/verdict.rs");
    let silence = Formula::stated(STALL_SILENCE_MIN.0, "bench/src/verdict.rs");
    let mut heard = vec![silence];
    if result.tail.last_reply_ns.is_some() {
        heard.push(place.value("tail/last_reply_ns"));
    }
    vec![
        Condition::new(
            place.value("tail/unanswered"),
            Relation::AtLeast,
            unanswered,
        ),
        Condition::new(
            place.value("last_send_ns"),
            Relation::AtLeast,
            Formula::Sum(heard),
        ),
    ]
}

fn is_stalled(result: &BurstResult) -> bool {
    result.verdict().stall().is_some()
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
            rtt_p99_ns: result.and_then(|result| at.percentile("rtt", &result.rtt, 99, 100)),
            is_stalled: result.is_some_and(is_stalled),
            verdict: result.map(|result| result.verdict().to_string()),
        }
    }
}

/// The trials of `build`, each with its place.
fn bursts(build: &BuildResults) -> impl Iterator<Item = (Place, &Trial<BurstResult>)> {
    build.burst.iter().flat_map(trials)
}

/// Payload, then length.
fn size(trial: &Trial<BurstResult>) -> (u64, u64) {
    (trial.options().payload_bytes, trial.options().packets)
}

fn measured(trial: &Trial<BurstResult>) -> Option<&BurstResult> {
    trial.measured().map(|measured| &measured.result)
}

/// Whether every burst came back whole.
fn is_whole(result: &BurstResult) -> bool {
    result.whole_bursts == result.options.repeats
}
