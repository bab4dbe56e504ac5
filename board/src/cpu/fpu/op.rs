//! Decoded floating-point instructions.
//!
//! Register fields hold register numbers: 0 to 31 for single precision, 0 to 15 where `double` is set or
//! the name says so, 0 to 15 for core registers.

/// A decoded instruction of coprocessors 10 and 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FpOp {
    /// Works on the extension's own registers and FPSCR alone.
    Data(DataOp),
    /// VSEL: the destination takes `n` where APSR passes `condition`, otherwise `m`.
    Select {
        condition: Condition,
        double: bool,
        d: u8,
        n: u8,
        m: u8,
    },
    /// VMOV Sn, Rt, and VMOV.32 Dd\[x\], Rt, which writes S(2d+x).
    CoreToSingle { t: u8, s: u8 },
    /// VMOV Rt, Sn, and VMOV.32 Rt, Dn\[x\].
    SingleToCore { t: u8, s: u8 },
    /// VMOV Sm, Sm1, Rt, Rt2, and VMOV Dm, Rt, Rt2: S(s) takes Rt, S(s+1) takes Rt2.
    CorePairToSingles { t: u8, t2: u8, s: u8 },
    /// VMOV Rt, Rt2, Sm, Sm1, and VMOV Rt, Rt2, Dm: Rt takes S(s), Rt2 takes S(s+1).
    SinglesToCorePair { t: u8, t2: u8, s: u8 },
    /// VMRS Rt, FPSCR; `t` 15 means APSR_nzcv.
    StatusToCore { t: u8 },
    /// VMSR FPSCR, Rt.
    CoreToStatus { t: u8 },
    /// VLDR: from `base` plus `offset`; `base` 15 is the program counter, word-aligned.
    /// A double takes the word at the address in its low half and the next word in its high half.
    Load {
        double: bool,
        d: u8,
        base: u8,
        offset: i16,
    },
    /// VSTR.
    Store {
        double: bool,
        d: u8,
        base: u8,
        offset: i16,
    },
    /// VLDM, VPOP: `words` words to S(first) and on.
    LoadMultiple {
        first: u8,
        words: u8,
        base: u8,
        mode: MultipleMode,
    },
    /// VSTM, VPUSH.
    StoreMultiple {
        first: u8,
        words: u8,
        base: u8,
        mode: MultipleMode,
    },
}

/// Addressing of VLDM and VSTM. Writeback moves the base by `step_words` words, which is more than the
/// words moved only in the deprecated FLDMX and FSTMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultipleMode {
    /// IA without writeback.
    Increment,
    /// IA!
    IncrementWriteback { step_words: u8 },
    /// DB!: words start at the base less `step_words` words.
    DecrementWriteback { step_words: u8 },
}

/// VSEL's conditions on APSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Z set.
    Equal,
    /// V set.
    Overflow,
    /// N equals V.
    GreaterOrEqual,
    /// Z clear and N equals V.
    Greater,
}

/// An instruction that reads and writes only S and D registers and FPSCR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataOp {
    Binary {
        op: BinaryOp,
        double: bool,
        d: u8,
        n: u8,
        m: u8,
    },
    /// The destination is also the addend.
    MulAdd {
        op: MulAddOp,
        double: bool,
        d: u8,
        n: u8,
        m: u8,
    },
    Unary {
        op: UnaryOp,
        double: bool,
        d: u8,
        m: u8,
    },
    /// VMOV immediate: `imm8` expands as VFPExpandImm says (ARMv7-M ARM, A6.4.1).
    MoveImmediate { double: bool, d: u8, imm8: u8 },
    /// VCMP, VCMPE (`signal_quiet`): sets FPSCR's N, Z, C, V.
    Compare {
        double: bool,
        signal_quiet: bool,
        d: u8,
        m: u8,
    },
    /// VCMP, VCMPE with zero.
    CompareZero {
        double: bool,
        signal_quiet: bool,
        d: u8,
    },
    /// VCVT.F64.F32 Dd, Sm.
    SingleToDouble { d: u8, m: u8 },
    /// VCVT.F32.F64 Sd, Dm.
    DoubleToSingle { d: u8, m: u8 },
    /// VCVTB (`top` false) and VCVTT; the half-precision value is in a half of a single register.
    Half {
        direction: HalfDirection,
        /// The other format is double.
        double: bool,
        top: bool,
        d: u8,
        m: u8,
    },
    /// VCVT from the 32-bit integer in S(m).
    FromInt {
        signed: bool,
        double: bool,
        d: u8,
        m: u8,
    },
    /// VCVT, VCVTR, VCVTA, VCVTN, VCVTP, VCVTM to a 32-bit integer in S(d).
    ToInt {
        rounding: Rounding,
        signed: bool,
        double: bool,
        d: u8,
        m: u8,
    },
    /// VCVT from fixed point, in place.
    FromFixed {
        int: IntType,
        fraction_bits: u8,
        double: bool,
        d: u8,
    },
    /// VCVT to fixed point, in place, rounding toward zero.
    ToFixed {
        int: IntType,
        fraction_bits: u8,
        double: bool,
        d: u8,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// VNMUL: the product negated.
    NegMul,
    Div,
    MaxNum,
    MinNum,
}

/// The first four round the product, the others (fused) only the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MulAddOp {
    /// VMLA: d + n * m
    Mla,
    /// VMLS: d - n * m
    Mls,
    /// VNMLA: -d - n * m
    NegMla,
    /// VNMLS: -d + n * m
    NegMls,
    /// VFMA: d + n * m
    Fma,
    /// VFMS: d + -n * m
    Fms,
    /// VFNMA: -d + -n * m
    NegFma,
    /// VFNMS: -d + n * m
    NegFms,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Move,
    Abs,
    Neg,
    Sqrt,
    /// VRINTA, VRINTN, VRINTP, VRINTM, VRINTZ, VRINTR; `exact` (VRINTX) sets IXC where it rounds.
    RoundToInt {
        rounding: Rounding,
        exact: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfDirection {
    FromHalf,
    ToHalf,
}

/// The integer type of a fixed-point value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntType {
    I16,
    U16,
    I32,
    U32,
}

/// The rounding an instruction asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// FPSCR.RMode's.
    Fpscr,
    Given(RoundingMode),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundingMode {
    TiesToEven,
    TiesToAway,
    TowardPlus,
    TowardMinus,
    TowardZero,
}

const _: () = assert!(size_of::<FpOp>() <= 8);
