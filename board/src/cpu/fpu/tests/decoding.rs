//! Decoding, against what the GNU assembler makes of the text in each row.

use crate::cpu::fpu::DataOp::*;
use crate::cpu::fpu::FpOp::{self, *};
use crate::cpu::fpu::HalfDirection::*;
use crate::cpu::fpu::{
    BinaryOp, Condition, IntType, MulAddOp, MultipleMode, Rounding, RoundingMode, UnaryOp, decode,
};

fn binary(op: BinaryOp, double: bool, [d, n, m]: [u8; 3]) -> FpOp {
    Data(Binary {
        op,
        double,
        d,
        n,
        m,
    })
}

fn mul_add(op: MulAddOp, double: bool, [d, n, m]: [u8; 3]) -> FpOp {
    Data(MulAdd {
        op,
        double,
        d,
        n,
        m,
    })
}

fn unary(op: UnaryOp, double: bool, [d, m]: [u8; 2]) -> FpOp {
    Data(Unary { op, double, d, m })
}

fn integral(rounding: Rounding, exact: bool) -> UnaryOp {
    UnaryOp::RoundToInt { rounding, exact }
}

fn to_int(rounding: Rounding, signed: bool, double: bool, [d, m]: [u8; 2]) -> FpOp {
    Data(ToInt {
        rounding,
        signed,
        double,
        d,
        m,
    })
}

const TOWARD_ZERO: Rounding = Rounding::Given(RoundingMode::TowardZero);

#[test]
fn data_processing() {
    let rows = [
        (
            "vmla.f32 s1, s3, s31",
            0xEE41_0AAF,
            mul_add(MulAddOp::Mla, false, [1, 3, 31]),
        ),
        (
            "vmls.f64 d0, d15, d7",
            0xEE0F_0B47,
            mul_add(MulAddOp::Mls, true, [0, 15, 7]),
        ),
        (
            "vnmla.f32 s0, s1, s2",
            0xEE10_0AC1,
            mul_add(MulAddOp::NegMla, false, [0, 1, 2]),
        ),
        (
            "vnmls.f32 s0, s1, s2",
            0xEE10_0A81,
            mul_add(MulAddOp::NegMls, false, [0, 1, 2]),
        ),
        (
            "vfma.f32 s1, s2, s3",
            0xEEE1_0A21,
            mul_add(MulAddOp::Fma, false, [1, 2, 3]),
        ),
        (
            "vfms.f32 s1, s2, s3",
            0xEEE1_0A61,
            mul_add(MulAddOp::Fms, false, [1, 2, 3]),
        ),
        (
            "vfnma.f64 d1, d2, d3",
            0xEE92_1B43,
            mul_add(MulAddOp::NegFma, true, [1, 2, 3]),
        ),
        (
            "vfnms.f64 d1, d2, d3",
            0xEE92_1B03,
            mul_add(MulAddOp::NegFms, true, [1, 2, 3]),
        ),
        (
            "vnmul.f64 d1, d2, d3",
            0xEE22_1B43,
            binary(BinaryOp::NegMul, true, [1, 2, 3]),
        ),
        (
            "vmul.f32 s30, s29, s28",
            0xEE2E_FA8E,
            binary(BinaryOp::Mul, false, [30, 29, 28]),
        ),
        (
            "vadd.f32 s1, s2, s3",
            0xEE71_0A21,
            binary(BinaryOp::Add, false, [1, 2, 3]),
        ),
        (
            "vsub.f64 d4, d5, d6",
            0xEE35_4B46,
            binary(BinaryOp::Sub, true, [4, 5, 6]),
        ),
        (
            "vdiv.f32 s1, s2, s3",
            0xEEC1_0A21,
            binary(BinaryOp::Div, false, [1, 2, 3]),
        ),
        (
            "vmaxnm.f32 s1, s2, s3",
            0xFEC1_0A21,
            binary(BinaryOp::MaxNum, false, [1, 2, 3]),
        ),
        (
            "vminnm.f64 d1, d2, d3",
            0xFE82_1B43,
            binary(BinaryOp::MinNum, true, [1, 2, 3]),
        ),
        (
            "vmov.f32 s5, s6",
            0xEEF0_2A43,
            unary(UnaryOp::Move, false, [5, 6]),
        ),
        (
            "vabs.f64 d1, d2",
            0xEEB0_1BC2,
            unary(UnaryOp::Abs, true, [1, 2]),
        ),
        (
            "vneg.f32 s1, s2",
            0xEEF1_0A41,
            unary(UnaryOp::Neg, false, [1, 2]),
        ),
        (
            "vsqrt.f64 d1, d2",
            0xEEB1_1BC2,
            unary(UnaryOp::Sqrt, true, [1, 2]),
        ),
        (
            "vmov.f32 s5, #-1.5",
            0xEEFF_2A08,
            Data(MoveImmediate {
                double: false,
                d: 5,
                imm8: 0xF8,
            }),
        ),
        (
            "vcmp.f32 s1, s2",
            0xEEF4_0A41,
            Data(Compare {
                double: false,
                signal_quiet: false,
                d: 1,
                m: 2,
            }),
        ),
        (
            "vcmpe.f64 d1, #0.0",
            0xEEB5_1BC0,
            Data(CompareZero {
                double: true,
                signal_quiet: true,
                d: 1,
            }),
        ),
    ];
    check(&rows);
}

