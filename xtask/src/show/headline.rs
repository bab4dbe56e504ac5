//! The main figures of a trial in one line.

mod searching;

use bench::{
    BurstOptions, BurstResult, Counts, EmptyDatagrams, FunctionalOptions, FunctionalResult, Nanos,
    Ratio, StreamOptions, StreamResult,
};

use serde::Serialize;

use crate::render::{FunctionalView, StreamView, decimal};
use crate::results::{Measured, Measurement, TrafficOptions, TrafficResult, Trial, WorkloadName};
use crate::trace::Place;

use searching::{RecoveryFigures, SizeLatencyFigures, SizeThroughputFigures, SoakFigures};

/// The main figures of a trial in base units.
#[derive(Serialize)]
#[serde(untagged)]
pub enum MainFigures {
    Functional(FunctionalView),
    Stream(Box<StreamView>),
    Burst(Box<BurstFigures>),
    Latency { sizes: Vec<SizeLatencyFigures> },
    Throughput { sizes: Vec<SizeThroughputFigures> },
    Soak(Box<SoakFigures>),
    Recovery(Box<RecoveryFigures>),
    Traffic(Box<TrafficResult>),
}

/// The main figures of bursts; times only of bursts that came back whole.
#[derive(Serialize)]
pub struct BurstFigures {
    options: BurstOptions,
    counts: Counts,
    error_events: u64,
    whole_bursts: u64,
    answered_min: u64,
    answered_max: u64,
    rtt_p50_ns: Option<Nanos>,
    rtt_max_ns: Option<Nanos>,
    absorb_time_p50_ns: Option<Nanos>,
    absorb_time_max_ns: Option<Nanos>,
}

/// What a line about a trial says.
pub trait Headline: Measurement {
    /// What tells the trial from the others of its build.
    fn name(options: &Self::Options, workload: WorkloadName) -> String;

    /// The main figures of one that ran to its end.
    fn figures(&self) -> String;

    /// The main figures in base units.
    fn main_figures(measured: &Measured<Self>) -> MainFigures;

    /// About how much work the trial is, in bytes that pass through the device.
    fn work(options: &Self::Options) -> u64;

    /// The main figures, or why there are none.
    fn headline(trial: &Trial<Self>) -> String {
        match trial {
            Trial::Measured(measured) => measured.result.figures(),
            Trial::Failed(failed) => {
                let at = whole_ns_as(failed.at_ns, 1_000_000_000, 3);
                format!("failed at {at} s: {}", failed.message)
            }
        }
    }
}

impl Headline for FunctionalResult {
    fn name(_options: &FunctionalOptions, workload: WorkloadName) -> String {
        workload.to_string()
    }

    fn figures(&self) -> String {
        let intact: u64 = self.sizes.iter().map(|size| size.intact).sum();
        let planned: u64 = self.sizes.iter().map(|size| size.planned).sum();
        let verdict = if self.passed() {
            "passed"
        } else {
            "not passed"
        };
        let expected = match self.options.empty_datagrams {
            EmptyDatagrams::Echoed => "",
            EmptyDatagrams::Dropped => ", empty ones are to be dropped",
        };
        format!(
            "{verdict}, {} of {} datagrams came back byte for byte{expected}",
            count(intact),
            count(planned)
        )
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        MainFigures::Functional(FunctionalView::new(&Place::unsaved(), measured))
    }

    fn work(options: &FunctionalOptions) -> u64 {
        let round = options.payload_bytes.iter();
        options.rounds * round.map(|&bytes| work_of(1, bytes)).sum::<u64>()
    }
}

impl Headline for StreamResult {
    fn name(options: &StreamOptions, workload: WorkloadName) -> String {
        match options.rate_hz {
            hz if hz.is_multiple_of(1_000) => format!("{workload} {} kHz", count(hz / 1_000)),
            hz => format!("{workload} {} Hz", count(hz)),
        }
    }

