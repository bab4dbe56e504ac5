//! RoundingMode an exact value to a format or to an integer.

use std::cmp::Ordering;

use super::format::Format;
use super::op::RoundingMode;
use super::status::{Status, flag};

/// A value other than zero, exact up to `sticky`: its magnitude is `significand * 2^exponent`, and
/// with `sticky` more than that by less than one unit of the significand's lowest bit. A sticky value has at
/// least 56 bits of significand, so that the bit below the last one kept is always known.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub negative: bool,
    pub exponent: i32,
    pub significand: u128,
    pub sticky: bool,
}

/// A magnitude cut to whole units, and how the part cut off compares with half a unit (`None`: exact).
struct Cut {
    units: u128,
    rest: Option<Ordering>,
}

impl Exact {
    /// Cuts the lowest `shift` bits off; a negative `shift` appends zeros.
    fn cut(&self, shift: i32) -> Cut {
        if shift <= 0 {
            let rest = self.sticky.then_some(Ordering::Less);
            return Cut {
                units: self.significand << -shift,
                rest,
            };
        }
        if shift >= 128 {
            // Every significand stays below 2^127, half of the unit.
            return Cut {
                units: 0,
                rest: Some(Ordering::Less),
            };
        }
        let units = self.significand >> shift;
        let below = self.significand ^ units << shift;
        let rest = match below.cmp(&(1 << (shift - 1))) {
            Ordering::Equal if self.sticky => Some(Ordering::Greater),
            Ordering::Less if below == 0 && !self.sticky => None,
            ordering => Some(ordering),
        };
        Cut { units, rest }
    }

    /// The exponent of the leading bit.
    fn leading_exponent(&self) -> i32 {
        self.exponent + 127 - self.significand.leading_zeros() as i32
    }
}

impl Cut {
    /// Whole units, rounded.
    fn round(&self, negative: bool, rounding: RoundingMode) -> u128 {
        let Some(rest) = self.rest else {
            return self.units;
        };
        let up = match rounding {
            RoundingMode::TiesToEven => {
                rest == Ordering::Greater || rest == Ordering::Equal && self.units & 1 != 0
            }
            RoundingMode::TiesToAway => rest != Ordering::Less,
            RoundingMode::TowardPlus => !negative,
            RoundingMode::TowardMinus => negative,
            RoundingMode::TowardZero => false,
        };
        self.units + u128::from(up)
    }
}

/// Rounds to `format`, raising overflow, underflow and inexact as FPRound does (ARMv7-M ARM, A2.5.4):
/// tininess is detected before rounding.
pub fn round(format: Format, value: Exact, rounding: RoundingMode, status: &mut Status) -> u64 {
    let half = format.bits == 16;
    let leading = value.leading_exponent();
    let tiny = leading < format.min_exponent();
    if tiny && status.flush_to_zero && !half {
        status.raise(flag::UNDERFLOW);
        return format.zero(value.negative);
    }
    let unit_exponent = leading.max(format.min_exponent()) - format.fraction_bits as i32;
    let cut = value.cut(unit_exponent - value.exponent);
    if tiny && cut.rest.is_some() {
        status.raise(flag::UNDERFLOW);
    }
    // A carry out of the fraction, or into the lowest normal number, steps the exponent by itself.
    let biased_below = (leading.max(format.min_exponent()) - format.min_exponent()) as u64;
    let magnitude =
        (biased_below << format.fraction_bits) + cut.round(value.negative, rounding) as u64;
    let limit = if half && status.alternative_half {
        (format.exponent_ones() + 1) << format.fraction_bits
    } else {
        format.exponent_ones() << format.fraction_bits
    };
    if magnitude >= limit {
        return overflow(format, value.negative, rounding, status);
    }
    if cut.rest.is_some() {
        status.raise(flag::INEXACT);
    }
    format.zero(value.negative) | magnitude
}

fn overflow(format: Format, negative: bool, rounding: RoundingMode, status: &mut Status) -> u64 {
    if format.bits == 16 && status.alternative_half {
        status.raise(flag::INVALID);
        return format.zero(negative) | (format.sign_bit() - 1);
    }
    status.raise(flag::OVERFLOW | flag::INEXACT);
    let to_infinity = match rounding {
        RoundingMode::TiesToEven | RoundingMode::TiesToAway => true,
        RoundingMode::TowardPlus => !negative,
        RoundingMode::TowardMinus => negative,
        RoundingMode::TowardZero => false,
    };
    if to_infinity {
        format.infinity(negative)
    } else {
        format.largest_finite(negative)
    }
}

/// Rounds to an integer: the magnitude, saturated at 2^100, and whether it is inexact.
pub fn round_to_integer(value: Exact, rounding: RoundingMode) -> (u128, bool) {
    if value.leading_exponent() >= 100 {
        return (1 << 100, false);
    }
    let cut = value.cut(-value.exponent);
    (cut.round(value.negative, rounding), cut.rest.is_some())
}
