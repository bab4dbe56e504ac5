//! Decoding of coprocessors 10 and 11 (ARMv7-M ARM, A6.4 to A6.7).

use super::op::*;

const TOWARD_ZERO: Rounding = Rounding::Given(RoundingMode::TowardZero);

const fn field(halfword: u16, shift: u32, bits: u32) -> u8 {
    ((halfword >> shift) & ((1 << bits) - 1)) as u8
}

/// A register field: four bits and one more, which is the lowest bit of a single's number and must be
/// zero for a double, since D16 to D31 do not exist.
const fn register(double: bool, four: u8, one: u8) -> Option<u8> {
    match (double, one) {
        (false, _) => Some(four << 1 | one),
        (true, 0) => Some(four),
        (true, _) => None,
    }
}

/// The fields all encodings share.
#[derive(Clone, Copy)]
struct Fields {
    hw1: u16,
    hw2: u16,
    double: bool,
}

impl Fields {
    const fn d(self, double: bool) -> Option<u8> {
        register(double, field(self.hw2, 12, 4), field(self.hw1, 6, 1))
    }

    const fn n(self) -> Option<u8> {
        register(self.double, field(self.hw1, 0, 4), field(self.hw2, 7, 1))
    }

    const fn m(self, double: bool) -> Option<u8> {
        register(double, field(self.hw2, 0, 4), field(self.hw2, 5, 1))
    }

    /// Bit 7 of the second halfword: an opcode bit where there is no Vn.
    const fn bit7(self) -> bool {
        self.hw2 >> 7 & 1 != 0
    }

    /// Bit 6 of the second halfword: an opcode bit of most data-processing instructions.
    const fn bit6(self) -> bool {
        self.hw2 >> 6 & 1 != 0
    }
}

/// Decodes a 32-bit Thumb instruction of coprocessor 10 or 11.
///
/// `None` for what is undefined in FPv5-D16, for what the architecture calls unpredictable, and for any
/// other coprocessor.
pub fn decode(hw1: u16, hw2: u16) -> Option<FpOp> {
    if hw2 & 0x0E00 != 0x0A00 {
        return None;
    }
    let fields = Fields {
        hw1,
        hw2,
        double: hw2 & 0x0100 != 0,
    };
    let transfer = hw2 & 0x10 != 0;
    match hw1 >> 8 {
        0xEE if !transfer => data_processing(fields).map(FpOp::Data),
        0xEE => core_transfer(fields),
        0xFE if !transfer => data_processing_two(fields),
        0xEC if hw1 & 0xA0 == 0 => core_pair_transfer(fields),
        0xEC | 0xED => load_store(fields),
        _ => None,
    }
}

fn data_processing(f: Fields) -> Option<DataOp> {
    let opc1 = field(f.hw1, 7, 1) << 2 | field(f.hw1, 4, 2);
    match (opc1, f.bit6()) {
        (0b000, false) => mul_add(MulAddOp::Mla, f),
        (0b000, true) => mul_add(MulAddOp::Mls, f),
        (0b001, false) => mul_add(MulAddOp::NegMls, f),
        (0b001, true) => mul_add(MulAddOp::NegMla, f),
        (0b010, false) => binary(BinaryOp::Mul, f),
        (0b010, true) => binary(BinaryOp::NegMul, f),
        (0b011, false) => binary(BinaryOp::Add, f),
        (0b011, true) => binary(BinaryOp::Sub, f),
        (0b100, false) => binary(BinaryOp::Div, f),
        (0b101, false) => mul_add(MulAddOp::NegFms, f),
        (0b101, true) => mul_add(MulAddOp::NegFma, f),
        (0b110, false) => mul_add(MulAddOp::Fma, f),
        (0b110, true) => mul_add(MulAddOp::Fms, f),
        (0b111, false) => move_immediate(f),
        (0b111, true) => other_data_processing(f),
        _ => None,
    }
}

fn binary(op: BinaryOp, f: Fields) -> Option<DataOp> {
    Some(DataOp::Binary {
        op,
        double: f.double,
        d: f.d(f.double)?,
        n: f.n()?,
        m: f.m(f.double)?,
    })
}

fn mul_add(op: MulAddOp, f: Fields) -> Option<DataOp> {
    Some(DataOp::MulAdd {
        op,
        double: f.double,
        d: f.d(f.double)?,
        n: f.n()?,
        m: f.m(f.double)?,
    })
}

fn unary(op: UnaryOp, f: Fields) -> Option<DataOp> {
    Some(DataOp::Unary {
        op,
        double: f.double,
        d: f.d(f.double)?,
        m: f.m(f.double)?,
    })
}

