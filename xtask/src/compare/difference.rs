//! What two sets do not have in common.

use std::cmp::Ordering;
use std::collections::HashMap;

use bench::Ratio;

use super::facts::{Direction, Fact, Kind, Value};
use super::limits::{LimitArgs, Percent};

/// A fact that is not the same in both sets, or is in one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The variant and build; empty for what all have in common.
    pub subject: String,
    pub measure: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// The threshold that is crossed, in words; `None` when none is.
    pub crosses: Option<String>,
}

/// The facts of `before` that are others in `after`, or missing, and then those that are new.
pub fn differences(before: &[Fact], after: &[Fact], limits: &LimitArgs) -> Vec<Difference> {
    let by_name = |facts: &[Fact]| -> HashMap<(String, String), Value> {
        let named = facts.iter().map(|fact| (fact.name(), fact.value.clone()));
        named.collect()
    };
    let (earlier, later) = (by_name(before), by_name(after));
    let changed = before.iter().filter_map(|fact| {
        let after = later.get(&fact.name());
        (after != Some(&fact.value)).then(|| Difference {
            crosses: match after {
                Some(after) => crosses(fact.kind, &fact.value, after, limits),
                None => vanished(fact.kind),
            },
            subject: fact.subject.clone(),
            measure: fact.measure.clone(),
            before: Some(fact.value.clone()),
            after: after.cloned(),
        })
    });
    let new = after
        .iter()
        .filter(|fact| !earlier.contains_key(&fact.name()))
        .map(|fact| Difference {
            crosses: (fact.kind == Kind::Failure).then(|| "a new failure".to_owned()),
            subject: fact.subject.clone(),
            measure: fact.measure.clone(),
            before: None,
            after: Some(fact.value.clone()),
        });
    changed.chain(new).collect()
}

/// A failure that is gone is none; any other figure that is gone is not known to be no worse.
fn vanished(kind: Kind) -> Option<String> {
    let matters = !matches!(kind, Kind::Failure | Kind::Input);
    matters.then(|| "missing".to_owned())
}

fn crosses(kind: Kind, before: &Value, after: &Value, limits: &LimitArgs) -> Option<String> {
    let (Value::Figure(before, _), Value::Figure(after, _)) = (before, after) else {
        return None;
    };
    let limit = limits.of(kind)?;
    let (direction, sign) = match kind.direction()? {
        Direction::Lower => (Ordering::Greater, "+"),
        Direction::Higher => (Ordering::Less, "-"),
    };
    let is_worse = is_beyond(*before, *after, &limit, direction);
    let any = limit.value.numerator == 0;
    is_worse.then(|| match any {
        true => "any".to_owned(),
        false => format!("{sign}{} %", limit.text),
    })
}

/// Whether `after` is on that side of `before` by more than the limit, exactly. From zero any change is
/// more than any share.
fn is_beyond(before: Ratio, after: Ratio, limit: &Percent, side: Ordering) -> bool {
    let (numerator, denominator) = (limit.value.numerator, limit.value.denominator);
    let whole = 100 * denominator;
    let bound = match side {
        Ordering::Greater => whole + numerator,
        _ => whole.saturating_sub(numerator),
    };
    let left = after.numerator * before.denominator * whole;
    let right = before.numerator * after.denominator * bound;
    left.cmp(&right) == side
}

/// By how much a figure changed, in percent of what it was, with whether it fell; `None` when it was
/// zero, of which there is no share.
pub fn change_percent(before: Ratio, after: Ratio) -> Option<(bool, Ratio)> {
    let (old, new) = (
        before.numerator * after.denominator,
        after.numerator * before.denominator,
    );
    let change = Ratio::new(new.abs_diff(old) * 100, old, "the baseline is 0").ok()?;
    Some((new < old, change))
}
