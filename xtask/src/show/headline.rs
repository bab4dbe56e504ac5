//! The main figures of a trial in one line.

use bench::{
    Counts, EmptyDatagrams, FunctionalOptions, FunctionalResult, Nanos, Ratio, StreamOptions,
    StreamResult,
};

use serde::Serialize;

use crate::render::{FunctionalView, StreamView, decimal};
use crate::results::{Measured, Measurement, TrafficOptions, TrafficResult, Trial, WorkloadName};

/// The main figures of a trial in base units.
#[derive(Serialize)]
#[serde(untagged)]
pub enum MainFigures {
    Functional(FunctionalView),
    Stream(Box<StreamView>),
    Traffic(Box<TrafficResult>),
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
        MainFigures::Functional(FunctionalView::new(measured))
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
        MainFigures::Stream(Box::new(StreamView::new(measured)))
    }

    fn work(options: &StreamOptions) -> u64 {
        let datagrams = options.planned_packets() + options.warm_up_packets;
        work_of(datagrams, options.payload_bytes)
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
