//! SPI traffic as a template sees it: what the chip was asked for, over the datagrams echoed.

use bench::{Counts, Nanos};
use serde::Serialize;

use super::derivation::{self, Cost, Derivation, Place};
use super::ratio::RatioView;
use crate::results::{BuildResults, TrafficResult, TrafficRow};

const SCK_PERIODS_PER_BYTE: u128 = 8;

/// The SPI traffic of one build with one payload.
#[derive(Serialize)]
pub struct TrafficView {
    pub payload_bytes: u64,
    pub rate_hz: u64,
    pub counts: Counts,
    /// On the pin, from the clock tree.
    pub sck_hz: Option<u64>,
    /// Those of the derivation in its order, then all others.
    pub operations: Vec<OperationView>,
    /// All operations together, over the datagrams that came back.
    pub transactions: Option<RatioView>,
    pub bytes: Option<RatioView>,
    /// The same of a window of the same length without datagrams.
    pub idle_transactions: Option<RatioView>,
    pub idle_bytes: Option<RatioView>,
    /// What remains for the datagrams themselves.
    pub added_transactions: Option<RatioView>,
    pub added_bytes: Option<RatioView>,
    /// How long SCK runs for those bytes, eight periods each.
    pub added_clocked_ns: Option<RatioView>,
    /// Absent for a driver whose source was not read.
    pub derived: Option<DerivedView>,
}

/// What the driver's source gives.
#[derive(Serialize)]
pub struct DerivedView {
    pub source: &'static str,
    pub datagram: Cost,
    pub wake: Cost,
    /// A datagram that comes alone.
    pub alone: Cost,
}

/// The transactions that begin at one register or in one buffer, in one direction.
#[derive(Serialize)]
pub struct OperationView {
    pub block: String,
    pub register: Option<String>,
    pub write: bool,
    pub transactions: Option<RatioView>,
    pub bytes: Option<RatioView>,
    /// For a datagram that comes alone; absent where the derivation has no such access.
    pub derived: Option<Cost>,
}

/// The SPI traffic of `build`, by payload.
pub fn of_build(variant: &str, build: &BuildResults) -> Vec<TrafficView> {
    let trials = build.traffic.iter().flat_map(|file| &file.trials);
    let measured = trials.filter_map(|trial| trial.measured());
    let derivation = derivation::of_variant(variant);
    measured
        .map(|measured| TrafficView::new(&measured.result, derivation))
        .collect()
}

impl TrafficView {
    fn new(result: &TrafficResult, derivation: Option<&Derivation>) -> Self {
        let valid = result.counts.valid;
        let over_valid = |figure: u64| RatioView::of(figure, valid);
        let payload_bytes = result.options.payload_bytes;
        let transactions = |rows: &[TrafficRow]| rows.iter().map(|row| row.transactions).sum();
        let bytes = |rows: &[TrafficRow]| rows.iter().map(|row| row.bytes).sum();
        Self {
            payload_bytes,
            rate_hz: result.options.rate_hz,
            counts: result.counts,
            sck_hz: result.sck_hz,
            operations: operations(result, derivation),
            transactions: over_valid(transactions(&result.entries)),
            bytes: over_valid(bytes(&result.entries)),
            idle_transactions: over_valid(transactions(&result.idle)),
            idle_bytes: over_valid(bytes(&result.idle)),
            added_transactions: RatioView::new(result.transactions_per_datagram()),
            added_bytes: RatioView::new(result.bytes_per_datagram()),
            added_clocked_ns: clocked_ns(result),
            derived: derivation.map(|derivation| DerivedView::new(derivation, payload_bytes)),
        }
    }
}

fn clocked_ns(result: &TrafficResult) -> Option<RatioView> {
    let bytes = result.bytes_per_datagram().ok()?;
    let periods = bytes.numerator * SCK_PERIODS_PER_BYTE;
    RatioView::of(
        periods * u128::from(Nanos::SECOND.0),
        bytes.denominator * u128::from(result.sck_hz?),
    )
}

