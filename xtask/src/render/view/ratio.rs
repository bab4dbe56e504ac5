//! An exact quotient for the filters.

use std::cmp::Ordering;

use bench::{Ratio, Undefined};
use serde::Serialize;

/// A quotient of two exact figures.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RatioView {
    numerator: u128,
    denominator: u128,
}

impl RatioView {
    /// The quotient; `None` where there is none.
    pub fn new(ratio: Result<Ratio, Undefined>) -> Option<Self> {
        ratio.ok().map(Self::from)
    }

    /// `numerator / denominator`; `None` for a zero below the line.
    pub fn of(numerator: impl Into<u128>, denominator: impl Into<u128>) -> Option<Self> {
        Self::new(Ratio::new(numerator, denominator, "nothing to divide by"))
    }
}

impl From<Ratio> for RatioView {
    fn from(ratio: Ratio) -> Self {
        Self {
            numerator: ratio.numerator,
            denominator: ratio.denominator,
        }
    }
}

/// How `a` compares with `b`, exactly.
pub fn compare(a: Ratio, b: Ratio) -> Ordering {
    (a.numerator * b.denominator).cmp(&(b.numerator * a.denominator))
}
