//! Which figures a text stands for.

use super::super::documents::Lines;
use super::super::figures::unit_name;
use super::super::rational::Rational;
use crate::render::{Printed, Rendered, parse_decimal};
use crate::trace::CheckedClaim;

/// How many figures are told that are near to one that is nowhere.
const NEAREST: usize = 3;

/// What was found, each with its document.
#[derive(Default)]
pub struct Found<'a> {
    pub figures: Vec<(&'a Rendered, &'a Printed)>,
    pub claims: Vec<(&'a Rendered, &'a CheckedClaim)>,
}

/// Looks for `text`: first for figures that read like it, then for claims and for lines that it is a
/// part of.
pub fn find<'a>(documents: &'a [Rendered], text: &str) -> Found<'a> {
    let text = text.trim();
    let mut found = Found::default();
    if text.is_empty() {
        return found;
    }
    for document in documents {
        let lines = Lines::of(&document.text);
        let figures = document.figures.iter();
        let like = figures.filter(|figure| reads_like(&lines, figure, text));
        found.figures.extend(like.map(|figure| (document, figure)));
    }
    if !found.figures.is_empty() {
        return found;
    }
    for document in documents {
        let lines = Lines::of(&document.text);
        let has_text = |line: usize| lines.line(line).contains(text);
        let figures = document.figures.iter();
        let figures = figures.filter(|figure| has_text(figure.at.line));
        found
            .figures
            .extend(figures.map(|figure| (document, figure)));
        let claims = document.claims.iter();
        let claims = claims.filter(|claim| has_text(claim.line));
        found.claims.extend(claims.map(|claim| (document, claim)));
    }
    found
}

/// Whether the figure reads like the text: alone, with its unit, or as the document goes on after it.
fn reads_like(lines: &Lines, figure: &Printed, text: &str) -> bool {
    let at = &figure.at;
    let Some(rest) = text.strip_prefix(at.text.as_str()) else {
        return without_commas(&at.text) == text;
    };
    let goes_on = || lines.at(at.line, at.column, text.chars().count()) == text;
    let unit = rest.trim_start();
    rest.is_empty() || goes_on() || (unit == unit_name(figure.unit) && !unit.is_empty())
}

fn without_commas(text: &str) -> String {
    text.replace(',', "")
}

/// The figures whose numbers are nearest to the first number of the text, each with its place.
pub fn nearest(documents: &[Rendered], text: &str) -> Vec<String> {
    let Some(asked) = text.split_whitespace().find_map(number) else {
        return Vec::new();
    };
    let mut near = Vec::new();
    for document in documents {
        for figure in &document.figures {
            let apart = number(&figure.at.text).and_then(|number| apart(number, asked));
            near.extend(apart.map(|apart| (apart, document, figure)));
        }
    }
    near.sort_by(|a, b| {
        let order = a.0.compare(b.0);
        order.unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut lines: Vec<String> = Vec::new();
    for (_, document, figure) in near {
        let start = format!("{} (", figure.at.text);
        if lines.len() < NEAREST && !lines.iter().any(|line| line.starts_with(&start)) {
            lines.push(format!("{start}{}:{})", document.document, figure.at.line));
        }
    }
    lines
}

fn number(text: &str) -> Option<Rational> {
    let (ratio, _) = parse_decimal(&without_commas(text.trim_start_matches('<')))?;
    let part = |part: u128| i128::try_from(part).ok();
    Rational::new(part(ratio.numerator)?, part(ratio.denominator)?)
}

/// How far two numbers are apart.
fn apart(a: Rational, b: Rational) -> Option<Rational> {
    let difference = a.minus(b)?;
    if difference.numerator() < 0 {
        return Rational::ZERO.minus(difference);
    }
    Some(difference)
}
