//! The same figure, or the same setting, in two places.

use std::collections::BTreeMap;

use super::{Checker, Side};
use crate::published::fact::{Fact, Value};
use crate::published::set::Cited;

/// Every figure of one subject is the same wherever it is printed.
pub fn check(checker: &mut Checker<'_>) {
    let mut places: BTreeMap<_, Vec<Fact<'_>>> = BTreeMap::new();
    for fact in &checker.facts {
        if !fact.subject.is_empty() {
            let unit = fact.figure().map(|cited| cited.figure.unit.base);
            let key = (fact.subject.clone(), fact.quantity, unit);
            places.entry(key).or_default().push(fact.clone());
        }
    }
    for facts in places.into_values() {
        let mut distinct: Vec<&Fact<'_>> = Vec::new();
        for fact in &facts {
            let side = |fact: &Fact<'_>| Side::said(&fact.printed(), fact.place);
            let known = distinct.iter().any(|other| same(other, fact));
            if let Some(other) = distinct.last() {
                checker.check("same-figure-in-two-places", known, side(other), side(fact));
            }
            if !known {
                distinct.push(fact);
            }
        }
    }
}

fn same(left: &Fact<'_>, right: &Fact<'_>) -> bool {
    match (left.value, right.value) {
        (Value::Figure(left), Value::Figure(right)) => agree(left, right),
        (Value::Text(left), Value::Text(right)) => left == right,
        _ => false,
    }
}

/// Whether one figure is the other, at the coarser of their roundings.
pub fn agree(left: Cited<'_>, right: Cited<'_>) -> bool {
    let (left, right) = (left.figure, right.figure);
    let zero = super::Exact::from_integer(0);
    left.stands_for(right.value, zero) || right.stands_for(left.value, zero)
}
