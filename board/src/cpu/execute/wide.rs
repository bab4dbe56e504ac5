//! Extensions, bit operations, long and DSP multiplications, saturation.

use crate::cpu::dsp::{self, Sticky};
use crate::cpu::op::{BitOp, DspOp, ExtendKind, LongOp, Reg, SatKind};
use crate::cpu::state::Core;

impl Core {
    fn reg(&self, n: Reg) -> u32 {
        self.r[usize::from(n & 15)]
    }

    pub(super) fn extend(&mut self, kind: ExtendKind, d: Reg, n: Reg, m: Reg, rotate: u8) {
        let rotated = self.reg(m).rotate_right(rotate.into());
        let base = if n == 15 { 0 } else { self.reg(n) };
        let value = match kind {
            ExtendKind::Sxtb => base.wrapping_add(rotated as i8 as u32),
            ExtendKind::Uxtb => base.wrapping_add(rotated & 0xFF),
            ExtendKind::Sxth => base.wrapping_add(rotated as i16 as u32),
            ExtendKind::Uxth => base.wrapping_add(rotated & 0xFFFF),
            ExtendKind::Sxtb16 => dsp::sxtab16(base, rotated),
            ExtendKind::Uxtb16 => dsp::uxtab16(base, rotated),
        };
        self.set(d, value);
    }

    #[inline(always)]
    pub(super) fn bit_operation(&mut self, op: BitOp, d: Reg, m: Reg) {
        let value = self.reg(m);
        let result = match op {
            BitOp::Clz => value.leading_zeros(),
            BitOp::Rbit => value.reverse_bits(),
            BitOp::Rev => value.swap_bytes(),
            BitOp::Rev16 => value.swap_bytes().rotate_right(16),
            BitOp::Revsh => (value as u16).swap_bytes() as i16 as u32,
        };
        self.set(d, result);
    }

    pub(super) fn long_multiply(&mut self, op: LongOp, lo: Reg, hi: Reg, n: Reg, m: Reg) {
        let (a, b) = (self.reg(n), self.reg(m));
        let accumulator = u64::from(self.reg(hi)) << 32 | u64::from(self.reg(lo));
        let signed = (i64::from(a as i32) * i64::from(b as i32)) as u64;
        let unsigned = u64::from(a) * u64::from(b);
        let result = match op {
            LongOp::Smull => signed,
            LongOp::Umull => unsigned,
            LongOp::Smlal => accumulator.wrapping_add(signed),
            LongOp::Umlal => accumulator.wrapping_add(unsigned),
            LongOp::Umaal => dsp::umaal(a, b, self.reg(lo), self.reg(hi)),
            LongOp::Smlalxy { n_top, m_top } => dsp::smlalxy(a, b, accumulator, n_top, m_top),
            LongOp::Smlald { x } => dsp::smlald(a, b, accumulator, x),
            LongOp::Smlsld { x } => dsp::smlsld(a, b, accumulator, x),
        };
        self.set(lo, result as u32);
        self.set(hi, (result >> 32) as u32);
    }

    #[inline(never)]
    pub(super) fn dsp(&mut self, op: DspOp, d: Reg, n: Reg, m: Reg, a: Reg) {
        let acc = self.reg(a);
        let (n, m) = (self.reg(n), self.reg(m));
        let plain = |value| Sticky { value, q: false };
        let result = match op {
            DspOp::Parallel { kind, op } => {
                let result = dsp::parallel(kind, op, n, m);
                if let Some(ge) = result.ge {
                    self.ge = ge;
                }
                plain(result.value)
            }
            // The saturating four take Rm first.
            DspOp::Qadd => dsp::qadd(m, n),
            DspOp::Qsub => dsp::qsub(m, n),
            DspOp::Qdadd => dsp::qdadd(m, n),
            DspOp::Qdsub => dsp::qdsub(m, n),
            DspOp::Sel => plain(dsp::sel(self.ge, n, m)),
            DspOp::Usad8 => plain(dsp::usada8(n, m, 0)),
            DspOp::Usada8 => plain(dsp::usada8(n, m, acc)),
            DspOp::Smlaxy {
                n_top,
                m_top,
                accumulate: true,
            } => dsp::smlaxy(n, m, acc, n_top, m_top),
            DspOp::Smlaxy { n_top, m_top, .. } => plain(dsp::smulxy(n, m, n_top, m_top)),
            DspOp::Smlaw {
                m_top,
                accumulate: true,
            } => dsp::smlaw(n, m, acc, m_top),
            DspOp::Smlaw { m_top, .. } => plain(dsp::smulw(n, m, m_top)),
            DspOp::Smlad { x } => dsp::smlad(n, m, acc, x),
            DspOp::Smuad { x } => dsp::smuad(n, m, x),
            DspOp::Smlsd { x } => dsp::smlsd(n, m, acc, x),
            DspOp::Smusd { x } => plain(dsp::smusd(n, m, x)),
            DspOp::Smmla { round } => plain(dsp::smmla(n, m, acc, round)),
            DspOp::Smmul { round } => plain(dsp::smmul(n, m, round)),
            DspOp::Smmls { round } => plain(dsp::smmls(n, m, acc, round)),
        };
        self.set_sticky(d, result);
    }

    fn set_sticky(&mut self, d: Reg, result: Sticky) {
        self.q |= result.q;
        self.set(d, result.value);
    }

    pub(super) fn saturate(
        &mut self,
        kind: SatKind,
        d: Reg,
        n: Reg,
        bits: u8,
        arithmetic: bool,
        amount: u8,
    ) {
        let value = self.reg(n);
        let shifted = if arithmetic {
            ((value as i32) >> (amount & 31)) as u32
        } else {
            value << (amount & 31)
        };
        let bits = bits.into();
        let result = match kind {
            SatKind::Ssat => dsp::ssat(shifted, bits),
            SatKind::Usat => dsp::usat(shifted, bits),
            SatKind::Ssat16 => dsp::ssat16(value, bits),
            SatKind::Usat16 => dsp::usat16(value, bits),
        };
        self.set_sticky(d, result);
    }

    pub(super) fn pack_halfwords(&mut self, top: bool, d: Reg, n: Reg, m: Reg, amount: u8) {
        let (n, m) = (self.reg(n), self.reg(m));
        let value = if top {
            // An arithmetic shift by 32 is one by 31.
            dsp::pkhtb(n, ((m as i32) >> amount.min(31)) as u32)
        } else {
            dsp::pkhbt(n, m << (amount & 31))
        };
        self.set(d, value);
    }
}
