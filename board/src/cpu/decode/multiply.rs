//! Multiplications and divisions (ARMv7-M ARM, A5.3.16 and A5.3.17).

use super::{Encoding, bit, bits, reg};
use crate::cpu::op::{DspOp, LongOp, Op};

impl Encoding {
    pub(super) fn multiply(&self) -> Op {
        let (d, n, m, a) = (
            reg(self.hw2, 8),
            reg(self.hw1, 0),
            reg(self.hw2, 0),
            reg(self.hw2, 12),
        );
        if bits(self.hw2, 6, 2) != 0 {
            return self.undefined();
        }
        if d == 15 || n == 15 || m == 15 {
            return self.unmodelled();
        }
        let (upper, lower) = (bit(self.hw2, 5), bit(self.hw2, 4));
        let accumulate = a != 15;
        let op = match (bits(self.hw1, 4, 3), upper, accumulate) {
            (0, false, _) if lower && accumulate => return Op::Mls { d, n, m, a },
            (0, false, true) => return Op::Mla { d, n, m, a },
            (0, false, false) if !lower => return Op::Mul { d, n, m },
            (1, ..) => DspOp::Smlaxy {
                n_top: upper,
                m_top: lower,
                accumulate,
            },
            (2, false, true) => DspOp::Smlad { x: lower },
            (2, false, false) => DspOp::Smuad { x: lower },
            (3, false, _) => DspOp::Smlaw {
                m_top: lower,
                accumulate,
            },
            (4, false, true) => DspOp::Smlsd { x: lower },
            (4, false, false) => DspOp::Smusd { x: lower },
            (5, false, true) => DspOp::Smmla { round: lower },
            (5, false, false) => DspOp::Smmul { round: lower },
            (6, false, true) => DspOp::Smmls { round: lower },
            (7, false, true) if !lower => DspOp::Usada8,
            (7, false, false) if !lower => DspOp::Usad8,
            _ => return self.undefined(),
        };
        Op::Dsp { op, d, n, m, a }
    }

    pub(super) fn multiply_long_divide(&self) -> Op {
        let (lo, hi, n, m) = (
            reg(self.hw2, 12),
            reg(self.hw2, 8),
            reg(self.hw1, 0),
            reg(self.hw2, 0),
        );
        let op1 = bits(self.hw1, 4, 3);
        let op2 = bits(self.hw2, 4, 4);
        if n == 15 || m == 15 || hi == 15 {
            return self.unmodelled();
        }
        let x = bit(self.hw2, 4);
        let op = match (op1, op2) {
            (1 | 3, 15) if lo != 15 => return self.unmodelled(),
            (1 | 3, 15) => {
                return Op::Divide {
                    signed: op1 == 1,
                    d: hi,
                    n,
                    m,
                };
            }
            (0, 0) => LongOp::Smull,
            (2, 0) => LongOp::Umull,
            (4, 0) => LongOp::Smlal,
            (4, 8..12) => LongOp::Smlalxy {
                n_top: bit(self.hw2, 5),
                m_top: bit(self.hw2, 4),
            },
            (4, 12 | 13) => LongOp::Smlald { x },
            (5, 12 | 13) => LongOp::Smlsld { x },
            (6, 0) => LongOp::Umlal,
            (6, 6) => LongOp::Umaal,
            _ => return self.undefined(),
        };
        if lo == 15 || lo == hi {
            return self.unmodelled();
        }
        Op::Long { op, lo, hi, n, m }
    }
}
