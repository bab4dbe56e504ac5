//! A place in a result file, from which others are reached.

use bench::{LatencyHistogram, Nanos, Ratio};

use super::formula::{Formula, Input};
use super::traced::Traced;
use super::tree::Tree;
use crate::results::{Measured, Measurement, Trial, TrialFile};

/// A value in a result file.
#[derive(Clone, Debug)]
pub struct Place {
    file: String,
    pointer: String,
}

impl Place {
    /// The whole of the result file `name` of a build.
    pub fn of_file(variant: &str, build: &str, name: &str) -> Self {
        Self {
            file: format!("{variant}/{build}/{name}.json"),
            pointer: String::new(),
        }
    }

    /// A trial that is in no file: one that was just run by itself.
    pub fn unsaved() -> Self {
        Self {
            file: String::new(),
            pointer: String::new(),
        }
    }

    /// The whole of a file of trials.
    pub fn of_trials<M: Measurement>(file: &TrialFile<M>) -> Self {
        Self::of_file(&file.variant.id, &file.build.name, file.workload.as_str())
    }

    /// The value along `path`, names and indices with slashes between them.
    pub fn at(&self, path: &str) -> Self {
        let mut tokens = path.split('/');
        let first = self.child(tokens.next().unwrap_or_default());
        tokens.fold(first, |place, token| place.child(token))
    }

    /// The value of one name or index, whatever characters it has.
    pub fn child(&self, token: &str) -> Self {
        let token = token.replace('~', "~0").replace('/', "~1");
        Self {
            file: self.file.clone(),
            pointer: format!("{}/{token}", self.pointer),
        }
    }

    /// This place as an input.
    pub fn input(&self) -> Input {
        Input {
            file: self.file.clone(),
            pointer: self.pointer.clone(),
        }
    }

    /// The formula of the whole number along `path`.
    pub fn value(&self, path: &str) -> Formula {
        Formula::Value(self.at(path).input())
    }

    /// The sum of the whole numbers `names` in what lies along `path`.
    pub fn sum(&self, path: &str, names: &[&str]) -> Formula {
        let parts = names.iter();
        Formula::Sum(parts.map(|name| self.at(path).value(name)).collect())
    }

    /// The whole number along `path`, which is `value`.
    pub fn figure(&self, path: &str, value: impl Into<u128>) -> Traced {
        Traced::whole(value, self.value(path))
    }

    /// A percentile of the histogram along `path`.
    pub fn percentile(
        &self,
        path: &str,
        histogram: &LatencyHistogram,
        numerator: u64,
        denominator: u64,
    ) -> Option<Traced> {
        let value: Nanos = histogram.percentile(numerator, denominator)?;
        let share = Ratio {
            numerator: numerator.into(),
            denominator: denominator.into(),
        };
        let histogram = self.at(path).input();
        Some(Traced::whole(
            value.0,
            Formula::Percentile { histogram, share },
        ))
    }

    /// What lies along `path`, which is `value`, as a template sees it: every number traced.
    pub fn tree(&self, path: &str, value: &impl serde::Serialize) -> Tree {
        Tree::new(&self.at(path), value)
    }
}

/// The trials of a file, each with its place.
pub fn trials<M: Measurement>(file: &TrialFile<M>) -> impl Iterator<Item = (Place, &Trial<M>)> {
    let place = Place::of_trials(file).at("trials");
    let trials = file.trials.iter().enumerate();
    trials.map(move |(index, trial)| (place.at(&index.to_string()), trial))
}

/// The trials of a file that ran to their end, each with its place.
pub fn measured<M: Measurement>(
    file: &TrialFile<M>,
) -> impl Iterator<Item = (Place, &Measured<M>)> {
    trials(file).filter_map(|(place, trial)| Some((place.at("measured"), trial.measured()?)))
}
