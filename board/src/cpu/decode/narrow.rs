//! 16-bit instructions (ARMv7-M ARM, A5.2).

use super::{Encoding, alu_imm, alu_reg, bit, bits, immediate_shift, sign_extend};
use crate::cpu::op::{
    AluOp, BitOp, ExtendKind, Index, LoadKind, Multiple, Op, Reg, ShiftKind, SystemOp,
};

const SP: Reg = 13;
const NONE: Reg = 15;

/// A register field of three bits.
fn low_reg(word: u32, low: u32) -> Reg {
    bits(word, low, 3) as Reg
}

impl Encoding {
    pub(super) fn narrow(&self) -> Op {
        match bits(self.hw1, 12, 4) {
            0b0000 | 0b0001 => self.shift_add_subtract(),
            0b0010 | 0b0011 => self.immediate8(),
            0b0100 => match bits(self.hw1, 10, 2) {
                0b00 => self.narrow_data(),
                0b01 => self.high_registers_and_exchange(),
                _ => Op::LoadAbs {
                    kind: LoadKind::Word,
                    t: low_reg(self.hw1, 8),
                    address: self.literal_base().wrapping_add(bits(self.hw1, 0, 8) * 4),
                },
            },
            0b0101 => self.register_offset(),
            0b0110..=0b1001 => self.immediate_offset(),
            0b1010 => self.address_generation(),
            0b1011 => self.miscellaneous(),
            0b1100 => self.narrow_multiple(),
            0b1101 => self.conditional_branch_or_svc(),
            // 0b11100; what follows is wide.
            _ => Op::B {
                target: self
                    .pc_operand()
                    .wrapping_add(sign_extend(bits(self.hw1, 0, 11) << 1, 12)),
                taken: 0,
                to: 0,
            },
        }
    }

    fn sets_flags(&self) -> bool {
        !self.in_it
    }

    fn shift_add_subtract(&self) -> Op {
        let (d, n, m) = (
            low_reg(self.hw1, 0),
            low_reg(self.hw1, 3),
            low_reg(self.hw1, 6),
        );
        let s = self.sets_flags();
        match bits(self.hw1, 9, 5) {
            0b01100 => alu_reg(AluOp::Add, s, d, n, m),
            0b01101 => alu_reg(AluOp::Sub, s, d, n, m),
            0b01110 => alu_imm(AluOp::Add, s, d, n, m.into()),
            0b01111 => alu_imm(AluOp::Sub, s, d, n, m.into()),
            _ => {
                let (kind, amount) = immediate_shift(bits(self.hw1, 11, 2), bits(self.hw1, 6, 5));
                Op::AluReg {
                    op: AluOp::Mov,
                    s,
                    d,
                    n: NONE,
                    m: n,
                    kind,
                    amount,
                }
            }
        }
    }

    fn immediate8(&self) -> Op {
        let d = low_reg(self.hw1, 8);
        let imm = bits(self.hw1, 0, 8);
        let s = self.sets_flags();
        match bits(self.hw1, 11, 2) {
            0 => alu_imm(AluOp::Mov, s, d, NONE, imm),
            1 => alu_imm(AluOp::Cmp, true, NONE, d, imm),
            2 => alu_imm(AluOp::Add, s, d, d, imm),
            _ => alu_imm(AluOp::Sub, s, d, d, imm),
        }
    }

    fn narrow_data(&self) -> Op {
        let d = low_reg(self.hw1, 0);
        let m = low_reg(self.hw1, 3);
        let s = self.sets_flags();
        let alu = |op| alu_reg(op, s, d, d, m);
        let compare = |op| alu_reg(op, true, NONE, d, m);
        let shift = |kind| Op::ShiftReg {
            kind,
            s,
            d,
            n: d,
            m,
        };
        match bits(self.hw1, 6, 4) {
            0 => alu(AluOp::And),
            1 => alu(AluOp::Eor),
            2 => shift(ShiftKind::Lsl),
            3 => shift(ShiftKind::Lsr),
            4 => shift(ShiftKind::Asr),
            5 => alu(AluOp::Adc),
            6 => alu(AluOp::Sbc),
            7 => shift(ShiftKind::Ror),
            8 => compare(AluOp::Tst),
            9 => alu_imm(AluOp::Rsb, s, d, m, 0),
            10 => compare(AluOp::Cmp),
            11 => compare(AluOp::Cmn),
            12 => alu(AluOp::Orr),
            13 if s => Op::Muls { d, n: d, m },
            13 => Op::Mul { d, n: d, m },
            14 => alu(AluOp::Bic),
            _ => alu_reg(AluOp::Mvn, s, d, NONE, m),
        }
    }

