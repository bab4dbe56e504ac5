//! Execution of the instructions that stay inside the extension.

use std::cmp::Ordering;

use super::arithmetic::{add, compare, div, mul, mul_add, select_num, sqrt, sub};
use super::convert::{fixed_to_float, float_to_fixed, float_to_float, round_int};
use super::format::{DOUBLE, Format, HALF, SINGLE};
use super::op::{BinaryOp, DataOp, HalfDirection, IntType, MulAddOp, RoundingMode, UnaryOp};
use super::regs::FpuRegs;
use super::status::Status;

/// Runs `op`: registers, condition flags and cumulative exception flags change as on the part.
pub fn execute(op: DataOp, fpu: &mut FpuRegs) {
    let mut status = Status::new(fpu.fpscr);
    run(op, fpu, &mut status);
    fpu.fpscr |= status.raised;
}

fn run(op: DataOp, fpu: &mut FpuRegs, status: &mut Status) {
    match op {
        DataOp::Binary {
            op,
            double,
            d,
            n,
            m,
        } => {
            let result = binary(op, double, fpu.get(double, n), fpu.get(double, m), status);
            fpu.set(double, d, result);
        }
        DataOp::MulAdd {
            op,
            double,
            d,
            n,
            m,
        } => {
            let addend = fpu.get(double, d);
            let result = multiply_accumulate(
                op,
                double,
                addend,
                fpu.get(double, n),
                fpu.get(double, m),
                status,
            );
            fpu.set(double, d, result);
        }
        DataOp::Unary { op, double, d, m } => {
            let result = unary(op, double, fpu.get(double, m), status);
            fpu.set(double, d, result);
        }
        DataOp::MoveImmediate { double, d, imm8 } => {
            fpu.set(double, d, expand_immediate(double, imm8));
        }
        DataOp::Compare {
            double,
            signal_quiet,
            d,
            m,
        } => {
            let (a, b) = (fpu.get(double, d), fpu.get(double, m));
            set_flags(fpu, compare(Format::of(double), a, b, signal_quiet, status));
        }
        DataOp::CompareZero {
            double,
            signal_quiet,
            d,
        } => {
            let a = fpu.get(double, d);
            set_flags(fpu, compare(Format::of(double), a, 0, signal_quiet, status));
        }
        DataOp::SingleToDouble { d, m } => {
            let result = float_to_float(SINGLE, DOUBLE, fpu.get(false, m), status);
            fpu.set(true, d, result);
        }
        DataOp::DoubleToSingle { d, m } => {
            let result = float_to_float(DOUBLE, SINGLE, fpu.get(true, m), status);
            fpu.set(false, d, result);
        }
        DataOp::Half {
            direction,
            double,
            top,
            d,
            m,
        } => convert_half(direction, double, top, d, m, fpu, status),
        DataOp::FromInt {
            signed,
            double,
            d,
            m,
        } => {
            let rounding = status.rounding;
            let (format, bits) = (Format::of(double), fpu.get(false, m));
            let result = fixed_to_float(format, bits, word(signed), 0, rounding, status);
            fpu.set(double, d, result);
        }
        DataOp::ToInt {
            rounding,
            signed,
            double,
            d,
            m,
        } => {
            let rounding = status.resolve(rounding);
            let (format, bits) = (Format::of(double), fpu.get(double, m));
            let result = float_to_fixed(format, bits, word(signed), 0, rounding, status);
            fpu.set(false, d, result);
        }
        DataOp::FromFixed {
            int,
            fraction_bits,
            double,
            d,
        } => {
            let (format, bits) = (Format::of(double), fpu.get(double, d));
            let nearest = RoundingMode::TiesToEven;
            let result = fixed_to_float(format, bits, int, fraction_bits, nearest, status);
            fpu.set(double, d, result);
        }
        DataOp::ToFixed {
            int,
            fraction_bits,
            double,
            d,
        } => {
            let (format, bits) = (Format::of(double), fpu.get(double, d));
            let toward_zero = RoundingMode::TowardZero;
            let result = float_to_fixed(format, bits, int, fraction_bits, toward_zero, status);
            fpu.set(double, d, result);
        }
    }
}

