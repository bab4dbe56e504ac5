//! Each workload on a scripted device, through boot and ledger.

use std::net::Ipv4Addr;

use bench::{
    DisturbOutcome, Endpoint, LatencyOptions, LatencyResult, Nanos, Outcome, RecoveryOptions,
    RecoveryResult, SoakOptions, SoakResult, StreamOptions, SweepOptions, SweepResult,
    ThroughputOptions, ThroughputResult,
};

use super::*;
use crate::adapter::fake::{ADDRESS, ECHO_PORT, FakeRecovery, FakeTarget, Script};

const PORTS: Ports = Ports {
    echo: ECHO_PORT,
    telemetry: None,
};

fn measured<M: Runnable>(script: Script, options: &M::Options) -> M {
    let trial = run::<M>(&mut FakeTarget::new(script), PORTS, options, |_| true).unwrap();
    match trial {
        Trial::Measured(measured) => measured.result,
        Trial::Failed(failed) => panic!("{}", failed.message),
    }
}

/// Loses the datagram of this number of those sent to the echo port, the boot's among them.
fn losing(number: u64) -> Script {
    Script {
        lose_every: Some(number),
        ..Script::default()
    }
}

#[test]
fn the_latency_workload_asks_one_at_a_time() {
    let options = LatencyOptions {
        payload_bytes: vec![1, 1472],
        samples: 100,
        warm_up_packets: 0,
        ..LatencyOptions::default()
    };
    let clean: LatencyResult = measured(Script::default(), &options);
    assert!(clean.is_clean());
    let rtt = Script::default().rtt;
    assert_eq!(clean.sizes[1].rtt.max(), Some(rtt));
    // The boot's datagram, 100 of one byte, then the 49th of 1472.
    let lossy: LatencyResult = measured(losing(150), &options);
    let missing = lossy.sizes.iter().map(|size| size.counts.missing);
    assert_eq!(Vec::from_iter(missing), [0, 1]);
}

#[test]
fn the_throughput_workload_searches() {
    let options = ThroughputOptions {
        payload_bytes: vec![100],
        start_bits_per_s: 80_000,
        ceiling_bits_per_s: 320_000,
        verify_ns: Nanos::SECOND,
        stream: StreamOptions {
            duration_ns: Nanos::from_millis(500),
            ..StreamOptions::default()
        },
        ..ThroughputOptions::default()
    };
    let clean: ThroughputResult = measured(Script::default(), &options);
    assert_eq!(clean.zero_loss(0).unwrap().rate_hz, 400);
    // 100 of warm-up and 50 measured at 100/s are clean, 100 and 100 at 200/s are not.
    let lossy: ThroughputResult = measured(losing(250), &options);
    assert!(lossy.zero_loss(0).is_none_or(|found| found.rate_hz < 200));
}

#[test]
fn a_sweep_runs_on_one_device_from_rate_to_rate() {
    let options = SweepOptions {
        rates_hz: vec![100, 200],
        stream: StreamOptions {
            duration_ns: Nanos::SECOND,
            warm_up_packets: 0,
            ..StreamOptions::default()
        },
    };
    let sweep: SweepResult = measured(losing(151), &options);
    // The boot's datagram, 100 at the first rate, then the 50th at the second.
    assert_eq!(sweep.clean_up_to_rate_hz(), Some(100));
    assert_eq!(sweep.steps[1].first_missing, Some(49));
}

#[test]
fn a_soak_mixes_its_sizes() {
    let options = SoakOptions {
        duration_ns: Nanos::from_secs(2),
        interval_ns: Nanos::SECOND,
        warm_up_packets: 0,
        ..SoakOptions::default()
    };
    let soak: SoakResult = measured(losing(500), &options);
    assert_eq!(soak.counts.planned, 658);
    let missing = soak.intervals.iter().map(|interval| interval.missing);
    assert_eq!(Vec::from_iter(missing), [0, 1]);
    assert!(soak.sizes.iter().all(|size| size.sent > 100));
}

#[test]
fn a_device_that_is_disturbed_comes_back_at_another_address() {
    let address = Ipv4Addr::new(192, 168, 1, 66);
    let script = Script {
        recovery: Some(FakeRecovery {
            gone_for: Nanos::from_millis(700),
            address,
        }),
        ..Script::default()
    };
    let options = RecoveryOptions {
        limit_ns: Nanos::from_secs(3),
        ..RecoveryOptions::default()
    };
    let result: RecoveryResult = measured(script, &options);
    assert!(result.is_clean());
    assert_eq!(result.echo, Endpoint::new(ADDRESS, ECHO_PORT));
    let outage = result.outage.unwrap();
    assert_eq!(
        outage.address_after,
        Some(Endpoint::new(address, ECHO_PORT))
    );
    assert_eq!(outage.length(), Some(Nanos::from_millis(701)));
    assert_eq!(outage.lost, 700);
}

#[test]
fn a_device_that_nothing_can_be_done_to_voids_the_recovery_workload() {
    let result: RecoveryResult = measured(Script::default(), &RecoveryOptions::default());
    let outcome = result.disturbed.map(|disturbed| disturbed.outcome);
    assert_eq!(outcome, Some(DisturbOutcome::Refused));
    assert!(result.void_reason().is_some());
}
