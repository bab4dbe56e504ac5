//! What was measured of the states, each figure with its trace.

use anyhow::Context;
use bench::Nanos;

use super::cite::{Step, reduced};
use super::states::State;
use crate::render::view::latency::{self, SizeView};
use crate::render::view::stream::StreamView;
use crate::render::view::throughput;
use crate::results::{BuildResults, ResultSet, StudyResults, TrialFile};
use crate::trace::{Formula, Place, Traced, measured};

type Streams = TrialFile<bench::StreamResult>;

/// The results of every state.
pub struct Emulated(StudyResults);

/// A stream of a state.
pub struct StreamFigures {
    pub step: Step,
    pub rtt_p50_ns: Option<Traced>,
    cycles_per_valid: Option<Traced>,
    valid_per_second: Traced,
}

/// The bursts of one length and payload.
pub struct BurstFigures {
    pub packets: Traced,
    pub payload_bytes: Traced,
    /// Of all bursts, those that came back whole.
    pub whole_share: Traced,
}

impl Emulated {
    /// Reads the results of `set`.
    ///
    /// # Errors
    /// As of [`StudyResults::read`].
    pub fn read(set: &ResultSet) -> anyhow::Result<Self> {
        StudyResults::read(set).map(Self)
    }

    /// The results of a state.
    pub fn build(&self, state: State) -> anyhow::Result<&BuildResults> {
        let variants = self.0.variants.iter();
        let mut of_variant = variants.filter(|one| one.subject.id == state.variant);
        let found = of_variant.next().and_then(|one| {
            one.builds
                .iter()
                .find(|build| build.subject.name == state.name)
        });
        found.with_context(|| {
            let State { variant, name } = state;
            format!("nothing was measured of {variant} {name}; run `cargo xtask fidelity`")
        })
    }

    fn streams(&self, state: State) -> anyhow::Result<Vec<StreamFigures>> {
        let build = self.build(state)?;
        let files = [build.stream.as_ref(), build.sweep.as_ref()];
        let of_file = |file: &Streams| measured(file).map(figures).collect::<Vec<_>>();
        Ok(files.into_iter().flatten().flat_map(of_file).collect())
    }

    /// The stream at a rate.
    ///
    /// # Errors
    /// There is none.
    pub fn stream_at(&self, state: State, rate_hz: u64) -> anyhow::Result<StreamFigures> {
        let mut streams = self.streams(state)?.into_iter();
        let found = streams.find(|one| one.step.rate_hz.value.numerator == u128::from(rate_hz));
        let State { variant, name } = state;
        found.with_context(|| format!("{variant} {name} was not measured at {rate_hz} Hz"))
    }

    /// The rates of the sweep.
    pub fn sweep(&self, state: State) -> anyhow::Result<Vec<Step>> {
        let sweep = self.build(state)?.sweep.as_ref();
        let sweep =
            sweep.with_context(|| format!("no sweep of {} {}", state.variant, state.name))?;
        Ok(measured(sweep).map(|one| figures(one).step).collect())
    }

    /// Busy cycles for each valid datagram of the stream.
    pub fn cycles_per_valid(&self, state: State) -> anyhow::Result<Traced> {
        let streams = self.streams(state)?;
        let cycles = streams.into_iter().find_map(|one| one.cycles_per_valid);
        cycles.with_context(|| format!("{} {} counted no cycles", state.variant, state.name))
    }

    /// Valid datagrams a second at each rate.
    pub fn valid_per_second(&self, state: State) -> anyhow::Result<Vec<Traced>> {
        let streams = self.streams(state)?.into_iter();
        Ok(streams.map(|one| one.valid_per_second).collect())
    }

    /// A rate, and the valid datagrams a second at it.
    pub fn valid_per_second_at(
        &self,
        state: State,
        rate_hz: u64,
    ) -> anyhow::Result<(Traced, Traced)> {
        let stream = self.stream_at(state, rate_hz)?;
        Ok((stream.step.rate_hz, stream.valid_per_second))
    }

    /// Single datagrams by payload.
    pub fn latency(&self, state: State) -> anyhow::Result<Vec<SizeView>> {
        let latency = latency::of_build(self.build(state)?);
        let latency = latency.with_context(|| format!("no latency of {}", state.variant))?;
        Ok(latency.sizes)
    }

    /// The highest goodput by payload.
    pub fn goodput(&self, state: State) -> anyhow::Result<Vec<(Traced, Traced)>> {
        let searches = throughput::of_build(self.build(state)?).into_iter();
        let peaks = searches.map(|search| {
            let peak = search.peak.context("a search without a trial")?;
            Ok((search.payload_bytes, peak.goodput_bits_per_s))
        });
        peaks.collect()
    }

    /// The bursts.
    pub fn bursts(&self, state: State) -> anyhow::Result<Vec<BurstFigures>> {
        let file = self.build(state)?.burst.as_ref();
        let file = file.with_context(|| format!("no bursts of {}", state.variant))?;
        let of_trial = |(place, trial): (Place, &crate::results::Measured<bench::BurstResult>)| {
            let (place, result) = (place.at("result"), &trial.result);
            let [whole, repeats] = [result.whole_bursts, result.options.repeats].map(u128::from);
            BurstFigures {
                packets: place.figure("options/packets", result.options.packets),
                payload_bytes: place.figure("options/payload_bytes", result.options.payload_bytes),
                whole_share: Traced {
                    value: reduced(whole, repeats),
                    formula: place
                        .value("whole_bursts")
                        .over(place.value("options/repeats")),
                },
            }
        };
        Ok(measured(file).map(of_trial).collect())
    }
}

fn figures(
    (place, trial): (Place, &crate::results::Measured<bench::StreamResult>),
) -> StreamFigures {
    let view = StreamView::new(&place, trial);
    let (place, result) = (place.at("result"), &trial.result);
    let options = &result.options;
    let second = || Formula::stated(Nanos::SECOND.0, "ns in a second");
    let valid = place.value("counts/valid").times(second());
    let (count, span) = (
        u128::from(result.counts.valid),
        u128::from(options.duration_ns.0),
    );
    StreamFigures {
        step: Step {
            rate_hz: place.figure("options/rate_hz", options.rate_hz),
            events: view.error_events,
            duration_ns: place.figure("options/duration_ns", options.duration_ns.0),
        },
        rtt_p50_ns: view.rtt_p50_ns,
        cycles_per_valid: view
            .telemetry
            .and_then(|telemetry| telemetry.busy_cycles_per_valid),
        valid_per_second: Traced {
            value: reduced(count * u128::from(Nanos::SECOND.0), span),
            formula: valid.over(place.value("options/duration_ns")),
        },
    }
}
