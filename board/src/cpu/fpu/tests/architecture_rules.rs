//! What the architecture decides by itself: NaNs, flush-to-zero, underflow, alternative half precision,
//! comparisons, largest and smallest, immediates.

use super::*;
use crate::cpu::fpu::{BinaryOp, HalfDirection, MulAddOp, Rounding, RoundingMode, UnaryOp};

const ONE: u64 = 0x3F80_0000;
const INF: u64 = 0x7F80_0000;
const SNAN: u64 = 0x7FA1_2345;
const SNAN_QUIETENED: u64 = 0x7FE1_2345;
const QNAN: u64 = 0xFFC5_4321;
const DEFAULT_NAN: u64 = 0x7FC0_0000;
const SIGN: u64 = 0x8000_0000;
const DENORMAL: u64 = 0x0000_0001;
const SMALLEST_NORMAL: u64 = 0x0080_0000;

fn binary(op: BinaryOp, n: u64, m: u64, fpscr: u32) -> (u64, u32) {
    let op = DataOp::Binary {
        op,
        double: false,
        d: D,
        n: N,
        m: M,
    };
    run(op, false, [0, n, m], fpscr)
}

fn multiply_accumulate(op: MulAddOp, d: u64, n: u64, m: u64, fpscr: u32) -> (u64, u32) {
    let op = DataOp::MulAdd {
        op,
        double: false,
        d: D,
        n: N,
        m: M,
    };
    run(op, false, [d, n, m], fpscr)
}

#[test]
fn a_signalling_nan_wins_and_is_quietened() {
    assert_eq!(binary(BinaryOp::Add, QNAN, SNAN, 0), (SNAN_QUIETENED, IOC));
    assert_eq!(binary(BinaryOp::Sub, ONE, QNAN, 0), (QNAN, 0));
    assert_eq!(binary(BinaryOp::Mul, QNAN, 0x7FC0_0001, 0), (QNAN, 0));
    assert_eq!(binary(BinaryOp::Add, QNAN, ONE, DN), (DEFAULT_NAN, 0));
    assert_eq!(binary(BinaryOp::Div, SNAN, ONE, DN), (DEFAULT_NAN, IOC));
    assert_eq!(binary(BinaryOp::NegMul, QNAN, ONE, 0), (QNAN ^ SIGN, 0));
}

#[test]
fn invalid_operations_give_the_default_nan() {
    assert_eq!(binary(BinaryOp::Sub, INF, INF, 0), (DEFAULT_NAN, IOC));
    assert_eq!(binary(BinaryOp::Mul, INF, SIGN, 0), (DEFAULT_NAN, IOC));
    assert_eq!(binary(BinaryOp::Div, 0, SIGN, 0), (DEFAULT_NAN, IOC));
    assert_eq!(binary(BinaryOp::Div, ONE, SIGN, 0), (INF | SIGN, DZC));
    assert_eq!(binary(BinaryOp::Div, INF, 0, 0), (INF, 0));
    let fused = |d, n, m| multiply_accumulate(MulAddOp::Fma, d, n, m, 0);
    assert_eq!(fused(QNAN, INF, 0), (DEFAULT_NAN, IOC));
    assert_eq!(fused(QNAN, ONE, ONE), (QNAN, 0));
    assert_eq!(fused(INF | SIGN, INF, ONE), (DEFAULT_NAN, IOC));
    assert_eq!(fused(QNAN, SNAN, 0), (SNAN_QUIETENED, IOC));
}

#[test]
fn chained_and_fused_negations_differ_on_nans() {
    let nan = 0x7FC0_0009;
    let chained = multiply_accumulate(MulAddOp::Mls, ONE, nan, ONE, 0);
    assert_eq!(chained, (nan | SIGN, 0), "the product is negated");
    let fused = multiply_accumulate(MulAddOp::Fms, ONE, ONE, nan, 0);
    assert_eq!(fused, (nan, 0), "the first factor is negated");
    let negated_addend = multiply_accumulate(MulAddOp::NegFms, nan, ONE, ONE, 0);
    assert_eq!(negated_addend, (nan | SIGN, 0));
}