    fn high_registers_and_exchange(&self) -> Op {
        let d = bits(self.hw1, 0, 3) as Reg | (bits(self.hw1, 7, 1) << 3) as Reg;
        let m = bits(self.hw1, 3, 4) as Reg;
        let pc = self.pc_operand();
        match bits(self.hw1, 8, 2) {
            0 if d == 15 && m == 15 => self.unmodelled(),
            0 if d == 15 => Op::AddPc { m, addend: pc },
            0 if m == 15 => alu_imm(AluOp::Add, false, d, d, pc),
            0 => alu_reg(AluOp::Add, false, d, d, m),
            1 if d == 15 || m == 15 => self.unmodelled(),
            1 => alu_reg(AluOp::Cmp, true, NONE, d, m),
            2 if d == 15 && m == 15 => Op::B {
                target: pc & !1,
                taken: 0,
                to: 0,
            },
            2 if d == 15 => Op::AddPc { m, addend: 0 },
            2 if m == 15 => alu_imm(AluOp::Mov, false, d, NONE, pc),
            2 => alu_reg(AluOp::Mov, false, d, NONE, m),
            _ if m == 15 => self.unmodelled(),
            _ if bit(self.hw1, 7) => Op::Blx {
                m,
                link: self.pc.wrapping_add(2) | 1,
            },
            _ => Op::Bx { m },
        }
    }

    fn register_offset(&self) -> Op {
        let (t, n, m) = (
            low_reg(self.hw1, 0),
            low_reg(self.hw1, 3),
            low_reg(self.hw1, 6),
        );
        let shift = 0;
        let signed = |kind| Op::LoadReg {
            kind,
            t,
            n,
            m,
            shift,
        };
        match bits(self.hw1, 9, 3) {
            0 => Op::StrReg { t, n, m, shift },
            1 => Op::StrhReg { t, n, m, shift },
            2 => Op::StrbReg { t, n, m, shift },
            3 => signed(LoadKind::SignedByte),
            4 => Op::LdrReg { t, n, m, shift },
            5 => Op::LdrhReg { t, n, m, shift },
            6 => Op::LdrbReg { t, n, m, shift },
            _ => signed(LoadKind::SignedHalf),
        }
    }

    fn immediate_offset(&self) -> Op {
        let t = low_reg(self.hw1, 0);
        let n = low_reg(self.hw1, 3);
        let imm = bits(self.hw1, 6, 5);
        let stack_t = low_reg(self.hw1, 8);
        let stack_imm = bits(self.hw1, 0, 8) * 4;
        match bits(self.hw1, 11, 5) {
            0b01100 => Op::StrImm { t, n, imm: imm * 4 },
            0b01101 => Op::LdrImm { t, n, imm: imm * 4 },
            0b01110 => Op::StrbImm { t, n, imm },
            0b01111 => Op::LdrbImm { t, n, imm },
            0b10000 => Op::StrhImm { t, n, imm: imm * 2 },
            0b10001 => Op::LdrhImm { t, n, imm: imm * 2 },
            0b10010 => Op::StrImm {
                t: stack_t,
                n: SP,
                imm: stack_imm,
            },
            _ => Op::LdrImm {
                t: stack_t,
                n: SP,
                imm: stack_imm,
            },
        }
    }

    /// ADR and ADD Rd, SP.
    fn address_generation(&self) -> Op {
        let d = low_reg(self.hw1, 8);
        let imm = bits(self.hw1, 0, 8) * 4;
        if bit(self.hw1, 11) {
            alu_imm(AluOp::Add, false, d, SP, imm)
        } else {
            let address = self.literal_base().wrapping_add(imm);
            alu_imm(AluOp::Mov, false, d, NONE, address)
        }
    }

