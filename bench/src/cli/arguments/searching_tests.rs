use super::tests::parse;
use super::*;
use crate::soak::SizeWeight;
use crate::{
    Disturbance, LatencyOptions, Nanos, RecoveryOptions, SoakOptions, StreamOptions, SweepOptions,
    ThroughputOptions,
};

#[test]
fn without_arguments_the_published_study_is_asked() {
    assert_eq!(
        parse::<LatencyArgs>("").into_options(),
        LatencyOptions::default()
    );
    assert_eq!(
        parse::<ThroughputArgs>("").into_options(),
        ThroughputOptions::default()
    );
    assert_eq!(
        parse::<SweepArgs>("").into_options(),
        SweepOptions::default()
    );
    assert_eq!(parse::<SoakArgs>("").into_options(), SoakOptions::default());
    assert_eq!(
        parse::<RecoveryArgs>("").into_options(),
        RecoveryOptions::default()
    );
}

#[test]
fn every_argument_of_the_latency_workload_reaches_its_option() {
    let line = "--seed 1 --payload-bytes 2,3 --samples 4 --warm-up-packets 5 --timeout 6ms \
                --drain 7us --give-up-after 8";
    let expected = LatencyOptions {
        seed: 1,
        payload_bytes: vec![2, 3],
        samples: 4,
        warm_up_packets: 5,
        timeout_ns: Nanos::from_millis(6),
        drain_ns: Nanos::from_micros(7),
        give_up_after: 8,
    };
    assert_eq!(parse::<LatencyArgs>(line).into_options(), expected);
}

#[test]
fn every_argument_of_the_throughput_workload_reaches_its_option() {
    let line = "--seed 1 --payload-bytes 20,30 --start 4 --ceiling 5 --resolution 6 \
                --duration 7s --verify 8s --warm-up-packets 9 --drain 10ms --late-threshold 11us";
    let expected = ThroughputOptions {
        payload_bytes: vec![20, 30],
        start_bits_per_s: 4,
        ceiling_bits_per_s: 5,
        resolution_bits_per_s: 6,
        verify_ns: Nanos::from_secs(8),
        stream: StreamOptions {
            seed: 1,
            duration_ns: Nanos::from_secs(7),
            warm_up_packets: 9,
            drain_ns: Nanos::from_millis(10),
            late_threshold_ns: Nanos::from_micros(11),
            ..StreamOptions::default()
        },
    };
    assert_eq!(parse::<ThroughputArgs>(line).into_options(), expected);
}

#[test]
fn every_argument_of_a_sweep_reaches_its_option() {
    let line = "--seed 1 --rates-hz 2,3 --payload-bytes 40 --duration 5s --warm-up-packets 6 \
                --drain 7ms --late-threshold 8us --interval 9ns";
    let expected = SweepOptions {
        rates_hz: vec![2, 3],
        stream: StreamOptions {
            seed: 1,
            payload_bytes: 40,
            duration_ns: Nanos::from_secs(5),
            warm_up_packets: 6,
            drain_ns: Nanos::from_millis(7),
            late_threshold_ns: Nanos::from_micros(8),
            interval_ns: Nanos(9),
            ..StreamOptions::default()
        },
    };
    assert_eq!(parse::<SweepArgs>(line).into_options(), expected);
}

#[test]
fn every_argument_of_a_soak_reaches_its_option() {
    let line = "--seed 1 --rate-hz 2 --sizes 64:3,1472 --duration 4s --warm-up-packets 5 \
                --drain 6ms --late-threshold 7us --interval 8ns";
    let size = |payload_bytes, weight| SizeWeight {
        payload_bytes,
        weight,
    };
    let expected = SoakOptions {
        seed: 1,
        rate_hz: 2,
        sizes: vec![size(64, 3), size(1472, 1)],
        duration_ns: Nanos::from_secs(4),
        warm_up_packets: 5,
        drain_ns: Nanos::from_millis(6),
        late_threshold_ns: Nanos::from_micros(7),
        interval_ns: Nanos(8),
    };
    assert_eq!(parse::<SoakArgs>(line).into_options(), expected);
    for text in ["", "64:", ":3", "64:3:1", "-1"] {
        assert_eq!(text.parse::<SizeArg>(), Err(SizeArgError), "{text}");
    }
}

#[test]
fn every_argument_of_the_recovery_workload_reaches_its_option() {
    let line = "--seed 1 --rate-hz 2 --payload-bytes 30 --disturbance link-loss --link-loss 4s \
                --before 5s --limit 6s --gap 7ms --warm-up-packets 8 --drain 9ms \
                --late-threshold 10us";
    let expected = RecoveryOptions {
        seed: 1,
        rate_hz: 2,
        payload_bytes: 30,
        disturbance: Disturbance::LinkLoss(Nanos::from_secs(4)),
        before_ns: Nanos::from_secs(5),
        limit_ns: Nanos::from_secs(6),
        gap_min_ns: Nanos::from_millis(7),
        warm_up_packets: 8,
        drain_ns: Nanos::from_millis(9),
        late_threshold_ns: Nanos::from_micros(10),
    };
    assert_eq!(parse::<RecoveryArgs>(line).into_options(), expected);
    for (name, disturbance) in [
        ("reset", Disturbance::Reset),
        ("dhcp-change", Disturbance::DhcpChange),
        ("manual", Disturbance::Manual),
    ] {
        let line = format!("--disturbance {name}");
        let options = parse::<RecoveryArgs>(&line).into_options();
        assert_eq!(options.disturbance, disturbance);
    }
}
