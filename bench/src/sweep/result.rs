//! What a sweep asks and what it found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{BrokenIdentity, equal};
use crate::stream::{OptionsError, StreamOptions, StreamResult};
use crate::{Counts, Nanos};

/// Parameters of a sweep. The default is the published one: 1 to 20 kHz in steps of 1 kHz, 30 s a
/// rate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepOptions {
    /// The rates in datagrams a second, rising.
    pub rates_hz: Vec<u64>,
    /// The stream of every rate; its `rate_hz` is replaced, and its `seed` by one derived from it.
    pub stream: StreamOptions,
}

impl Default for SweepOptions {
    fn default() -> Self {
        let duration_ns = Nanos::from_secs(30);
        Self {
            rates_hz: (1..=20).map(|khz| khz * 1_000).collect(),
            stream: StreamOptions {
                duration_ns,
                ..StreamOptions::default()
            },
        }
    }
}

impl SweepOptions {
    /// The options of the stream at one of the rates.
    ///
    /// # Panics
    /// When there is no rate of this index.
    pub fn step(&self, index: usize) -> StreamOptions {
        StreamOptions {
            rate_hz: self.rates_hz[index],
            seed: crate::datagram::derive_seed(self.stream.seed, index as u64),
            ..self.stream.clone()
        }
    }

    /// How long the sweep takes on a sender that keeps its schedule, telemetry left aside.
    pub fn nominal_span(&self) -> Nanos {
        let spans = (0..self.rates_hz.len()).map(|index| self.step(index).nominal_span());
        spans.fold(Nanos::ZERO, |sum, span| sum + span)
    }

    /// Checks that these parameters make a sweep.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn validate(&self) -> Result<(), OptionsError> {
        if self.rates_hz.is_empty() {
            return Err(OptionsError::NoRates);
        }
        if let Some(pair) = self.rates_hz.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(OptionsError::RatesDoNotRise {
                previous: pair[0],
                next: pair[1],
            });
        }
        (0..self.rates_hz.len()).try_for_each(|index| self.step(index).validate())
    }
}

/// The result of a sweep: a stream's result for each rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepResult {
    /// The parameters.
    pub options: SweepOptions,
    /// One result a rate, in the order of `options.rates_hz`.
    pub steps: Vec<StreamResult>,
}

impl SweepResult {
    /// Checks the identities of every rate; names the first broken one.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        let steps = self.steps.len() as u64;
        equal("one step a rate", steps, self.options.rates_hz.len() as u64)?;
        for (step, &rate_hz) in self.steps.iter().zip(&self.options.rates_hz) {
            equal(
                "steps in the order of the rates",
                step.options.rate_hz,
                rate_hz,
            )?;
            step.check()?;
        }
        Ok(())
    }

    /// The highest clean rate, whether or not every lower one is clean too.
    pub fn highest_clean_rate_hz(&self) -> Option<u64> {
        let clean = self.steps.iter().rfind(|step| step.is_clean());
        clean.map(|step| step.options.rate_hz)
    }

    /// The highest rate up to which every rate is clean: the published "zero-error range".
    pub fn clean_up_to_rate_hz(&self) -> Option<u64> {
        let clean = self.steps.iter().take_while(|step| step.is_clean());
        clean.last().map(|step| step.options.rate_hz)
    }

    /// Inversions: rates that are not clean although a higher one is.
    pub fn inversions_hz(&self) -> Vec<u64> {
        let highest = self.highest_clean_rate_hz().unwrap_or(0);
        let rates = self.steps.iter().filter(|step| !step.is_clean());
        rates
            .map(|step| step.options.rate_hz)
            .take_while(|&rate_hz| rate_hz < highest)
            .collect()
    }

    /// The counts of all rates together.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.steps.iter().for_each(|step| total += step.counts);
        total
    }
}
