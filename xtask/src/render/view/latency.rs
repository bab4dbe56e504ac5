//! Latency as a template sees it.

use bench::latency::SizeLatency;
use bench::{LatencyResult, Outcome};
use serde::Serialize;

use super::stream::error_events;
use crate::results::{BuildResults, Measured};
use crate::trace::{Formula, Place, Traced, measured};

/// One datagram at a time, by size.
#[derive(Serialize)]
pub struct LatencyView {
    pub samples: Traced,
    pub timeout_ns: Traced,
    /// Why the figures say nothing of the device; absent when they do.
    pub void: Option<String>,
    /// In the order they were asked.
    pub sizes: Vec<SizeView>,
}

/// The datagrams of one size.
#[derive(Serialize)]
pub struct SizeView {
    pub payload_bytes: Traced,
    pub error_events: Traced,
    /// Late and missing ones together, as the published study counts timeouts.
    pub timeouts: Traced,
    pub rtt_min_ns: Option<Traced>,
    pub rtt_p50_ns: Option<Traced>,
    pub rtt_p99_ns: Option<Traced>,
    pub rtt_max_ns: Option<Traced>,
}

/// The latency of `build`, if it ran to its end.
pub fn of_build(build: &BuildResults) -> Option<LatencyView> {
    let (place, measured) = measured(build.latency.as_ref()?).next()?;
    Some(LatencyView::new(&place.at("result"), measured))
}

impl LatencyView {
    fn new(place: &Place, measured: &Measured<LatencyResult>) -> Self {
        let result = &measured.result;
        let sizes = result.sizes.iter().enumerate();
        let size = |(index, size): (usize, &SizeLatency)| {
            SizeView::new(&place.at("sizes").child(&index.to_string()), size)
        };
        Self {
            samples: place.figure("options/samples", result.options.samples),
            timeout_ns: place.figure("options/timeout_ns", result.options.timeout_ns.0),
            void: result.void_reason(),
            sizes: sizes.map(size).collect(),
        }
    }
}

impl SizeView {
    fn new(place: &Place, size: &SizeLatency) -> Self {
        let percentile =
            |numerator, denominator| place.percentile("rtt", &size.rtt, numerator, denominator);
        let timeouts = [place.value("counts/late"), place.value("counts/missing")];
        Self {
            payload_bytes: place.figure("payload_bytes", size.payload_bytes),
            error_events: Traced::whole(size.counts.error_events(), error_events(place)),
            timeouts: Traced::whole(size.timeouts(), Formula::Sum(timeouts.into())),
            rtt_min_ns: size.rtt.min().map(|rtt| place.figure("rtt/min_ns", rtt.0)),
            rtt_p50_ns: percentile(50, 100),
            rtt_p99_ns: percentile(99, 100),
            rtt_max_ns: size.rtt.max().map(|rtt| place.figure("rtt/max_ns", rtt.0)),
        }
    }
}
