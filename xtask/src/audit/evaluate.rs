//! Formulas of figures, worked out on raw JSON.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::Value;

use super::ledger::Histogram;
use super::node::Node;
use super::rational::Rational;
use crate::trace::{Candidate, Condition, Formula, Input, Relation, Rule};

/// Result files by path in their set; none for one that cannot be read.
pub type Results = BTreeMap<String, Option<Value>>;

/// A value, or the reason why there is none.
pub type Evaluated = Result<Rational, String>;

const TOO_LARGE: &str = "it passes 127 bits";

/// The raw value of an input.
pub fn raw<'a>(results: &'a Results, input: &Input) -> Result<&'a Value, String> {
    let file = results
        .get(&input.file)
        .ok_or_else(|| format!("there is no result {}", input.file))?;
    let file = file
        .as_ref()
        .ok_or_else(|| format!("{} cannot be read", input.file))?;
    let value = file.pointer(&input.pointer);
    value.ok_or_else(|| format!("there is no {input}"))
}

/// Works out `formula`.
///
/// # Errors
/// An input that is not there or of another kind, no candidate, a division by zero, or a number of more
/// than 127 bits.
pub fn evaluate(results: &Results, formula: &Formula) -> Evaluated {
    let of = |formula: &Formula| evaluate(results, formula);
    match formula {
        Formula::Value(input) => whole(results, input),
        Formula::Decimal(input) => decimal(results, input),
        Formula::Median(parts) => {
            let parts = parts.iter().map(of).collect::<Result<Vec<_>, _>>()?;
            median(parts)
        }
        Formula::Stated { value, .. } => rational(*value),
        Formula::Sum(parts) => {
            let mut parts = parts.iter();
            parts.try_fold(Rational::ZERO, |sum, part| {
                sum.plus(of(part)?).ok_or_else(|| TOO_LARGE.to_owned())
            })
        }
        Formula::Product(factors) => {
            let mut factors = factors.iter();
            factors.try_fold(rational_of(1)?, |product, factor| {
                product
                    .times(of(factor)?)
                    .ok_or_else(|| TOO_LARGE.to_owned())
            })
        }
        Formula::Difference(sides) => {
            let [left, right] = sides.as_ref();
            of(left)?
                .minus(of(right)?)
                .ok_or_else(|| TOO_LARGE.to_owned())
        }
        Formula::Quotient(sides) => {
            let [left, right] = sides.as_ref();
            let (left, right) = (of(left)?, of(right)?);
            if right == Rational::ZERO {
                return Err(String::from("it divides by zero"));
            }
            left.over(right).ok_or_else(|| TOO_LARGE.to_owned())
        }
        Formula::RoundedUp(formula) => {
            let value = of(formula)?;
            let whole = value.numerator().div_euclid(value.denominator());
            let rest = value.numerator().rem_euclid(value.denominator());
            Rational::new(whole + i128::from(rest > 0), 1).ok_or_else(|| TOO_LARGE.to_owned())
        }
        Formula::Percentile { histogram, share } => percentile(results, histogram, *share),
        Formula::Count(cases) => {
            let mut count = 0;
            for case in cases {
                count += u128::from(all_hold(results, case)?);
            }
            rational_of(count)
        }
        Formula::Selected { rule, candidates } => {
            let selected = select(results, *rule, candidates)?;
            let selected = selected.ok_or_else(|| String::from("no candidate is selected"))?;
            of(&selected.value)
        }
    }
}

/// Whether `left` stands to `right` as a claim or condition says; `tolerance` is a share of the right
/// side, for [`Relation::About`].
pub fn holds(
    left: Rational,
    relation: Relation,
    right: Rational,
    tolerance: Option<Rational>,
) -> Option<bool> {
    let order = left.compare(right)?;
    Some(match relation {
        Relation::Equal => order == Ordering::Equal,
        Relation::NotEqual => order != Ordering::Equal,
        Relation::Less => order == Ordering::Less,
        Relation::AtMost => order != Ordering::Greater,
        Relation::Greater => order == Ordering::Greater,
        Relation::AtLeast => order != Ordering::Less,
        Relation::About => {
            let allowed = right.times(tolerance.unwrap_or(Rational::ZERO))?;
            let lowest = right.minus(allowed)?;
            let highest = right.plus(allowed)?;
            left.compare(lowest)? != Ordering::Less && left.compare(highest)? != Ordering::Greater
        }
    })
}

