//! Workloads that look for something: RTT by size, the highest rate, the end of an outage.

use bench::cli::summary::events;
use bench::throughput::SizeThroughput;
use bench::{
    Counts, LatencyOptions, LatencyResult, Nanos, RecoveryOptions, RecoveryResult, SoakOptions,
    SoakResult, ThroughputOptions, ThroughputResult,
};
use serde::Serialize;

use super::{Headline, MainFigures, count, whole_ns_as, work_of};
use crate::render::decimal;
use crate::results::{Measured, WorkloadName};

/// What one size came to in a latency workload.
#[derive(Serialize)]
pub struct SizeLatencyFigures {
    payload_bytes: u64,
    counts: Counts,
    error_events: u64,
    rtt_min_ns: Option<Nanos>,
    rtt_p50_ns: Option<Nanos>,
    rtt_p99_ns: Option<Nanos>,
    rtt_max_ns: Option<Nanos>,
}

/// What the search at one size came to.
#[derive(Serialize)]
pub struct SizeThroughputFigures {
    payload_bytes: u64,
    trials: u64,
    /// Absent when no rate without loss was confirmed.
    zero_loss_rate_hz: Option<u64>,
    /// Rounded half up.
    peak_goodput_bits_per_s: Option<u128>,
    peak_target_rate_hz: Option<u64>,
    saturated: bool,
    inversions_hz: Vec<u64>,
}

/// The main figures of a soak.
#[derive(Serialize)]
pub struct SoakFigures {
    options: SoakOptions,
    counts: Counts,
    error_events: u64,
    intervals: u64,
    intervals_with_loss: u64,
    rtt_p50_ns: Option<Nanos>,
    rtt_p99_ns: Option<Nanos>,
    rtt_max_ns: Option<Nanos>,
}

/// The main figures of a recovery; instants count from the start of the measured schedule.
#[derive(Serialize)]
pub struct RecoveryFigures {
    options: RecoveryOptions,
    counts: Counts,
    recovered: bool,
    outage_ns: Option<Nanos>,
    last_good_ns: Option<Nanos>,
    first_good_ns: Option<Nanos>,
    lost_in_outage: Option<u64>,
    missing_outside: u64,
}

impl Headline for LatencyResult {
    fn name(_options: &LatencyOptions, workload: WorkloadName) -> String {
        workload.to_string()
    }

    fn figures(&self) -> String {
        let sizes = self.sizes.iter().map(|size| {
            let median = size.rtt.percentile(50, 100);
            let median = median.map_or_else(
                || "no reply".to_owned(),
                |rtt| format!("RTT p50 {} us", whole_ns_as(rtt, 1_000, 1)),
            );
            format!("{} B {median}{}", size.payload_bytes, events(&size.counts))
        });
        Vec::from_iter(sizes).join("; ")
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        let sizes = measured.result.sizes.iter();
        let sizes = sizes.map(|size| SizeLatencyFigures {
            payload_bytes: size.payload_bytes,
            counts: size.counts,
            error_events: size.counts.error_events(),
            rtt_min_ns: size.rtt.min(),
            rtt_p50_ns: size.rtt.percentile(50, 100),
            rtt_p99_ns: size.rtt.percentile(99, 100),
            rtt_max_ns: size.rtt.max(),
        });
        MainFigures::Latency {
            sizes: sizes.collect(),
        }
    }

    fn work(options: &LatencyOptions) -> u64 {
        let datagrams = options.samples + options.warm_up_packets;
        let sizes = options.payload_bytes.iter();
        sizes.map(|&bytes| work_of(datagrams, bytes)).sum()
    }
}

impl Headline for ThroughputResult {
    fn name(options: &ThroughputOptions, workload: WorkloadName) -> String {
        let sizes = options.payload_bytes.iter().map(u64::to_string);
        format!("{workload} {} B", Vec::from_iter(sizes).join(", "))
    }

    fn figures(&self) -> String {
        let sizes = self.sizes.iter().enumerate().map(|(index, size)| {
            let zero_loss = match self.zero_loss(index) {
                Some(found) => format!("zero loss up to {}/s", count(found.rate_hz)),
                None => "no rate without loss".to_owned(),
            };
            let trials = count(size.trials.len() as u64);
            format!("{zero_loss} in {trials} trials{}", peak(size))
        });
        Vec::from_iter(sizes).join("; ")
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        let result = &measured.result;
        let sizes = result.sizes.iter().enumerate();
        let sizes = sizes.map(|(index, size)| {
            let peak = size.peak();
            SizeThroughputFigures {
                payload_bytes: size.payload_bytes,
                trials: size.trials.len() as u64,
                zero_loss_rate_hz: result.zero_loss(index).map(|found| found.rate_hz),
                peak_goodput_bits_per_s: peak.map(|(_, goodput)| goodput.scaled(1)),
                peak_target_rate_hz: peak.map(|(stream, _)| stream.options.rate_hz),
                saturated: size.saturated(),
                inversions_hz: size.inversions_hz(),
            }
        });
        MainFigures::Throughput {
            sizes: sizes.collect(),
        }
    }

