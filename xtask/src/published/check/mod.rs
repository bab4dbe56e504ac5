//! The published set held against itself.
//!
//! General rules look at every figure there is: the same figure in two places, sums and quotients
//! within one trial, orders along a sweep. What only one sentence or one column claims has a check of
//! its own, by subject.

mod ahead;
mod article;
mod benchmark;
mod builds;
mod bursts;
mod emnet;
mod gains;
mod hour;
mod names;
mod others;
mod record;
mod repeat;
mod series;
mod settings;
mod sizes;
mod stages;

use std::collections::BTreeMap;

use serde::Serialize;

use super::fact::Fact;
use super::figure::in_unit;
use super::schema::Source;
use super::set::{Cited, Place, Published};
use super::unit::Exact;

/// What came of all checks.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many checks held, and how many did not, by rule.
    pub rules: BTreeMap<&'static str, Tally>,
    /// Every check that did not hold, in the order of the checks.
    pub findings: Vec<Finding>,
}

/// How often a rule held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub held: u64,
    pub failed: u64,
}

/// Two things that ought to agree and do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static str,
    pub left: Side,
    pub right: Side,
}

/// One of the two, with where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    pub value: String,
    /// The cell, or the cells it was computed from.
    pub place: String,
    /// Where in the documents that is.
    pub sources: Vec<Source>,
}

impl Side {
    /// What a document prints.
    pub fn printed(cited: Cited<'_>) -> Self {
        Self::said(&cited.figure.with_unit(), cited.place)
    }

    /// What a document says, in short.
    pub fn said(value: &str, place: Place<'_>) -> Self {
        Self {
            value: value.to_owned(),
            place: place.to_string(),
            sources: vec![place.source.clone()],
        }
    }

    /// What follows from what documents print.
    pub fn computed(value: String, inputs: &[Cited<'_>]) -> Self {
        let mut sources: Vec<Source> = Vec::new();
        for input in inputs {
            if !sources.contains(input.place.source) {
                sources.push(input.place.source.clone());
            }
        }
        let places: Vec<String> = inputs.iter().map(|input| input.place.to_string()).collect();
        Self {
            value,
            place: places.join(" with "),
            sources,
        }
    }
}

/// Runs checks and keeps count of them.
struct Checker<'a> {
    set: &'a Published,
    facts: Vec<Fact<'a>>,
    report: Report,
}

/// Runs every check there is.
///
/// # Errors
/// A cell that a check is about is not there.
pub fn run(set: &Published) -> anyhow::Result<Report> {
    let mut checker = Checker {
        set,
        facts: set.facts(),
        report: Report::default(),
    };
    repeat::check(&mut checker);
    record::check(&mut checker);
    series::check(&mut checker)?;
    names::check(&mut checker)?;
    builds::check(&mut checker)?;
    sizes::check(&mut checker)?;
    hour::check(&mut checker)?;
    stages::check(&mut checker)?;
    gains::check(&mut checker)?;
    settings::check(&mut checker)?;
    benchmark::check(&mut checker)?;
    bursts::check(&mut checker)?;
    article::check(&mut checker)?;
    ahead::check(&mut checker)?;
    others::check(&mut checker)?;
    emnet::check(&mut checker)?;
    Ok(checker.report)
}

impl<'a> Checker<'a> {
    /// The figure at a place that a check is about.
    fn figure(&self, table: &str, row: &str, column: &str) -> anyhow::Result<Cited<'a>> {
        self.set.figure(table, row, column)
    }

    /// Counts a check, and keeps both sides when it does not hold.
    fn check(&mut self, rule: &'static str, holds: bool, left: Side, right: Side) {
        let tally = self.report.rules.entry(rule).or_default();
        if holds {
            tally.held += 1;
        } else {
            tally.failed += 1;
            self.report.findings.push(Finding { rule, left, right });
        }
    }

    /// `printed` is what `value`, computed from `inputs`, rounds to.
    fn follows(
        &mut self,
        rule: &'static str,
        printed: Cited<'_>,
        value: Exact,
        inputs: &[Cited<'_>],
    ) {
        self.follows_within(rule, printed, value, inputs, Exact::from_integer(0));
    }

    /// The same where the inputs are rounded themselves, by which the value may be `slack` off.
    fn follows_within(
        &mut self,
        rule: &'static str,
        printed: Cited<'_>,
        value: Exact,
        inputs: &[Cited<'_>],
        slack: Exact,
    ) {
        let figure = printed.figure;
        let whole = figure.digits == 0 && value.is_integer();
        let digits = if whole { 0 } else { figure.digits + 2 };
        let shown = in_unit(value, figure.unit, digits);
        self.check(
            rule,
            figure.stands_for(value, slack),
            Side::printed(printed),
            Side::computed(shown, inputs),
        );
    }

    /// `low` is not above `high`.
    fn ordered(&mut self, rule: &'static str, low: Cited<'_>, high: Cited<'_>) {
        let holds = low.figure.value <= high.figure.value;
        self.check(rule, holds, Side::printed(low), Side::printed(high));
    }

    /// Two printed figures are the same one.
    fn same(&mut self, rule: &'static str, left: Cited<'_>, right: Cited<'_>) {
        let holds = repeat::agree(left, right);
        self.check(rule, holds, Side::printed(left), Side::printed(right));
    }
}

/// `numerator / denominator`, or nothing when that is no number.
fn quotient(numerator: Exact, denominator: Exact) -> Option<Exact> {
    (*denominator.numer() != 0).then(|| numerator / denominator)
}