#[test]
fn conversions() {
    let given = Rounding::Given;
    let away = given(RoundingMode::TiesToAway);
    let down = given(RoundingMode::TowardMinus);
    let rows = [
        (
            "vcvtb.f32.f16 s1, s2",
            0xEEF2_0A41,
            Data(Half {
                direction: FromHalf,
                double: false,
                top: false,
                d: 1,
                m: 2,
            }),
        ),
        (
            "vcvtt.f16.f64 s1, d2",
            0xEEF3_0BC2,
            Data(Half {
                direction: ToHalf,
                double: true,
                top: true,
                d: 1,
                m: 2,
            }),
        ),
        (
            "vrintr.f32 s1, s2",
            0xEEF6_0A41,
            unary(integral(Rounding::Fpscr, false), false, [1, 2]),
        ),
        (
            "vrintz.f64 d1, d2",
            0xEEB6_1BC2,
            unary(integral(TOWARD_ZERO, false), true, [1, 2]),
        ),
        (
            "vrintx.f32 s1, s2",
            0xEEF7_0A41,
            unary(integral(Rounding::Fpscr, true), false, [1, 2]),
        ),
        (
            "vrinta.f32 s1, s2",
            0xFEF8_0A41,
            unary(integral(away, false), false, [1, 2]),
        ),
        (
            "vrintm.f64 d1, d2",
            0xFEBB_1B42,
            unary(integral(down, false), true, [1, 2]),
        ),
        (
            "vcvt.f64.f32 d1, s3",
            0xEEB7_1AE1,
            Data(SingleToDouble { d: 1, m: 3 }),
        ),
        (
            "vcvt.f32.f64 s3, d1",
            0xEEF7_1BC1,
            Data(DoubleToSingle { d: 3, m: 1 }),
        ),
        (
            "vcvt.f32.s32 s1, s2",
            0xEEF8_0AC1,
            Data(FromInt {
                signed: true,
                double: false,
                d: 1,
                m: 2,
            }),
        ),
        (
            "vcvt.f64.u32 d1, s3",
            0xEEB8_1B61,
            Data(FromInt {
                signed: false,
                double: true,
                d: 1,
                m: 3,
            }),
        ),
        (
            "vcvt.u16.f32 s1, s1, #3",
            0xEEFF_0A66,
            Data(ToFixed {
                int: IntType::U16,
                fraction_bits: 3,
                double: false,
                d: 1,
            }),
        ),
        (
            "vcvt.f64.s32 d2, d2, #32",
            0xEEBA_2BC0,
            Data(FromFixed {
                int: IntType::I32,
                fraction_bits: 32,
                double: true,
                d: 2,
            }),
        ),
        (
            "vcvtr.s32.f32 s1, s2",
            0xEEFD_0A41,
            to_int(Rounding::Fpscr, true, false, [1, 2]),
        ),
        (
            "vcvt.u32.f64 s1, d2",
            0xEEFC_0BC2,
            to_int(TOWARD_ZERO, false, true, [1, 2]),
        ),
        (
            "vcvtp.u32.f32 s1, s2",
            0xFEFE_0A41,
            to_int(given(RoundingMode::TowardPlus), false, false, [1, 2]),
        ),
        (
            "vcvtn.s32.f64 s1, d2",
            0xFEFD_0BC2,
            to_int(given(RoundingMode::TiesToEven), true, true, [1, 2]),
        ),
    ];
    check(&rows);
}

