//! What each figure is of, so that the same figure in two places can be told from two figures.

use std::collections::BTreeMap;
use std::fmt;

use super::set::{Cell, Cited, Place, Published};
use super::unit::{Exact, Unit};

/// Quantities that tell one trial from another rather than being measured in it.
const DIMENSIONS: [&str; 24] = [
    "variant",
    "build",
    "stage",
    "rate",
    "duration",
    "payload",
    "burst_packets",
    "trial",
    "sweep",
    "run",
    "check",
    "system",
    "platform",
    "interface",
    "message",
    "item",
    "shield_signal",
    "pll_register_value",
    "device",
    "test",
    "change",
    "experiment",
    "register",
    "socket_memory",
];

/// Quantities of a build, whatever it is asked to do.
const OF_A_BUILD: [&str; 20] = [
    "bringup_ncloc",
    "server_ncloc",
    "total_ncloc",
    "flash",
    "static_ram",
    "signed_image",
    "stack_capacity",
    "mcu_clock",
    "ahb_clock",
    "spi",
    "optimization",
    "compiler",
    "lto",
    "icache",
    "dcache",
    "checksums",
    "rx_service",
    "firmware_version",
    "udp_rx_storage",
    "udp_tx_storage",
];

/// Quantities of a whole sweep, not of one of its rates.
const OF_A_SWEEP: [&str; 7] = [
    "zero_error_min",
    "zero_error_max",
    "first_failure",
    "knee_min",
    "knee_max",
    "conservative_sustained",
    "plateau_valid",
];

/// Texts that say how a row is called or how a figure is meant, not a fact of their own.
const LABELS: [&str; 5] = ["metric", "stage_name", "spi_clock_is", "status", "retained"];

/// What a figure is of: dimension by dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject(BTreeMap<String, String>);

/// A figure or a text with what it is of.
#[derive(Clone, Debug)]
pub struct Fact<'a> {
    pub subject: Subject,
    /// Without its unit.
    pub quantity: &'a str,
    pub value: Value<'a>,
    pub place: Place<'a>,
}

/// A figure, or a text such as a compiler's setting.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    Figure(Cited<'a>),
    Text(&'a str),
}

impl Subject {
    /// The value of a dimension.
    pub fn get(&self, dimension: &str) -> Option<&str> {
        self.0.get(dimension).map(String::as_str)
    }

    /// The value of a dimension that is a figure, in base units.
    pub fn figure(&self, dimension: &str) -> Option<Exact> {
        self.get(dimension)?.parse().ok()
    }

    /// The same without `dimension`.
    pub fn without(&self, dimension: &str) -> Self {
        let mut subject = self.clone();
        subject.0.remove(dimension);
        subject
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn set(&mut self, name: &str, cell: &Cell) {
        let (_, base) = Unit::of(name);
        if !DIMENSIONS.contains(&base) {
            return;
        }
        let value = match cell {
            Cell::Text(text) => text.clone(),
            Cell::Figure(figure) => figure.value.to_string(),
            Cell::Figures(_) | Cell::Absent(_) => return,
        };
        self.0.insert(base.to_owned(), value);
    }

    fn keep(&mut self, dimensions: &[&str]) {
        self.0.retain(|name, _| dimensions.contains(&name.as_str()));
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<&str> = self.0.values().map(String::as_str).collect();
        formatter.write_str(&values.join(" "))
    }
}

impl Published {
    /// Every figure and text that is no dimension itself, nor a quotient of the other columns; in the order of the documents, then of the
    /// tables.
    pub fn facts(&self) -> Vec<Fact<'_>> {
        let mut facts = Vec::new();
        for table in &self.tables {
            for row in &table.rows {
                let mut common = Subject::default();
                for (name, cell) in table.scope.iter().chain(&row.scope).chain(&row.cells) {
                    common.set(name, cell);
                }
                for (name, cell) in &row.cells {
                    let column = table.columns.iter().find(|column| column.id == *name);
                    let (_, quantity) = Unit::of(row.quantity(table, name));
                    let place = row.place(table, name);
                    let value = match cell {
                        Cell::Figure(figure) => Value::Figure(Cited { figure, place }),
                        Cell::Text(text) => Value::Text(text),
                        Cell::Figures(_) | Cell::Absent(_) => continue,
                    };
                    if DIMENSIONS.contains(&quantity) || LABELS.contains(&quantity) {
                        continue;
                    }
                    let derived = column.is_some_and(|column| column.quantity.is_some());
                    if derived && row.quantity.is_some() {
                        continue;
                    }
                    let mut subject = common.clone();
                    for (name, cell) in column.iter().flat_map(|column| &column.scope) {
                        subject.set(name, cell);
                    }
                    narrow(&mut subject, quantity);
                    facts.push(Fact {
                        subject,
                        quantity,
                        value,
                        place,
                    });
                }
            }
        }
        let rank = |fact: &Fact<'_>| {
            let id = &fact.place.source.document;
            self.documents
                .iter()
                .position(|document| document.id == *id)
        };
        facts.sort_by_key(rank);
        facts
    }
}

/// Drops from `subject` what `quantity` does not depend on.
fn narrow(subject: &mut Subject, quantity: &str) {
    if OF_A_BUILD.contains(&quantity) {
        subject.keep(&["variant", "build", "stage"]);
    }
    if OF_A_SWEEP.contains(&quantity) {
        *subject = subject.without("rate");
    }
}

impl<'a> Fact<'a> {
    /// The figure, if it is one.
    pub fn figure(&self) -> Option<Cited<'a>> {
        match self.value {
            Value::Figure(cited) => Some(cited),
            Value::Text(_) => None,
        }
    }

    /// The printed figure with its unit, or the text.
    pub fn printed(&self) -> String {
        match self.value {
            Value::Figure(cited) => cited.figure.with_unit(),
            Value::Text(text) => text.to_owned(),
        }
    }
}
