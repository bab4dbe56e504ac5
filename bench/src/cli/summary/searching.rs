//! Workloads that look for something: RTT by size, the highest rate, the end of an outage.

use super::{Summary, counts, line, load, megabits, rtt, seconds};
use crate::throughput::{SizeThroughput, ZeroLoss};
use crate::{LatencyResult, RecoveryResult, ThroughputResult};

impl Summary for LatencyResult {
    fn lines(&self) -> Vec<(String, String)> {
        let sizes = self.sizes.iter().map(|size| {
            let given_up = match size.counts.planned < self.options.samples {
                true => format!(" (given up, {} asked for)", self.options.samples),
                false => String::new(),
            };
            let text = format!("{}{given_up}; {}", counts(&size.counts), rtt(&size.rtt));
            line(format!("{} B", size.payload_bytes), text)
        });
        sizes.collect()
    }
}

impl Summary for ThroughputResult {
    fn lines(&self) -> Vec<(String, String)> {
        let sizes = self.sizes.iter().enumerate();
        let sizes = sizes.map(|(index, size)| {
            let text = format!("{}; {}", zero_loss(size, self.zero_loss(index)), peak(size));
            line(format!("{} B", size.payload_bytes), text)
        });
        let mut lines = Vec::from_iter(sizes);
        for size in &self.sizes {
            let inversions = size.inversions_hz();
            if !inversions.is_empty() {
                let text = format!(
                    "{} B: {inversions:?}/s are not clean, a higher rate is",
                    size.payload_bytes
                );
                lines.push(line("inversions", text));
            }
        }
        lines
    }
}

fn zero_loss(size: &SizeThroughput, found: Option<ZeroLoss>) -> String {
    match found {
        Some(ZeroLoss { rate_hz, limit }) => format!(
            "zero loss up to {} ({rate_hz}/s, {limit}) in {} trials",
            load(rate_hz, size.payload_bytes),
            size.trials.len()
        ),
        None => format!("no rate without loss in {} trials", size.trials.len()),
    }
}

fn peak(size: &SizeThroughput) -> String {
    let saturated = match size.saturated() {
        true => "",
        false => ", not saturated",
    };
    match size.peak() {
        Some((stream, goodput)) => format!(
            "peak goodput {} at {} offered{saturated}",
            megabits(Ok(goodput)),
            load(stream.options.rate_hz, size.payload_bytes)
        ),
        None => "no trial counts".to_owned(),
    }
}

impl Summary for RecoveryResult {
    fn lines(&self) -> Vec<(String, String)> {
        let mut lines = vec![
            line("datagrams", counts(&self.counts)),
            line("replies", rtt(&self.rtt)),
        ];
        if let Some(disturbed) = self.disturbed {
            let text = format!(
                "{} at {}",
                self.options.disturbance,
                seconds(disturbed.at_ns)
            );
            lines.push(line("disturbed", text));
        }
        let Some(outage) = self.outage else {
            lines.push(line("outage", "none"));
            return lines;
        };
        let last_good = outage.last_good_ns.map_or("never".to_owned(), seconds);
        let first_good = outage.first_good_ns.map_or("never".to_owned(), seconds);
        let length = outage
            .length()
            .map_or("not back in time".to_owned(), seconds);
        let text = format!(
            "{length}: last good at {last_good}, first good at {first_good}, gaps {}",
            outage.gaps
        );
        lines.push(line("outage", text));
        let text = format!(
            "{} in the outage, {} besides",
            outage.lost,
            self.missing_outside()
        );
        lines.push(line("lost", text));
        if let Some(address) = outage.address_after.filter(|&after| after != self.echo) {
            lines.push(line(
                "address",
                format!("{address} in place of {}", self.echo),
            ));
        }
        lines
    }
}