#[test]
fn transfers() {
    let rows = [
        (
            "vselge.f32 s1, s2, s3",
            0xFE61_0A21,
            Select {
                condition: Condition::GreaterOrEqual,
                double: false,
                d: 1,
                n: 2,
                m: 3,
            },
        ),
        (
            "vselvs.f64 d1, d2, d3",
            0xFE12_1B03,
            Select {
                condition: Condition::Overflow,
                double: true,
                d: 1,
                n: 2,
                m: 3,
            },
        ),
        ("vmov s3, r4", 0xEE01_4A90, CoreToSingle { t: 4, s: 3 }),
        ("vmov r5, s6", 0xEE13_5A10, SingleToCore { t: 5, s: 6 }),
        (
            "vmov.32 d3[1], r7",
            0xEE23_7B10,
            CoreToSingle { t: 7, s: 7 },
        ),
        (
            "vmov.32 r7, d3[0]",
            0xEE13_7B10,
            SingleToCore { t: 7, s: 6 },
        ),
        (
            "vmov s4, s5, r1, r2",
            0xEC42_1A12,
            CorePairToSingles { t: 1, t2: 2, s: 4 },
        ),
        (
            "vmov r1, r2, d9",
            0xEC52_1B19,
            SinglesToCorePair { t: 1, t2: 2, s: 18 },
        ),
        ("vmrs r3, fpscr", 0xEEF1_3A10, StatusToCore { t: 3 }),
        ("vmrs APSR_nzcv, fpscr", 0xEEF1_FA10, StatusToCore { t: 15 }),
        ("vmsr fpscr, r3", 0xEEE1_3A10, CoreToStatus { t: 3 }),
        (
            "vldr s3, [r1, #-8]",
            0xED51_1A02,
            Load {
                double: false,
                d: 3,
                base: 1,
                offset: -8,
            },
        ),
        (
            "vstr d3, [r2, #1020]",
            0xED82_3BFF,
            Store {
                double: true,
                d: 3,
                base: 2,
                offset: 1020,
            },
        ),
        (
            "vldr d1, [pc, #16]",
            0xED9F_1B04,
            Load {
                double: true,
                d: 1,
                base: 15,
                offset: 16,
            },
        ),
        (
            "vldmia r1, {s1-s4}",
            0xECD1_0A04,
            LoadMultiple {
                first: 1,
                words: 4,
                base: 1,
                mode: MultipleMode::Increment,
            },
        ),
        (
            "vstmdb r1!, {s1-s4}",
            0xED61_0A04,
            StoreMultiple {
                first: 1,
                words: 4,
                base: 1,
                mode: MultipleMode::DecrementWriteback { step_words: 4 },
            },
        ),
        (
            "vpush {d8-d15}",
            0xED2D_8B10,
            StoreMultiple {
                first: 16,
                words: 16,
                base: 13,
                mode: MultipleMode::DecrementWriteback { step_words: 16 },
            },
        ),
        (
            "vpop {d8-d15}",
            0xECBD_8B10,
            LoadMultiple {
                first: 16,
                words: 16,
                base: 13,
                mode: MultipleMode::IncrementWriteback { step_words: 16 },
            },
        ),
        (
            "fldmiax r1!, {d0-d1}",
            0xECB1_0B05,
            LoadMultiple {
                first: 0,
                words: 4,
                base: 1,
                mode: MultipleMode::IncrementWriteback { step_words: 5 },
            },
        ),
    ];
    check(&rows);
}

#[test]
fn what_fpv5_d16_lacks_is_undefined() {
    let rows: [(&str, u32); 8] = [
        ("vadd.f64 with D16", 0xEE71_0B01),
        ("a core register of 15 for vmov", 0xEE01_FA90),
        ("vmrs of FPSID", 0xEEF0_3A10),
        ("coprocessor 9", 0xEE71_0921),
        ("Advanced SIMD", 0xEF00_0A00),
        ("vldm of 33 singles", 0xEC90_0A21),
        ("vpop past D15", 0xECBD_8B12),
        ("fixed point with a negative fraction", 0xEEFF_0A4F),
    ];
    for (text, bits) in rows {
        let decoded = decode((bits >> 16) as u16, bits as u16);
        assert_eq!(decoded, None, "{text}");
    }
}

fn check(rows: &[(&str, u32, FpOp)]) {
    for &(text, bits, expected) in rows {
        let decoded = decode((bits >> 16) as u16, bits as u16);
        assert_eq!(decoded, Some(expected), "{text}");
    }
}