const fn word(signed: bool) -> IntType {
    if signed { IntType::I32 } else { IntType::U32 }
}

fn set_flags(fpu: &mut FpuRegs, nzcv: u32) {
    fpu.fpscr = fpu.fpscr & 0x0FFF_FFFF | nzcv;
}

fn binary(op: BinaryOp, double: bool, n: u64, m: u64, status: &mut Status) -> u64 {
    let format = Format::of(double);
    match op {
        BinaryOp::Add => add(format, n, m, status),
        BinaryOp::Sub => sub(format, n, m, status),
        BinaryOp::Mul => mul(format, n, m, status),
        BinaryOp::NegMul => mul(format, n, m, status) ^ format.sign_bit(),
        BinaryOp::Div => div(format, n, m, status),
        BinaryOp::MaxNum => select_num(format, n, m, Ordering::Greater, status),
        BinaryOp::MinNum => select_num(format, n, m, Ordering::Less, status),
    }
}

fn multiply_accumulate(
    op: MulAddOp,
    double: bool,
    addend: u64,
    n: u64,
    m: u64,
    status: &mut Status,
) -> u64 {
    let format = Format::of(double);
    let negated = |value: u64| value ^ format.sign_bit();
    let mut chained = |addend: u64, negate_product: bool| {
        let product = mul(format, n, m, status);
        let term = if negate_product {
            negated(product)
        } else {
            product
        };
        add(format, addend, term, status)
    };
    match op {
        MulAddOp::Mla => chained(addend, false),
        MulAddOp::Mls => chained(addend, true),
        MulAddOp::NegMla => chained(negated(addend), true),
        MulAddOp::NegMls => chained(negated(addend), false),
        MulAddOp::Fma => mul_add(format, addend, n, m, status),
        MulAddOp::Fms => mul_add(format, addend, negated(n), m, status),
        MulAddOp::NegFma => mul_add(format, negated(addend), negated(n), m, status),
        MulAddOp::NegFms => mul_add(format, negated(addend), n, m, status),
    }
}

fn unary(op: UnaryOp, double: bool, m: u64, status: &mut Status) -> u64 {
    let format = Format::of(double);
    match op {
        UnaryOp::Move => m,
        UnaryOp::Abs => m & !format.sign_bit(),
        UnaryOp::Neg => m ^ format.sign_bit(),
        UnaryOp::Sqrt => sqrt(format, m, status),
        UnaryOp::RoundToInt { rounding, exact } => {
            round_int(format, m, status.resolve(rounding), exact, status)
        }
    }
}

/// VFPExpandImm (ARMv7-M ARM, A6.4.1).
fn expand_immediate(double: bool, imm8: u8) -> u64 {
    let format = Format::of(double);
    let exponent_bits = format.bits - 1 - format.fraction_bits;
    let (sign, b) = (u64::from(imm8 >> 7), u64::from(imm8 >> 6 & 1));
    let repeated = if b != 0 {
        (1 << (exponent_bits - 3)) - 1
    } else {
        0
    };
    let exponent = (b ^ 1) << (exponent_bits - 1) | repeated << 2 | u64::from(imm8 >> 4 & 3);
    let fraction = u64::from(imm8 & 0xF) << (format.fraction_bits - 4);
    sign << (format.bits - 1) | exponent << format.fraction_bits | fraction
}

fn convert_half(
    direction: HalfDirection,
    double: bool,
    top: bool,
    d: u8,
    m: u8,
    fpu: &mut FpuRegs,
    status: &mut Status,
) {
    let format = Format::of(double);
    let shift = if top { 16 } else { 0 };
    match direction {
        HalfDirection::FromHalf => {
            let half = fpu.get(false, m) >> shift & 0xFFFF;
            let result = float_to_float(HALF, format, half, status);
            fpu.set(double, d, result);
        }
        HalfDirection::ToHalf => {
            let half = float_to_float(format, HALF, fpu.get(double, m), status);
            let kept = fpu.get(false, d) & !(0xFFFF << shift);
            fpu.set(false, d, kept | half << shift);
        }
    }
}
