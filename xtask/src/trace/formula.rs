//! Formulas over places in result files.

use std::fmt;

use bench::Ratio;

use super::claim::Relation;

/// A whole number or a histogram in a result file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Input {
    /// The path in the result set, with slashes: `w5500-macraw/release/stream.json`.
    pub file: String,
    /// The place in the file, as a JSON pointer (RFC 6901).
    pub pointer: String,
}

/// How a figure follows from what result files hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A whole number of a result, in its base unit.
    Value(Input),
    /// A decimal that a file of published figures holds as text, in its base unit.
    Decimal(Input),
    /// A fact that no result holds: a definition of this study, a data sheet, a driver's source.
    Stated {
        /// The figure.
        value: Ratio,
        /// Where it stands.
        source: String,
    },
    /// All of them together; nothing is 0.
    Sum(Vec<Formula>),
    /// The first less the second.
    Difference(Box<[Formula; 2]>),
    /// All of them multiplied.
    Product(Vec<Formula>),
    /// The first over the second.
    Quotient(Box<[Formula; 2]>),
    /// The next whole number, unless it is one.
    RoundedUp(Box<Formula>),
    /// The value that at least this share of a histogram's values does not exceed, by nearest rank:
    /// the highest value of the bucket that holds it, but not above the histogram's maximum.
    Percentile {
        /// The histogram: `buckets` by lowest value, `significant_digits`, `count`, `max_ns`.
        histogram: Input,
        /// The share, at most one.
        share: Ratio,
    },
    /// The middle one of them in their order, or the mean of the middle two.
    Median(Vec<Formula>),
    /// How many of the cases have every condition.
    Count(Vec<Vec<Condition>>),
    /// One of several figures.
    Selected {
        /// Which.
        rule: Rule,
        /// In the order of the results.
        candidates: Vec<Candidate>,
    },
}

/// Which candidate is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The last before the first that lacks a condition.
    LastOfUnbroken,
    /// The last that has every condition.
    Last,
    /// That with the largest rank of those that have every condition; the first of equals.
    Largest,
}

/// A figure among others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The figure.
    pub value: Formula,
    /// What [`Rule::Largest`] looks at.
    pub rank: Formula,
    /// What it must have.
    pub conditions: Vec<Condition>,
}

/// How two figures compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The one on the left.
    pub left: Formula,
    /// What must hold.
    pub relation: Relation,
    /// The one on the right.
    pub right: Formula,
}

impl Formula {
    /// A whole number that a definition of the study or another document states.
    pub fn stated(value: impl Into<u128>, source: impl Into<String>) -> Self {
        let value = Ratio {
            numerator: value.into(),
            denominator: 1,
        };
        Self::Stated {
            value,
            source: source.into(),
        }
    }

    /// `self / divisor`.
    pub fn over(self, divisor: Self) -> Self {
        Self::Quotient(Box::new([self, divisor]))
    }

    /// `self * factor`.
    pub fn times(self, factor: Self) -> Self {
        match self {
            Self::Product(mut factors) => {
                factors.push(factor);
                Self::Product(factors)
            }
            one => Self::Product(vec![one, factor]),
        }
    }

    /// `self - less`.
    pub fn minus(self, less: Self) -> Self {
        Self::Difference(Box::new([self, less]))
    }

    /// Every input, in the order of the formula, each once.
    pub fn inputs(&self) -> Vec<&Input> {
        let mut inputs = Vec::new();
        self.collect(&mut inputs);
        inputs
    }

    fn collect<'a>(&'a self, inputs: &mut Vec<&'a Input>) {
        match self {
            Self::Value(input)
            | Self::Decimal(input)
            | Self::Percentile {
                histogram: input, ..
            } => {
                if !inputs.contains(&input) {
                    inputs.push(input);
                }
            }
            Self::Stated { .. } => {}
            Self::Sum(parts) | Self::Product(parts) | Self::Median(parts) => {
                parts.iter().for_each(|part| part.collect(inputs));
            }
            Self::Difference(sides) | Self::Quotient(sides) => {
                sides.iter().for_each(|side| side.collect(inputs));
            }
            Self::RoundedUp(of) => of.collect(inputs),
            Self::Count(cases) => {
                for condition in cases.iter().flatten() {
                    condition.collect(inputs);
                }
            }
            Self::Selected { candidates, .. } => {
                for candidate in candidates {
                    candidate.value.collect(inputs);
                    candidate.rank.collect(inputs);
                    let conditions = candidate.conditions.iter();
                    conditions.for_each(|condition| condition.collect(inputs));
                }
            }
        }
    }
}

