//! Arithmetic, logic and shifts in their general forms.

use crate::cpu::op::{AluOp, ImmCarry, Reg, ShiftKind};
use crate::cpu::state::Core;

impl Core {
    /// The sum, with all flags set (AddWithCarry with carry in 0).
    #[inline(always)]
    pub(super) fn adds(&mut self, a: u32, b: u32) -> u32 {
        let (sum, carry) = a.overflowing_add(b);
        self.set_nz(sum);
        self.c = carry.into();
        self.v = (a ^ sum) & (b ^ sum);
        sum
    }

    /// The difference, with all flags set; carry means no borrow.
    #[inline(always)]
    pub(super) fn subs(&mut self, a: u32, b: u32) -> u32 {
        let difference = a.wrapping_sub(b);
        self.set_nz(difference);
        self.c = (a >= b).into();
        self.v = (a ^ b) & (a ^ difference);
        difference
    }

    /// The sum with the carry flag, with all flags set.
    #[inline(always)]
    pub(super) fn add_with_carry(&mut self, a: u32, b: u32) -> u32 {
        let wide = u64::from(a) + u64::from(b) + u64::from(self.c);
        let sum = wide as u32;
        self.set_nz(sum);
        self.c = (wide >> 32) as u32;
        self.v = (a ^ sum) & (b ^ sum);
        sum
    }

    #[inline(never)]
    pub(super) fn alu_immediate(
        &mut self,
        op: AluOp,
        s: bool,
        d: Reg,
        n: Reg,
        carry: ImmCarry,
        imm: u32,
    ) {
        let shifter_carry = match carry {
            ImmCarry::Keep => self.c,
            ImmCarry::Clear => 0,
            ImmCarry::Set => 1,
        };
        self.alu(op, s, d, n, imm, shifter_carry);
    }

    #[inline(never)]
    pub(super) fn alu_register(
        &mut self,
        op: AluOp,
        s: bool,
        (d, n, m): (Reg, Reg, Reg),
        kind: ShiftKind,
        amount: u8,
    ) {
        let (operand, carry) = self.shifted(self.r[usize::from(m & 15)], kind, amount);
        self.alu(op, s, d, n, operand, carry);
    }

    /// Shift_C (A2.2.1): the shifted value and the carry out.
    fn shifted(&self, value: u32, kind: ShiftKind, amount: u8) -> (u32, u32) {
        let amount = u32::from(amount);
        if amount == 0 {
            return (value, self.c);
        }
        let bit = |n: u32| if n < 32 { value >> n & 1 } else { 0 };
        match kind {
            ShiftKind::Lsl => (
                value.checked_shl(amount).unwrap_or(0),
                if amount > 32 { 0 } else { bit(32 - amount) },
            ),
            ShiftKind::Lsr => (value.checked_shr(amount).unwrap_or(0), bit(amount - 1)),
            ShiftKind::Asr => (
                ((value as i32) >> amount.min(31)) as u32,
                bit((amount - 1).min(31)),
            ),
            ShiftKind::Ror => {
                let result = value.rotate_right(amount & 31);
                (result, result >> 31)
            }
            ShiftKind::Rrx => (self.c << 31 | value >> 1, value & 1),
        }
    }

    /// `carry` is the shifter's carry out, which logical operations take.
    #[inline(always)]
    fn alu(&mut self, op: AluOp, s: bool, d: Reg, n: Reg, operand: u32, carry: u32) {
        let a = self.r[usize::from(n & 15)];
        let (result, carry, overflow) = match op {
            AluOp::And | AluOp::Tst => (a & operand, carry, self.v),
            AluOp::Bic => (a & !operand, carry, self.v),
            AluOp::Orr => (a | operand, carry, self.v),
            AluOp::Orn => (a | !operand, carry, self.v),
            AluOp::Eor | AluOp::Teq => (a ^ operand, carry, self.v),
            AluOp::Mov => (operand, carry, self.v),
            AluOp::Mvn => (!operand, carry, self.v),
            AluOp::Add | AluOp::Cmn => sum(a, operand, 0),
            AluOp::Adc => sum(a, operand, self.c),
            AluOp::Sub | AluOp::Cmp => sum(a, !operand, 1),
            AluOp::Sbc => sum(a, !operand, self.c),
            AluOp::Rsb => sum(operand, !a, 1),
        };
        if s {
            self.set_nz(result);
            self.c = carry;
            self.v = overflow;
        }
        if !matches!(op, AluOp::Tst | AluOp::Teq | AluOp::Cmn | AluOp::Cmp) {
            self.set(d, result);
        }
    }

    /// Shifts by a register's low byte.
    #[inline(never)]
    pub(super) fn shift_register(&mut self, kind: ShiftKind, s: bool, d: Reg, n: Reg, m: Reg) {
        let amount = self.r[usize::from(m & 15)] as u8;
        let (result, carry) = self.shifted(self.r[usize::from(n & 15)], kind, amount);
        if s {
            self.set_nz(result);
            self.c = carry;
        }
        self.set(d, result);
    }

    pub(super) fn divide(&mut self, signed: bool, d: Reg, n: Reg, m: Reg) {
        let (n, m) = (self.r[usize::from(n & 15)], self.r[usize::from(m & 15)]);
        let quotient = match (m, signed) {
            (0, _) => 0,
            (_, true) => (n as i32).wrapping_div(m as i32) as u32,
            (_, false) => n / m,
        };
        self.set(d, quotient);
    }
}

/// AddWithCarry (A2.2.1): sum, carry out, and overflow in bit 31.
fn sum(a: u32, b: u32, carry: u32) -> (u32, u32, u32) {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let sum = wide as u32;
    (sum, (wide >> 32) as u32, (a ^ sum) & (b ^ sum))
}
