//! 32-bit branches and miscellaneous control (ARMv7-M ARM, A5.3.4).

use super::narrow::hint;
use super::{Encoding, bits, reg, sign_extend};
use crate::cpu::op::{Op, SystemOp};

/// A branch on `condition` (0 to 13).
pub(super) fn conditional(condition: u32, target: u32) -> Op {
    match condition {
        0 => Op::Beq {
            target,
            taken: 0,
            to: 0,
        },
        1 => Op::Bne {
            target,
            taken: 0,
            to: 0,
        },
        2 => Op::Bcs {
            target,
            taken: 0,
            to: 0,
        },
        3 => Op::Bcc {
            target,
            taken: 0,
            to: 0,
        },
        4 => Op::Bmi {
            target,
            taken: 0,
            to: 0,
        },
        5 => Op::Bpl {
            target,
            taken: 0,
            to: 0,
        },
        6 => Op::Bvs {
            target,
            taken: 0,
            to: 0,
        },
        7 => Op::Bvc {
            target,
            taken: 0,
            to: 0,
        },
        8 => Op::Bhi {
            target,
            taken: 0,
            to: 0,
        },
        9 => Op::Bls {
            target,
            taken: 0,
            to: 0,
        },
        10 => Op::Bge {
            target,
            taken: 0,
            to: 0,
        },
        11 => Op::Blt {
            target,
            taken: 0,
            to: 0,
        },
        12 => Op::Bgt {
            target,
            taken: 0,
            to: 0,
        },
        13 => Op::Ble {
            target,
            taken: 0,
            to: 0,
        },
        _ => Op::B {
            target,
            taken: 0,
            to: 0,
        },
    }
}

impl Encoding {
    pub(super) fn branch_and_control(&self) -> Op {
        let (op1, op) = (bits(self.hw2, 12, 3), bits(self.hw1, 4, 7));
        match op1 {
            0b000 | 0b010 if op & 0b0111000 != 0b0111000 => self.conditional_wide(),
            0b000 => self.control(op),
            0b001 | 0b011 => Op::B {
                target: self.long_target(),
                taken: 0,
                to: 0,
            },
            0b101 | 0b111 => Op::Bl {
                target: self.long_target(),
                taken: 0,
                to: 0,
            },
            _ => self.undefined(),
        }
    }

    fn conditional_wide(&self) -> Op {
        let offset = bits(self.hw1, 10, 1) << 20
            | bits(self.hw2, 11, 1) << 19
            | bits(self.hw2, 13, 1) << 18
            | bits(self.hw1, 0, 6) << 12
            | bits(self.hw2, 0, 11) << 1;
        conditional(
            bits(self.hw1, 6, 4),
            self.pc_operand().wrapping_add(sign_extend(offset, 21)),
        )
    }

    /// The target of B (T4) and BL.
    fn long_target(&self) -> u32 {
        let s = bits(self.hw1, 10, 1);
        let i1 = !(bits(self.hw2, 13, 1) ^ s) & 1;
        let i2 = !(bits(self.hw2, 11, 1) ^ s) & 1;
        let offset = s << 24
            | i1 << 23
            | i2 << 22
            | bits(self.hw1, 0, 10) << 12
            | bits(self.hw2, 0, 11) << 1;
        self.pc_operand().wrapping_add(sign_extend(offset, 25))
    }

    fn control(&self, op: u32) -> Op {
        match op {
            0b0111000 | 0b0111001 => Op::System(SystemOp::Msr {
                n: reg(self.hw1, 0),
                sysm: bits(self.hw2, 0, 8) as u8,
                mask: bits(self.hw2, 10, 2) as u8,
            }),
            0b0111010 if bits(self.hw2, 8, 3) == 0 => hint(bits(self.hw2, 0, 8)),
            0b0111011 => match bits(self.hw2, 4, 4) {
                2 => Op::ClearExclusive,
                // DSB, DMB, ISB: memory is always in order here, and decoded code always current.
                4..=6 => Op::Barrier,
                _ => self.undefined(),
            },
            0b0111110 | 0b0111111 => {
                let d = reg(self.hw2, 8);
                if d == 13 || d == 15 {
                    return self.unmodelled();
                }
                Op::System(SystemOp::Mrs {
                    d,
                    sysm: bits(self.hw2, 0, 8) as u8,
                })
            }
            _ => self.undefined(),
        }
    }
}
