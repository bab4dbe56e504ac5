//! Published figures with their trace: the text that a file of published figures holds.

use anyhow::Context;
use bench::Ratio;

use crate::published::set::Published;
use crate::render::parse_decimal;
use crate::trace::{Candidate, Condition, Formula, Input, Relation, Rule, Traced};

/// Where the published figures lie, seen from a folder of results beside them.
const FOLDER: &str = "../published";
/// What a knee leaves unanswered at most: one datagram in so many.
pub const KNEE_SHARE: u128 = 1_000;
const KNEE_SOURCE: &str = "one in a thousand: single losses of host and network are no knee";
const SECOND_NS: u128 = 1_000_000_000;

/// The published figures.
pub struct Citations<'a>(pub &'a Published);

impl Citations<'_> {
    /// The figure in a cell, in its base unit.
    ///
    /// # Errors
    /// There is no such cell, or it holds no figure.
    pub fn cell(&self, table: &str, row: &str, column: &str) -> anyhow::Result<Traced> {
        let figure = self.0.figure(table, row, column)?.figure;
        let rows = &self.0.table(table)?.rows;
        let index = rows.iter().position(|other| other.id == row);
        let index = index.with_context(|| format!("{table} has no row {row}"))?;
        self.traced(
            table,
            &format!("rows/{index}/cells/{}", escaped(column)),
            &figure.exact,
        )
    }

    /// The figure that holds for the whole of a table.
    fn scope(&self, table: &str, name: &str) -> anyhow::Result<Traced> {
        use crate::published::set::Cell;
        let scope = &self.0.table(table)?.scope;
        let cell = scope.iter().find(|(other, _)| other == name);
        let Some((_, Cell::Figure(figure))) = cell else {
            anyhow::bail!("{table} has no {name} that holds for all of it");
        };
        self.traced(table, &format!("scope/{}", escaped(name)), &figure.exact)
    }

    fn traced(&self, table: &str, place: &str, exact: &str) -> anyhow::Result<Traced> {
        let file = &self.0.table(table)?.file;
        let mut of_file = self.0.tables.iter().filter(|other| other.file == *file);
        let index = of_file.position(|other| other.id == table);
        let index = index.with_context(|| format!("{file} has no table {table}"))?;
        let (value, _) =
            parse_decimal(exact).with_context(|| format!("{exact:?} is no decimal"))?;
        let formula = Formula::Decimal(Input {
            file: format!("{FOLDER}/{file}"),
            pointer: format!("/tables/{index}/{place}/exact"),
        });
        Ok(Traced { value, formula })
    }

    /// What a sweep says at one rate.
    fn step(&self, sweep: Sweep, row: &str) -> anyhow::Result<Step> {
        Ok(Step {
            rate_hz: self.cell(sweep.table, row, "rate_khz")?,
            events: self.cell(sweep.table, row, sweep.column)?,
            duration_ns: self.scope(sweep.table, "duration_s")?,
        })
    }

    /// Datagrams a second that MACRAW answers at 2 kHz, late ones included.
    ///
    /// # Errors
    /// The published set has another shape.
    pub fn answered_at_2_khz(&self, sweep: Sweep) -> anyhow::Result<Traced> {
        let step = self.step(sweep, "2-khz")?;
        let missing = self.cell("rate-sweep-30s-summary", "w5500-macraw/2-khz", "missing")?;
        let answered = Step {
            events: missing,
            ..step
        }
        .clean_per_second();
        answered.context("more is missing than was sent")
    }

    /// Datagrams a second without an error event at the rate of a stage's count of them.
    ///
    /// # Errors
    /// The published set has another shape.
    pub fn stage_at(&self, stage: &str, rate_hz: &Traced) -> anyhow::Result<Option<Traced>> {
        let table = "native-rmii-stages";
        let step = Step {
            rate_hz: rate_hz.clone(),
            events: self.cell(table, stage, "error_events")?,
            duration_ns: self.scope(table, "duration_s")?,
        };
        Ok(step.clean_per_second())
    }

    /// Every rate of a published sweep.
    ///
    /// # Errors
    /// The published set has another shape.
    pub fn sweep(&self, sweep: Sweep) -> anyhow::Result<Vec<Step>> {
        let rows = &self.0.table(sweep.table)?.rows;
        rows.iter().map(|row| self.step(sweep, &row.id)).collect()
    }
}

