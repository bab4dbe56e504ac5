//! Arithmetic, comparison, and the largest and smallest of two.

use std::cmp::Ordering;

use super::format::{Class, Format, Operand};
use super::op::RoundingMode;
use super::round::{Exact, round};
use super::status::{Status, flag};

/// Where addition puts the leading bit of its larger operand: one bit is left for the carry, and at
/// least 60 below any product or operand for what the smaller one brings.
const ALIGNED_LEADING_BIT: i32 = 125;

/// A signed term of an exact sum.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    exponent: i32,
    significand: u128,
}

impl Term {
    fn of(operand: &Operand) -> Self {
        Self {
            negative: operand.negative,
            exponent: operand.exponent,
            significand: u128::from(operand.significand),
        }
    }

    fn product(a: &Operand, b: &Operand) -> Self {
        Self {
            negative: a.negative != b.negative,
            exponent: a.exponent + b.exponent,
            significand: u128::from(a.significand) * u128::from(b.significand),
        }
    }

    fn exact(self) -> Exact {
        Exact {
            negative: self.negative,
            exponent: self.exponent,
            significand: self.significand,
            sticky: false,
        }
    }

    /// The same value with its leading bit at [`ALIGNED_LEADING_BIT`].
    fn aligned(self) -> Self {
        let shift = ALIGNED_LEADING_BIT - 127 + self.significand.leading_zeros() as i32;
        Self {
            exponent: self.exponent - shift,
            significand: self.significand << shift,
            ..self
        }
    }
}

/// The sum of two terms other than zero; `None` where it is exactly zero.
fn sum(a: Term, b: Term) -> Option<Exact> {
    let (a, b) = (a.aligned(), b.aligned());
    let (large, small) = if (a.exponent, a.significand) >= (b.exponent, b.significand) {
        (a, b)
    } else {
        (b, a)
    };
    let distance = (large.exponent - small.exponent).min(127) as u32;
    let shifted = small.significand >> distance;
    let sticky = shifted << distance != small.significand;
    let significand = if large.negative == small.negative {
        large.significand + shifted
    } else {
        // What was cut off the subtrahend is owed: borrow one unit and leave the difference sticky.
        large.significand - shifted - u128::from(sticky)
    };
    (significand != 0 || sticky).then_some(Exact {
        negative: large.negative,
        exponent: large.exponent,
        significand,
        sticky,
    })
}

/// The zero that an exact cancellation gives.
fn cancelled(format: Format, status: &Status) -> u64 {
    format.zero(status.rounding == RoundingMode::TowardMinus)
}

fn round_in_mode(format: Format, value: Exact, status: &mut Status) -> u64 {
    round(format, value, status.rounding, status)
}

pub fn add(format: Format, a: u64, b: u64, status: &mut Status) -> u64 {
    let (x, y) = (format.unpack(a, status), format.unpack(b, status));
    match format.propagate_nan(&[x, y], status) {
        Some(nan) => nan,
        None => add_numbers(format, x, y, status),
    }
}

pub fn sub(format: Format, a: u64, b: u64, status: &mut Status) -> u64 {
    let (x, mut y) = (format.unpack(a, status), format.unpack(b, status));
    match format.propagate_nan(&[x, y], status) {
        Some(nan) => nan,
        None => {
            y.negative = !y.negative;
            add_numbers(format, x, y, status)
        }
    }
}

fn add_numbers(format: Format, x: Operand, y: Operand, status: &mut Status) -> u64 {
    match (x.class, y.class) {
        (Class::Infinite, Class::Infinite) if x.negative != y.negative => format.invalid(status),
        (Class::Infinite, _) => format.infinity(x.negative),
        (_, Class::Infinite) => format.infinity(y.negative),
        (Class::Zero, Class::Zero) if x.negative == y.negative => format.zero(x.negative),
        (Class::Zero, Class::Zero) => cancelled(format, status),
        (Class::Zero, _) => round_in_mode(format, Term::of(&y).exact(), status),
        (_, Class::Zero) => round_in_mode(format, Term::of(&x).exact(), status),
        _ => match sum(Term::of(&x), Term::of(&y)) {
            Some(exact) => round_in_mode(format, exact, status),
            None => cancelled(format, status),
        },
    }
}

pub fn mul(format: Format, a: u64, b: u64, status: &mut Status) -> u64 {
    let (x, y) = (format.unpack(a, status), format.unpack(b, status));
    if let Some(nan) = format.propagate_nan(&[x, y], status) {
        return nan;
    }
    let negative = x.negative != y.negative;
    if x.is_infinite() && y.is_zero() || x.is_zero() && y.is_infinite() {
        format.invalid(status)
    } else if x.is_infinite() || y.is_infinite() {
        format.infinity(negative)
    } else if x.is_zero() || y.is_zero() {
        format.zero(negative)
    } else {
        round_in_mode(format, Term::product(&x, &y).exact(), status)
    }
}

pub fn div(format: Format, a: u64, b: u64, status: &mut Status) -> u64 {
    let (x, y) = (format.unpack(a, status), format.unpack(b, status));
    if let Some(nan) = format.propagate_nan(&[x, y], status) {
        return nan;
    }
    let negative = x.negative != y.negative;
    match (x.class, y.class) {
        (Class::Infinite, Class::Infinite) | (Class::Zero, Class::Zero) => format.invalid(status),
        (Class::Infinite, _) => format.infinity(negative),
        (_, Class::Zero) => {
            status.raise(flag::DIVIDE_BY_ZERO);
            format.infinity(negative)
        }
        (Class::Zero, _) | (_, Class::Infinite) => format.zero(negative),
        _ => round_in_mode(format, quotient(&x, &y, negative), status),
    }
}

