//! Every figure of a document, worked out from its formula and printed once more.

use super::documents::Checker;
use super::evaluate::{evaluate, rational};
use super::print::decimal;
use super::rational::Rational;
use super::report::{Finding, Kind, Report};
use crate::render::{Printed, Unit};

/// Checks the figures of one document.
pub fn check(checker: &Checker, figures: &[Printed]) -> Report {
    let findings = figures.iter().filter_map(|figure| wrong(checker, figure));
    let findings = findings.collect();
    Checker::report("figures recomputed", figures.len(), findings)
}

/// What is wrong with a figure, if anything.
fn wrong(checker: &Checker, figure: &Printed) -> Option<Finding> {
    let Printed {
        at, unit, digits, ..
    } = figure;
    let finding = |message: String| {
        Some(checker.finding(Kind::Figure, format!("{}:{}", at.line, at.column), message))
    };
    let formula = &figure.traced.formula;
    let value = match evaluate(&checker.files.results, formula) {
        Ok(value) => value,
        Err(reason) => return finding(format!("{} does not follow: {reason}", at.text)),
    };
    if rational(figure.traced.value) != Ok(value) {
        let bench::Ratio {
            numerator,
            denominator,
        } = figure.traced.value;
        return finding(format!(
            "{} is printed of {numerator}/{denominator}, and {formula} gives {value}",
            at.text
        ));
    }
    let printed = printed(value, *unit, *digits);
    if printed.as_deref() != Some(&at.text) {
        let printed = printed.unwrap_or_default();
        return finding(format!("{} is printed, and {value} is {printed}", at.text));
    }
    let length = at.text.chars().count();
    let committed = checker.committed.at(at.line, at.column, length);
    if committed != at.text {
        return finding(format!(
            "it is {committed:?}, and {formula} gives {}",
            at.text
        ));
    }
    None
}

/// A value as a document prints it.
pub fn printed(value: Rational, unit: Unit, digits: u32) -> Option<String> {
    let (factor, divisor) = scale(unit);
    let scaled = value.times(Rational::new(factor, divisor)?)?;
    Some(decimal(scaled, usize::try_from(digits).ok()?))
}

/// What a unit multiplies the base unit with, and what it divides it by.
fn scale(unit: Unit) -> (i128, i128) {
    match unit {
        Unit::One => (1, 1),
        Unit::Percent => (100, 1),
        Unit::Microseconds | Unit::Kilohertz => (1, 1_000),
        Unit::Milliseconds | Unit::Megahertz | Unit::MegabitsPerSecond => (1, 1_000_000),
        Unit::Seconds => (1, 1_000_000_000),
    }
}

/// What a unit is called in explanations.
pub fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::One => "",
        Unit::Percent => "%",
        Unit::Microseconds => "us",
        Unit::Milliseconds => "ms",
        Unit::Seconds => "s",
        Unit::Kilohertz => "kHz",
        Unit::Megahertz => "MHz",
        Unit::MegabitsPerSecond => "Mbit/s",
    }
}