impl Condition {
    /// `left relation right`.
    pub fn new(left: Formula, relation: Relation, right: Formula) -> Self {
        Self {
            left,
            relation,
            right,
        }
    }

    fn collect<'a>(&'a self, inputs: &mut Vec<&'a Input>) {
        self.left.collect(inputs);
        self.right.collect(inputs);
    }
}

impl Input {
    /// The end of the pointer that tells what it is, such as `counts.missing`.
    fn name(&self) -> String {
        let parts = self.pointer.split('/').filter(|part| !part.is_empty());
        let parts: Vec<_> = parts.map(unescape).collect();
        let after = |word: &str| parts.iter().rposition(|part| part == word);
        let from = after("result").map_or(0, |at| at + 1);
        parts[from..].join(".")
    }
}

/// A reference token of a JSON pointer as it is in the file (RFC 6901 §4).
fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

impl fmt::Display for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}#{}", self.file, self.pointer)
    }
}

/// The formula as a person writes it; inputs by the ends of their pointers.
impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(input) | Self::Decimal(input) => formatter.write_str(&input.name()),
            Self::Stated { value, source } => {
                let Ratio {
                    numerator,
                    denominator,
                } = value;
                match denominator {
                    1 => write!(formatter, "{numerator} [{source}]"),
                    _ => write!(formatter, "{numerator}/{denominator} [{source}]"),
                }
            }
            Self::Sum(parts) => joined(formatter, parts, " + "),
            Self::Product(parts) => joined(formatter, parts, " * "),
            Self::Difference(sides) => joined(formatter, sides.as_slice(), " - "),
            Self::Quotient(sides) => joined(formatter, sides.as_slice(), " / "),
            Self::RoundedUp(of) => write!(formatter, "ceil({of})"),
            Self::Median(of) => {
                let first = of.first().map(Self::to_string).unwrap_or_default();
                write!(formatter, "median of {} like {first}", of.len())
            }
            Self::Percentile { histogram, share } => write!(
                formatter,
                "percentile({}, {}/{})",
                histogram.name(),
                share.numerator,
                share.denominator
            ),
            Self::Count(cases) => {
                let first = cases.first().map(|case| conditions(case));
                let of = cases.len();
                write!(
                    formatter,
                    "count of {of} with {}",
                    first.unwrap_or_default()
                )
            }
            Self::Selected { rule, candidates } => {
                let Some(first) = candidates.first() else {
                    return write!(formatter, "none of 0");
                };
                let of = candidates.len();
                match rule {
                    Rule::LastOfUnbroken => write!(
                        formatter,
                        "last of the first of {of} {} while {}",
                        first.value,
                        conditions(&first.conditions)
                    ),
                    Rule::Last => write!(
                        formatter,
                        "last of {of} {} with {}",
                        first.value,
                        conditions(&first.conditions)
                    ),
                    Rule::Largest if first.value == first.rank => {
                        write!(formatter, "largest of {of} {}", first.value)
                    }
                    Rule::Largest => write!(
                        formatter,
                        "{} where {} is largest of {of}",
                        first.value, first.rank
                    ),
                }
            }
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.left, self.relation, self.right)
    }
}

fn conditions(all: &[Condition]) -> String {
    let all = all.iter().map(Condition::to_string);
    all.collect::<Vec<_>>().join(" and ")
}

/// The parts with `operator` between them, in brackets where they are no single name.
fn joined(formatter: &mut fmt::Formatter<'_>, parts: &[Formula], operator: &str) -> fmt::Result {
    if parts.is_empty() {
        return formatter.write_str("0");
    }
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            formatter.write_str(operator)?;
        }
        match part {
            Formula::Sum(_)
            | Formula::Product(_)
            | Formula::Difference(_)
            | Formula::Quotient(_) => write!(formatter, "({part})")?,
            _ => write!(formatter, "{part}")?,
        }
    }
    Ok(())
}