/// The quotient to at least 63 bits.
fn quotient(x: &Operand, y: &Operand, negative: bool) -> Exact {
    let dividend_shift = u128::from(x.significand).leading_zeros() as i32 - 1;
    let divisor_shift = y.significand.leading_zeros() as i32;
    let dividend = u128::from(x.significand) << dividend_shift;
    let divisor = u128::from(y.significand << divisor_shift);
    Exact {
        negative,
        exponent: (x.exponent - dividend_shift) - (y.exponent - divisor_shift),
        significand: dividend / divisor,
        sticky: !dividend.is_multiple_of(divisor),
    }
}

pub fn sqrt(format: Format, a: u64, status: &mut Status) -> u64 {
    let x = format.unpack(a, status);
    if let Some(nan) = format.propagate_nan(&[x], status) {
        return nan;
    }
    match x.class {
        Class::Zero => format.zero(x.negative),
        _ if x.negative => format.invalid(status),
        Class::Infinite => format.infinity(false),
        _ => round_in_mode(format, square_root(&x), status),
    }
}

/// The square root to at least 63 bits.
fn square_root(x: &Operand) -> Exact {
    let shift = u128::from(x.significand).leading_zeros() as i32 - 1;
    let shift = shift - ((x.exponent - shift) & 1);
    let radicand = u128::from(x.significand) << shift;
    let root = radicand.isqrt();
    Exact {
        negative: false,
        exponent: (x.exponent - shift) / 2,
        significand: root,
        sticky: root * root != radicand,
    }
}

/// FPMulAdd: `addend + a * b`, rounded once.
pub fn mul_add(format: Format, addend: u64, a: u64, b: u64, status: &mut Status) -> u64 {
    let z = format.unpack(addend, status);
    let (x, y) = (format.unpack(a, status), format.unpack(b, status));
    let invalid_product = x.is_infinite() && y.is_zero() || x.is_zero() && y.is_infinite();
    if let Some(nan) = format.propagate_nan(&[z, x, y], status) {
        return if z.class == Class::QuietNan && invalid_product {
            format.invalid(status)
        } else {
            nan
        };
    }
    let negative = x.negative != y.negative;
    let infinite_product = x.is_infinite() || y.is_infinite();
    if invalid_product || z.is_infinite() && infinite_product && z.negative != negative {
        return format.invalid(status);
    }
    if z.is_infinite() {
        return format.infinity(z.negative);
    }
    if infinite_product {
        return format.infinity(negative);
    }
    match (x.is_zero() || y.is_zero(), z.is_zero()) {
        (true, true) if z.negative == negative => format.zero(negative),
        (true, true) => cancelled(format, status),
        (true, false) => round_in_mode(format, Term::of(&z).exact(), status),
        (false, true) => round_in_mode(format, Term::product(&x, &y).exact(), status),
        (false, false) => match sum(Term::product(&x, &y), Term::of(&z)) {
            Some(exact) => round_in_mode(format, exact, status),
            None => cancelled(format, status),
        },
    }
}

/// The order of two operands without a NaN; zeros are equal.
fn order(x: &Operand, y: &Operand, format: Format) -> Ordering {
    let key = |operand: &Operand| {
        let magnitude = if operand.is_zero() {
            0
        } else {
            (operand.bits & !format.sign_bit()) as i64
        };
        if operand.negative {
            -magnitude
        } else {
            magnitude
        }
    };
    key(x).cmp(&key(y))
}

/// FPCompare: FPSCR's N, Z, C, V in bits 31 to 28.
pub fn compare(format: Format, a: u64, b: u64, signal_quiet: bool, status: &mut Status) -> u32 {
    let (x, y) = (format.unpack(a, status), format.unpack(b, status));
    if x.is_nan() || y.is_nan() {
        let signalling =
            x.class == Class::SignallingNan || y.class == Class::SignallingNan || signal_quiet;
        if signalling {
            status.raise(flag::INVALID);
        }
        return 0b0011 << 28;
    }
    match order(&x, &y, format) {
        Ordering::Less => 0b1000 << 28,
        Ordering::Equal => 0b0110 << 28,
        Ordering::Greater => 0b0010 << 28,
    }
}

/// FPMaxNum (`want` Greater) and FPMinNum (`want` Less): a quiet NaN yields to a number.
pub fn select_num(format: Format, a: u64, b: u64, want: Ordering, status: &mut Status) -> u64 {
    let (x, y) = (format.unpack(a, status), format.unpack(b, status));
    let yields = |nan: &Operand, other: &Operand| {
        nan.class == Class::QuietNan && other.class != Class::QuietNan
    };
    if yields(&x, &y) && !y.is_nan() {
        return value(format, &y);
    }
    if yields(&y, &x) && !x.is_nan() {
        return value(format, &x);
    }
    if let Some(nan) = format.propagate_nan(&[x, y], status) {
        return nan;
    }
    if x.is_zero() && y.is_zero() {
        let negative = match want {
            Ordering::Greater => x.negative && y.negative,
            _ => x.negative || y.negative,
        };
        return format.zero(negative);
    }
    let chosen = if order(&x, &y, format) == want { x } else { y };
    value(format, &chosen)
}

/// An operand's bits, with a flushed denormal as the zero it stands for.
fn value(format: Format, operand: &Operand) -> u64 {
    if operand.is_zero() {
        format.zero(operand.negative)
    } else {
        operand.bits
    }
}
