//! `--replay`: committed trials run once more, and compared byte for byte.

mod image;
mod trial;

use std::str::FromStr;
use std::sync::Mutex;

use anyhow::{Context, bail};
use bench::Nanos;
use serde_json::Value;

use super::random::Random;
use super::report::{Finding, Kind, Report};
use super::schema::FileKind;
use super::set::{Files, Places};
use crate::interrupt::Interrupt;
use crate::pool::run_jobs;
use crate::progress::Progress;
use crate::results::WorkloadName;

pub use image::{Boards, EmulatedBoards};

/// How many trials are run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    All,
    Some(usize),
}

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "all" => Ok(Self::All),
            Ok(0) | Err(_) => Err(String::from("it takes a number above 0, or all")),
            Ok(number) => Ok(Self::Some(number)),
        }
    }
}

/// A committed trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The file, by its path in the set.
    pub file: String,
    pub workload: WorkloadName,
    /// Its place in the file.
    pub index: usize,
}

impl Committed {
    /// The variant and the build that it is of, by its place.
    pub fn image(&self) -> (&str, &str) {
        let mut folders = self.file.split('/');
        (folders.next().unwrap_or(""), folders.next().unwrap_or(""))
    }
}

impl std::fmt::Display for Committed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}#/trials/{}", self.file, self.index)
    }
}

/// How trials are run again.
pub struct Replay<'a> {
    pub places: &'a Places,
    pub boards: &'a dyn Boards,
    pub progress: &'a Progress,
    pub interrupt: &'a Interrupt,
    pub workers: usize,
}

/// Every trial of the set, in the order of files.
pub fn trials(files: &Files) -> Vec<Committed> {
    let mut all = Vec::new();
    for (file, value) in &files.results {
        let name = file.rsplit('/').next().unwrap_or(file);
        let Some(FileKind::Trials(workload)) = FileKind::of(name) else {
            continue;
        };
        let trials = value.as_ref().and_then(|value| value.get("trials"));
        let number = trials.and_then(Value::as_array).map_or(0, Vec::len);
        all.extend((0..number).map(|index| Committed {
            file: file.clone(),
            workload,
            index,
        }));
    }
    all
}

/// Chooses among all trials, each as likely as any other.
pub fn choose(files: &Files, amount: Amount, seed: u64) -> Vec<Committed> {
    let all = trials(files);
    match amount {
        Amount::All => all,
        Amount::Some(number) => Random::new(seed).choose(all, number),
    }
}

impl Replay<'_> {
    /// Runs the chosen trials again.
    ///
    /// # Errors
    /// A trial that cannot be read, or the user asked to stop.
    pub fn run(&self, chosen: Vec<Committed>) -> anyhow::Result<Report> {
        let total = chosen.len();
        let mut length = Nanos::ZERO;
        for trial in &chosen {
            length += trial::nominal_span(self.places, trial)?;
        }
        self.progress.line(&format!(
            "replaying {total} trials, about {} s of virtual time",
            length.0 / Nanos::SECOND.0
        ));
        let (mut report, mut ended) = (Report::default(), 0);
        let error = Mutex::new(None);
        let job = |trial: Committed| {
            if self.interrupt.requested() {
                return None;
            }
            match self.run_one(&trial) {
                Ok(outcome) => Some((trial, outcome?)),
                Err(problem) => {
                    *error.lock().expect("no worker panicked") = Some(problem);
                    None
                }
            }
        };
        run_jobs(chosen, self.workers, job, |(trial, outcome)| {
            ended += 1;
            let verdict = if outcome.is_some() {
                "differs"
            } else {
                "the same bytes"
            };
            self.progress
                .line(&format!("{trial}: {verdict} ({ended} of {total})"));
            report.findings.extend(outcome);
        });
        if let Some(error) = error.into_inner().expect("no worker panicked") {
            return Err(error);
        }
        if ended < total {
            bail!("interrupted: {ended} of {total} trials were replayed");
        }
        report.checked.add("trials replayed", total as u64);
        Ok(report)
    }

    /// A finding when the trial does not come out as it is committed; no outcome when the user asked to
    /// stop.
    fn run_one(&self, trial: &Committed) -> anyhow::Result<Option<Option<Finding>>> {
        let mut board = match self.boards.boot(self.places, trial)? {
            Ok(board) => board,
            Err(reason) => return Ok(Some(Some(self.finding(trial, None, reason)))),
        };
        let again = trial::again(self, trial, &mut board);
        let again = again.with_context(|| format!("cannot replay {trial}"))?;
        let outcome = again.map(|difference| {
            difference.map(|trial::Difference { pointer, message }| {
                self.finding(trial, Some(pointer), message)
            })
        });
        Ok(outcome)
    }

    fn finding(&self, trial: &Committed, pointer: Option<String>, message: String) -> Finding {
        Finding {
            kind: Kind::Replay,
            file: self.places.result(&trial.file),
            place: pointer.or_else(|| Some(format!("/trials/{}", trial.index))),
            message,
            command: self.places.study_again(&trial.file),
        }
    }
}

#[cfg(test)]
mod tests;
