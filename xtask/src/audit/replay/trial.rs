//! One trial once more, whatever it measures.

use anyhow::Context;
use bench::{
    BurstResult, FunctionalResult, LatencyResult, Nanos, RecoveryResult, SoakResult, StreamResult,
    ThroughputResult,
};
use serde_json::Value;

use super::super::set::Places;
use super::image::Board;
use super::{Committed, Replay};
use crate::files;
use crate::results::{TrafficResult, Trial, TrialFile, WorkloadName, read_json, write_json};
use crate::trial::{self, Runnable};

/// The first place in which a trial comes out otherwise.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    pub pointer: String,
    pub message: String,
}

/// Calls a function that is generic over what a workload measures.
macro_rules! for_workload {
    ($workload:expr, $function:ident($($argument:expr),*)) => {
        match $workload {
            WorkloadName::Functional => $function::<FunctionalResult>($($argument),*),
            WorkloadName::Stream | WorkloadName::Sweep | WorkloadName::LargeSweep => {
                $function::<StreamResult>($($argument),*)
            }
            WorkloadName::Burst => $function::<BurstResult>($($argument),*),
            WorkloadName::Latency => $function::<LatencyResult>($($argument),*),
            WorkloadName::Throughput => $function::<ThroughputResult>($($argument),*),
            WorkloadName::Soak => $function::<SoakResult>($($argument),*),
            WorkloadName::Recovery => $function::<RecoveryResult>($($argument),*),
            WorkloadName::Traffic => $function::<TrafficResult>($($argument),*),
        }
    };
}

/// About how long a trial takes, in virtual time.
pub fn nominal_span(places: &Places, trial: &Committed) -> anyhow::Result<Nanos> {
    for_workload!(trial.workload, span_of(places, trial))
}

/// Runs a trial again; the inner value is where it comes out otherwise. No outcome when the user asked
/// to stop.
pub fn again(
    replay: &Replay,
    trial: &Committed,
    board: &mut Board,
) -> anyhow::Result<Option<Option<Difference>>> {
    for_workload!(trial.workload, again_of(replay, trial, board))
}

fn span_of<M: Runnable>(places: &Places, trial: &Committed) -> anyhow::Result<Nanos> {
    let file = read::<M>(places, trial)?;
    Ok(M::nominal_span(committed(&file, trial)?.options()))
}

fn again_of<M: Runnable>(
    replay: &Replay,
    trial: &Committed,
    board: &mut Board,
) -> anyhow::Result<Option<Option<Difference>>> {
    let mut file = read::<M>(replay.places, trial)?;
    let options = committed(&file, trial)?.options().clone();
    let display = replay
        .progress
        .trial(&trial.to_string(), M::nominal_span(&options));
    let go_on = |now: Nanos| {
        display.advance(now);
        !replay.interrupt.requested()
    };
    let Some(again) = trial::run::<M>(board.target.as_mut(), board.ports, &options, go_on) else {
        return Ok(None);
    };
    file.trials[trial.index] = again;
    let bytes = files::read(&path(replay.places, trial))?;
    difference(&bytes, &file).map(Some)
}

fn path(places: &Places, trial: &Committed) -> std::path::PathBuf {
    places.set.folder().join(&trial.file)
}

fn read<M: Runnable>(places: &Places, trial: &Committed) -> anyhow::Result<TrialFile<M>> {
    read_json(&path(places, trial))?.context("it is not there any more")
}

fn committed<'a, M: Runnable>(
    file: &'a TrialFile<M>,
    trial: &Committed,
) -> anyhow::Result<&'a Trial<M>> {
    file.trials
        .get(trial.index)
        .context("the file has fewer trials")
}

/// Where the bytes of a file are not those that `file`, in which one trial was run again, is written as.
fn difference<M: Runnable>(
    bytes: &[u8],
    file: &TrialFile<M>,
) -> anyhow::Result<Option<Difference>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("again.json");
    write_json(&path, file)?;
    let again = files::read(&path)?;
    if again == bytes {
        return Ok(None);
    }
    let [committed, again]: [Value; 2] = [
        serde_json::from_slice(bytes)?,
        serde_json::from_slice(&again)?,
    ];
    let first = first_difference("", &committed, &again);
    Ok(Some(first.unwrap_or_else(|| Difference {
        pointer: String::new(),
        message: "the same values are written in other bytes".to_owned(),
    })))
}

/// The first place in which two values differ.
fn first_difference(pointer: &str, committed: &Value, again: &Value) -> Option<Difference> {
    match (committed, again) {
        (Value::Object(left), Value::Object(right)) if left.keys().eq(right.keys()) => {
            let mut keys = left.keys();
            keys.find_map(|key| {
                first_difference(&format!("{pointer}/{key}"), &left[key], &right[key])
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let mut pairs = left.iter().zip(right).enumerate();
            pairs.find_map(|(index, (left, right))| {
                first_difference(&format!("{pointer}/{index}"), left, right)
            })
        }
        _ if committed == again => None,
        _ => Some(Difference {
            pointer: pointer.to_owned(),
            message: format!(
                "{} is committed, run again it is {}",
                { short(committed) },
                short(again)
            ),
        }),
    }
}

/// A value in a few characters.
fn short(value: &Value) -> String {
    const CHARS: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}
