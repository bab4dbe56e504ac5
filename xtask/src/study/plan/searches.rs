//! The workloads of the published general benchmark besides its bursts: latency, throughput, soak; and
//! recovery, which it only names.

use bench::{
    LatencyOptions, Nanos, RecoveryOptions, SoakOptions, StreamOptions, ThroughputOptions,
};

use super::SEED;
use super::amounts::Amounts;

/// One size after another, on one board.
pub fn latency(amounts: &Amounts) -> LatencyOptions {
    LatencyOptions {
        seed: SEED,
        payload_bytes: amounts.latency_payloads_bytes.clone(),
        samples: amounts.latency_samples,
        ..LatencyOptions::default()
    }
}

/// One search a size: the board is at its limit in each, and the next begins with a fresh one.
pub fn throughput(amounts: &Amounts) -> Vec<ThroughputOptions> {
    let of_payload = |&payload_bytes| {
        let published = ThroughputOptions::default();
        ThroughputOptions {
            payload_bytes: vec![payload_bytes],
            ceiling_bits_per_s: amounts.throughput_ceiling_bits_per_s,
            verify_ns: amounts.throughput_verify,
            stream: StreamOptions {
                seed: SEED,
                duration_ns: amounts.throughput_trial,
                ..published.stream
            },
            ..published
        }
    };
    let payloads = amounts.throughput_payloads_bytes.iter();
    payloads.map(of_payload).collect()
}

/// Every size at once, for `duration_ns`.
pub fn soak(amounts: &Amounts, duration_ns: Nanos) -> SoakOptions {
    SoakOptions {
        seed: SEED,
        duration_ns,
        interval_ns: amounts.soak_interval,
        ..SoakOptions::default()
    }
}

/// Every disturbance once, each on a fresh board.
pub fn recovery(amounts: &Amounts) -> Vec<RecoveryOptions> {
    let disturbances = amounts.disturbances.iter();
    let of_disturbance = |&disturbance| RecoveryOptions {
        seed: SEED,
        disturbance,
        before_ns: amounts.recovery_before,
        limit_ns: amounts.recovery_limit,
        ..RecoveryOptions::default()
    };
    disturbances.map(of_disturbance).collect()
}
