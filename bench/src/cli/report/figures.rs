//! Figures derived from a result, named with their units.

use serde_json::{Map, Value};

use crate::{Counts, LatencyHistogram, Nanos, Ratio, Undefined};

/// The figures of one flow, for scripts that do not want to derive them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures(Map<String, Value>);

impl Figures {
    /// No figures yet; `flow` tells the flow from the others of the result.
    pub fn of(flow: impl Into<String>) -> Self {
        Self(Map::new()).with("flow", flow.into())
    }

    /// Adds a figure; one that does not exist is null.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a span in nanoseconds; the name ends in `_ns`.
    pub fn span(self, name: &str, value: Option<Nanos>) -> Self {
        self.with(name, value.map(|span| span.0))
    }

    /// Adds a quotient, rounded half up.
    pub fn ratio(self, name: &str, value: Result<Ratio, Undefined>) -> Self {
        // A figure beyond 64 bits is none that a run can come to.
        let rounded = |ratio: Ratio| u64::try_from(ratio.scaled(1)).unwrap_or(u64::MAX);
        self.with(name, value.ok().map(rounded))
    }

    /// Adds what came back and what went wrong.
    pub fn counts(self, counts: &Counts) -> Self {
        let loss_ppm = counts.loss().ok().map(|loss| loss.scaled(1_000_000));
        let loss_ppm = loss_ppm.and_then(|ppm| u64::try_from(ppm).ok());
        self.with("sent", counts.sent)
            .with("valid", counts.valid)
            .with("error_events", counts.error_events())
            .with("loss_ppm", loss_ppm)
    }

    /// Adds minimum, percentiles and maximum of RTTs.
    pub fn rtt(self, rtt: &LatencyHistogram) -> Self {
        self.span("rtt_min_ns", rtt.min())
            .span("rtt_p50_ns", rtt.percentile(50, 100))
            .span("rtt_p95_ns", rtt.percentile(95, 100))
            .span("rtt_p99_ns", rtt.percentile(99, 100))
            .span("rtt_p999_ns", rtt.percentile(999, 1000))
            .span("rtt_max_ns", rtt.max())
    }

    /// Adds how well the sender kept its schedule.
    pub fn pacing(self, error: &LatencyHistogram, largest_burst: u64) -> Self {
        self.span("pacing_error_p50_ns", error.percentile(50, 100))
            .span("pacing_error_p99_ns", error.percentile(99, 100))
            .span("pacing_error_max_ns", error.max())
            .with("largest_burst", largest_burst)
    }

    /// As a JSON object.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_does_not_exist_is_null_rather_than_zero() {
        let figures = Figures::of("stream")
            .counts(&Counts::default())
            .rtt(&LatencyHistogram::new())
            .into_map();
        assert_eq!(figures["sent"], 0);
        assert_eq!(figures["loss_ppm"], Value::Null);
        assert_eq!(figures["rtt_p50_ns"], Value::Null);
    }
}
