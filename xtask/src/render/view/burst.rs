//! Bursts as a template sees them: each build in a few figures, and every length side by side.

use std::collections::BTreeSet;

use bench::{BurstResult, Nanos};
use serde::Serialize;

use super::group::{Group, GroupedBuilds};
use super::status::Status;
use crate::results::{BuildResults, Trial, TrialFile};

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
    pub packets: Option<u64>,
    /// From the first send of such a burst to its last reply, the median.
    pub absorb_p50_ns: Option<Nanos>,
}

/// The bursts of all builds at every length.
#[derive(Serialize)]
pub struct BurstTables {
    /// Rising.
    pub payloads: BTreeSet<u64>,
    /// How often each burst was sent; absent when there is none, or builds differ.
    pub repeats: Option<u64>,
    /// How long it was quiet between two; absent alike.
    pub quiet_ns: Option<Nanos>,
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
    pub payload_bytes: u64,
    pub packets: u64,
    /// A cell for each column; absent where nothing was measured.
    pub cells: Vec<Option<BurstCell>>,
}

/// One build at one payload and length.
#[derive(Serialize)]
pub struct BurstCell {
    pub failed: bool,
    pub repeats: u64,
    /// Bursts of which every datagram came back right.
    pub whole_bursts: Option<u64>,
    pub is_whole: bool,
    /// The fewest and most valid datagrams of a burst.
    pub answered_min: Option<u64>,
    pub answered_max: Option<u64>,
    pub rtt_p99_ns: Option<Nanos>,
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
            builds.flat_map(|build| trials(build)).map(Trial::options)
        };
        let repeats: BTreeSet<u64> = all().map(|options| options.repeats).collect();
        let quiets: BTreeSet<Nanos> = all().map(|options| options.quiet_ns).collect();
        let table = |(group, builds): &GroupedBuilds| BurstTable {
            group: group.clone(),
            rows: rows(builds),
        };
        Self {
            payloads: all().map(|options| options.payload_bytes).collect(),
            repeats: super::only(repeats),
            quiet_ns: super::only(quiets),
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
    pub fn new(build: &BuildResults, payloads: &BTreeSet<u64>) -> Self {
        let whole = |file: &&BurstFile| file.trials.len() as u64 == file.planned_trials;
        let trials = build.burst.as_ref().filter(whole);
        let trials = trials.map_or(&[][..], |file| &file.trials);
        let of_payload = |&payload| AbsorbedView::new(trials, payload);
        Self {
            status: Status::of(build.burst.as_ref()),
            absorbed: payloads.iter().map(of_payload).collect(),
        }
    }
}

impl AbsorbedView {
    fn new(trials: &[Trial<BurstResult>], payload_bytes: u64) -> Self {
        let mut of_payload: Vec<_> = trials
            .iter()
            .filter(|trial| trial.options().payload_bytes == payload_bytes)
            .collect();
        of_payload.sort_by_key(|trial| trial.options().packets);
        let results = of_payload.iter().map(|trial| measured(trial));
        let whole = results.clone().map_while(|result| result.filter(is_whole));
        let longest = whole.last();
        Self {
            measured: results.flatten().next().is_some(),
            packets: longest.map(|result| result.options.packets),
            absorb_p50_ns: longest.and_then(|result| result.absorb_time.percentile(50, 100)),
        }
    }
}

/// Two builds at every payload and length that one of them was measured with.
pub fn pairs(baseline: &BuildResults, build: &BuildResults) -> Vec<BurstRow> {
    rows(&[baseline, build])
}

/// A row for each payload and length that any of the builds was measured with.
fn rows(builds: &[&BuildResults]) -> Vec<BurstRow> {
    let all = builds.iter().flat_map(|build| trials(build));
    let sizes: BTreeSet<(u64, u64)> = all.map(size).collect();
    let row = |(payload_bytes, packets)| BurstRow {
        payload_bytes,
        packets,
        cells: builds
            .iter()
            .map(|build| {
                let mut trials = trials(build).iter();
                let trial = trials.find(|trial| size(trial) == (payload_bytes, packets));
                trial.map(BurstCell::new)
            })
            .collect(),
    };
    sizes.into_iter().map(row).collect()
}

impl BurstCell {
    fn new(trial: &Trial<BurstResult>) -> Self {
        let result = measured(trial);
        Self {
            failed: result.is_none(),
            repeats: trial.options().repeats,
            whole_bursts: result.map(|result| result.whole_bursts),
            is_whole: result.is_some_and(|result| is_whole(&result)),
            answered_min: result.map(|result| result.answered_min),
            answered_max: result.map(|result| result.answered_max),
            rtt_p99_ns: result.and_then(|result| result.rtt.percentile(99, 100)),
            is_stalled: result.is_some_and(|result| result.verdict().stall().is_some()),
            verdict: result.map(|result| result.verdict().to_string()),
        }
    }
}

fn trials(build: &BuildResults) -> &[Trial<BurstResult>] {
    build.burst.as_ref().map_or(&[], |file| &file.trials)
}

/// Payload, then length.
fn size(trial: &Trial<BurstResult>) -> (u64, u64) {
    (trial.options().payload_bytes, trial.options().packets)
}

fn measured(trial: &Trial<BurstResult>) -> Option<&BurstResult> {
    trial.measured().map(|measured| &measured.result)
}

/// Whether every burst came back whole.
fn is_whole(result: &&BurstResult) -> bool {
    result.whole_bursts == result.options.repeats
}