#[test]
fn chained_accumulation_rounds_twice() {
    // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46
    let (n, d) = (0x3F80_0001, 0xBF80_0002);
    assert_eq!(multiply_accumulate(MulAddOp::Mla, d, n, n, 0), (0, IXC));
    let fused = multiply_accumulate(MulAddOp::Fma, d, n, n, 0);
    assert_eq!(fused, (0x2880_0000, 0));
    let subtracted = multiply_accumulate(MulAddOp::NegMla, d, n, n, 0);
    assert_eq!(subtracted.0, 0, "-d - n * m");
    assert_eq!(
        multiply_accumulate(MulAddOp::NegMls, ONE, ONE, ONE, 0),
        (0, 0)
    );
}

#[test]
fn exact_cancellation_is_minus_zero_only_toward_minus() {
    for (mode, zero) in RMODE.into_iter().zip([0, 0, SIGN, 0]) {
        assert_eq!(binary(BinaryOp::Sub, ONE, ONE, mode), (zero, 0));
        assert_eq!(binary(BinaryOp::Add, 0, SIGN, mode), (zero, 0));
        let fused = multiply_accumulate(MulAddOp::Fma, ONE | SIGN, ONE, ONE, mode);
        assert_eq!(fused, (zero, 0));
    }
    assert_eq!(binary(BinaryOp::Add, SIGN, SIGN, 0), (SIGN, 0));
}

#[test]
fn tininess_is_found_before_rounding() {
    // The largest denormal times (1 + 2^-23) rounds up to the smallest normal number.
    let largest_denormal = SMALLEST_NORMAL - 1;
    let product = binary(BinaryOp::Mul, largest_denormal, ONE + 1, 0);
    assert_eq!(product, (SMALLEST_NORMAL, UFC | IXC));
    let exact = binary(BinaryOp::Mul, SMALLEST_NORMAL, 0x3F00_0000, 0);
    assert_eq!(exact, (SMALLEST_NORMAL >> 1, 0), "tiny and exact: no flag");
}

#[test]
fn overflow_goes_where_the_mode_points() {
    let largest = INF - 1;
    for (mode, [positive, negative]) in RMODE.into_iter().zip([
        [INF, INF],
        [INF, largest],
        [largest, INF],
        [largest, largest],
    ]) {
        let sum = binary(BinaryOp::Add, largest, largest, mode);
        assert_eq!(sum, (positive, OFC | IXC));
        let sum = binary(BinaryOp::Add, largest | SIGN, largest | SIGN, mode);
        assert_eq!(sum, (negative | SIGN, OFC | IXC));
    }
}

#[test]
fn flush_to_zero_takes_operands_and_results() {
    assert_eq!(binary(BinaryOp::Add, DENORMAL, ONE, FZ), (ONE, IDC));
    assert_eq!(
        binary(BinaryOp::Add, DENORMAL | SIGN, SIGN, FZ),
        (SIGN, IDC)
    );
    let tiny = binary(BinaryOp::Mul, SMALLEST_NORMAL | SIGN, 0x3F00_0000, FZ);
    assert_eq!(tiny, (SIGN, UFC), "flushed results are not inexact");
    assert_eq!(binary(BinaryOp::Div, ONE, DENORMAL, FZ), (INF, DZC | IDC));
    assert_eq!(binary(BinaryOp::Add, DENORMAL, QNAN, FZ), (QNAN, IDC));
    let moved = DataOp::Unary {
        op: UnaryOp::Neg,
        double: false,
        d: D,
        m: M,
    };
    assert_eq!(
        run(moved, false, [0, 0, DENORMAL], FZ),
        (DENORMAL | SIGN, 0)
    );
}

