//! Binary interchange formats: taking values apart, and what the architecture does with NaNs.

use super::status::{Status, flag};

/// A format of IEEE 754: half, single or double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the whole value.
    pub bits: u32,
    /// Bits of the fraction field.
    pub fraction_bits: u32,
}

pub const HALF: Format = Format {
    bits: 16,
    fraction_bits: 10,
};
pub const SINGLE: Format = Format {
    bits: 32,
    fraction_bits: 23,
};
pub const DOUBLE: Format = Format {
    bits: 64,
    fraction_bits: 52,
};

/// What kind of value an operand is, once flush-to-zero has been applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Zero,
    Finite,
    Infinite,
    QuietNan,
    SignallingNan,
}

/// An operand taken apart. A finite one is `significand * 2^exponent`, signed.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub bits: u64,
    pub class: Class,
    pub negative: bool,
    pub exponent: i32,
    pub significand: u64,
}

impl Operand {
    pub fn is_nan(&self) -> bool {
        matches!(self.class, Class::QuietNan | Class::SignallingNan)
    }

    pub fn is_infinite(&self) -> bool {
        self.class == Class::Infinite
    }

    pub fn is_zero(&self) -> bool {
        self.class == Class::Zero
    }
}

impl Format {
    /// Single or double.
    pub const fn of(double: bool) -> Self {
        if double { DOUBLE } else { SINGLE }
    }

    pub const fn sign_bit(self) -> u64 {
        1 << (self.bits - 1)
    }

    const fn fraction_mask(self) -> u64 {
        (1 << self.fraction_bits) - 1
    }

    /// The largest value of the exponent field.
    pub const fn exponent_ones(self) -> u64 {
        (1 << (self.bits - 1 - self.fraction_bits)) - 1
    }

    /// The exponent of the smallest normal number.
    pub const fn min_exponent(self) -> i32 {
        2 - (1 << (self.bits - 2 - self.fraction_bits))
    }

    const fn quiet_bit(self) -> u64 {
        1 << (self.fraction_bits - 1)
    }

    pub const fn zero(self, negative: bool) -> u64 {
        if negative { self.sign_bit() } else { 0 }
    }

    pub const fn infinity(self, negative: bool) -> u64 {
        self.zero(negative) | self.exponent_ones() << self.fraction_bits
    }

    pub const fn largest_finite(self, negative: bool) -> u64 {
        self.infinity(negative) - 1
    }

    pub const fn default_nan(self) -> u64 {
        self.infinity(false) | self.quiet_bit()
    }

    /// Takes `bits` apart; with flush-to-zero a denormal is a zero and raises IDC. Half precision
    /// knows no flush-to-zero, and with `AHP` neither infinities nor NaNs.
    pub fn unpack(self, bits: u64, status: &mut Status) -> Operand {
        let biased = bits >> self.fraction_bits & self.exponent_ones();
        let fraction = bits & self.fraction_mask();
        let half = self.bits == 16;
        let (class, significand) = if biased == 0 {
            if fraction == 0 {
                (Class::Zero, 0)
            } else if status.flush_to_zero && !half {
                status.raise(flag::INPUT_DENORMAL);
                (Class::Zero, 0)
            } else {
                (Class::Finite, fraction)
            }
        } else if biased == self.exponent_ones() && !(half && status.alternative_half) {
            let class = match (fraction, fraction & self.quiet_bit()) {
                (0, _) => Class::Infinite,
                (_, 0) => Class::SignallingNan,
                _ => Class::QuietNan,
            };
            (class, 0)
        } else {
            (Class::Finite, fraction | 1 << self.fraction_bits)
        };
        Operand {
            bits,
            class,
            negative: bits & self.sign_bit() != 0,
            exponent: self.min_exponent() + (biased as i32 - 1).max(0) - self.fraction_bits as i32,
            significand,
        }
    }

    /// The result of an invalid operation without a NaN operand.
    pub fn invalid(self, status: &mut Status) -> u64 {
        status.raise(flag::INVALID);
        self.default_nan()
    }

    /// The result where one of `operands` is a NaN: the first signalling one, else the first quiet
    /// one, quietened, or the default NaN where FPSCR asks for it.
    pub fn propagate_nan(self, operands: &[Operand], status: &mut Status) -> Option<u64> {
        let first = |class| operands.iter().find(|operand| operand.class == class);
        let signalling = first(Class::SignallingNan);
        if signalling.is_some() {
            status.raise(flag::INVALID);
        }
        let nan = signalling.or_else(|| first(Class::QuietNan))?;
        Some(if status.default_nan {
            self.default_nan()
        } else {
            nan.bits | self.quiet_bit()
        })
    }

    /// A NaN of this format in the format `to`, quietened: the top bits of the fraction stay.
    pub fn convert_nan(self, nan: Operand, to: Self, status: &mut Status) -> u64 {
        if nan.class == Class::SignallingNan {
            status.raise(flag::INVALID);
        }
        if status.default_nan {
            return to.default_nan();
        }
        let fraction = nan.bits & self.fraction_mask();
        let converted = if to.fraction_bits >= self.fraction_bits {
            fraction << (to.fraction_bits - self.fraction_bits)
        } else {
            fraction >> (self.fraction_bits - to.fraction_bits)
        };
        to.infinity(nan.negative) | to.quiet_bit() | converted
    }
}
