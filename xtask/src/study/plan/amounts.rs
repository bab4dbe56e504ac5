//! How much each size of a study measures.

use bench::{
    BurstOptions, Disturbance, FunctionalOptions, LatencyOptions, Nanos, RecoveryOptions,
    SweepOptions, ThroughputOptions,
};

use super::{FULL_RATE, LARGE_PAYLOAD_BYTES};
use crate::results::SetName;

/// The sweep of the largest datagrams begins at a tenth of the rate of that of small ones.
pub const LARGE_RATES_HZ: [u64; 11] = [
    100, 250, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000,
];
/// Lengths of a burst in datagrams.
const BURST_PACKETS: [u64; 7] = [1, 4, 8, 16, 32, 64, 128];
const BURST_PAYLOADS_BYTES: [u64; 3] = [64, 512, LARGE_PAYLOAD_BYTES];
/// How long a lost link is lost: longer than any firmware waits between two looks at it.
pub const LINK_LOSS: Nanos = Nanos::from_secs(2);

/// Loads of the smallest search double from 0.25 Mbit/s: two of them.
const SMOKE_CEILING_BITS_PER_S: u64 = 500_000;

/// What tells the sizes of a study apart.
pub struct Amounts {
    pub functional_rounds: u64,
    pub stream: Nanos,
    pub rate: Nanos,
    pub rates_hz: Vec<u64>,
    pub large_rate: Nanos,
    pub large_rates_hz: Vec<u64>,
    pub burst_packets: Vec<u64>,
    pub burst_payloads_bytes: Vec<u64>,
    pub burst_repeats: u64,
    pub latency_payloads_bytes: Vec<u64>,
    pub latency_samples: u64,
    pub throughput_payloads_bytes: Vec<u64>,
    pub throughput_ceiling_bits_per_s: u64,
    pub throughput_trial: Nanos,
    pub throughput_verify: Nanos,
    pub soak: Nanos,
    pub soak_interval: Nanos,
    pub disturbances: Vec<Disturbance>,
    pub recovery_before: Nanos,
    pub recovery_limit: Nanos,
    pub traffic_packets: u64,
}

impl Amounts {
    /// The published amounts where the emulated board, which repeats itself, has no use for fewer: its
    /// soak lasts 180 s in place of 900, its latency has 2,000 samples a size in place of 10,000, and
    /// a trial of the throughput search 1 s in place of 10, 3 s to confirm a rate.
    pub fn of(set: SetName) -> Self {
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
            latency_payloads_bytes: LatencyOptions::default().payload_bytes,
            latency_samples: 2_000,
            throughput_payloads_bytes: ThroughputOptions::default().payload_bytes,
            throughput_ceiling_bits_per_s: ThroughputOptions::default().ceiling_bits_per_s,
            throughput_trial: Nanos::SECOND,
            throughput_verify: Nanos::from_secs(3),
            soak: Nanos::from_secs(180),
            soak_interval: Nanos::from_secs(20),
            disturbances: vec![
                Disturbance::Reset,
                Disturbance::LinkLoss(LINK_LOSS),
                Disturbance::DhcpChange,
            ],
            recovery_before: RecoveryOptions::default().before_ns,
            recovery_limit: Nanos::from_secs(15),
            traffic_packets: 1_000,
        };
        match set {
            SetName::Full => full,
            SetName::Quick => Self {
                stream: Nanos::from_secs(30),
                rate: Nanos::from_secs(3),
                large_rate: Nanos::SECOND,
                burst_repeats: 10,
                latency_samples: 200,
                throughput_payloads_bytes: vec![64, LARGE_PAYLOAD_BYTES],
                throughput_trial: Nanos::from_millis(500),
                throughput_verify: Nanos::SECOND,
                soak: Nanos::from_secs(30),
                soak_interval: Nanos::from_secs(10),
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
                latency_payloads_bytes: vec![64],
                latency_samples: 20,
                throughput_payloads_bytes: vec![64],
                throughput_ceiling_bits_per_s: SMOKE_CEILING_BITS_PER_S,
                throughput_trial: Nanos::from_millis(100),
                throughput_verify: Nanos::from_millis(200),
                soak: Nanos::SECOND,
                soak_interval: Nanos::from_millis(500),
                disturbances: vec![Disturbance::Reset],
                recovery_before: Nanos::from_millis(500),
                recovery_limit: Nanos::from_secs(3),
                traffic_packets: 20,
            },
        }
    }
}
