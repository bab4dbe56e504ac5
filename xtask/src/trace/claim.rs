//! Relations between figures that a document states in words.

use std::cmp::Ordering;
use std::fmt;

use bench::Ratio;

use super::traced::Traced;

/// How the left side of a claim or condition stands to the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `about`: they differ by no more than a share of the right side.
    About,
}

/// How far the sides of [`Relation::About`] may be apart, as a share of the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance(pub Ratio);

/// A claim that was found true when its document was rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The line of the document, from 1.
    pub line: usize,
    /// The words that state it.
    pub words: String,
    /// The side on the left.
    pub left: Traced,
    /// What is claimed to hold.
    pub relation: Relation,
    /// The side on the right.
    pub right: Traced,
    /// For [`Relation::About`].
    pub tolerance: Option<Tolerance>,
}

impl Relation {
    /// The relation that a template calls by its sign.
    pub fn parse(sign: &str) -> Option<Self> {
        let all = [
            Self::Equal,
            Self::NotEqual,
            Self::Less,
            Self::AtMost,
            Self::Greater,
            Self::AtLeast,
            Self::About,
        ];
        all.into_iter().find(|relation| relation.sign() == sign)
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::About => "about",
        }
    }

    /// Whether it holds, exactly; without a tolerance sides that are about equal are equal.
    pub fn holds(self, left: Ratio, right: Ratio, tolerance: Option<Tolerance>) -> bool {
        let ordering = compare(left, right);
        match self {
            Self::Equal => ordering.is_eq(),
            Self::NotEqual => ordering.is_ne(),
            Self::Less => ordering.is_lt(),
            Self::AtMost => ordering.is_le(),
            Self::Greater => ordering.is_gt(),
            Self::AtLeast => ordering.is_ge(),
            Self::About => {
                let nothing = Ratio {
                    numerator: 0,
                    denominator: 1,
                };
                let share = tolerance.map_or(nothing, |Tolerance(share)| share);
                let apart = (left.numerator * right.denominator)
                    .abs_diff(right.numerator * left.denominator);
                let allowed = right.numerator * left.denominator * share.numerator;
                apart * share.denominator <= allowed
            }
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.sign())
    }
}

/// How `a` compares with `b`, exactly.
pub fn compare(a: Ratio, b: Ratio) -> Ordering {
    (a.numerator * b.denominator).cmp(&(b.numerator * a.denominator))
}
