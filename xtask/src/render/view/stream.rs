//! A stream as a template sees it.

use bench::{Counts, Nanos, StreamOptions, StreamResult, Telemetry};
use serde::Serialize;

use super::ratio::RatioView;
use crate::results::{Boot, BuildResults, Measured};

/// The figures of one stream.
#[derive(Serialize)]
pub struct StreamView {
    pub options: StreamOptions,
    pub boot: Boot,
    pub counts: Counts,
    pub error_events: u64,
    /// Missing over sent.
    pub loss: Option<RatioView>,
    pub offered_rate_hz: Option<RatioView>,
    pub goodput_bits_per_s: Option<RatioView>,
    pub rtt_min_ns: Option<Nanos>,
    pub rtt_p50_ns: Option<Nanos>,
    pub rtt_p99_ns: Option<Nanos>,
    pub rtt_p999_ns: Option<Nanos>,
    pub rtt_max_ns: Option<Nanos>,
    pub rtt_mean_ns: Option<RatioView>,
    /// Whether at least 98 % of the rate was offered.
    pub offered_rate_met: bool,
    /// The verdict in words.
    pub verdict: String,
    /// Absent for a build without counters, or when they could not be read.
    pub telemetry: Option<TelemetryView>,
}

/// What the device counted of itself from the first measured datagram to the end of the schedule.
#[derive(Serialize)]
pub struct TelemetryView {
    pub counters: Telemetry,
    /// Busy cycles over the window's cycles.
    pub cpu_share: Option<RatioView>,
    pub busy_cycles_per_valid: Option<RatioView>,
    /// Static RAM and the most stack ever used.
    pub ram_in_use_bytes: u64,
}

/// The long stream of `build`, if it ran to its end.
pub fn of_build(build: &BuildResults) -> Option<StreamView> {
    let measured = build.stream.as_ref()?.trials.first()?.measured()?;
    Some(StreamView::new(measured))
}

impl StreamView {
    /// What `measured` says.
    pub fn new(measured: &Measured<StreamResult>) -> Self {
        let result = &measured.result;
        Self {
            options: result.options.clone(),
            boot: measured.boot,
            counts: result.counts,
            error_events: result.counts.error_events(),
            loss: RatioView::new(result.counts.loss()),
            offered_rate_hz: RatioView::new(result.offered_rate_hz()),
            goodput_bits_per_s: RatioView::new(result.goodput_bits_per_s()),
            rtt_min_ns: result.rtt.min(),
            rtt_p50_ns: result.rtt.percentile(50, 100),
            rtt_p99_ns: result.rtt.percentile(99, 100),
            rtt_p999_ns: result.rtt.percentile(999, 1_000),
            rtt_max_ns: result.rtt.max(),
            rtt_mean_ns: RatioView::new(result.rtt.mean_ns()),
            offered_rate_met: result.offered_rate_met(),
            verdict: result.verdict().to_string(),
            telemetry: TelemetryView::new(result),
        }
    }
}

impl TelemetryView {
    fn new(result: &StreamResult) -> Option<Self> {
        let counters = result.telemetry?.at_end?;
        Some(Self {
            counters,
            cpu_share: RatioView::new(counters.cpu_share()),
            busy_cycles_per_valid: RatioView::new(
                counters.busy_cycles_per_valid(result.counts.valid),
            ),
            ram_in_use_bytes: u64::from(counters.static_ram_bytes)
                + u64::from(counters.stack_high_water_bytes),
        })
    }
}
