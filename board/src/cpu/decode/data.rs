//! 32-bit data processing (ARMv7-M ARM, A5.3.1, A5.3.3, A5.3.11, A5.3.12).

use super::{Encoding, bit, bits, immediate_shift, reg};
use crate::cpu::dsp::{ParallelKind, ParallelOp};
use crate::cpu::op::{AluOp, BitOp, DspOp, ExtendKind, ImmCarry, Op, Reg, SatKind, ShiftKind};

const NONE: Reg = 15;

/// Operation, and what it becomes where a register field is 15.
fn alu_op(op: u32, s: bool, d: Reg, n: Reg) -> Option<AluOp> {
    Some(match op {
        0 if d == 15 && s => AluOp::Tst,
        0 => AluOp::And,
        1 => AluOp::Bic,
        2 if n == 15 => AluOp::Mov,
        2 => AluOp::Orr,
        3 if n == 15 => AluOp::Mvn,
        3 => AluOp::Orn,
        4 if d == 15 && s => AluOp::Teq,
        4 => AluOp::Eor,
        8 if d == 15 && s => AluOp::Cmn,
        8 => AluOp::Add,
        10 => AluOp::Adc,
        11 => AluOp::Sbc,
        13 if d == 15 && s => AluOp::Cmp,
        13 => AluOp::Sub,
        14 => AluOp::Rsb,
        _ => return None,
    })
}

/// Whether the operation takes no first operand, or gives no result.
fn uses(op: AluOp) -> (bool, bool) {
    let n = !matches!(op, AluOp::Mov | AluOp::Mvn);
    let d = !matches!(op, AluOp::Tst | AluOp::Teq | AluOp::Cmn | AluOp::Cmp);
    (n, d)
}

impl Encoding {
    fn thumb_expand_imm(&self) -> (u32, ImmCarry) {
        let imm12 = bits(self.hw1, 10, 1) << 11 | bits(self.hw2, 12, 3) << 8 | bits(self.hw2, 0, 8);
        let byte = imm12 & 0xFF;
        if imm12 >> 10 == 0 {
            let imm = match imm12 >> 8 {
                0 => byte,
                1 => byte * 0x0001_0001,
                2 => byte * 0x0100_0100,
                _ => byte * 0x0101_0101,
            };
            return (imm, ImmCarry::Keep);
        }
        let imm = (0x80 | imm12 & 0x7F).rotate_right(imm12 >> 7);
        let carry = if bit(imm, 31) {
            ImmCarry::Set
        } else {
            ImmCarry::Clear
        };
        (imm, carry)
    }

    pub(super) fn data_modified_immediate(&self) -> Op {
        let (d, n) = (reg(self.hw2, 8), reg(self.hw1, 0));
        let s = bit(self.hw1, 4);
        let Some(op) = alu_op(bits(self.hw1, 5, 4), s, d, n) else {
            return self.undefined();
        };
        let (uses_n, uses_d) = uses(op);
        if (uses_n && n == 15) || (uses_d && d == 15) {
            return self.unmodelled();
        }
        let (imm, carry) = self.thumb_expand_imm();
        Op::AluImm {
            op,
            s,
            d,
            n,
            carry,
            imm,
        }
    }

    pub(super) fn data_shifted_register(&self) -> Op {
        let (d, n, m) = (reg(self.hw2, 8), reg(self.hw1, 0), reg(self.hw2, 0));
        let s = bit(self.hw1, 4);
        let (kind, amount) = immediate_shift(
            bits(self.hw2, 4, 2),
            bits(self.hw2, 12, 3) << 2 | bits(self.hw2, 6, 2),
        );
        if bits(self.hw1, 5, 4) == 6 {
            return self.pack_halfwords(d, n, m, amount);
        }
        let Some(op) = alu_op(bits(self.hw1, 5, 4), s, d, n) else {
            return self.undefined();
        };
        let (uses_n, uses_d) = uses(op);
        if m == 15 || (uses_n && n == 15) || (uses_d && d == 15) {
            return self.unmodelled();
        }
        Op::AluReg {
            op,
            s,
            d,
            n,
            m,
            kind,
            amount,
        }
    }

    /// PKHBT (LSL) and PKHTB (ASR).
    fn pack_halfwords(&self, d: Reg, n: Reg, m: Reg, amount: u8) -> Op {
        let top = bit(self.hw2, 5);
        if bit(self.hw2, 4) || bit(self.hw1, 4) || d == 15 || n == 15 || m == 15 {
            return self.undefined();
        }
        Op::Pkh {
            top,
            d,
            n,
            m,
            amount,
        }
    }

    pub(super) fn data_plain_immediate(&self) -> Op {
        let (d, n) = (reg(self.hw2, 8), reg(self.hw1, 0));
        let imm12 = bits(self.hw1, 10, 1) << 11 | bits(self.hw2, 12, 3) << 8 | bits(self.hw2, 0, 8);
        let imm16 = u32::from(n) << 12 | imm12;
        if d == 15 {
            return self.unmodelled();
        }
        let plain = |op, n, imm| super::alu_imm(op, false, d, n, imm);
        match bits(self.hw1, 4, 5) {
            0b00000 if n == 15 => plain(AluOp::Mov, NONE, self.literal_base().wrapping_add(imm12)),
            0b00000 => plain(AluOp::Add, n, imm12),
            0b00100 => plain(AluOp::Mov, NONE, imm16),
            0b01010 if n == 15 => plain(AluOp::Mov, NONE, self.literal_base().wrapping_sub(imm12)),
            0b01010 => plain(AluOp::Sub, n, imm12),
            0b01100 => Op::Movt { d, imm: imm16 },
            0b10000 | 0b10010 | 0b11000 | 0b11010 => self.saturate(d, n),
            0b10100 | 0b10110 | 0b11100 => self.bit_field(d, n),
            _ => self.undefined(),
        }
    }