fn round_to_int(rounding: Rounding, exact: bool, f: Fields) -> Option<DataOp> {
    unary(UnaryOp::RoundToInt { rounding, exact }, f)
}

fn move_immediate(f: Fields) -> Option<DataOp> {
    if f.hw2 & 0xA0 != 0 {
        return None;
    }
    Some(DataOp::MoveImmediate {
        double: f.double,
        d: f.d(f.double)?,
        imm8: field(f.hw1, 0, 4) << 4 | field(f.hw2, 0, 4),
    })
}

/// The instructions with one operand; the low four bits of the first halfword say which.
fn other_data_processing(f: Fields) -> Option<DataOp> {
    let double = f.double;
    match (field(f.hw1, 0, 4), f.bit7()) {
        (0b0000, false) => unary(UnaryOp::Move, f),
        (0b0000, true) => unary(UnaryOp::Abs, f),
        (0b0001, false) => unary(UnaryOp::Neg, f),
        (0b0001, true) => unary(UnaryOp::Sqrt, f),
        (0b0010, top) => Some(DataOp::Half {
            direction: HalfDirection::FromHalf,
            double,
            top,
            d: f.d(double)?,
            m: f.m(false)?,
        }),
        (0b0011, top) => Some(DataOp::Half {
            direction: HalfDirection::ToHalf,
            double,
            top,
            d: f.d(false)?,
            m: f.m(double)?,
        }),
        (0b0100, signal_quiet) => Some(DataOp::Compare {
            double,
            signal_quiet,
            d: f.d(double)?,
            m: f.m(double)?,
        }),
        (0b0101, signal_quiet) if f.hw2 & 0x2F == 0 => Some(DataOp::CompareZero {
            double,
            signal_quiet,
            d: f.d(double)?,
        }),
        (0b0110, false) => round_to_int(Rounding::Fpscr, false, f),
        (0b0110, true) => round_to_int(TOWARD_ZERO, false, f),
        (0b0111, false) => round_to_int(Rounding::Fpscr, true, f),
        (0b0111, true) if double => Some(DataOp::DoubleToSingle {
            d: f.d(false)?,
            m: f.m(true)?,
        }),
        (0b0111, true) => Some(DataOp::SingleToDouble {
            d: f.d(true)?,
            m: f.m(false)?,
        }),
        (0b1000, signed) => Some(DataOp::FromInt {
            signed,
            double,
            d: f.d(double)?,
            m: f.m(false)?,
        }),
        (0b1010 | 0b1011 | 0b1110 | 0b1111, _) => fixed_point(f),
        (0b1100 | 0b1101, toward_zero) => Some(DataOp::ToInt {
            rounding: if toward_zero {
                TOWARD_ZERO
            } else {
                Rounding::Fpscr
            },
            signed: f.hw1 & 1 != 0,
            double,
            d: f.d(false)?,
            m: f.m(double)?,
        }),
        _ => None,
    }
}

fn fixed_point(f: Fields) -> Option<DataOp> {
    let (int, size) = match (f.bit7(), f.hw1 & 1 != 0) {
        (false, false) => (IntType::I16, 16),
        (false, true) => (IntType::U16, 16),
        (true, false) => (IntType::I32, 32),
        (true, true) => (IntType::U32, 32),
    };
    let imm5 = field(f.hw2, 0, 4) << 1 | field(f.hw2, 5, 1);
    let fraction_bits = u8::checked_sub(size, imm5)?;
    let (double, d) = (f.double, f.d(f.double)?);
    Some(if f.hw1 & 4 != 0 {
        DataOp::ToFixed {
            int,
            fraction_bits,
            double,
            d,
        }
    } else {
        DataOp::FromFixed {
            int,
            fraction_bits,
            double,
            d,
        }
    })
}

/// What FPv5 added, in the space of the unconditional second set of coprocessor instructions.
fn data_processing_two(f: Fields) -> Option<FpOp> {
    let double = f.double;
    let rounding = Rounding::Given(match field(f.hw1, 0, 2) {
        0b00 => RoundingMode::TiesToAway,
        0b01 => RoundingMode::TiesToEven,
        0b10 => RoundingMode::TowardPlus,
        _ => RoundingMode::TowardMinus,
    });
    match (field(f.hw1, 7, 1), field(f.hw1, 4, 2), f.bit6()) {
        (0, condition, false) => Some(FpOp::Select {
            condition: match condition {
                0b00 => Condition::Equal,
                0b01 => Condition::Overflow,
                0b10 => Condition::GreaterOrEqual,
                _ => Condition::Greater,
            },
            double,
            d: f.d(double)?,
            n: f.n()?,
            m: f.m(double)?,
        }),
        (1, 0b00, false) => binary(BinaryOp::MaxNum, f).map(FpOp::Data),
        (1, 0b00, true) => binary(BinaryOp::MinNum, f).map(FpOp::Data),
        (1, 0b11, true) => match (field(f.hw1, 2, 2), f.bit7()) {
            (0b10, false) => round_to_int(rounding, false, f).map(FpOp::Data),
            (0b11, signed) => Some(FpOp::Data(DataOp::ToInt {
                rounding,
                signed,
                double,
                d: f.d(false)?,
                m: f.m(double)?,
            })),
            _ => None,
        },
        _ => None,
    }
}

