//! What a study of each size measures of a build.

use bench::{BurstOptions, FunctionalOptions, Nanos, StreamOptions, SweepOptions};
use board::NetworkDevice;

use crate::metadata::Scope;
use crate::results::{BuildSubject, SetName, TrafficOptions, VariantSubject};

/// Names every datagram of a study; part of each result.
const SEED: u64 = 723;
/// How long the full study holds each rate. The published study took 30 s against the noise of its host
/// and network; the emulated board has none, and 10 s hold twenty periods of the slowest thing that the
/// firmware does besides, which is to look at the link every 500 ms.
const FULL_RATE: Nanos = Nanos::from_secs(10);
/// The long stream of a build that is there to be compared.
const COMPARISON_STREAM: Nanos = Nanos::from_secs(30);
/// How long such a build holds each rate: as long as the published short sweeps.
const COMPARISON_RATE: Nanos = Nanos::from_secs(3);
/// The largest payload that fits an Ethernet frame, in bytes.
const LARGE_PAYLOAD_BYTES: u64 = 1472;
/// Its sweep begins at a tenth of the rate of that of small datagrams.
const LARGE_RATES_HZ: [u64; 11] = [
    100, 250, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000,
];
/// Lengths of a burst in datagrams.
const BURST_PACKETS: [u64; 7] = [1, 4, 8, 16, 32, 64, 128];
const BURST_PAYLOADS_BYTES: [u64; 3] = [64, 512, LARGE_PAYLOAD_BYTES];
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
    /// None for a network device that is not on SPI.
    pub traffic: Vec<TrafficOptions>,
}

/// What tells the sizes of a study apart.
struct Amounts {
    functional_rounds: u64,
    stream: Nanos,
    rate: Nanos,
    rates_hz: Vec<u64>,
    large_rate: Nanos,
    large_rates_hz: Vec<u64>,
    burst_packets: Vec<u64>,
    burst_payloads_bytes: Vec<u64>,
    burst_repeats: u64,
    traffic_packets: u64,
}

impl Amounts {
    fn of(set: SetName) -> Self {
        let full = Self {
            functional_rounds: FunctionalOptions::default().rounds,
            stream: Nanos::from_secs(3_600),
            rate: FULL_RATE,
            rates_hz: SweepOptions::default().rates_hz,
            large_rate: FULL_RATE,
            large_rates_hz: LARGE_RATES_HZ.to_vec(),
            burst_packets: BURST_PACKETS.to_vec(),
            burst_payloads_bytes: BURST_PAYLOADS_BYTES.to_vec(),
            burst_repeats: BurstOptions::default().repeats,
            traffic_packets: 1_000,
        };
        match set {
            SetName::Full => full,
            SetName::Quick => Self {
                stream: Nanos::from_secs(30),
                rate: Nanos::from_secs(3),
                large_rate: Nanos::SECOND,
                burst_repeats: 10,
                ..full
            },
            SetName::Smoke => Self {
                functional_rounds: 2,
                stream: Nanos::SECOND,
                rate: Nanos::from_millis(200),
                rates_hz: vec![1_000, 5_000, 20_000],
                large_rate: Nanos::from_millis(200),
                large_rates_hz: vec![1_000],
                burst_packets: vec![1, 8],
                burst_payloads_bytes: vec![64],
                burst_repeats: 3,
                traffic_packets: 20,
            },
        }
    }
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
            traffic: match variant.network_device {
                NetworkDevice::Stm32Mac => Vec::new(),
                NetworkDevice::W5500 => traffic(amounts.traffic_packets),
            },
        }
    }
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
mod tests {
    use std::collections::BTreeSet;

    use bench::EmptyDatagrams;

    use super::*;
    use crate::results::Subject;
    use crate::results::fixtures::spi_subject;

    fn plan_of(set: SetName, about: &Subject) -> Plan {
        Plan::of(set, &about.variant, &about.build)
    }

    fn plan(set: SetName) -> Plan {
        plan_of(set, &spi_subject("release"))
    }

    fn rates_hz(sweep: &[StreamOptions]) -> Vec<u64> {
        sweep.iter().map(|step| step.rate_hz).collect()
    }

