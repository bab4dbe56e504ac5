//! Exact quotients for the audit, which share nothing with those of the pipeline.

use std::cmp::Ordering;

/// A quotient in lowest terms; the denominator is above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    pub const ZERO: Self = Self {
        numerator: 0,
        denominator: 1,
    };

    /// A whole number; `None` when it passes 127 bits.
    pub fn whole(number: u128) -> Option<Self> {
        Some(Self {
            numerator: i128::try_from(number).ok()?,
            denominator: 1,
        })
    }

    /// `numerator / denominator`; `None` when there is no such number.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let divisor = greatest_common_divisor(numerator.checked_abs()?, denominator.checked_abs()?);
        if denominator == 0 {
            return None;
        }
        let sign = denominator.signum();
        Some(Self {
            numerator: sign * (numerator / divisor),
            denominator: sign * (denominator / divisor),
        })
    }

    /// What stands above the line, in lowest terms.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// What stands below it.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The sum; `None` when it passes 127 bits, as for all that follow.
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(
            left.checked_add(right)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self {
            numerator: -other.numerator,
            ..other
        })
    }

    /// The product.
    pub fn times(self, other: Self) -> Option<Self> {
        // Reduced crosswise first, so that the products stay small.
        let left = Self::new(self.numerator, other.denominator)?;
        let right = Self::new(other.numerator, self.denominator)?;
        Self::new(
            left.numerator.checked_mul(right.numerator)?,
            left.denominator.checked_mul(right.denominator)?,
        )
    }

    /// The quotient; `None` also when `other` is zero.
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(Self::new(other.denominator, other.numerator)?)
    }

    /// Which of the two is greater; `None` when that passes 127 bits.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        Some(self.minus(other)?.numerator.cmp(&0))
    }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 {
        a.max(1)
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// As `numerator/denominator`, or as a whole number.
impl std::fmt::Display for Rational {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.denominator {
            1 => write!(formatter, "{}", self.numerator),
            denominator => write!(formatter, "{}/{denominator}", self.numerator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numerator: i128, denominator: i128) -> Rational {
        Rational::new(numerator, denominator).unwrap()
    }

    #[test]
    fn quotients_are_exact_and_in_lowest_terms() {
        assert_eq!(of(6, -4).to_string(), "-3/2");
        assert_eq!(of(0, 7), Rational::ZERO);
        assert_eq!(of(1, 3).plus(of(1, 6)), Some(of(1, 2)));
        assert_eq!(of(1, 3).minus(of(1, 2)), Some(of(-1, 6)));
        assert_eq!(of(2, 3).times(of(9, 4)), Some(of(3, 2)));
        assert_eq!(of(2, 3).over(of(4, 9)), Some(of(3, 2)));
        assert_eq!(of(1, 3).compare(of(1, 2)), Some(Ordering::Less));
        assert_eq!(of(2, 4).compare(of(1, 2)), Some(Ordering::Equal));
        assert_eq!(Rational::whole(7).unwrap().to_string(), "7");
    }

    /// R6 of the cases this project collects: zero is a value, and nothing divides by it.
    #[test]
    fn zero_is_a_value_and_no_divisor() {
        let (baseline, new) = (of(3_069_448, 1), Rational::ZERO);
        let change = new.minus(baseline).and_then(|change| change.over(baseline));
        assert_eq!(change, Some(of(-1, 1)));
        assert_eq!(of(100, 1).over(Rational::ZERO), None);
        assert_eq!(Rational::new(1, 0), None);
    }

    #[test]
    fn what_passes_127_bits_is_told() {
        let huge = of(i128::MAX, 1);
        assert_eq!(huge.plus(huge), None);
        assert_eq!(huge.times(huge), None);
        assert_eq!(huge.times(of(1, i128::MAX)), Some(of(1, 1)));
        assert_eq!(Rational::whole(u128::MAX), None);
    }
}