/// A core register that SP and PC may not stand for.
fn core_register(number: u8) -> Option<u8> {
    (number != 13 && number != 15).then_some(number)
}

fn core_transfer(f: Fields) -> Option<FpOp> {
    let to_core = f.hw1 & 0x10 != 0;
    let t = field(f.hw2, 12, 4);
    let status = f.hw1 & 0xEF == 0xE1 && f.hw2 & 0x01FF == 0x0010;
    if status {
        return Some(if to_core {
            FpOp::StatusToCore {
                t: if t == 15 { t } else { core_register(t)? },
            }
        } else {
            FpOp::CoreToStatus {
                t: core_register(t)?,
            }
        });
    }
    let s = if f.double {
        if f.hw1 & 0xC0 != 0 || f.hw2 & 0xFF != 0x10 {
            return None;
        }
        field(f.hw1, 0, 4) << 1 | field(f.hw1, 5, 1)
    } else {
        if f.hw1 & 0xE0 != 0 || f.hw2 & 0x7F != 0x10 {
            return None;
        }
        f.n()?
    };
    let t = core_register(t)?;
    Some(if to_core {
        FpOp::SingleToCore { t, s }
    } else {
        FpOp::CoreToSingle { t, s }
    })
}

fn core_pair_transfer(f: Fields) -> Option<FpOp> {
    if f.hw1 & 0x40 == 0 || f.hw2 & 0xD0 != 0x10 {
        return None;
    }
    let t = core_register(field(f.hw2, 12, 4))?;
    let t2 = core_register(field(f.hw1, 0, 4))?;
    let m = f.m(f.double)?;
    let s = if f.double { m * 2 } else { m };
    let to_core = f.hw1 & 0x10 != 0;
    if s == 31 || (to_core && t == t2) {
        return None;
    }
    Some(if to_core {
        FpOp::SinglesToCorePair { t, t2, s }
    } else {
        FpOp::CorePairToSingles { t, t2, s }
    })
}

fn load_store(f: Fields) -> Option<FpOp> {
    let (p, u, w) = (f.hw1 & 0x100 != 0, f.hw1 & 0x80 != 0, f.hw1 & 0x20 != 0);
    if p && !w {
        return load_store_one(f, u);
    }
    let imm8 = field(f.hw2, 0, 8);
    let mode = match (p, u, w) {
        (false, true, false) => MultipleMode::Increment,
        (false, true, true) => MultipleMode::IncrementWriteback { step_words: imm8 },
        (true, false, true) => MultipleMode::DecrementWriteback { step_words: imm8 },
        _ => return None,
    };
    load_store_multiple(f, mode, imm8)
}

fn load_store_one(f: Fields, add: bool) -> Option<FpOp> {
    let double = f.double;
    let d = f.d(double)?;
    let base = field(f.hw1, 0, 4);
    let magnitude = i16::from(field(f.hw2, 0, 8)) * 4;
    let offset = if add { magnitude } else { -magnitude };
    match (f.hw1 & 0x10 != 0, base) {
        (true, _) => Some(FpOp::Load {
            double,
            d,
            base,
            offset,
        }),
        (false, 15) => None,
        (false, _) => Some(FpOp::Store {
            double,
            d,
            base,
            offset,
        }),
    }
}

fn load_store_multiple(f: Fields, mode: MultipleMode, imm8: u8) -> Option<FpOp> {
    let d = f.d(f.double)?;
    let (first, words) = if f.double {
        (d * 2, imm8 & !1)
    } else {
        (d, imm8)
    };
    let base = field(f.hw1, 0, 4);
    if words == 0 || u16::from(first) + u16::from(words) > 32 || base == 15 {
        return None;
    }
    Some(if f.hw1 & 0x10 != 0 {
        FpOp::LoadMultiple {
            first,
            words,
            base,
            mode,
        }
    } else {
        FpOp::StoreMultiple {
            first,
            words,
            base,
            mode,
        }
    })
}