    #[test]
    fn the_full_plan_has_the_published_hour_and_rates() {
        let plan = plan(SetName::Full);
        assert_eq!(plan.functional.payload_bytes, [0, 1, 32, 256, 1472]);
        assert_eq!(plan.stream.planned_packets(), 3_600_000);
        assert_eq!(plan.stream.payload_bytes, 100);
        let expected: Vec<u64> = (1..=20).map(|khz| khz * 1_000).collect();
        assert_eq!(rates_hz(&plan.sweep), expected);
        let planned: u64 = plan.sweep.iter().map(StreamOptions::planned_packets).sum();
        assert_eq!(planned, 10 * 210_000);
        assert_eq!(rates_hz(&plan.large_sweep), LARGE_RATES_HZ);
        for step in &plan.large_sweep {
            assert_eq!(step.payload_bytes, 1472);
            assert_eq!(step.planned_packets(), 10 * step.rate_hz);
        }
        let bursts = plan.burst.iter();
        let bursts: BTreeSet<_> = bursts.map(|one| (one.packets, one.payload_bytes)).collect();
        assert_eq!((plan.burst.len(), bursts.len()), (21, 21));
        assert_eq!(
            (bursts.first(), bursts.last()),
            (Some(&(1, 64)), Some(&(128, 1472)))
        );
        assert!(plan.burst.iter().all(|one| one.repeats == 100));
        let traffic: Vec<_> = plan.traffic.iter().map(|one| one.payload_bytes).collect();
        assert_eq!(traffic, [100, 1472]);
    }

    #[test]
    fn the_quick_plan_is_shorter_and_otherwise_the_same() {
        let (quick, full) = (plan(SetName::Quick), plan(SetName::Full));
        assert_eq!(quick.stream.planned_packets(), 30_000);
        assert_eq!(quick.sweep[19].planned_packets(), 60_000);
        let mut lengthened = quick.clone();
        lengthened.stream.duration_ns = full.stream.duration_ns;
        for step in &mut lengthened.sweep {
            step.duration_ns = FULL_RATE;
        }
        for step in &mut lengthened.large_sweep {
            step.duration_ns = FULL_RATE;
        }
        for burst in &mut lengthened.burst {
            assert_eq!(burst.repeats, 10);
            burst.repeats = 100;
        }
        assert_eq!(lengthened, full);
    }

    #[test]
    fn the_smoke_plan_takes_seconds() {
        let plan = plan(SetName::Smoke);
        assert_eq!(rates_hz(&plan.sweep), [1_000, 5_000, 20_000]);
        assert_eq!((plan.large_sweep.len(), plan.burst.len()), (1, 2));
        let spans = plan.sweep.iter().map(StreamOptions::nominal_span);
        assert!(spans.max().unwrap() < Nanos::from_secs(3));
    }

    #[test]
    fn a_build_for_comparison_has_no_hour_of_stream_and_a_short_sweep() {
        let about = spi_subject("dma");
        let [full, quick] = [SetName::Full, SetName::Quick].map(|set| plan_of(set, &about));
        assert_eq!(full.stream.planned_packets(), 30_000);
        assert_eq!(quick.stream, full.stream);
        assert_eq!(quick.sweep, full.sweep);
        let mut lengthened = full;
        lengthened.stream.duration_ns = Nanos::from_secs(3_600);
        for step in &mut lengthened.sweep {
            assert_eq!(step.planned_packets(), 3 * step.rate_hz);
            step.duration_ns = FULL_RATE;
        }
        for step in &mut lengthened.large_sweep {
            assert_eq!(step.planned_packets(), 3 * step.rate_hz);
            step.duration_ns = FULL_RATE;
        }
        assert_eq!(lengthened, plan(SetName::Full));
    }

    #[test]
    fn the_network_device_and_the_fate_of_empty_datagrams_are_those_of_the_variant() {
        let mut about = spi_subject("release");
        assert_eq!(about.variant.empty_datagrams, EmptyDatagrams::Dropped);
        about.variant.empty_datagrams = EmptyDatagrams::Echoed;
        about.variant.network_device = NetworkDevice::Stm32Mac;
        let other = plan_of(SetName::Full, &about);
        assert_eq!(
            other.functional,
            FunctionalOptions {
                seed: SEED,
                ..FunctionalOptions::default()
            }
        );
        assert_eq!(other.traffic, []);
        let restored = Plan {
            functional: plan(SetName::Full).functional,
            traffic: plan(SetName::Full).traffic,
            ..other
        };
        assert_eq!(restored, plan(SetName::Full));
    }
}
