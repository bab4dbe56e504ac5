//! The main figures of a trial in one line.

use bench::{
    Counts, FunctionalOptions, FunctionalResult, Nanos, Ratio, StreamOptions, StreamResult,
};

use serde::Serialize;

use crate::render::{FunctionalView, StreamView, decimal};
use crate::results::{Measured, Measurement, Trial, WorkloadName};

/// The main figures of a trial in base units.
#[derive(Serialize)]
#[serde(untagged)]
pub enum MainFigures {
    Functional(FunctionalView),
    Stream(Box<StreamView>),
}

/// What a line about a trial says.
pub trait Headline: Measurement {
    /// What tells the trial from the others of its build.
    fn name(options: &Self::Options, workload: WorkloadName) -> String;

    /// The main figures of one that ran to its end.
    fn figures(&self) -> String;

    /// The main figures in base units.
    fn main_figures(measured: &Measured<Self>) -> MainFigures;

    /// About how many datagrams it sends.
    fn datagrams(options: &Self::Options) -> u64;

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
        format!(
            "{verdict}, {} of {} datagrams came back byte for byte",
            count(intact),
            count(planned)
        )
    }

    fn main_figures(measured: &Measured<Self>) -> MainFigures {
        MainFigures::Functional(FunctionalView::new(measured))
    }

    fn datagrams(options: &FunctionalOptions) -> u64 {
        options.rounds * options.payload_bytes.len() as u64
    }
}

impl Headline for StreamResult {
    fn name(options: &StreamOptions, workload: WorkloadName) -> String {
        let rate = Ratio {
            numerator: options.rate_hz.into(),
            denominator: 1_000,
        };
        let rate = match options.rate_hz.is_multiple_of(1_000) {
            true => decimal(rate, 0),
            false => decimal(rate, 3),
        };
        format!("{workload} {rate} kHz")
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

    fn datagrams(options: &StreamOptions) -> u64 {
        options.planned_packets() + options.warm_up_packets
    }
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