#[test]
fn flags_accumulate_and_condition_flags_do_not() {
    let op = DataOp::Compare {
        double: false,
        signal_quiet: false,
        d: D,
        m: M,
    };
    let nzcv = |d, m, fpscr| {
        let mut fpu = FpuRegs {
            fpscr,
            ..FpuRegs::default()
        };
        fpu.set(false, D, d);
        fpu.set(false, M, m);
        execute(op, &mut fpu);
        fpu.fpscr
    };
    assert_eq!(nzcv(ONE, ONE, 0xF000_0000 | IXC), 0x6000_0000 | IXC);
    assert_eq!(nzcv(0, SIGN, 0), 0x6000_0000);
    assert_eq!(nzcv(ONE | SIGN, ONE, 0), 0x8000_0000);
    assert_eq!(nzcv(ONE, INF | SIGN, 0), 0x2000_0000);
    assert_eq!(nzcv(ONE | SIGN, INF | SIGN, 0), 0x2000_0000);
    assert_eq!(nzcv(DENORMAL, SIGN, FZ), 0x6000_0000 | FZ | IDC);
    assert_eq!(nzcv(QNAN, ONE, 0), 0x3000_0000);
    assert_eq!(nzcv(ONE, SNAN, 0), 0x3000_0000 | IOC);
}

#[test]
fn vcmpe_signals_quiet_nans() {
    let op = DataOp::CompareZero {
        double: true,
        signal_quiet: true,
        d: D,
    };
    let quiet = f64::NAN.to_bits();
    assert_eq!(run(op, true, [quiet, 0, 0], 0).1, 0x3000_0000 | IOC);
    assert_eq!(run(op, true, [(-0.0f64).to_bits(), 0, 0], 0).1, 0x6000_0000);
    assert_eq!(run(op, true, [1, 0, 0], 0).1, 0x2000_0000);
}

#[test]
fn a_quiet_nan_yields_to_a_number() {
    let max = |n, m, fpscr| binary(BinaryOp::MaxNum, n, m, fpscr);
    let min = |n, m, fpscr| binary(BinaryOp::MinNum, n, m, fpscr);
    assert_eq!(max(QNAN, ONE, 0), (ONE, 0));
    assert_eq!(min(INF | SIGN, QNAN, 0), (INF | SIGN, 0));
    assert_eq!(max(QNAN, SNAN, 0), (SNAN_QUIETENED, IOC));
    assert_eq!(max(QNAN, 0x7FC0_0001, 0), (QNAN, 0));
    assert_eq!(max(SIGN, 0, 0), (0, 0));
    assert_eq!(min(0, SIGN, 0), (SIGN, 0));
    assert_eq!(max(DENORMAL | SIGN, ONE | SIGN, FZ), (SIGN, IDC));
    assert_eq!(min(ONE, 0x4000_0000, 0), (ONE, 0));
    assert_eq!(max(ONE, 0x4000_0000, 0), (0x4000_0000, 0));
}

#[test]
fn square_roots_of_negatives_are_invalid_but_of_minus_zero_not() {
    let op = DataOp::Unary {
        op: UnaryOp::Sqrt,
        double: false,
        d: D,
        m: M,
    };
    assert_eq!(run(op, false, [0, 0, ONE | SIGN], 0), (DEFAULT_NAN, IOC));
    assert_eq!(run(op, false, [0, 0, SIGN], 0), (SIGN, 0));
    assert_eq!(run(op, false, [0, 0, DENORMAL | SIGN], FZ), (SIGN, IDC));
    assert_eq!(run(op, false, [0, 0, INF], 0), (INF, 0));
}

fn half(direction: HalfDirection, top: bool, d: u64, m: u64, fpscr: u32) -> (u64, u32) {
    let op = DataOp::Half {
        direction,
        double: false,
        top,
        d: D,
        m: M,
    };
    run(op, false, [d, 0, m], fpscr)
}

