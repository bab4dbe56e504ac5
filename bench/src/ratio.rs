//! A quotient of two exact counts, or the reason why there is none.

/// An exact fraction of two raw counts; rounding is left to whoever prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// What is above the line.
    pub numerator: u128,
    /// What is below the line; never zero.
    pub denominator: u128,
}

/// A ratio that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no ratio: {reason}")]
pub struct Undefined {
    /// Why, for instance "no datagram was sent".
    pub reason: &'static str,
}

impl Ratio {
    /// `numerator / denominator`, or `reason` when `denominator` is zero.
    pub fn new(
        numerator: impl Into<u128>,
        denominator: impl Into<u128>,
        reason: &'static str,
    ) -> Result<Self, Undefined> {
        match denominator.into() {
            0 => Err(Undefined { reason }),
            denominator => Ok(Self {
                numerator: numerator.into(),
                denominator,
            }),
        }
    }

    /// The ratio times `scale`, rounded half up to an integer: `scaled(1_000_000)` is parts per
    /// million.
    pub fn scaled(self, scale: u64) -> u128 {
        let scale = u128::from(scale);
        (2 * self.numerator * scale + self.denominator) / (2 * self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_below_the_line_is_absent_with_its_reason() {
        let error = Ratio::new(0u64, 0u64, "no datagram was sent").unwrap_err();
        assert_eq!(error.to_string(), "no ratio: no datagram was sent");
    }

    #[test]
    fn scaling_rounds_half_up() {
        let ratio = Ratio::new(1u64, 8u64, "").unwrap();
        assert_eq!(ratio.scaled(100), 13);
        assert_eq!(ratio.scaled(1000), 125);
        assert_eq!(Ratio::new(0u64, 5u64, "").unwrap().scaled(100), 0);
    }
}
