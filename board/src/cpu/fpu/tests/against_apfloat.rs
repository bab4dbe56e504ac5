//! Results and flags in every rounding mode against LLVM's APFloat (the crate `rustc_apfloat`).
//!
//! APFloat differs from the architecture in what NaN it gives, in finding tininess after rounding, and
//! in not calling it an overflow where rounding gives the largest finite number. There a NaN is compared
//! as a NaN only, and the flag in question is not compared; `architecture_rules` covers all three.

use proptest::prelude::*;
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

use super::operands::operand;
use super::*;
use crate::cpu::fpu::format::{DOUBLE, Format, HALF, SINGLE};
use crate::cpu::fpu::{
    BinaryOp, HalfDirection, IntType, MulAddOp, Rounding, RoundingMode, UnaryOp,
};

const ROUND: [Round; 4] = [
    Round::NearestTiesToEven,
    Round::TowardPositive,
    Round::TowardNegative,
    Round::TowardZero,
];

fn flags(status: Status) -> u32 {
    [
        (Status::INVALID_OP, IOC),
        (Status::DIV_BY_ZERO, DZC),
        (Status::OVERFLOW, OFC),
        (Status::UNDERFLOW, UFC),
        (Status::INEXACT, IXC),
    ]
    .into_iter()
    .filter(|(theirs, _)| status.contains(*theirs))
    .fold(0, |sum, (_, ours)| sum | ours)
}

/// Compares a result of ours with APFloat's.
fn same<F: Float>(
    format: Format,
    ours: (u64, u32),
    theirs: StatusAnd<F>,
) -> Result<(), TestCaseError> {
    let (bits, raised) = ours;
    let expected = theirs.value.to_bits() as u64;
    if theirs.value.is_nan() {
        prop_assert!(F::from_bits(u128::from(bits)).is_nan(), "{:#x}", bits);
    } else {
        prop_assert_eq!(bits, expected);
    }
    let magnitude = bits & !format.sign_bit();
    let compared = if magnitude == 1 << format.fraction_bits {
        !UFC
    } else if magnitude == format.largest_finite(false) {
        !OFC
    } else {
        u32::MAX
    };
    prop_assert_eq!(raised & compared, flags(theirs.status) & compared);
    Ok(())
}

fn arithmetic<F: Float>(
    double: bool,
    [a, n, m]: [u64; 3],
    mode: usize,
) -> Result<(), TestCaseError> {
    let format = Format::of(double);
    let (x, y) = (F::from_bits(n.into()), F::from_bits(m.into()));
    let round = ROUND[mode];
    let binary = |op| {
        let op = DataOp::Binary {
            op,
            double,
            d: D,
            n: N,
            m: M,
        };
        run(op, double, [0, n, m], RMODE[mode])
    };
    same(format, binary(BinaryOp::Add), x.add_r(y, round))?;
    same(format, binary(BinaryOp::Sub), x.sub_r(y, round))?;
    same(format, binary(BinaryOp::Mul), x.mul_r(y, round))?;
    same(format, binary(BinaryOp::Div), x.div_r(y, round))?;
    let negated_product = x.mul_r(y, round).map(|product| -product);
    same(format, binary(BinaryOp::NegMul), negated_product)?;

    let z = F::from_bits(a.into());
    let fused = |op, first: F, addend: F| {
        let op = DataOp::MulAdd {
            op,
            double,
            d: D,
            n: N,
            m: M,
        };
        let ours = run(op, double, [a, n, m], RMODE[mode]);
        same(format, ours, first.mul_add_r(y, addend, round))
    };
    fused(MulAddOp::Fma, x, z)?;
    fused(MulAddOp::Fms, -x, z)?;
    fused(MulAddOp::NegFma, -x, -z)?;
    fused(MulAddOp::NegFms, x, -z)
}

fn integral<F: Float>(double: bool, m: u64) -> Result<(), TestCaseError> {
    let modes = [
        (RoundingMode::TiesToEven, Round::NearestTiesToEven),
        (RoundingMode::TiesToAway, Round::NearestTiesToAway),
        (RoundingMode::TowardPlus, Round::TowardPositive),
        (RoundingMode::TowardMinus, Round::TowardNegative),
        (RoundingMode::TowardZero, Round::TowardZero),
    ];
    for (mode, round) in modes {
        let rounding = Rounding::Given(mode);
        let op = DataOp::Unary {
            op: UnaryOp::RoundToInt {
                rounding,
                exact: true,
            },
            double,
            d: D,
            m: M,
        };
        let x = F::from_bits(m.into());
        let ours = run(op, double, [0, 0, m], 0);
        same(Format::of(double), ours, x.round_to_integral(round))?;
        for signed in [false, true] {
            let op = DataOp::ToInt {
                rounding,
                signed,
                double,
                d: D,
                m: M,
            };
            let (bits, raised) = run(op, double, [0, 0, m], 0);
            let mut exact = false;
            let theirs = if signed {
                x.to_i128_r(32, round, &mut exact).map(|value| value as u32)
            } else {
                x.to_u128_r(32, round, &mut exact).map(|value| value as u32)
            };
            prop_assert_eq!(bits as u32, theirs.value);
            prop_assert_eq!(raised, flags(theirs.status));
        }
    }
    Ok(())
}

