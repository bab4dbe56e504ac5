//! Conversions between formats, to and from integers and fixed point, and rounding to integral values.

use super::format::{Class, Format, HALF, Operand};
use super::op::{IntType, RoundingMode};
use super::round::{Exact, round, round_to_integer};
use super::status::{Status, flag};

fn exact(operand: &Operand) -> Exact {
    Exact {
        negative: operand.negative,
        exponent: operand.exponent,
        significand: u128::from(operand.significand),
        sticky: false,
    }
}

/// Converts between any two of half, single and double.
pub fn float_to_float(from: Format, to: Format, bits: u64, status: &mut Status) -> u64 {
    let x = from.unpack(bits, status);
    let alternative = to == HALF && status.alternative_half;
    match x.class {
        Class::QuietNan | Class::SignallingNan if alternative => {
            status.raise(flag::INVALID);
            to.zero(x.negative)
        }
        Class::QuietNan | Class::SignallingNan => from.convert_nan(x, to, status),
        Class::Infinite if alternative => {
            status.raise(flag::INVALID);
            to.zero(x.negative) | (to.sign_bit() - 1)
        }
        Class::Infinite => to.infinity(x.negative),
        Class::Zero => to.zero(x.negative),
        Class::Finite => round(to, exact(&x), status.rounding, status),
    }
}

impl IntType {
    const fn signed(self) -> bool {
        matches!(self, Self::I16 | Self::I32)
    }

    const fn bits(self) -> u32 {
        match self {
            Self::I16 | Self::U16 => 16,
            Self::I32 | Self::U32 => 32,
        }
    }

    const fn range(self) -> (i128, i128) {
        match self {
            Self::I16 => (i16::MIN as i128, i16::MAX as i128),
            Self::U16 => (0, u16::MAX as i128),
            Self::I32 => (i32::MIN as i128, i32::MAX as i128),
            Self::U32 => (0, u32::MAX as i128),
        }
    }
}

/// FixedToFP: the integer in the low bits of `bits`, divided by `2^fraction_bits`.
pub fn fixed_to_float(
    format: Format,
    bits: u64,
    int: IntType,
    fraction_bits: u8,
    rounding: RoundingMode,
    status: &mut Status,
) -> u64 {
    let aligned = bits << (64 - int.bits());
    let value = if int.signed() {
        i128::from(aligned as i64 >> (64 - int.bits()))
    } else {
        i128::from(aligned >> (64 - int.bits()))
    };
    if value == 0 {
        return format.zero(false);
    }
    let exact = Exact {
        negative: value < 0,
        exponent: -i32::from(fraction_bits),
        significand: value.unsigned_abs(),
        sticky: false,
    };
    round(format, exact, rounding, status)
}

/// FPToFixed: the operand times `2^fraction_bits`, saturated, sign- or zero-extended to 64 bits.
pub fn float_to_fixed(
    format: Format,
    bits: u64,
    int: IntType,
    fraction_bits: u8,
    rounding: RoundingMode,
    status: &mut Status,
) -> u64 {
    let x = format.unpack(bits, status);
    let (min, max) = int.range();
    let (magnitude, inexact) = match x.class {
        Class::QuietNan | Class::SignallingNan => {
            status.raise(flag::INVALID);
            return 0;
        }
        Class::Infinite => (1 << 100, false),
        Class::Zero => (0, false),
        Class::Finite => {
            let mut scaled = exact(&x);
            scaled.exponent += i32::from(fraction_bits);
            round_to_integer(scaled, rounding)
        }
    };
    let value = if x.negative {
        -(magnitude as i128)
    } else {
        magnitude as i128
    };
    let saturated = value.clamp(min, max);
    if saturated != value {
        status.raise(flag::INVALID);
    } else if inexact {
        status.raise(flag::INEXACT);
    }
    saturated as u64
}

/// FPRoundInt: the operand rounded to an integral value of its own format; `signal_inexact` raises IXC.
pub fn round_int(
    format: Format,
    bits: u64,
    rounding: RoundingMode,
    signal_inexact: bool,
    status: &mut Status,
) -> u64 {
    let x = format.unpack(bits, status);
    if let Some(nan) = format.propagate_nan(&[x], status) {
        return nan;
    }
    match x.class {
        Class::Zero => return format.zero(x.negative),
        Class::Finite if x.exponent < 0 => {}
        _ => return bits,
    }
    let (magnitude, inexact) = round_to_integer(exact(&x), rounding);
    if inexact && signal_inexact {
        status.raise(flag::INEXACT);
    }
    if magnitude == 0 {
        return format.zero(x.negative);
    }
    let integral = Exact {
        negative: x.negative,
        exponent: 0,
        significand: magnitude,
        sticky: false,
    };
    round(format, integral, rounding, status)
}
