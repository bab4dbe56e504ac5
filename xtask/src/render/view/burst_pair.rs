//! Bursts that two builds were measured with, in a few counts.

use std::collections::BTreeSet;

use bench::BurstResult;
use bench::verdict::{STALL_SILENCE_MIN, STALL_UNANSWERED_MIN};
use serde::Serialize;

use super::burst::{bursts, each_is_whole, is_whole, size};
use crate::results::BuildResults;
use crate::trace::{Condition, Formula, Place, Relation, Traced};

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
        let pairs = [(baseline, build), (build, baseline)];
        let [of_baseline, of_build] = pairs.map(|(of, other)| measured_with(of, other));
        if of_baseline.is_empty() {
            return None;
        }
        let each = |holds: Condition| vec![holds];
        Some(Self {
            kinds: count(&of_baseline, |_| true, |place, _| each(was_sent(place))),
            baseline_whole: count(&of_baseline, is_whole, |place, _| {
                each(each_is_whole(place))
            }),
            build_whole: count(&of_build, is_whole, |place, _| each(each_is_whole(place))),
            build_stalled: count(
                &of_build,
                |result| result.verdict().stall().is_some(),
                stalled,
            ),
        })
    }
}

/// The results of `build`, each with its place, of bursts that `other` has results of, too.
fn measured_with<'a>(
    build: &'a BuildResults,
    other: &BuildResults,
) -> Vec<(Place, &'a BurstResult)> {
    let measured = |build: &'a BuildResults| {
        bursts(build).filter_map(|(place, trial)| {
            let result = &trial.measured()?.result;
            Some((size(trial), (place.at("measured/result"), result)))
        })
    };
    let others = bursts(other).filter(|(_, trial)| trial.measured().is_some());
    let others: BTreeSet<_> = others.map(|(_, trial)| size(trial)).collect();
    let both = measured(build).filter(|(size, _)| others.contains(size));
    both.map(|(_, result)| result).collect()
}

/// How many results have something, and the formula that says what.
fn count(
    results: &[(Place, &BurstResult)],
    holds: impl Fn(&BurstResult) -> bool,
    conditions: impl Fn(&Place, &BurstResult) -> Vec<Condition>,
) -> Traced {
    let number = results.iter().filter(|(_, result)| holds(result)).count();
    let cases = results
        .iter()
        .map(|(place, result)| conditions(place, result));
    Traced::whole(number as u64, Formula::Count(cases.collect()))
}

fn was_sent(place: &Place) -> Condition {
    let none = Formula::stated(0_u64, "nothing was sent");
    Condition::new(place.value("counts/sent"), Relation::Greater, none)
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
