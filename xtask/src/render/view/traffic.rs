//! SPI traffic as a template sees it: what the chip was asked for, over the datagrams echoed.

use bench::{Nanos, Ratio};
use serde::Serialize;

use super::derivation::{self, Cost, CostView, Derivation, Operation};
use crate::results::{BuildResults, TrafficResult, TrafficRow};
use crate::trace::{self, Formula, Place, Traced, Tree};

const SCK_PERIODS_PER_BYTE: u128 = 8;

/// The SPI traffic of one build with one payload.
#[derive(Serialize)]
pub struct TrafficView {
    pub payload_bytes: Traced,
    pub rate_hz: Traced,
    pub counts: Tree,
    /// On the pin, from the clock tree.
    pub sck_hz: Option<Traced>,
    /// Those of the derivation in its order, then all others.
    pub operations: Vec<OperationView>,
    /// All operations together, over the datagrams that came back.
    pub transactions: Option<Traced>,
    pub bytes: Option<Traced>,
    /// The same of a window of the same length without datagrams.
    pub idle_transactions: Option<Traced>,
    pub idle_bytes: Option<Traced>,
    /// What remains for the datagrams themselves.
    pub added_transactions: Option<Traced>,
    pub added_bytes: Option<Traced>,
    /// How long SCK runs for those bytes, eight periods each.
    pub added_clocked_ns: Option<Traced>,
    /// Absent for a driver whose source was not read.
    pub derived: Option<DerivedView>,
}

/// What the driver's source gives.
#[derive(Serialize)]
pub struct DerivedView {
    pub source: &'static str,
    pub datagram: CostView,
    pub wake: CostView,
    /// A datagram that comes alone.
    pub alone: CostView,
}

/// The transactions that begin at one register or in one buffer, in one direction.
#[derive(Serialize)]
pub struct OperationView {
    pub block: String,
    pub register: Option<String>,
    pub write: bool,
    pub transactions: Option<Traced>,
    pub bytes: Option<Traced>,
    /// For a datagram that comes alone; absent where the derivation has no such access.
    pub derived: Option<CostView>,
}

/// The SPI traffic of `build`, by payload.
pub fn of_build(variant: &str, build: &BuildResults) -> Vec<TrafficView> {
    let derivation = derivation::of_variant(variant);
    let measured = build.traffic.iter().flat_map(trace::measured);
    measured
        .map(|(place, measured)| {
            TrafficView::new(&place.at("result"), &measured.result, derivation)
        })
        .collect()
}

impl TrafficView {
    fn new(place: &Place, result: &TrafficResult, derivation: Option<&Derivation>) -> Self {
        let payload_bytes = result.options.payload_bytes;
        let totals = |rows: &[TrafficRow], name: &str| {
            [Column::Transactions, Column::Bytes].map(|column| {
                let all = rows.iter().enumerate();
                over_valid(place, result, sum(&place.at(name), all, column))
            })
        };
        let [transactions, bytes] = totals(&result.entries, "entries");
        let [idle_transactions, idle_bytes] = totals(&result.idle, "idle");
        Self {
            payload_bytes: place.figure("options/payload_bytes", payload_bytes),
            rate_hz: place.figure("options/rate_hz", result.options.rate_hz),
            counts: place.tree("counts", &result.counts),
            sck_hz: result.sck_hz.map(|hz| place.figure("sck_hz", hz)),
            operations: operations(place, result, derivation),
            transactions,
            bytes,
            idle_transactions,
            idle_bytes,
            added_transactions: Traced::quotient(result.transactions_per_datagram(), || {
                added(place, result, Column::Transactions)
            }),
            added_bytes: Traced::quotient(result.bytes_per_datagram(), || {
                added(place, result, Column::Bytes)
            }),
            added_clocked_ns: clocked_ns(place, result),
            derived: derivation.map(|derivation| DerivedView::new(derivation, payload_bytes)),
        }
    }
}

/// A figure of a row.
#[derive(Clone, Copy)]
enum Column {
    Transactions,
    Bytes,
}

impl Column {
    const fn name(self) -> &'static str {
        match self {
            Self::Transactions => "transactions",
            Self::Bytes => "bytes",
        }
    }

    const fn of(self, row: &TrafficRow) -> u64 {
        match self {
            Self::Transactions => row.transactions,
            Self::Bytes => row.bytes,
        }
    }
}

/// The sum of a column over some of the rows at `place`, each with its index.
fn sum<'a>(
    place: &Place,
    rows: impl Iterator<Item = (usize, &'a TrafficRow)>,
    column: Column,
) -> Traced {
    let (mut total, mut parts) = (0, Vec::new());
    for (index, row) in rows {
        total += column.of(row);
        parts.push(place.value(&format!("{index}/{}", column.name())));
    }
    Traced::whole(total, Formula::Sum(parts))
}