    fn figures(&self) -> String {
        let Counts { sent, missing, .. } = self.counts;
        let mut parts = vec![
            self.verdict().to_string(),
            format!("sent {}", count(sent)),
            format!("missing {}", count(missing)),
            format!("error events {}", count(self.counts.error_events())),
        ];
        let rtts = [
            ("p50", self.rtt.percentile(50, 100)),
            ("p99", self.rtt.percentile(99, 100)),
            ("max", self.rtt.max()),
        ];
        for (name, rtt) in rtts {
            parts.extend(rtt.map(|rtt| format!("RTT {name} {} us", whole_ns_as(rtt, 1_000, 1))));
        }
        let telemetry = self.telemetry.and_then(|record| record.at_end);
        if let Some(share) = telemetry.and_then(|telemetry| telemetry.cpu_share().ok()) {
            let percent = Ratio {
                numerator: share.numerator * 100,
                ..share
            };
            parts.push(format!("CPU {} %", decimal(percent, 2)));
        }
        if self.is_void() {
            parts.push("void: the rate was not offered".to_owned());
        }
        parts.join(", ")
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        MainFigures::Stream(Box::new(StreamView::new(&Place::unsaved(), measured)))
    }

    fn work(options: &StreamOptions) -> u64 {
        let datagrams = options.planned_packets() + options.warm_up_packets;
        work_of(datagrams, options.payload_bytes)
    }
}

impl Headline for BurstResult {
    fn name(options: &BurstOptions, workload: WorkloadName) -> String {
        let BurstOptions {
            packets,
            payload_bytes,
            ..
        } = options;
        format!("{workload} {packets} x {payload_bytes} B")
    }

    fn figures(&self) -> String {
        let BurstOptions {
            packets, repeats, ..
        } = self.options;
        let mut parts = vec![
            self.verdict().to_string(),
            format!("whole {} of {}", count(self.whole_bursts), count(repeats)),
            format!(
                "answered {} to {} of {}",
                count(self.answered_min),
                count(self.answered_max),
                count(packets)
            ),
            format!("error events {}", count(self.counts.error_events())),
        ];
        let longest = self.absorb_time.max();
        parts.extend(
            longest.map(|span| format!("absorbed in at most {} us", whole_ns_as(span, 1_000, 1))),
        );
        parts.join(", ")
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        MainFigures::Burst(Box::new(BurstFigures::new(&measured.result)))
    }

    fn work(options: &BurstOptions) -> u64 {
        work_of(options.planned_packets(), options.payload_bytes)
    }
}

impl BurstFigures {
    fn new(result: &BurstResult) -> Self {
        Self {
            options: result.options.clone(),
            counts: result.counts,
            error_events: result.counts.error_events(),
            whole_bursts: result.whole_bursts,
            answered_min: result.answered_min,
            answered_max: result.answered_max,
            rtt_p50_ns: result.rtt.percentile(50, 100),
            rtt_max_ns: result.rtt.max(),
            absorb_time_p50_ns: result.absorb_time.percentile(50, 100),
            absorb_time_max_ns: result.absorb_time.max(),
        }
    }
}

impl Headline for TrafficResult {
    fn name(options: &TrafficOptions, workload: WorkloadName) -> String {
        format!("{workload} {} B", options.payload_bytes)
    }

    /// What an echoed datagram took beyond what the device was asked for anyway.
    fn figures(&self) -> String {
        let Counts { valid, planned, .. } = self.counts;
        let mut parts = vec![format!("{} of {} came back", count(valid), count(planned))];
        let means = [
            ("SPI transactions", self.transactions_per_datagram()),
            ("SPI bytes", self.bytes_per_datagram()),
        ];
        for (name, mean) in means {
            parts.extend(mean.map(|mean| format!("{} {name} each", decimal(mean, 2))));
        }
        parts.extend(self.sck_hz.map(|hz| {
            let mhz = Ratio {
                numerator: hz.into(),
                denominator: 1_000_000,
            };
            format!("SCK {} MHz", decimal(mhz, 2))
        }));
        parts.join(", ")
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        MainFigures::Traffic(Box::new(measured.result.clone()))
    }

    fn work(options: &TrafficOptions) -> u64 {
        work_of(options.packets, options.payload_bytes)
    }
}

/// What a datagram costs besides its payload is about as much as that many bytes of it.
const WORK_OF_A_DATAGRAM: u64 = 250;

fn work_of(datagrams: u64, payload_bytes: u64) -> u64 {
    datagrams * (WORK_OF_A_DATAGRAM + payload_bytes)
}

fn count(value: u64) -> String {
    decimal(
        Ratio {
            numerator: value.into(),
            denominator: 1,
        },
        0,
    )
}

fn whole_ns_as(span: Nanos, unit_ns: u128, digits: u32) -> String {
    let value = Ratio {
        numerator: span.0.into(),
        denominator: unit_ns,
    };
    decimal(value, digits)
}
