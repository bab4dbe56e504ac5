//! Workloads that ask the same thing for as long as they last.

use super::{Summary, counts, line, micros, rtt, tenths};
use crate::{BurstResult, FunctionalResult, SoakResult, StreamResult, SweepResult, Verdict};

impl Summary for FunctionalResult {
    fn lines(&self) -> Vec<(String, String)> {
        let sizes = self.sizes.iter().map(|size| {
            let verdict = match self.size_passed(size) {
                true => "passed",
                false => "failed",
            };
            let text = format!(
                "{verdict}: {} of {} intact, retries {}, corrupt {}, stale {}, foreign {}",
                size.intact, size.planned, size.retries, size.corrupt, size.stale, size.foreign
            );
            line(format!("{} B", size.payload_bytes), text)
        });
        sizes.collect()
    }
}

impl Summary for StreamResult {
    fn lines(&self) -> Vec<(String, String)> {
        let options = &self.options;
        let what = format!(
            "{} B at {}/s: {}",
            options.payload_bytes,
            options.rate_hz,
            counts(&self.counts)
        );
        vec![
            line("datagrams", what),
            line("replies", rtt(&self.rtt)),
            line("sender", sender(self)),
            line("verdict", verdict(&self.verdict())),
        ]
    }
}

impl Summary for SweepResult {
    fn lines(&self) -> Vec<(String, String)> {
        let steps = self.steps.iter().map(|step| {
            let rate = format!("{}/s", step.options.rate_hz);
            line(
                rate,
                format!("{}; {}", counts(&step.counts), verdict(&step.verdict())),
            )
        });
        let mut lines = Vec::from_iter(steps);
        let clean_up_to = self
            .clean_up_to_rate_hz()
            .map_or("not even the lowest rate".to_owned(), |rate| {
                format!("{rate}/s")
            });
        lines.push(line("clean up to", clean_up_to));
        let inversions = self.inversions_hz();
        if !inversions.is_empty() {
            let text = format!("{inversions:?}/s are not clean, a higher rate is");
            lines.push(line("inversions", text));
        }
        lines
    }
}

impl Summary for BurstResult {
    fn lines(&self) -> Vec<(String, String)> {
        let options = &self.options;
        let whole = format!(
            "{} of {} bursts of {} datagrams of {} B whole, {} to {} answered",
            self.whole_bursts,
            options.repeats,
            options.packets,
            options.payload_bytes,
            self.answered_min,
            self.answered_max
        );
        vec![
            line("bursts", whole),
            line("datagrams", counts(&self.counts)),
            line("replies", rtt(&self.rtt)),
            line("verdict", verdict(&self.verdict())),
        ]
    }
}

impl Summary for SoakResult {
    fn lines(&self) -> Vec<(String, String)> {
        let what = format!("at {}/s: {}", self.options.rate_hz, counts(&self.counts));
        let mut lines = vec![line("datagrams", what), line("replies", rtt(&self.rtt()))];
        for size in &self.sizes {
            let text = format!(
                "{} of {} valid, late {}; {}",
                size.valid,
                size.sent,
                size.late,
                rtt(&size.rtt)
            );
            lines.push(line(format!("{} B", size.payload_bytes), text));
        }
        let intervals = format!(
            "{} of {} with loss",
            self.intervals_with_loss(),
            self.intervals.len()
        );
        lines.push(line("intervals", intervals));
        lines.push(line("verdict", verdict(&self.verdict())));
        lines
    }
}

/// How well the sender kept its schedule.
fn sender(stream: &StreamResult) -> String {
    let offered = match stream.offered_rate_hz() {
        Ok(offered) => format!("{}/s offered", tenths(offered.scaled(10), 10)),
        Err(undefined) => undefined.reason.to_owned(),
    };
    format!(
        "{offered}, pacing error p99 {} us, largest burst {}",
        micros(stream.pacing_error.percentile(99, 100)),
        stream.largest_burst
    )
}

fn verdict(verdict: &Verdict) -> String {
    verdict.to_string()
}
