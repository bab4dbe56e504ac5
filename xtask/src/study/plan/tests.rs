use std::collections::BTreeSet;

use bench::EmptyDatagrams;

use super::amounts::LARGE_RATES_HZ;
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

fn sizes(searches: &[ThroughputOptions]) -> Vec<u64> {
    let sizes = searches.iter().flat_map(|search| &search.payload_bytes);
    sizes.copied().collect()
}

#[test]
fn the_full_plan_has_the_published_general_benchmark_but_for_its_lengths() {
    let plan = plan(SetName::Full);
    let latency = LatencyOptions {
        seed: SEED,
        samples: 2_000,
        ..LatencyOptions::default()
    };
    assert_eq!(plan.latency, latency);
    assert_eq!(
        sizes(&plan.throughput),
        ThroughputOptions::default().payload_bytes
    );
    for search in &plan.throughput {
        assert_eq!(search.payload_bytes.len(), 1);
        assert_eq!(search.stream.duration_ns, Nanos::SECOND);
        assert_eq!(search.ceiling_bits_per_s, 80_000_000);
    }
    let soak = SoakOptions {
        seed: SEED,
        duration_ns: Nanos::from_secs(180),
        interval_ns: Nanos::from_secs(20),
        ..SoakOptions::default()
    };
    assert_eq!(plan.soak, soak);
    let disturbances = plan.recovery.iter().map(|one| one.disturbance.to_string());
    assert_eq!(
        Vec::from_iter(disturbances),
        ["reset", "link lost for 2000 ms", "DHCP change"]
    );
}

#[test]
fn the_highest_rate_of_a_build_with_counters_is_not_searched_for() {
    let mut about = spi_subject("profiling");
    assert_eq!(about.build.features, ["profiling"]);
    let counting = plan_of(SetName::Full, &about);
    assert_eq!(counting.throughput, []);
    about.build.features.clear();
    let plain = plan_of(SetName::Full, &about);
    assert_eq!(plain.throughput.len(), 5);
    let searched = Plan {
        throughput: plain.throughput.clone(),
        ..counting
    };
    assert_eq!(searched, plain);
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
    assert_eq!(quick.latency.samples, 200);
    assert_eq!(sizes(&quick.throughput), [64, 1472]);
    assert_eq!(quick.soak.planned_packets(), 30 * 329);
    let lengthened = Plan {
        latency: full.latency.clone(),
        throughput: full.throughput.clone(),
        soak: full.soak.clone(),
        ..lengthened
    };
    assert_eq!(lengthened, full);
}

#[test]
fn the_smoke_plan_takes_seconds() {
    let plan = plan(SetName::Smoke);
    assert_eq!(rates_hz(&plan.sweep), [1_000, 5_000, 20_000]);
    assert_eq!((plan.large_sweep.len(), plan.burst.len()), (1, 2));
    assert_eq!((plan.throughput.len(), plan.recovery.len()), (1, 1));
    assert_eq!(plan.throughput[0].ceiling_bits_per_s, 500_000);
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
    assert_eq!(full.throughput, []);
    assert_eq!(full.soak.planned_packets(), 30 * 329);
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
    let whole = plan(SetName::Full);
    lengthened.throughput = whole.throughput.clone();
    lengthened.soak.duration_ns = whole.soak.duration_ns;
    assert_eq!(lengthened, whole);
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

/// The search for a rate goes down to half its resolution, which has to hold a datagram.
#[test]
fn every_option_of_every_set_is_in_range() {
    for set in [SetName::Full, SetName::Quick, SetName::Smoke] {
        for build in ["release", "profiling", "dma"] {
            let plan = plan_of(set, &spi_subject(build));
            plan.functional.validate().unwrap();
            let streams = [&plan.sweep, &plan.large_sweep].into_iter().flatten();
            for stream in streams.chain([&plan.stream]) {
                stream.validate().unwrap();
            }
            plan.burst.iter().for_each(|one| one.validate().unwrap());
            plan.latency.validate().unwrap();
            for search in &plan.throughput {
                let validated = search.validate();
                validated.unwrap_or_else(|error| panic!("{set:?}: {error}"));
            }
            plan.soak.validate().unwrap();
            plan.recovery.iter().for_each(|one| one.validate().unwrap());
        }
    }
}
