//! The figures that scripts look at first, of each workload.

use super::{Figures, Reported};
use crate::{
    BurstResult, FunctionalResult, LatencyResult, RecoveryResult, SoakResult, StreamResult,
    SweepResult, ThroughputResult,
};

fn of_stream(flow: impl Into<String>, stream: &StreamResult) -> Figures {
    Figures::of(flow)
        .with("target_rate_hz", stream.options.rate_hz)
        .ratio("offered_rate_hz", stream.offered_rate_hz())
        .ratio("goodput_bits_per_s", stream.goodput_bits_per_s())
        .counts(&stream.counts)
        .rtt(&stream.rtt)
        .pacing(&stream.pacing_error, stream.largest_burst)
}

impl Reported for StreamResult {
    fn figures(&self) -> Vec<Figures> {
        vec![of_stream("stream", self)]
    }
}

impl Reported for SweepResult {
    fn figures(&self) -> Vec<Figures> {
        let steps = self.steps.iter();
        let steps = steps.map(|step| {
            of_stream(format!("{}/s", step.options.rate_hz), step).with("clean", step.is_clean())
        });
        let sweep = Figures::of("sweep")
            .with("highest_clean_rate_hz", self.highest_clean_rate_hz())
            .with("clean_up_to_rate_hz", self.clean_up_to_rate_hz())
            .with("inversions_hz", self.inversions_hz());
        std::iter::once(sweep).chain(steps).collect()
    }
}

impl Reported for BurstResult {
    fn figures(&self) -> Vec<Figures> {
        let bursts = Figures::of("bursts")
            .with("bursts", self.options.repeats)
            .with("whole_bursts", self.whole_bursts)
            .counts(&self.counts)
            .rtt(&self.rtt)
            .span("absorb_time_max_ns", self.absorb_time.max());
        vec![bursts]
    }
}

impl Reported for FunctionalResult {
    fn figures(&self) -> Vec<Figures> {
        let sizes = self.sizes.iter().map(|size| {
            Figures::of(format!("{} B", size.payload_bytes))
                .with("passed", self.size_passed(size))
                .with("planned", size.planned)
                .with("intact", size.intact)
        });
        sizes.collect()
    }
}

impl Reported for LatencyResult {
    fn figures(&self) -> Vec<Figures> {
        let sizes = self.sizes.iter().map(|size| {
            Figures::of(format!("{} B", size.payload_bytes))
                .counts(&size.counts)
                .rtt(&size.rtt)
        });
        sizes.collect()
    }
}

impl Reported for ThroughputResult {
    fn figures(&self) -> Vec<Figures> {
        let sizes = self.sizes.iter().enumerate().map(|(index, size)| {
            let zero_loss = self.zero_loss(index);
            let peak = size.peak();
            Figures::of(format!("{} B", size.payload_bytes))
                .with("zero_loss_rate_hz", zero_loss.map(|found| found.rate_hz))
                .with(
                    "peak_rate_hz",
                    peak.map(|(stream, _)| stream.options.rate_hz),
                )
                .with(
                    "peak_goodput_bits_per_s",
                    peak.and_then(|(_, goodput)| u64::try_from(goodput.scaled(1)).ok()),
                )
                .with("inversions_hz", size.inversions_hz())
        });
        sizes.collect()
    }
}

impl Reported for SoakResult {
    fn figures(&self) -> Vec<Figures> {
        let offered = self.pacing.offered_rate_hz(self.options.rate_hz);
        let soak = Figures::of("soak")
            .with("target_rate_hz", self.options.rate_hz)
            .ratio("offered_rate_hz", offered)
            .counts(&self.counts)
            .rtt(&self.rtt())
            .pacing(&self.pacing.error, self.pacing.largest_burst)
            .with("intervals_with_loss", self.intervals_with_loss());
        vec![soak]
    }
}

impl Reported for RecoveryResult {
    fn figures(&self) -> Vec<Figures> {
        let outage = self.outage.as_ref();
        let recovery = Figures::of("recovery")
            .counts(&self.counts)
            .with("recovered", self.recovered())
            .span("outage_ns", outage.and_then(|outage| outage.length()))
            .span(
                "last_good_ns",
                outage.and_then(|outage| outage.last_good_ns),
            )
            .span(
                "first_good_ns",
                outage.and_then(|outage| outage.first_good_ns),
            )
            .with("lost_in_outage", outage.map(|outage| outage.lost))
            .with("missing_outside", self.missing_outside());
        vec![recovery]
    }
}
