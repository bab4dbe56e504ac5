//! A stream as a template sees it.

use bench::stream::OFFERED_MIN_PERCENT;
use bench::{Nanos, StreamResult};
use serde::Serialize;

use crate::results::{BuildResults, Measured};
use crate::trace::{Condition, Formula, Place, Relation, Traced, Tree, measured};

/// The counters that are error events.
const ERROR_EVENTS: [&str; 7] = [
    "missing",
    "late",
    "duplicate",
    "reordered",
    "corrupt",
    "foreign",
    "send_errors",
];

/// Where the share is defined that must have been offered.
pub const OFFERED_MIN_SOURCE: &str = "bench/src/stream/result.rs, OFFERED_MIN_PERCENT";

/// The figures of one stream.
#[derive(Clone, Serialize)]
pub struct StreamView {
    pub options: Tree,
    pub boot: Tree,
    pub counts: Tree,
    pub error_events: Traced,
    /// Missing over sent.
    pub loss: Option<Traced>,
    pub offered_rate_hz: Option<Traced>,
    pub goodput_bits_per_s: Option<Traced>,
    pub rtt_min_ns: Option<Traced>,
    pub rtt_p50_ns: Option<Traced>,
    pub rtt_p99_ns: Option<Traced>,
    pub rtt_p999_ns: Option<Traced>,
    pub rtt_max_ns: Option<Traced>,
    pub rtt_mean_ns: Option<Traced>,
    /// Whether at least 98 % of the rate was offered.
    pub offered_rate_met: bool,
    /// The verdict in words.
    pub verdict: String,
    /// Absent for a build without counters, or when they could not be read.
    pub telemetry: Option<TelemetryView>,
}

/// What the device counted of itself from the first measured datagram to the end of the schedule.
#[derive(Clone, Serialize)]
pub struct TelemetryView {
    pub counters: Tree,
    /// Busy cycles over the window's cycles.
    pub cpu_share: Option<Traced>,
    pub busy_cycles_per_valid: Option<Traced>,
    /// Static RAM and the most stack ever used.
    pub ram_in_use_bytes: Traced,
}

/// The long stream of `build`, if it ran to its end.
pub fn of_build(build: &BuildResults) -> Option<StreamView> {
    let file = build.stream.as_ref()?;
    let (place, measured) = measured(file).next()?;
    Some(StreamView::new(&place, measured))
}

/// The sum of the kinds of error events in the result at `place`.
pub fn error_events(place: &Place) -> Formula {
    place.sum("counts", &ERROR_EVENTS)
}

/// What makes the result of a stream at `place` clean.
pub fn is_clean(place: &Place) -> Vec<Condition> {
    let none = Formula::stated(0_u64, "no error event");
    let mut conditions = is_offered(place);
    conditions.push(Condition::new(error_events(place), Relation::Equal, none));
    conditions
}

/// What makes the result of a stream at `place` say something of the device.
pub fn is_offered(place: &Place) -> Vec<Condition> {
    let percent = Formula::stated(OFFERED_MIN_PERCENT, OFFERED_MIN_SOURCE);
    let hundred = Formula::stated(100_u64, "percent");
    let target = place.value("options/rate_hz").times(percent).over(hundred);
    vec![Condition::new(
        per_second(place, place.value("counts/sent")),
        Relation::AtLeast,
        target,
    )]
}

/// `amount` over the send window of the stream whose result is at `place`, a second: from the
/// schedule's start to one period after the last send.
pub fn per_second(place: &Place, amount: Formula) -> Formula {
    let second = || Formula::stated(Nanos::SECOND.0, "ns in a second");
    let period = Formula::RoundedUp(Box::new(second().over(place.value("options/rate_hz"))));
    let window = Formula::Sum(vec![place.value("last_send_ns"), period]);
    amount.times(second()).over(window)
}

/// Valid datagrams times payload, in bits a second over the send window.
pub fn goodput(place: &Place, result: &StreamResult) -> Option<Traced> {
    Traced::quotient(result.goodput_bits_per_s(), || goodput_formula(place))
}

/// The formula of the goodput of the stream whose result is at `place`.
pub fn goodput_formula(place: &Place) -> Formula {
    let bits = Formula::stated(8_u64, "bits in a byte");
    let payload_bits = place.value("options/payload_bytes").times(bits);
    per_second(place, place.value("counts/valid").times(payload_bits))
}

impl StreamView {
    /// What `measured`, which is at `place`, says.
    pub fn new(place: &Place, measured: &Measured<StreamResult>) -> Self {
        let result = &measured.result;
        let boot = place.tree("boot", &measured.boot);
        let place = &place.at("result");
        let percentile =
            |numerator, denominator| place.percentile("rtt", &result.rtt, numerator, denominator);
        let extreme = |name: &str, value: Option<Nanos>| Some(place.figure(name, value?.0));
        Self {
            options: place.tree("options", &result.options),
            boot,
            counts: place.tree("counts", &result.counts),
            error_events: Traced::whole(result.counts.error_events(), error_events(place)),
            loss: Traced::quotient(result.counts.loss(), || {
                place
                    .value("counts/missing")
                    .over(place.value("counts/sent"))
            }),
            offered_rate_hz: Traced::quotient(result.offered_rate_hz(), || {
                per_second(place, place.value("counts/sent"))
            }),
            goodput_bits_per_s: goodput(place, result),
            rtt_min_ns: extreme("rtt/min_ns", result.rtt.min()),
            rtt_p50_ns: percentile(50, 100),
            rtt_p99_ns: percentile(99, 100),
            rtt_p999_ns: percentile(999, 1_000),
            rtt_max_ns: extreme("rtt/max_ns", result.rtt.max()),
            rtt_mean_ns: Traced::quotient(result.rtt.mean_ns(), || {
                place.value("rtt/sum_ns").over(place.value("rtt/count"))
            }),
            offered_rate_met: result.offered_rate_met(),
            verdict: result.verdict().to_string(),
            telemetry: TelemetryView::new(place, result),
        }
    }
}

impl TelemetryView {
    fn new(place: &Place, result: &StreamResult) -> Option<Self> {
        let counters = result.telemetry?.at_end?;
        let at = place.at("telemetry/at_end");
        let ram = u64::from(counters.static_ram_bytes) + u64::from(counters.stack_high_water_bytes);
        Some(Self {
            counters: place.tree("telemetry/at_end", &counters),
            cpu_share: Traced::quotient(counters.cpu_share(), || {
                at.value("busy_cycles").over(at.value("window_cycles"))
            }),
            busy_cycles_per_valid: Traced::quotient(
                counters.busy_cycles_per_valid(result.counts.valid),
                || at.value("busy_cycles").over(place.value("counts/valid")),
            ),
            ram_in_use_bytes: Traced::whole(
                ram,
                Formula::Sum(vec![
                    at.value("static_ram_bytes"),
                    at.value("stack_high_water_bytes"),
                ]),
            ),
        })
    }
}
