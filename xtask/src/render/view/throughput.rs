//! Throughput as a template sees it: by payload, the highest load without loss and the highest goodput.

use bench::ThroughputResult;
use bench::throughput::{Purpose, SizeThroughput, TrialStream};
use serde::Serialize;

use super::stream::{goodput_formula, is_clean, is_offered};
use crate::results::{BuildResults, Measured};
use crate::trace::{Candidate, Condition, Formula, Place, Relation, Rule, Traced, measured};

/// What the search with one payload came to.
#[derive(Serialize)]
pub struct ThroughputView {
    pub payload_bytes: Traced,
    /// Datagrams a second and goodput of the highest load without loss; absent when none was confirmed.
    pub zero_loss: Option<LoadView>,
    /// The same of the trial with the highest goodput, whatever was lost.
    pub peak: Option<LoadView>,
    /// Whether some trial showed that the device does not keep up, as against the highest load allowed.
    pub is_saturated: bool,
    /// Whether a trial was not clean although one at a higher rate was.
    pub has_inversions: bool,
}

/// A trial of a search.
#[derive(Serialize)]
pub struct LoadView {
    pub rate_hz: Traced,
    pub goodput_bits_per_s: Traced,
}

/// The searches of `build` that ran to their end.
pub fn of_build(build: &BuildResults) -> Vec<ThroughputView> {
    let files = build.throughput.iter().flat_map(measured);
    let views = files.flat_map(|(place, measured)| views(&place.at("result"), measured));
    views.collect()
}

fn views(place: &Place, measured: &Measured<ThroughputResult>) -> Vec<ThroughputView> {
    let result = &measured.result;
    let sizes = result.sizes.iter().enumerate();
    let view = |(index, size): (usize, &SizeThroughput)| {
        let place = place.at("sizes").child(&index.to_string());
        let search = Search {
            place: &place,
            size,
        };
        ThroughputView {
            payload_bytes: place.figure("payload_bytes", size.payload_bytes),
            zero_loss: result
                .zero_loss(index)
                .and_then(|found| search.zero_loss(found.rate_hz)),
            peak: search.peak(),
            is_saturated: size.saturated(),
            has_inversions: !size.inversions_hz().is_empty(),
        }
    };
    sizes.map(view).collect()
}

/// The trials with one payload.
#[derive(Clone, Copy)]
struct Search<'a> {
    place: &'a Place,
    size: &'a SizeThroughput,
}

impl<'a> Search<'a> {
    /// Each trial with its place.
    fn trials(self) -> impl Iterator<Item = (Place, Purpose, &'a TrialStream)> {
        let trials = self.size.trials.iter().enumerate();
        trials.map(move |(index, trial)| {
            let place = self.place.at(&format!("trials/{index}/stream"));
            (place, trial.purpose, &trial.stream)
        })
    }

    /// The trial that confirmed `rate_hz`, the highest rate up to which every trial is clean.
    fn zero_loss(self, rate_hz: u64) -> Option<LoadView> {
        let lowest_unclean = self
            .trials()
            .filter(|(_, _, stream)| !stream.is_clean())
            .min_by_key(|(_, _, stream)| stream.options.rate_hz);
        let conditions = |place: &Place| {
            let mut conditions = is_clean(place);
            conditions.extend(lowest_unclean.iter().map(|(unclean, ..)| {
                let rates = [place, unclean].map(|place| place.value("options/rate_hz"));
                let [rate, limit] = rates;
                Condition::new(rate, Relation::Less, limit)
            }));
            conditions
        };
        let candidates = || {
            self.trials()
                .filter(|(_, purpose, _)| *purpose == Purpose::Verify)
        };
        let selected = |of: fn(&Place) -> Formula| Formula::Selected {
            rule: Rule::Largest,
            candidates: candidates()
                .map(|(place, ..)| Candidate {
                    value: of(&place),
                    rank: place.value("options/rate_hz"),
                    conditions: conditions(&place),
                })
                .collect(),
        };
        let (_, _, stream) = candidates()
            .find(|(_, _, stream)| stream.options.rate_hz == rate_hz && stream.is_clean())?;
        load(stream, selected)
    }

    fn peak(self) -> Option<LoadView> {
        let selected = |of: fn(&Place) -> Formula| Formula::Selected {
            rule: Rule::Largest,
            candidates: self
                .trials()
                .filter(|(_, _, stream)| stream.counts.sent > 0)
                .map(|(place, ..)| Candidate {
                    value: of(&place),
                    rank: goodput_formula(&place),
                    conditions: is_offered(&place),
                })
                .collect(),
        };
        let (stream, _) = self.size.peak()?;
        load(stream, selected)
    }
}

fn load(
    stream: &TrialStream,
    selected: impl Fn(fn(&Place) -> Formula) -> Formula,
) -> Option<LoadView> {
    Some(LoadView {
        rate_hz: Traced::whole(
            stream.options.rate_hz,
            selected(|place| place.value("options/rate_hz")),
        ),
        goodput_bits_per_s: Traced::quotient(stream.goodput_bits_per_s(), || {
            selected(goodput_formula)
        })?,
    })
}