/// The root squared against the operand, exactly: quadruple precision holds the square of a double.
fn square_root<F: Float + FloatConvert<Quad>>(
    double: bool,
    m: u64,
    mode: usize,
) -> Result<(), TestCaseError> {
    let format = Format::of(double);
    let x = F::from_bits(m.into());
    if x.is_nan() || x.is_infinite() || x.is_zero() || x.is_negative() {
        return Ok(());
    }
    let op = DataOp::Unary {
        op: UnaryOp::Sqrt,
        double,
        d: D,
        m: M,
    };
    let (root, raised) = run(op, double, [0, 0, m], RMODE[mode]);
    let wide = |bits: u64| -> Quad { F::from_bits(bits.into()).convert(&mut false).value };
    let square = |bits: u64| {
        let product = wide(bits).mul_r(wide(bits), Round::TowardZero);
        prop_assert_eq!(product.status, Status::OK);
        Ok(product.value)
    };
    let x = wide(m);
    if square(root)? == x {
        prop_assert_eq!(raised, 0);
        return Ok(());
    }
    prop_assert_eq!(raised, IXC);
    match mode {
        1 => prop_assert!(square(root - 1)? < x && x < square(root)?),
        2 | 3 => prop_assert!(square(root)? < x && x < square(root + 1)?),
        _ if double => prop_assert_eq!(root, f64::from_bits(m).sqrt().to_bits()),
        _ => prop_assert_eq!(root as u32, f32::from_bits(m as u32).sqrt().to_bits()),
    }
    prop_assert!(root < format.infinity(false));
    Ok(())
}

fn to_half<F: Float + FloatConvert<Half>>(
    double: bool,
    m: u64,
    mode: usize,
) -> Result<(), TestCaseError> {
    let op = DataOp::Half {
        direction: HalfDirection::ToHalf,
        double,
        top: false,
        d: D,
        m: M,
    };
    let (bits, raised) = run(op, double, [0, 0, m], RMODE[mode]);
    let theirs = F::from_bits(m.into()).convert_r(ROUND[mode], &mut false);
    same::<Half>(HALF, (bits & 0xFFFF, raised), theirs)
}

