//! A soak as a template sees it.

use bench::SoakResult;
use serde::Serialize;

use super::stream::error_events;
use crate::results::{BuildResults, Measured};
use crate::trace::{Condition, Formula, Place, Relation, Traced, Tree, measured};

/// Datagrams of several sizes for long.
#[derive(Serialize)]
pub struct SoakView {
    pub options: Tree,
    pub counts: Tree,
    pub error_events: Traced,
    pub intervals: Traced,
    /// Intervals in which a datagram was due that is missing.
    pub intervals_with_loss: Traced,
    pub verdict: String,
    /// In the order of the options.
    pub sizes: Vec<SizeView>,
}

/// The datagrams of one size.
#[derive(Serialize)]
pub struct SizeView {
    pub payload_bytes: Traced,
    pub rtt_p99_ns: Option<Traced>,
}

/// The soak of `build`, if it ran to its end.
pub fn of_build(build: &BuildResults) -> Option<SoakView> {
    let (place, measured) = measured(build.soak.as_ref()?).next()?;
    Some(SoakView::new(&place.at("result"), measured))
}

impl SoakView {
    fn new(place: &Place, measured: &Measured<SoakResult>) -> Self {
        let result = &measured.result;
        let intervals = || {
            let indices = 0..result.intervals.len();
            indices.map(|index| place.at("intervals").child(&index.to_string()))
        };
        let none = Formula::stated(0_u64, "none");
        let each = |name: &str, relation| {
            let none = none.clone();
            let cases = intervals()
                .map(|place| vec![Condition::new(place.value(name), relation, none.clone())]);
            Formula::Count(cases.collect())
        };
        let sizes = result.sizes.iter().enumerate().map(|(index, size)| {
            let place = place.at("sizes").child(&index.to_string());
            SizeView {
                payload_bytes: place.figure("payload_bytes", size.payload_bytes),
                rtt_p99_ns: place.percentile("rtt", &size.rtt, 99, 100),
            }
        });
        Self {
            options: place.tree("options", &result.options),
            counts: place.tree("counts", &result.counts),
            error_events: Traced::whole(result.counts.error_events(), error_events(place)),
            intervals: Traced::whole(
                result.intervals.len() as u64,
                each("sent", Relation::AtLeast),
            ),
            intervals_with_loss: Traced::whole(
                result.intervals_with_loss(),
                each("missing", Relation::Greater),
            ),
            verdict: result.verdict().to_string(),
            sizes: sizes.collect(),
        }
    }
}