#[test]
fn half_precision_uses_one_half_of_the_register() {
    use HalfDirection::*;
    let into_top = half(ToHalf, true, 0x1234_5678, ONE, 0);
    assert_eq!(into_top, (0x3C00_5678, 0));
    let into_bottom = half(ToHalf, false, 0x1234_5678, ONE, 0);
    assert_eq!(into_bottom, (0x1234_3C00, 0));
    assert_eq!(half(FromHalf, true, 0, 0x3C00_FFFF, 0), (ONE, 0));
    assert_eq!(half(FromHalf, false, 0, 0xFFFF_7D01, 0), (0x7FE0_2000, IOC));
    // Flush-to-zero does not reach half precision.
    assert_eq!(half(FromHalf, false, 0, 0x0001, FZ), (0x3380_0000, 0));
    assert_eq!(half(ToHalf, false, 0, 0x3380_0000, FZ), (0x0001, 0));
}

#[test]
fn alternative_half_precision_has_no_infinities_and_no_nans() {
    use HalfDirection::*;
    assert_eq!(half(FromHalf, false, 0, 0x7C00, AHP), (0x4780_0000, 0));
    assert_eq!(half(ToHalf, false, 0, 0x4780_0000, AHP), (0x7C00, 0));
    assert_eq!(half(ToHalf, false, 0, INF | SIGN, AHP), (0xFFFF, IOC));
    assert_eq!(half(ToHalf, false, 0, QNAN, AHP), (0x8000, IOC));
    assert_eq!(half(ToHalf, false, 0, 0x4800_0000, AHP), (0x7FFF, IOC));
}

#[test]
fn saturating_conversions_raise_invalid_alone() {
    let to_int = |signed, m, fpscr| {
        let op = DataOp::ToInt {
            rounding: Rounding::Fpscr,
            signed,
            double: false,
            d: D,
            m: M,
        };
        run(op, false, [0, 0, m], fpscr)
    };
    assert_eq!(to_int(true, QNAN, 0), (0, IOC));
    assert_eq!(to_int(true, INF | SIGN, 0), (0x8000_0000, IOC));
    assert_eq!(to_int(false, 0xBF00_0000, RMODE[2]), (0, IOC), "-0.5 down");
    assert_eq!(to_int(false, 0xBF00_0000, RMODE[1]), (0, IXC), "-0.5 up");
    assert_eq!(to_int(true, 0x3F00_0001, RMODE[1]), (1, IXC));
    assert_eq!(to_int(true, DENORMAL, FZ | RMODE[1]), (0, IDC));
    assert_eq!(to_int(true, 0x4F00_0000, 0), (0x7FFF_FFFF, IOC));
}

#[test]
fn only_vrintx_is_inexact() {
    let round = |exact| {
        let op = UnaryOp::RoundToInt {
            rounding: Rounding::Given(RoundingMode::TiesToAway),
            exact,
        };
        let op = DataOp::Unary {
            op,
            double: false,
            d: D,
            m: M,
        };
        run(op, false, [0, 0, 0xBF00_0000], 0)
    };
    assert_eq!(round(true), (ONE | SIGN, IXC));
    assert_eq!(round(false), (ONE | SIGN, 0));
}

#[test]
fn immediates_expand() {
    let immediate = |double, imm8| {
        let op = DataOp::MoveImmediate { double, d: D, imm8 };
        run(op, double, [0; 3], 0).0
    };
    for imm8 in 0..=255u8 {
        let sign = if imm8 & 0x80 != 0 { -1.0 } else { 1.0 };
        let exponent = (i32::from(imm8 >> 4 & 7) ^ 4) - 3;
        let value = sign * f64::from(16 + (imm8 & 15)) / 16.0 * 2f64.powi(exponent);
        assert_eq!(immediate(true, imm8), value.to_bits(), "{imm8:#x}");
        assert_eq!(immediate(false, imm8) as u32, (value as f32).to_bits());
    }
}
