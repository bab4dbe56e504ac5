//! From encodings to [`Op`]s (ARMv7-M ARM, chapter A5).
//!
//! UNPREDICTABLE encodings become [`SystemOp::Unmodelled`]: a program that has one stops and names it.

mod branch;
mod data;
mod load_store;
mod multiply;
mod narrow;
mod select;

use super::op::{AluOp, ImmCarry, Op, ShiftKind, SystemOp};

/// One decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    pub op: Op,
    /// Bytes of the encoding, 2 or 4.
    pub size: u32,
}

/// The encoding at hand and where it stands.
#[derive(Clone, Copy, Debug)]
struct Encoding {
    pc: u32,
    hw1: u32,
    hw2: u32,
    /// Inside an IT block, where most narrow instructions leave the flags alone.
    in_it: bool,
}

/// Whether `hw1` is the first half of a 32-bit instruction (A5.1).
pub fn is_wide(hw1: u16) -> bool {
    hw1 >> 11 >= 0b11101
}

/// Decodes the instruction at `pc`; `hw2` matters for wide ones only.
pub fn decode(pc: u32, hw1: u16, hw2: u16, in_it: bool) -> Decoded {
    let encoding = Encoding {
        pc,
        hw1: hw1.into(),
        hw2: hw2.into(),
        in_it,
    };
    let (op, size) = if is_wide(hw1) {
        (encoding.wide(), 4)
    } else {
        (encoding.narrow(), 2)
    };
    Decoded {
        op: select::frequent_form(op),
        size,
    }
}

fn bits(word: u32, low: u32, count: u32) -> u32 {
    (word >> low) & ((1 << count) - 1)
}

fn bit(word: u32, n: u32) -> bool {
    word >> n & 1 != 0
}

/// A register field of four bits.
fn reg(word: u32, low: u32) -> u8 {
    bits(word, low, 4) as u8
}

fn sign_extend(value: u32, width: u32) -> u32 {
    ((value << (32 - width)) as i32 >> (32 - width)) as u32
}

impl Encoding {
    /// The program counter as an operand reads it.
    fn pc_operand(&self) -> u32 {
        self.pc.wrapping_add(4)
    }

    /// The base of literal loads: the program counter, word-aligned.
    fn literal_base(&self) -> u32 {
        self.pc_operand() & !3
    }

    fn raw(&self) -> u32 {
        if is_wide(self.hw1 as u16) {
            self.hw1 << 16 | self.hw2
        } else {
            self.hw1
        }
    }

    fn undefined(&self) -> Op {
        Op::System(SystemOp::Undefined {
            encoding: self.raw(),
        })
    }

    fn unmodelled(&self) -> Op {
        Op::System(SystemOp::Unmodelled {
            encoding: self.raw(),
        })
    }

    /// A5.3, table A5-9.
    fn wide(&self) -> Op {
        let op1 = bits(self.hw1, 11, 2);
        let op2 = bits(self.hw1, 4, 7);
        if op2 & 0b100_0000 != 0 && op1 != 0b10 {
            return self.coprocessor();
        }
        match op1 {
            0b01 if op2 & 0b110_0000 == 0b010_0000 => self.data_shifted_register(),
            0b01 if op2 & 0b000_0100 != 0 => self.dual_exclusive_table(),
            0b01 => self.multiple(),
            0b10 if bit(self.hw2, 15) => self.branch_and_control(),
            0b10 if op2 & 0b010_0000 != 0 => self.data_plain_immediate(),
            0b10 => self.data_modified_immediate(),
            _ if op2 & 0b111_0001 == 0b000_0000 => self.store_single(),
            _ if op2 & 0b110_0001 == 0b000_0001 => self.load_single(),
            _ if op2 & 0b111_0000 == 0b010_0000 => self.data_register(),
            _ if op2 & 0b111_1000 == 0b011_0000 => self.multiply(),
            _ if op2 & 0b111_1000 == 0b011_1000 => self.multiply_long_divide(),
            _ => self.undefined(),
        }
    }

    fn coprocessor(&self) -> Op {
        match bits(self.hw2, 8, 4) {
            10 | 11 => match super::fpu::decode(self.hw1 as u16, self.hw2 as u16) {
                Some(op) => Op::Fp(op),
                None => self.undefined(),
            },
            _ => Op::System(SystemOp::NoCoprocessor {
                encoding: self.raw(),
            }),
        }
    }
}

fn alu_imm(op: AluOp, s: bool, d: u8, n: u8, imm: u32) -> Op {
    Op::AluImm {
        op,
        s,
        d,
        n,
        carry: ImmCarry::Keep,
        imm,
    }
}

fn alu_reg(op: AluOp, s: bool, d: u8, n: u8, m: u8) -> Op {
    Op::AluReg {
        op,
        s,
        d,
        n,
        m,
        kind: ShiftKind::Lsl,
        amount: 0,
    }
}

/// An immediate shift as the encodings give it: type and five-bit amount (A7.4.2, DecodeImmShift).
fn immediate_shift(kind: u32, amount: u32) -> (ShiftKind, u8) {
    let amount = amount as u8;
    match (kind, amount) {
        (0, _) => (ShiftKind::Lsl, amount),
        (1, 0) => (ShiftKind::Lsr, 32),
        (1, _) => (ShiftKind::Lsr, amount),
        (2, 0) => (ShiftKind::Asr, 32),
        (2, _) => (ShiftKind::Asr, amount),
        (_, 0) => (ShiftKind::Rrx, 1),
        _ => (ShiftKind::Ror, amount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide_halves() -> impl Iterator<Item = (u16, u16)> {
        (0xE800..=0xFFFFu16).flat_map(|hw1| {
            (0..64u32).map(move |n| (hw1, (u32::from(hw1) * 64 + n).wrapping_mul(40_503) as u16))
        })
    }

    #[test]
    fn every_encoding_decodes_to_something() {
        for hw1 in 0..0xE800 {
            for in_it in [false, true] {
                assert_eq!(decode(0x0800_0000, hw1, 0, in_it).size, 2);
            }
        }
        for (hw1, hw2) in wide_halves() {
            assert_eq!(decode(0x0800_0000, hw1, hw2, false).size, 4);
        }
    }

    #[test]
    fn branch_targets_reach_both_ways() {
        let target = |hw1, hw2| decode(0x0810_0000, hw1, hw2, false).op.target();
        assert_eq!(target(0xE7FE, 0), Some(0x0810_0000)); // b .
        assert_eq!(target(0xD0FE, 0), Some(0x0810_0000)); // beq .
        assert_eq!(target(0xE3FF, 0), Some(0x0810_0802)); // b .+2050
        assert_eq!(target(0xB108, 0), Some(0x0810_0006)); // cbz r0, .+6
        assert_eq!(target(0xF7FF, 0xFFFE), Some(0x0810_0000)); // bl .
        assert_eq!(target(0xF000, 0xF802), Some(0x0810_0008)); // bl .+8
        assert_eq!(target(0xF47F, 0xAFFE), Some(0x0810_0000)); // bne.w .
        assert_eq!(target(0xF040, 0x8002), Some(0x0810_0008)); // bne.w .+8
    }
}