    fn miscellaneous(&self) -> Op {
        let (d, m) = (low_reg(self.hw1, 0), low_reg(self.hw1, 3));
        let extend = |kind| Op::Extend {
            kind,
            d,
            n: NONE,
            m,
            rotate: 0,
        };
        match bits(self.hw1, 8, 4) {
            0b0000 => {
                let imm = bits(self.hw1, 0, 7) * 4;
                let op = if bit(self.hw1, 7) {
                    AluOp::Sub
                } else {
                    AluOp::Add
                };
                alu_imm(op, false, SP, SP, imm)
            }
            0b0001 | 0b0011 | 0b1001 | 0b1011 => self.compare_and_branch(d),
            0b0010 => match bits(self.hw1, 6, 2) {
                0 => extend(ExtendKind::Sxth),
                1 => extend(ExtendKind::Sxtb),
                2 => extend(ExtendKind::Uxth),
                _ => extend(ExtendKind::Uxtb),
            },
            // A list without registers is unpredictable.
            0b0100 | 0b0101 | 0b1100 | 0b1101 if bits(self.hw1, 0, 9) == 0 => self.unmodelled(),
            0b0100 | 0b0101 => Op::Push {
                list: (bits(self.hw1, 0, 8) | bits(self.hw1, 8, 1) << 14) as u16,
            },
            0b0110 if self.hw1 & 0xFFEC == 0xB660 => Op::System(SystemOp::Cps {
                disable: bit(self.hw1, 4),
                primask: bit(self.hw1, 1),
                faultmask: bit(self.hw1, 0),
            }),
            0b1010 => match bits(self.hw1, 6, 2) {
                0 => Op::Bit {
                    op: BitOp::Rev,
                    d,
                    m,
                },
                1 => Op::Bit {
                    op: BitOp::Rev16,
                    d,
                    m,
                },
                3 => Op::Bit {
                    op: BitOp::Revsh,
                    d,
                    m,
                },
                _ => self.undefined(),
            },
            0b1100 | 0b1101 => {
                let list = (bits(self.hw1, 0, 8) | bits(self.hw1, 8, 1) << 15) as u16;
                if list & 0x8000 != 0 {
                    Op::PopPc { list }
                } else {
                    Op::Pop { list }
                }
            }
            0b1110 => Op::System(SystemOp::Bkpt {
                value: bits(self.hw1, 0, 8) as u8,
            }),
            0b1111 => self.it_and_hints(),
            _ => self.undefined(),
        }
    }

    fn compare_and_branch(&self, n: Reg) -> Op {
        let offset = bits(self.hw1, 3, 5) << 1 | bits(self.hw1, 9, 1) << 6;
        let target = self.pc_operand().wrapping_add(offset);
        if bit(self.hw1, 11) {
            Op::Cbnz {
                n,
                target,
                taken: 0,
                to: 0,
            }
        } else {
            Op::Cbz {
                n,
                target,
                taken: 0,
                to: 0,
            }
        }
    }

    fn it_and_hints(&self) -> Op {
        if bits(self.hw1, 0, 4) != 0 {
            return Op::System(SystemOp::It {
                state: bits(self.hw1, 0, 8) as u8,
            });
        }
        hint(bits(self.hw1, 4, 4))
    }

    fn narrow_multiple(&self) -> Op {
        let n = low_reg(self.hw1, 8);
        let list = bits(self.hw1, 0, 8) as u16;
        if list == 0 {
            return self.unmodelled();
        }
        if bit(self.hw1, 11) {
            Op::LoadMultiple(Multiple {
                n,
                list,
                writeback: list & 1 << n == 0,
                before: false,
            })
        } else {
            Op::StoreMultiple(Multiple {
                n,
                list,
                writeback: true,
                before: false,
            })
        }
    }

    fn conditional_branch_or_svc(&self) -> Op {
        let condition = bits(self.hw1, 8, 4);
        match condition {
            14 => self.undefined(),
            15 => Op::System(SystemOp::Svc),
            _ => super::branch::conditional(
                condition,
                self.pc_operand()
                    .wrapping_add(sign_extend(bits(self.hw1, 0, 8) << 1, 9)),
            ),
        }
    }
}

/// NOP-compatible hints (A5.2.5, A5.3.4); those without a meaning here execute as NOP.
pub(super) fn hint(number: u32) -> Op {
    match number {
        2 => Op::System(SystemOp::Wfe),
        3 => Op::System(SystemOp::Wfi),
        4 => Op::System(SystemOp::Sev),
        _ => Op::Nop,
    }
}

/// The index form that P, U and W bits describe, with the offset's sign applied.
pub(super) fn index_form(p: bool, u: bool, w: bool, offset: u32) -> (Index, u32) {
    let offset = if u { offset } else { offset.wrapping_neg() };
    let index = match (p, w) {
        (true, false) => Index::Offset,
        (true, true) => Index::Pre,
        (false, _) => Index::Post,
    };
    (index, offset)
}
