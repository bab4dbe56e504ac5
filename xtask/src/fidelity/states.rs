//! Which firmware ran when a figure was published, and what is measured of it on the emulated board.

use anyhow::Context;
use bench::{BurstOptions, LatencyOptions, Nanos, StreamOptions, SweepOptions, ThroughputOptions};

use crate::metadata::{Build, Study, Variant};
use crate::study::campaign::Workloads;

/// A variant in the state of a published figure: a published state of it, or a build of the study that is
/// in that state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub variant: &'static str,
    pub name: &'static str,
}

const RMII: &str = "embassy-rmii";
const MACRAW: &str = "w5500-macraw";
const OFFLOAD: &str = "w5500-offload";

const fn state(variant: &'static str, name: &'static str) -> State {
    State { variant, name }
}

pub const C_RELEASE: State = state("c-lwip-rmii", "release");
/// The hour and the sweep at 30 s a rate.
pub const HOURS: [State; 3] = [
    state(RMII, "hour"),
    state(MACRAW, "hour"),
    state(OFFLOAD, "hour"),
];
/// The controls of the optimisation without counters.
pub const RMII_CONTROL: State = state(RMII, "control");
pub const MACRAW_CONTROL: State = state(MACRAW, "control");
/// The general benchmark.
pub const GENERALS: [State; 3] = [
    state(RMII, "general"),
    state(MACRAW, "general"),
    state(OFFLOAD, "general"),
];
/// The steps of optimising the internal MAC that released crates reach, after the control.
pub const STAGES: [State; 4] = [
    state(RMII, "speed-compiler"),
    state(RMII, "socket-queues"),
    state(RMII, "clock-parity"),
    state(RMII, "icache"),
];
/// The last of them.
pub const ICACHE: State = STAGES[3];

/// How long a stream at one rate lasts. The published ones took 3 s to an hour against the noise of host
/// and network, which the emulated board has not.
const STREAM: Nanos = Nanos::from_secs(10);
const RATE: Nanos = Nanos::from_secs(3);
const SEED: u64 = 723;
/// In place of 10,000: all but a few are alike.
const LATENCY_SAMPLES: u64 = 200;
const BURST_REPEATS: u64 = 10;
const BURST_PACKETS: [u64; 7] = [1, 4, 8, 16, 32, 64, 128];
const BURST_PAYLOADS_BYTES: [u64; 3] = [64, 512, 1472];

/// Every state, each once.
pub fn all() -> Vec<State> {
    let mut states = vec![C_RELEASE, RMII_CONTROL, MACRAW_CONTROL];
    states.extend(HOURS.into_iter().chain(GENERALS).chain(STAGES));
    states
}

impl State {
    /// Its package and build.
    ///
    /// # Errors
    /// The firmware has no such state.
    pub fn of(self, study: &Study) -> anyhow::Result<(&Variant, &Build)> {
        if self == C_RELEASE {
            let found = study.select(Some(self.variant), Some(self.name))?;
            return found.first().copied().context("a variant without builds");
        }
        let state = study.published_state(self.variant, self.name)?;
        Ok((&state.variant, &state.build))
    }

    /// What is measured of it.
    pub fn workloads(self) -> Workloads {
        let stream = StreamOptions {
            seed: SEED,
            duration_ns: STREAM,
            ..StreamOptions::default()
        };
        if GENERALS.contains(&self) {
            return general();
        }
        if self == MACRAW_CONTROL {
            return Workloads {
                sweep: steps(&stream, &[1_000, 2_000, 3_000]),
                stream: vec![stream],
                ..Workloads::default()
            };
        }
        // As far as the published sweeps went.
        let highest_khz = if self == C_RELEASE { 30 } else { 20 };
        let rates_hz: Vec<u64> = (1..=highest_khz).map(|khz| khz * 1_000).collect();
        Workloads {
            sweep: steps(&stream, &rates_hz),
            stream: vec![stream],
            ..Workloads::default()
        }
    }
}

fn steps(stream: &StreamOptions, rates_hz: &[u64]) -> Vec<StreamOptions> {
    let sweep = SweepOptions {
        stream: StreamOptions {
            duration_ns: RATE,
            ..stream.clone()
        },
        rates_hz: rates_hz.to_vec(),
    };
    (0..rates_hz.len()).map(|index| sweep.step(index)).collect()
}

/// The published general benchmark without its soak.
fn general() -> Workloads {
    let bursts = BURST_PAYLOADS_BYTES.iter().flat_map(|&payload_bytes| {
        BURST_PACKETS.map(|packets| BurstOptions {
            seed: SEED,
            packets,
            payload_bytes,
            repeats: BURST_REPEATS,
            ..BurstOptions::default()
        })
    });
    let published = ThroughputOptions::default();
    let search = |&payload_bytes: &u64| ThroughputOptions {
        payload_bytes: vec![payload_bytes],
        verify_ns: Nanos::SECOND,
        stream: StreamOptions {
            seed: SEED,
            duration_ns: Nanos::SECOND,
            ..published.stream.clone()
        },
        ..published.clone()
    };
    Workloads {
        burst: bursts.collect(),
        latency: vec![LatencyOptions {
            seed: SEED,
            samples: LATENCY_SAMPLES,
            ..LatencyOptions::default()
        }],
        throughput: published.payload_bytes.iter().map(search).collect(),
        ..Workloads::default()
    }
}