fn over_valid(place: &Place, result: &TrafficResult, figure: Traced) -> Option<Traced> {
    figure.over(&place.figure("counts/valid", result.counts.valid))
}

/// The formula of what the datagrams themselves add to a column, for each that came back.
fn added(place: &Place, result: &TrafficResult, column: Column) -> Formula {
    let total = |rows: &[TrafficRow], name: &str| {
        sum(&place.at(name), rows.iter().enumerate(), column).formula
    };
    let added = total(&result.entries, "entries").minus(total(&result.idle, "idle"));
    added.over(place.value("counts/valid"))
}

fn clocked_ns(place: &Place, result: &TrafficResult) -> Option<Traced> {
    let bytes = Traced::quotient(result.bytes_per_datagram(), || {
        added(place, result, Column::Bytes)
    })?;
    let sck = place.figure("sck_hz", result.sck_hz?);
    let second = Traced::stated(Nanos::SECOND.0, "ns in a second");
    let periods = Traced::stated(SCK_PERIODS_PER_BYTE, "periods of SCK in a byte");
    let formula = bytes
        .formula
        .clone()
        .times(periods.formula)
        .times(second.formula)
        .over(sck.formula.clone());
    let clocked = bytes.over(&sck)?.value;
    let value = Ratio {
        numerator: clocked.numerator * SCK_PERIODS_PER_BYTE * u128::from(Nanos::SECOND.0),
        ..clocked
    };
    Some(Traced { value, formula })
}

impl DerivedView {
    fn new(derivation: &Derivation, payload_bytes: u64) -> Self {
        let (datagram, wake) = (derivation.datagram(payload_bytes), derivation.wake());
        let alone = Cost {
            transactions: datagram.transactions + wake.transactions,
            bytes: datagram.bytes + wake.bytes,
        };
        Self {
            source: derivation.source,
            datagram: derivation.view(datagram),
            wake: derivation.view(wake),
            alone: derivation.view(alone),
        }
    }
}

fn operations(
    place: &Place,
    result: &TrafficResult,
    derivation: Option<&Derivation>,
) -> Vec<OperationView> {
    let mut operations = derivation.map(Derivation::places).unwrap_or_default();
    for operation in result.entries.iter().map(operation_of) {
        if !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    let view = |operation: Operation| {
        let figure = |column| {
            let rows = result.entries.iter().enumerate();
            let of_operation = rows.filter(|(_, row)| operation_of(row) == operation);
            over_valid(
                place,
                result,
                sum(&place.at("entries"), of_operation, column),
            )
        };
        let derived = derivation.and_then(|derivation| {
            let cost = derivation.at(operation, result.options.payload_bytes);
            (cost.transactions > 0).then(|| derivation.view(cost))
        });
        let (block, register, write) = operation;
        OperationView {
            block: block.to_owned(),
            register: register.map(str::to_owned),
            write,
            transactions: figure(Column::Transactions),
            bytes: figure(Column::Bytes),
            derived,
        }
    };
    operations.into_iter().map(view).collect()
}

fn operation_of(row: &TrafficRow) -> Operation<'_> {
    (&row.block, row.register.as_deref(), row.write)
}

#[cfg(test)]
mod tests {
    use bench::Counts;

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
        let view = TrafficView::new(
            &Place::unsaved(),
            &result,
            derivation::of_variant("w5500-macraw"),
        );
        let shown = |operation: &OperationView| {
            let whole = |figure: &Traced| figure.value.numerator;
            let derived = operation.derived.as_ref();
            let derived = derived.map(|cost| (whole(&cost.transactions), whole(&cost.bytes)));
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
        let quotients = [
            &buffer.bytes,
            &view.bytes,
            &view.idle_bytes,
            &view.added_bytes,
        ];
        let quotients = quotients.map(|quotient| serde_json::to_value(quotient).unwrap());
        let over_ten = |bytes: u64| serde_json::json!({"numerator": bytes, "denominator": 10});
        assert_eq!(quotients, [1_500, 1_504, 4, 1_500].map(over_ten));
        let clocked = serde_json::to_value(&view.added_clocked_ns).unwrap();
        let expected = 1_500 * 8 * 1_000_000_000_u64;
        assert_eq!(clocked["numerator"], expected);
        assert_eq!(clocked["denominator"], 250_000_000);
        assert!(
            TrafficView::new(&Place::unsaved(), &result, None)
                .derived
                .is_none()
        );
    }
}