/// A quotient of the pipeline as one of the audit.
pub fn rational(ratio: bench::Ratio) -> Evaluated {
    let part = |part: u128| i128::try_from(part).ok();
    let parts = part(ratio.numerator).zip(part(ratio.denominator));
    let rational = parts.and_then(|(above, below)| Rational::new(above, below));
    rational.ok_or_else(|| format!("{}/{} is no quotient", ratio.numerator, ratio.denominator))
}

fn rational_of(whole: u128) -> Evaluated {
    Rational::whole(whole).ok_or_else(|| TOO_LARGE.to_owned())
}

fn whole(results: &Results, input: &Input) -> Evaluated {
    let value = raw(results, input)?;
    match value.as_u64() {
        Some(whole) => rational_of(whole.into()),
        None => Err(format!("{input} is {value}, and no whole number")),
    }
}

/// A decimal that is kept as text: digits, and maybe a point with more of them.
fn decimal(results: &Results, input: &Input) -> Evaluated {
    let value = raw(results, input)?;
    let no_decimal = || format!("{input} is {value}, and no decimal");
    let text = value.as_str().ok_or_else(no_decimal)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = [whole, fraction].concat();
    if whole.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(no_decimal());
    }
    let above = digits.parse().map_err(|_| TOO_LARGE.to_owned())?;
    let places = u32::try_from(fraction.len()).map_err(|_| TOO_LARGE.to_owned())?;
    let below = 10_i128.checked_pow(places);
    let value = below.and_then(|below| Rational::new(above, below));
    value.ok_or_else(|| TOO_LARGE.to_owned())
}

/// The middle value, or the mean of the middle two.
fn median(mut values: Vec<Rational>) -> Evaluated {
    let too_large = || TOO_LARGE.to_owned();
    let mut comparable = true;
    values.sort_by(|a, b| {
        a.compare(*b).unwrap_or_else(|| {
            comparable = false;
            Ordering::Equal
        })
    });
    let (Some(&lower), Some(&upper)) = (
        values.get(values.len().saturating_sub(1) / 2),
        values.get(values.len() / 2),
    ) else {
        return Err(String::from("it is the median of nothing"));
    };
    if !comparable {
        return Err(too_large());
    }
    if lower == upper {
        return Ok(lower);
    }
    let sum = lower.plus(upper).ok_or_else(too_large)?;
    sum.over(rational_of(2)?).ok_or_else(too_large)
}

fn percentile(results: &Results, input: &Input, share: bench::Ratio) -> Evaluated {
    let node = Node {
        value: raw(results, input)?,
        pointer: input.pointer.clone(),
    };
    let histogram = Histogram::read(&node);
    let histogram =
        histogram.map_err(|misshapen| format!("{input} is no histogram: {}", misshapen.problem))?;
    let percentile = histogram.percentile(share.numerator, share.denominator);
    rational_of(percentile.ok_or_else(|| format!("{input} is empty"))?)
}

fn all_hold(results: &Results, conditions: &[Condition]) -> Result<bool, String> {
    for condition in conditions {
        let left = evaluate(results, &condition.left)?;
        let right = evaluate(results, &condition.right)?;
        let holds = holds(left, condition.relation, right, None);
        if !holds.ok_or_else(|| TOO_LARGE.to_owned())? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The candidate that the rule selects.
fn select<'a>(
    results: &Results,
    rule: Rule,
    candidates: &'a [Candidate],
) -> Result<Option<&'a Candidate>, String> {
    let mut selected: Option<(&Candidate, Rational)> = None;
    for candidate in candidates {
        let has_all = all_hold(results, &candidate.conditions)?;
        if rule == Rule::LastOfUnbroken && !has_all {
            break;
        }
        if !has_all {
            continue;
        }
        let rank = match rule {
            Rule::Largest => evaluate(results, &candidate.rank)?,
            Rule::Last | Rule::LastOfUnbroken => Rational::ZERO,
        };
        let replaces = match (rule, selected) {
            (Rule::Largest, Some((_, best))) => {
                let order = rank.compare(best).ok_or_else(|| TOO_LARGE.to_owned())?;
                order == Ordering::Greater
            }
            _ => true,
        };
        if replaces {
            selected = Some((candidate, rank));
        }
    }
    Ok(selected.map(|(candidate, _)| candidate))
}