    /// What it takes hangs on the device; about so much at a tenth of the ceiling.
    fn work(options: &ThroughputOptions) -> u64 {
        let span_s = options.nominal_span().0 / Nanos::SECOND.0;
        let sizes = options.payload_bytes.iter();
        let datagrams = |bytes: u64| span_s * options.ceiling_bits_per_s / (80 * bytes.max(1));
        sizes.map(|&bytes| work_of(datagrams(bytes), bytes)).sum()
    }
}

fn peak(size: &SizeThroughput) -> String {
    let Some((_, goodput)) = size.peak() else {
        return String::new();
    };
    let megabits = bench::Ratio {
        denominator: goodput.denominator * 1_000_000,
        ..goodput
    };
    format!(", peak goodput {} Mbit/s", decimal(megabits, 3))
}

impl Headline for SoakResult {
    fn name(_options: &SoakOptions, workload: WorkloadName) -> String {
        workload.to_string()
    }

    fn figures(&self) -> String {
        let rtt = self.rtt();
        let mut parts = vec![
            self.verdict().to_string(),
            format!("sent {}", count(self.counts.sent)),
            format!("missing {}", count(self.counts.missing)),
            format!("error events {}", count(self.counts.error_events())),
            format!(
                "{} of {} intervals with loss",
                count(self.intervals_with_loss()),
                count(self.intervals.len() as u64)
            ),
        ];
        for (name, span) in [("p99", rtt.percentile(99, 100)), ("max", rtt.max())] {
            parts.extend(span.map(|span| format!("RTT {name} {} us", whole_ns_as(span, 1_000, 1))));
        }
        parts.join(", ")
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        let result = &measured.result;
        let rtt = result.rtt();
        MainFigures::Soak(Box::new(SoakFigures {
            options: result.options.clone(),
            counts: result.counts,
            error_events: result.counts.error_events(),
            intervals: result.intervals.len() as u64,
            intervals_with_loss: result.intervals_with_loss(),
            rtt_p50_ns: rtt.percentile(50, 100),
            rtt_p99_ns: rtt.percentile(99, 100),
            rtt_max_ns: rtt.max(),
        }))
    }

    fn work(options: &SoakOptions) -> u64 {
        let datagrams = options.planned_packets() + options.warm_up_packets;
        let mean = options
            .mean_payload_bytes()
            .map_or(0, |mean| mean.scaled(1));
        work_of(datagrams, u64::try_from(mean).unwrap_or(0))
    }
}

impl Headline for RecoveryResult {
    fn name(options: &RecoveryOptions, workload: WorkloadName) -> String {
        format!("{workload} {}", options.disturbance)
    }

    fn figures(&self) -> String {
        let seconds = |span: Nanos| whole_ns_as(span, 1_000_000_000, 3);
        let outage = match self.outage {
            None => "never gone".to_owned(),
            Some(outage) => match outage.length() {
                Some(length) => format!("gone for {} s", seconds(length)),
                None => "not back in time".to_owned(),
            },
        };
        let lost = self.outage.map_or(0, |outage| outage.lost);
        let missing = format!(
            "missing {} in the outage, {} besides",
            count(lost),
            count(self.missing_outside())
        );
        let moved = self.outage.and_then(|outage| outage.address_after);
        let moved = moved.filter(|&address| address != self.echo);
        let moved = moved.map(|address| format!("now at {}", address.ip()));
        [outage, missing]
            .into_iter()
            .chain(moved)
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        let result = &measured.result;
        let outage = result.outage;
        MainFigures::Recovery(Box::new(RecoveryFigures {
            options: result.options.clone(),
            counts: result.counts,
            recovered: result.recovered(),
            outage_ns: outage.and_then(|outage| outage.length()),
            last_good_ns: outage.and_then(|outage| outage.last_good_ns),
            first_good_ns: outage.and_then(|outage| outage.first_good_ns),
            lost_in_outage: outage.map(|outage| outage.lost),
            missing_outside: result.missing_outside(),
        }))
    }

    fn work(options: &RecoveryOptions) -> u64 {
        work_of(
            options.planned_packets() + options.warm_up_packets,
            options.payload_bytes,
        )
    }
}