impl DerivedView {
    fn new(derivation: &Derivation, payload_bytes: u64) -> Self {
        let (datagram, wake) = (derivation.datagram(payload_bytes), derivation.wake());
        Self {
            source: derivation.source,
            datagram,
            wake,
            alone: Cost {
                transactions: datagram.transactions + wake.transactions,
                bytes: datagram.bytes + wake.bytes,
            },
        }
    }
}

fn operations(result: &TrafficResult, derivation: Option<&Derivation>) -> Vec<OperationView> {
    let mut places = derivation.map(Derivation::places).unwrap_or_default();
    for place in result.entries.iter().map(place) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let operation = |at: Place| {
        let rows = result.entries.iter().filter(|row| place(row) == at);
        let (mut transactions, mut bytes) = (0, 0);
        for row in rows {
            transactions += row.transactions;
            bytes += row.bytes;
        }
        let valid = result.counts.valid;
        let derived = derivation.map(|derivation| derivation.at(at, result.options.payload_bytes));
        let (block, register, write) = at;
        OperationView {
            block: block.to_owned(),
            register: register.map(str::to_owned),
            write,
            transactions: RatioView::of(transactions, valid),
            bytes: RatioView::of(bytes, valid),
            derived: derived.filter(|cost| cost.transactions > 0),
        }
    };
    places.into_iter().map(operation).collect()
}

fn place(row: &TrafficRow) -> Place<'_> {
    (&row.block, row.register.as_deref(), row.write)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::TrafficOptions;

    fn row(block: &str, register: Option<&str>, transactions: u64, bytes: u64) -> TrafficRow {
        TrafficRow {
            block: block.to_owned(),
            register: register.map(str::to_owned),
            write: false,
            transactions,
            bytes,
        }
    }

    #[test]
    fn what_was_counted_stands_beside_what_was_derived_and_the_rest_after_it() {
        let link = row("common", Some("PHYCFGR"), 1, 4);
        let result = TrafficResult {
            options: TrafficOptions {
                seed: 0,
                rate_hz: 100,
                payload_bytes: 100,
                packets: 10,
            },
            counts: Counts {
                planned: 10,
                sent: 10,
                valid: 10,
                ..Counts::default()
            },
            sck_hz: Some(25_000_000),
            window_ns: Nanos::from_millis(200),
            entries: vec![link.clone(), row("socket 0 RX buffer", None, 20, 1_500)],
            idle: vec![link],
        };
        let view = TrafficView::new(&result, derivation::of_variant("w5500-macraw"));
        let shown = |operation: &OperationView| {
            let derived = operation
                .derived
                .map(|cost| (cost.transactions, cost.bytes));
            (operation.block.clone(), operation.register.clone(), derived)
        };
        let buffer = &view.operations[3];
        let derived = Some((2, 150));
        assert_eq!(
            shown(buffer),
            ("socket 0 RX buffer".to_owned(), None, derived)
        );
        let last = view.operations.last().unwrap();
        let register = Some("PHYCFGR".to_owned());
        assert_eq!(shown(last), ("common".to_owned(), register, None));
        let quotients = [buffer.bytes, view.bytes, view.idle_bytes, view.added_bytes];
        let quotients = quotients.map(|quotient| serde_json::to_value(quotient).unwrap());
        let over_ten = |bytes: u64| serde_json::json!({"numerator": bytes, "denominator": 10});
        assert_eq!(quotients, [1_500, 1_504, 4, 1_500].map(over_ten));
        let clocked = serde_json::to_value(view.added_clocked_ns).unwrap();
        let expected = 1_500 * 8 * 1_000_000_000_u64;
        assert_eq!(clocked["numerator"], expected);
        assert_eq!(clocked["denominator"], 250_000_000);
        assert!(TrafficView::new(&result, None).derived.is_none());
    }
}
