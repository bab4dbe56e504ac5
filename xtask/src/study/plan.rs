//! What a study of each size measures of a build.

mod amounts;
mod searches;

use bench::{
    BurstOptions, FunctionalOptions, LatencyOptions, Nanos, RecoveryOptions, SoakOptions,
    StreamOptions, SweepOptions, ThroughputOptions,
};
use board::NetworkDevice;

use crate::metadata::{Scope, TELEMETRY_FEATURE};
use crate::results::{BuildSubject, SetName, TrafficOptions, VariantSubject};
use amounts::Amounts;

/// Names every datagram of a study; part of each result.
const SEED: u64 = 723;
/// How long the full study holds each rate. The published study took 30 s against the noise of its host
/// and network; the emulated board has none, and 10 s hold twenty periods of the slowest thing that the
/// firmware does besides, which is to look at the link every 500 ms.
const FULL_RATE: Nanos = Nanos::from_secs(10);
/// The long stream of a build that is there to be compared, and its soak.
const COMPARISON_STREAM: Nanos = Nanos::from_secs(30);
/// How long such a build holds each rate: as long as the published short sweeps.
const COMPARISON_RATE: Nanos = Nanos::from_secs(3);
/// The largest payload that fits an Ethernet frame, in bytes.
const LARGE_PAYLOAD_BYTES: u64 = 1472;
/// SPI traffic is measured with the payload of the long stream and with the largest.
const TRAFFIC_PAYLOADS_BYTES: [u64; 2] = [100, LARGE_PAYLOAD_BYTES];
/// Slow enough that no datagram shares what another one causes.
const TRAFFIC_RATE_HZ: u64 = 100;

/// The workloads of one build, with their parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub functional: FunctionalOptions,
    pub stream: StreamOptions,
    /// The stream at each rate of the sweep.
    pub sweep: Vec<StreamOptions>,
    /// The same with the largest datagrams.
    pub large_sweep: Vec<StreamOptions>,
    /// Bursts of every length and payload.
    pub burst: Vec<BurstOptions>,
    /// One datagram at a time, all sizes in one trial.
    pub latency: LatencyOptions,
    /// A search a size; none for a build that is there to be compared, or that counts its own cycles.
    pub throughput: Vec<ThroughputOptions>,
    /// Mixed sizes for long.
    pub soak: SoakOptions,
    /// A trial a disturbance.
    pub recovery: Vec<RecoveryOptions>,
    /// None for a network device that is not on SPI.
    pub traffic: Vec<TrafficOptions>,
}

impl Plan {
    /// The plan for a build of a variant in a set: the published hour and rates, shortened for all but
    /// the full one.
    pub fn of(set: SetName, variant: &VariantSubject, build: &BuildSubject) -> Self {
        let amounts = Amounts::of(set);
        let functional = FunctionalOptions {
            seed: SEED,
            rounds: amounts.functional_rounds,
            empty_datagrams: variant.empty_datagrams,
            ..FunctionalOptions::default()
        };
        let within = |full: Nanos, comparison: Nanos| match build.scope {
            Scope::Full => full,
            Scope::Comparison => full.min(comparison),
        };
        let stream = StreamOptions {
            seed: SEED,
            duration_ns: within(amounts.stream, COMPARISON_STREAM),
            ..StreamOptions::default()
        };
        let small = StreamOptions {
            duration_ns: within(amounts.rate, COMPARISON_RATE),
            ..stream.clone()
        };
        let large = StreamOptions {
            duration_ns: within(amounts.large_rate, COMPARISON_RATE),
            payload_bytes: LARGE_PAYLOAD_BYTES,
            ..stream.clone()
        };
        Self {
            functional,
            stream,
            sweep: steps(small, &amounts.rates_hz),
            large_sweep: steps(large, &amounts.large_rates_hz),
            burst: bursts(&amounts),
            latency: searches::latency(&amounts),
            throughput: match is_searched(build) {
                true => searches::throughput(&amounts),
                false => Vec::new(),
            },
            soak: searches::soak(&amounts, within(amounts.soak, COMPARISON_STREAM)),
            recovery: searches::recovery(&amounts),
            traffic: match variant.network_device {
                NetworkDevice::Stm32Mac => Vec::new(),
                NetworkDevice::W5500 => traffic(amounts.traffic_packets),
            },
        }
    }
}

/// Whether the highest rate of a build is searched for. Its sweep tells about that of any other: of a
/// build with counters at the rates of the one without.
fn is_searched(build: &BuildSubject) -> bool {
    let counts = build.features.iter().any(|name| name == TELEMETRY_FEATURE);
    build.scope == Scope::Full && !counts
}

/// The stream at each of the rates.
fn steps(stream: StreamOptions, rates_hz: &[u64]) -> Vec<StreamOptions> {
    let sweep = SweepOptions {
        stream,
        rates_hz: rates_hz.to_vec(),
    };
    let steps = 0..sweep.rates_hz.len();
    steps.map(|index| sweep.step(index)).collect()
}

/// Bursts of every length with every payload.
fn bursts(amounts: &Amounts) -> Vec<BurstOptions> {
    let of_payload = |payload_bytes| {
        let lengths = amounts.burst_packets.iter();
        lengths.map(move |&packets| BurstOptions {
            seed: SEED,
            packets,
            payload_bytes,
            repeats: amounts.burst_repeats,
            ..BurstOptions::default()
        })
    };
    let payloads = amounts.burst_payloads_bytes.iter().copied();
    payloads.flat_map(of_payload).collect()
}

fn traffic(packets: u64) -> Vec<TrafficOptions> {
    let of_payload = |payload_bytes| TrafficOptions {
        seed: SEED,
        rate_hz: TRAFFIC_RATE_HZ,
        payload_bytes,
        packets,
    };
    TRAFFIC_PAYLOADS_BYTES.map(of_payload).to_vec()
}

#[cfg(test)]
mod tests;