/// A column of error events by rate.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    pub table: &'static str,
    pub column: &'static str,
}

/// One rate of a sweep, published or emulated.
#[derive(Clone, Debug)]
pub struct Step {
    pub rate_hz: Traced,
    pub events: Traced,
    pub duration_ns: Traced,
}

impl Step {
    /// Datagrams a second without an error event; `None` when there are more events than datagrams.
    pub fn clean_per_second(&self) -> Option<Traced> {
        let second = || Formula::stated(SECOND_NS, "ns in a second");
        let events = self.events.formula.clone().times(second());
        let lost = events.over(self.duration_ns.formula.clone());
        let formula = self.rate_hz.formula.clone().minus(lost);
        let (rate, span) = (whole(&self.rate_hz)?, whole(&self.duration_ns)?);
        let numerator = (rate * span).checked_sub(whole(&self.events)? * SECOND_NS)?;
        Some(Traced {
            value: reduced(numerator, span),
            formula,
        })
    }

    /// Whether no more than one datagram in [`KNEE_SHARE`] has an error event.
    fn is_below_knee(&self) -> Condition {
        let share = Formula::stated(KNEE_SHARE, KNEE_SOURCE);
        let second = Formula::stated(SECOND_NS, "ns in a second");
        let events = self.events.formula.clone().times(share).times(second);
        let sent = self
            .rate_hz
            .formula
            .clone()
            .times(self.duration_ns.formula.clone());
        Condition::new(events, Relation::AtMost, sent)
    }

    fn holds(&self) -> bool {
        let values = [&self.events, &self.rate_hz, &self.duration_ns].map(whole);
        let [Some(events), Some(rate), Some(span)] = values else {
            return false;
        };
        events * KNEE_SHARE * SECOND_NS <= rate * span
    }
}

/// The most datagrams a second without an error event at any rate of a sweep.
pub fn peak(steps: &[Step]) -> Option<Traced> {
    let rates: Vec<_> = steps.iter().filter_map(Step::clean_per_second).collect();
    largest(&rates)
}

/// The largest of several figures, the first of equals.
pub fn largest(figures: &[Traced]) -> Option<Traced> {
    let mut best = figures.first()?;
    for other in figures {
        if other.compare(best).is_gt() {
            best = other;
        }
    }
    let candidates = figures.iter().map(|one| Candidate {
        value: one.formula.clone(),
        rank: one.formula.clone(),
        conditions: Vec::new(),
    });
    Some(Traced {
        value: best.value,
        formula: Formula::Selected {
            rule: Rule::Largest,
            candidates: candidates.collect(),
        },
    })
}

/// The highest rate up to which hardly a datagram has an error event.
pub fn knee(steps: &[Step]) -> Option<Traced> {
    let last = steps.iter().take_while(|step| step.holds()).last()?;
    let candidates = steps.iter().map(|step| Candidate {
        value: step.rate_hz.formula.clone(),
        rank: step.rate_hz.formula.clone(),
        conditions: vec![step.is_below_knee()],
    });
    Some(Traced {
        value: last.rate_hz.value,
        formula: Formula::Selected {
            rule: Rule::LastOfUnbroken,
            candidates: candidates.collect(),
        },
    })
}

/// A quotient in lowest terms, so that what is worked out of it stays small.
pub fn reduced(numerator: u128, denominator: u128) -> Ratio {
    let (mut a, mut b) = (numerator, denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    Ratio {
        numerator: numerator / divisor,
        denominator: denominator / divisor,
    }
}

fn whole(figure: &Traced) -> Option<u128> {
    let Ratio {
        numerator,
        denominator,
    } = figure.value;
    (denominator != 0 && numerator % denominator == 0).then(|| numerator / denominator)
}

/// A name as a token of a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
