//! Picks the variant the execution loop runs fastest for a general form.

use crate::cpu::op::{AluOp, ExtendKind, ImmCarry, Index, Indexed, LoadKind, Op, ShiftKind};

/// The frequent form of `op`, where there is one. Writes to SP keep the general form, which
/// forces the two low bits to zero.
pub(super) fn frequent_form(op: Op) -> Op {
    match op {
        Op::AluImm {
            op: alu,
            s,
            d,
            n,
            carry,
            imm,
        } => alu_immediate(alu, s, d, n, carry, imm).unwrap_or(op),
        Op::AluReg {
            op: alu,
            s,
            d,
            n,
            m,
            kind,
            amount,
        } if d != 13 => if kind == ShiftKind::Lsl && amount == 0 {
            alu_register(alu, s, d, n, m)
        } else {
            alu_shifted(alu, s, (d, n, m), kind, amount)
        }
        .unwrap_or(op),
        Op::Extend {
            kind,
            d,
            n: 15,
            m,
            rotate: 0,
        } => match kind {
            ExtendKind::Sxtb => Op::Sxtb { d, m },
            ExtendKind::Uxtb => Op::Uxtb { d, m },
            ExtendKind::Sxth => Op::Sxth { d, m },
            ExtendKind::Uxth => Op::Uxth { d, m },
            _ => op,
        },
        Op::Load(Indexed { t, .. }) | Op::LoadReg { t, .. } if t == 13 => op,
        Op::Load(Indexed {
            kind,
            t,
            n,
            index: Index::Offset,
            imm,
        }) => match kind {
            LoadKind::Word => Op::LdrImm { t, n, imm },
            LoadKind::Half => Op::LdrhImm { t, n, imm },
            LoadKind::Byte => Op::LdrbImm { t, n, imm },
            _ => op,
        },
        Op::LoadReg {
            kind,
            t,
            n,
            m,
            shift,
        } => match kind {
            LoadKind::Word => Op::LdrReg { t, n, m, shift },
            LoadKind::Half => Op::LdrhReg { t, n, m, shift },
            LoadKind::Byte => Op::LdrbReg { t, n, m, shift },
            _ => op,
        },
        Op::Store(Indexed {
            kind,
            t,
            n,
            index: Index::Offset,
            imm,
        }) => match kind {
            LoadKind::Half => Op::StrhImm { t, n, imm },
            LoadKind::Byte => Op::StrbImm { t, n, imm },
            _ => Op::StrImm { t, n, imm },
        },
        _ => op,
    }
}

fn alu_immediate(op: AluOp, s: bool, d: u8, n: u8, carry: ImmCarry, imm: u32) -> Option<Op> {
    if d == 13 && !(matches!(op, AluOp::Add | AluOp::Sub) && n == 13 && imm.is_multiple_of(4)) {
        return None;
    }
    let plain = carry == ImmCarry::Keep || !s;
    Some(match (op, s) {
        (AluOp::Mov, false) => Op::MovImm { d, imm },
        (AluOp::Mov, true) if plain => Op::MovsImm { d, imm },
        (AluOp::Mvn, false) => Op::MovImm { d, imm: !imm },
        (AluOp::Add, false) => Op::AddImm { d, n, imm },
        (AluOp::Add, true) => Op::AddsImm { d, n, imm },
        (AluOp::Sub, false) => Op::AddImm {
            d,
            n,
            imm: imm.wrapping_neg(),
        },
        (AluOp::Sub, true) => Op::SubsImm { d, n, imm },
        (AluOp::Cmp, _) => Op::CmpImm { n, imm },
        (AluOp::Tst, _) if plain => Op::TstImm { n, imm },
        (AluOp::And, false) => Op::AndImm { d, n, imm },
        (AluOp::Bic, false) => Op::AndImm { d, n, imm: !imm },
        (AluOp::Orr, false) => Op::OrrImm { d, n, imm },
        (AluOp::Orn, false) => Op::OrrImm { d, n, imm: !imm },
        (AluOp::Eor, false) => Op::EorImm { d, n, imm },
        _ => return None,
    })
}

fn alu_register(op: AluOp, s: bool, d: u8, n: u8, m: u8) -> Option<Op> {
    Some(match (op, s) {
        (AluOp::Mov, false) => Op::MovReg { d, m },
        (AluOp::Mov, true) => Op::MovsReg { d, m },
        (AluOp::Cmp, _) => Op::CmpReg { n, m },
        (AluOp::Tst, _) => Op::TstReg { n, m },
        (AluOp::Add, false) => Op::AddReg { d, n, m },
        (AluOp::Add, true) => Op::AddsReg { d, n, m },
        (AluOp::Sub, false) => Op::SubReg { d, n, m },
        (AluOp::Sub, true) => Op::SubsReg { d, n, m },
        (AluOp::And, false) => Op::AndReg { d, n, m },
        (AluOp::And, true) => Op::AndsReg { d, n, m },
        (AluOp::Orr, false) => Op::OrrReg { d, n, m },
        (AluOp::Orr, true) => Op::OrrsReg { d, n, m },
        (AluOp::Eor, false) => Op::EorReg { d, n, m },
        (AluOp::Eor, true) => Op::EorsReg { d, n, m },
        (AluOp::Bic, false) => Op::BicReg { d, n, m },
        (AluOp::Bic, true) => Op::BicsReg { d, n, m },
        (AluOp::Adc, true) => Op::AdcsReg { d, n, m },
        _ => return None,
    })
}

fn alu_shifted(
    op: AluOp,
    s: bool,
    (d, n, m): (u8, u8, u8),
    kind: ShiftKind,
    amount: u8,
) -> Option<Op> {
    Some(match (op, s, kind) {
        // Shifts by 32 keep the general form.
        _ if amount > 31 => return None,
        (AluOp::Mov, false, ShiftKind::Lsl) => Op::LslImm { d, m, amount },
        (AluOp::Mov, true, ShiftKind::Lsl) => Op::LslsImm { d, m, amount },
        (AluOp::Mov, false, ShiftKind::Lsr) => Op::LsrImm { d, m, amount },
        (AluOp::Mov, true, ShiftKind::Lsr) => Op::LsrsImm { d, m, amount },
        (AluOp::Mov, false, ShiftKind::Asr) => Op::AsrImm { d, m, amount },
        (AluOp::Mov, true, ShiftKind::Asr) => Op::AsrsImm { d, m, amount },
        (AluOp::Add, false, ShiftKind::Lsl) => Op::AddLsl { d, n, m, amount },
        (AluOp::Orr, false, ShiftKind::Lsl) => Op::OrrLsl { d, n, m, amount },
        (AluOp::Orr, false, ShiftKind::Lsr) => Op::OrrLsr { d, n, m, amount },
        _ => return None,
    })
}
