//! Parameters of trials, traced.

use crate::results::{Measurement, Trial};
use crate::trace::{Place, Traced};

/// The parameter `name` of the trial at `place`.
pub fn option<M: Measurement>(
    place: &Place,
    trial: &Trial<M>,
    name: &str,
    of: impl Fn(&M::Options) -> u64,
) -> Traced {
    let at = match trial {
        Trial::Measured(_) => place.at("measured/result/options"),
        Trial::Failed(_) => place.at("failed/options"),
    };
    at.figure(name, of(trial.options()))
}

/// The different figures, rising; of equal ones the first.
pub fn distinct(mut figures: Vec<Traced>) -> Vec<Traced> {
    figures.sort_by(Traced::compare);
    figures.dedup_by(|next, first| next.compare(first).is_eq());
    figures
}