    fn saturate(&self, d: Reg, n: Reg) -> Op {
        let unsigned = bit(self.hw1, 7);
        let arithmetic = bit(self.hw1, 5);
        let amount = (bits(self.hw2, 12, 3) << 2 | bits(self.hw2, 6, 2)) as u8;
        let pair = arithmetic && amount == 0;
        let field = bits(self.hw2, 0, 5) as u8;
        let (kind, bits) = match (unsigned, pair) {
            (false, false) => (SatKind::Ssat, field + 1),
            (false, true) => (SatKind::Ssat16, (field & 15) + 1),
            (true, false) => (SatKind::Usat, field),
            (true, true) => (SatKind::Usat16, field & 15),
        };
        if n == 15 {
            return self.unmodelled();
        }
        Op::Saturate {
            kind,
            d,
            n,
            bits,
            arithmetic,
            amount,
        }
    }

    fn bit_field(&self, d: Reg, n: Reg) -> Op {
        let lsb = (bits(self.hw2, 12, 3) << 2 | bits(self.hw2, 6, 2)) as u8;
        let field = bits(self.hw2, 0, 5) as u8;
        let mask = |width: u8| u32::MAX >> (32 - width);
        match bits(self.hw1, 5, 3) {
            // BFI, BFC: the field gives the top bit.
            0b011 if field < lsb => self.unmodelled(),
            0b011 => Op::Bfi {
                d,
                n,
                lsb,
                mask: mask(field - lsb + 1) << lsb,
            },
            _ if n == 15 || lsb + field > 31 => self.unmodelled(),
            0b010 => Op::Sbfx {
                d,
                n,
                lsb,
                width: field + 1,
            },
            _ => Op::Ubfx {
                d,
                n,
                lsb,
                mask: mask(field + 1),
            },
        }
    }

    pub(super) fn data_register(&self) -> Op {
        let (d, n, m) = (reg(self.hw2, 8), reg(self.hw1, 0), reg(self.hw2, 0));
        let op1 = bits(self.hw1, 4, 4);
        let op2 = bits(self.hw2, 4, 4);
        if bits(self.hw2, 12, 4) != 15 {
            return self.undefined();
        }
        if d == 15 || m == 15 {
            return self.unmodelled();
        }
        match (op1, op2) {
            (0..8, 0) if n == 15 => self.unmodelled(),
            (0..8, 0) => Op::ShiftReg {
                kind: [
                    ShiftKind::Lsl,
                    ShiftKind::Lsr,
                    ShiftKind::Asr,
                    ShiftKind::Ror,
                ][(op1 >> 1) as usize],
                s: op1 & 1 != 0,
                d,
                n,
                m,
            },
            (0..6, 8..) => self.extend(d, n, m),
            (8.., 0..8) => self.parallel(d, n, m),
            (8..12, 8..12) => self.miscellaneous_register(d, n, m),
            _ => self.undefined(),
        }
    }

    fn extend(&self, d: Reg, n: Reg, m: Reg) -> Op {
        let kind = match bits(self.hw1, 4, 3) {
            0 => ExtendKind::Sxth,
            1 => ExtendKind::Uxth,
            2 => ExtendKind::Sxtb16,
            3 => ExtendKind::Uxtb16,
            4 => ExtendKind::Sxtb,
            _ => ExtendKind::Uxtb,
        };
        Op::Extend {
            kind,
            d,
            n,
            m,
            rotate: (bits(self.hw2, 4, 2) * 8) as u8,
        }
    }

    fn parallel(&self, d: Reg, n: Reg, m: Reg) -> Op {
        let op = ParallelOp::from_bits(bits(self.hw1, 4, 3) as u16);
        let kind = ParallelKind::from_bits(bits(self.hw2, 4, 3) as u16);
        match (op, kind) {
            (Some(op), Some(kind)) if n != 15 => Op::Dsp {
                op: DspOp::Parallel { kind, op },
                d,
                n,
                m,
                a: NONE,
            },
            (Some(_), Some(_)) => self.unmodelled(),
            _ => self.undefined(),
        }
    }

    fn miscellaneous_register(&self, d: Reg, n: Reg, m: Reg) -> Op {
        let dsp = |op| Op::Dsp {
            op,
            d,
            n,
            m,
            a: NONE,
        };
        let one = |op| {
            if n == m {
                Op::Bit { op, d, m }
            } else {
                self.unmodelled()
            }
        };
        match (bits(self.hw1, 4, 2), bits(self.hw2, 4, 2)) {
            (0, _) | (2, _) if n == 15 => self.unmodelled(),
            (0, 0) => dsp(DspOp::Qadd),
            (0, 1) => dsp(DspOp::Qdadd),
            (0, 2) => dsp(DspOp::Qsub),
            (0, _) => dsp(DspOp::Qdsub),
            (1, 0) => one(BitOp::Rev),
            (1, 1) => one(BitOp::Rev16),
            (1, 2) => one(BitOp::Rbit),
            (1, _) => one(BitOp::Revsh),
            (2, 0) => dsp(DspOp::Sel),
            (3, 0) => one(BitOp::Clz),
            _ => self.undefined(),
        }
    }
}