/// A fixed-point conversion and back, against scaling in quadruple precision.
fn fixed<F>(double: bool, m: u64, fraction_bits: u8) -> Result<(), TestCaseError>
where
    F: Float + FloatConvert<Quad>,
    Quad: FloatConvert<F>,
{
    let scale = |value: Quad, exponent: i32| value.scalbn(exponent);
    let types = [
        (IntType::I16, 16, true),
        (IntType::U16, 16, false),
        (IntType::I32, 32, true),
        (IntType::U32, 32, false),
    ];
    for (int, width, signed) in types {
        let fraction_bits = fraction_bits % (width as u8 + 1);
        let exponent = i32::from(fraction_bits);
        let op = DataOp::ToFixed {
            int,
            fraction_bits,
            double,
            d: D,
        };
        let (bits, raised) = run(op, double, [m, 0, 0], 0);
        let x: Quad = F::from_bits(m.into()).convert(&mut false).value;
        let scaled = scale(x, exponent);
        let mut exact = false;
        let theirs = if signed {
            scaled.to_i128_r(width, Round::TowardZero, &mut exact)
        } else {
            let theirs = scaled.to_u128_r(width, Round::TowardZero, &mut exact);
            theirs.map(|value| value as i128)
        };
        let mask = if double {
            u64::MAX
        } else {
            u64::from(u32::MAX)
        };
        let expected = if signed {
            (theirs.value << (128 - width) >> (128 - width)) as u64
        } else {
            theirs.value as u64
        };
        prop_assert_eq!(bits, expected & mask);
        prop_assert_eq!(raised, flags(theirs.status));

        let op = DataOp::FromFixed {
            int,
            fraction_bits,
            double,
            d: D,
        };
        let integer = if signed {
            i128::from((m << (64 - width)) as i64 >> (64 - width))
        } else {
            i128::from(m << (64 - width) >> (64 - width))
        };
        let theirs: StatusAnd<F> = scale(Quad::from_i128(integer).value, -exponent)
            .convert_r(Round::NearestTiesToEven, &mut false);
        // The conversion from fixed point rounds to nearest whatever FPSCR says.
        let ours = run(op, double, [m, 0, 0], RMODE[1]);
        same(Format::of(double), ours, theirs)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn single_arithmetic(a in operand(SINGLE), n in operand(SINGLE), m in operand(SINGLE), mode in 0..4usize) {
        arithmetic::<Single>(false, [a, n, m], mode)?;
    }

    #[test]
    fn double_arithmetic(a in operand(DOUBLE), n in operand(DOUBLE), m in operand(DOUBLE), mode in 0..4usize) {
        arithmetic::<Double>(true, [a, n, m], mode)?;
    }

    /// Sums that nearly cancel: the addend is a neighbour of the negated product.
    #[test]
    fn fused_cancellation(n in operand(DOUBLE), m in operand(DOUBLE), step in 0..5u64, mode in 0..4usize) {
        let product = f64::from_bits(n) * f64::from_bits(m);
        let addend = (-product).to_bits().wrapping_add(step).wrapping_sub(2);
        arithmetic::<Double>(true, [addend, n, m], mode)?;
    }

    #[test]
    fn square_roots(s in operand(SINGLE), d in operand(DOUBLE), mode in 0..4usize) {
        square_root::<Single>(false, s, mode)?;
        square_root::<Double>(true, d, mode)?;
    }

    #[test]
    fn integral_values_and_integers(s in operand(SINGLE), d in operand(DOUBLE)) {
        integral::<Single>(false, s)?;
        integral::<Double>(true, d)?;
    }

    #[test]
    fn fixed_point(s in operand(SINGLE), d in operand(DOUBLE), fraction_bits in 0..=32u8) {
        fixed::<Single>(false, s, fraction_bits)?;
        fixed::<Double>(true, d, fraction_bits)?;
    }

    #[test]
    fn integers_to_floats(word in any::<u32>(), shift in 0..32u32, mode in 0..4usize) {
        let word = word >> shift;
        for signed in [false, true] {
            let value = if signed { i128::from(word as i32) } else { i128::from(word) };
            let op = |double| DataOp::FromInt { signed, double, d: D, m: M };
            // The integer is in a single register: S4, the low half of D2.
            let integer = u64::from(word);
            let single = run(op(false), false, [0, 0, integer], RMODE[mode]);
            same(SINGLE, single, Single::from_i128_r(value, ROUND[mode]))?;
            let mut fpu = FpuRegs { fpscr: RMODE[mode], ..FpuRegs::default() };
            fpu.s[usize::from(M)] = word;
            execute(op(true), &mut fpu);
            let double = (fpu.d(D), fpu.fpscr & !RMODE[mode]);
            same(DOUBLE, double, Double::from_i128_r(value, ROUND[mode]))?;
        }
    }

    #[test]
    fn narrowing(s in operand(SINGLE), d in operand(DOUBLE), mode in 0..4usize) {
        to_half::<Single>(false, s, mode)?;
        to_half::<Double>(true, d, mode)?;
        let op = DataOp::DoubleToSingle { d: D, m: M };
        let (bits, raised) = run(op, true, [0, 0, d], RMODE[mode]);
        let theirs = Double::from_bits(d.into()).convert_r(ROUND[mode], &mut false);
        same::<Single>(SINGLE, (bits, raised), theirs)?;
    }

    #[test]
    fn widening(h in operand(HALF), s in operand(SINGLE)) {
        for double in [false, true] {
            let op = DataOp::Half { direction: HalfDirection::FromHalf, double, top: false, d: D, m: M };
            let mut fpu = FpuRegs::default();
            fpu.s[usize::from(M)] = h as u32;
            execute(op, &mut fpu);
            let ours = (fpu.get(double, D), fpu.fpscr);
            let half = Half::from_bits(h.into());
            if double {
                same::<Double>(DOUBLE, ours, half.convert(&mut false))?;
            } else {
                same::<Single>(SINGLE, ours, half.convert(&mut false))?;
            }
        }
        let mut fpu = FpuRegs::default();
        fpu.s[usize::from(M)] = s as u32;
        execute(DataOp::SingleToDouble { d: D, m: M }, &mut fpu);
        let theirs = Single::from_bits(s.into()).convert(&mut false);
        same::<Double>(DOUBLE, (fpu.d(D), fpu.fpscr), theirs)?;
    }

    /// Nearest rounding once more against the host's own arithmetic.
    #[test]
    fn nearest_matches_the_host(n in operand(DOUBLE), m in operand(DOUBLE)) {
        let (x, y) = (f64::from_bits(n), f64::from_bits(m));
        for (op, host) in [
            (BinaryOp::Add, x + y),
            (BinaryOp::Sub, x - y),
            (BinaryOp::Mul, x * y),
            (BinaryOp::Div, x / y),
        ] {
            let op = DataOp::Binary { op, double: true, d: D, n: N, m: M };
            let (bits, _) = run(op, true, [0, n, m], 0);
            prop_assert!(bits == host.to_bits() || f64::from_bits(bits).is_nan() && host.is_nan());
        }
    }
}
