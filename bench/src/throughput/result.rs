//! What a throughput workload found: every trial, and what follows from them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ThroughputOptions;
use super::search::{Finding, Limit, Purpose, RateSearch, ZeroLoss};
use super::trial::{ThroughputTrial, TrialStream};
use crate::Ratio;
use crate::counts::{BrokenIdentity, equal};
use crate::outcome::Outcome;

/// The trials at one payload size, in the order they were made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeThroughput {
    /// The size of the payload in bytes.
    pub payload_bytes: u64,
    /// Every trial.
    pub trials: Vec<ThroughputTrial>,
}

/// The result of a throughput workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThroughputResult {
    /// The parameters.
    pub options: ThroughputOptions,
    /// One for each size, in the order of `options.payload_bytes`.
    pub sizes: Vec<SizeThroughput>,
}

impl ThroughputOptions {
    /// The search at one of the sizes.
    pub(super) fn search(&self, size: usize) -> RateSearch {
        let [start, ceiling, resolution] = [
            self.start_bits_per_s,
            self.ceiling_bits_per_s,
            self.resolution_bits_per_s,
        ]
        .map(|load| self.rate_hz(size, load));
        RateSearch::new(start, ceiling, resolution)
    }
}

impl ThroughputResult {
    /// The highest rate without loss at one of the sizes, up to which every trial is clean;
    /// `None` when none was confirmed.
    pub fn zero_loss(&self, size: usize) -> Option<ZeroLoss> {
        let mut search = self.options.search(size);
        let trials = &self.sizes.get(size)?.trials;
        trials.iter().for_each(|trial| {
            if search.next().is_some() {
                search.record(trial.finding());
            }
        });
        search.zero_loss()
    }

    /// Checks that the trials of a size are the ones that the search asks for, one after another,
    /// and that it asks for no more.
    fn check_search(&self, size: usize) -> Result<(), BrokenIdentity> {
        let mut search = self.options.search(size);
        for (number, trial) in self.sizes[size].trials.iter().enumerate() {
            let asked = search.next();
            let (purpose, rate_hz) = asked.unwrap_or((trial.purpose, 0));
            let stream = self
                .options
                .trial(size, number, rate_hz, purpose == Purpose::Verify);
            let is_asked = trial.purpose == purpose && trial.stream.options == stream;
            equal(
                "trials are those the search asks for",
                u64::from(is_asked),
                1u64,
            )?;
            trial.check()?;
            search.record(trial.finding());
        }
        equal(
            "the search asks for no more trials",
            u64::from(search.next().is_none()),
            1u64,
        )
    }
}

impl SizeThroughput {
    /// Trials that are not void.
    fn counted(&self) -> impl DoubleEndedIterator<Item = &TrialStream> {
        let trials = self.trials.iter().map(|trial| &trial.stream);
        trials.filter(|stream| !stream.is_void())
    }

    /// The trial with the highest goodput, as the published study has it: the highest rate of
    /// valid replies whatever was offered. Void trials are left aside; the first of equals.
    pub fn peak(&self) -> Option<(&TrialStream, Ratio)> {
        let goodput = self.counted().filter_map(|stream| {
            let goodput = stream.goodput_bits_per_s().ok()?;
            Some((stream, goodput))
        });
        goodput.reduce(|best, other| match is_above(other.1, best.1) {
            true => other,
            false => best,
        })
    }

    /// Inversions: rates at which a trial is not clean although one at a higher rate that lasted as
    /// long is, rising, each once. A shorter trial may have seen too little.
    pub fn inversions_hz(&self) -> Vec<u64> {
        let is_inverted = |stream: &&TrialStream| {
            let TrialStream { options, .. } = stream;
            !stream.is_clean()
                && self.counted().any(|other| {
                    other.is_clean()
                        && other.options.rate_hz > options.rate_hz
                        && other.options.duration_ns >= options.duration_ns
                })
        };
        let inverted = self.counted().filter(is_inverted);
        let mut rates = Vec::from_iter(inverted.map(|stream| stream.options.rate_hz));
        rates.sort_unstable();
        rates.dedup();
        rates
    }

    /// Whether some trial showed the device saturated, as against a sender or a ceiling that was
    /// reached first.
    pub fn saturated(&self) -> bool {
        let mut trials = self.trials.iter();
        trials.any(|trial| trial.finding() == Finding::Saturated)
    }
}

fn is_above(left: Ratio, right: Ratio) -> bool {
    left.numerator * right.denominator > right.numerator * left.denominator
}

/// Clean when a rate without loss was confirmed at every size and no inversion was seen: trials at
/// higher rates lose datagrams by design. Void when a size has no trial that is not.
impl Outcome for ThroughputResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        let asked = &self.options.payload_bytes;
        equal(
            "one entry a size",
            self.sizes.len() as u64,
            asked.len() as u64,
        )?;
        for (index, (size, &payload_bytes)) in self.sizes.iter().zip(asked).enumerate() {
            equal(
                "entries in the order of the sizes",
                size.payload_bytes,
                payload_bytes,
            )?;
            self.check_search(index)?;
        }
        Ok(())
    }

    fn is_clean(&self) -> bool {
        let confirmed = (0..self.sizes.len()).all(|size| self.zero_loss(size).is_some());
        let steady = |size: &SizeThroughput| size.inversions_hz().is_empty();
        self.void_reason().is_none() && confirmed && self.sizes.iter().all(steady)
    }

    fn void_reason(&self) -> Option<String> {
        let void = self
            .sizes
            .iter()
            .find(|size| size.counted().next().is_none())?;
        let reason = void
            .trials
            .iter()
            .find_map(|trial| trial.stream.void_reason());
        let reason = reason.unwrap_or_else(|| "no trial was made".to_owned());
        Some(format!("{} B: {reason}", void.payload_bytes))
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Loss { rate_hz } => write!(formatter, "not clean at {rate_hz}/s"),
            Self::SenderLimited { rate_hz } => {
                write!(
                    formatter,
                    "sender-limited: {rate_hz}/s could not be offered"
                )
            }
            Self::Ceiling => formatter.write_str("the ceiling of the search"),
        }
    }
}
