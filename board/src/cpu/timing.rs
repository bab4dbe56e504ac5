//! What one instruction costs before memory, and how much it can cost at most.

use super::fpu::{BinaryOp, DataOp, FpOp, UnaryOp};
use super::op::{Multiple, Op, SystemOp};
use crate::cost::CostTable;

/// Core cycles of `op` without fetching it, without its memory accesses and, for a branch, not taken.
pub(super) fn issue_cycles(op: &Op, cost: &CostTable) -> u32 {
    let transfers = |single: u8| {
        let words = loads(op) + stores(op);
        u32::from(single) + u32::from(cost.transfer) * words.saturating_sub(1)
    };
    let cycles = match op {
        Op::Mul { .. } | Op::Muls { .. } | Op::Mla { .. } | Op::Mls { .. } | Op::Dsp { .. } => {
            cost.multiply
        }
        Op::Long { .. } => cost.multiply_long,
        Op::Divide { .. } => cost.divide,
        Op::System(SystemOp::Watch { .. }) => 0,
        Op::System(SystemOp::It { .. }) => cost.simple,
        Op::System(_) | Op::Barrier | Op::ClearExclusive => cost.system,
        Op::Fp(op) if is_division(op) => cost.float_divide,
        Op::Fp(FpOp::Load { .. } | FpOp::LoadMultiple { .. }) => return transfers(cost.load),
        Op::Fp(FpOp::Store { .. } | FpOp::StoreMultiple { .. }) => return transfers(cost.store),
        Op::Fp(_) => cost.float,
        _ if loads(op) > 0 => return transfers(cost.load),
        _ if stores(op) > 0 => return transfers(cost.store),
        _ if op.leads_away() => cost.branch,
        _ => cost.simple,
    };
    cycles.into()
}

fn is_division(op: &FpOp) -> bool {
    matches!(
        op,
        FpOp::Data(
            DataOp::Binary {
                op: BinaryOp::Div,
                ..
            } | DataOp::Unary {
                op: UnaryOp::Sqrt,
                ..
            }
        )
    )
}

/// Memory words or parts of words that `op` loads.
pub(super) fn loads(op: &Op) -> u32 {
    match op {
        Op::LdrImm { .. }
        | Op::LdrhImm { .. }
        | Op::LdrbImm { .. }
        | Op::LdrReg { .. }
        | Op::LdrhReg { .. }
        | Op::LdrbReg { .. }
        | Op::LoadAbs { .. }
        | Op::Load(_)
        | Op::LoadReg { .. }
        | Op::LoadExclusive { .. }
        | Op::LoadPc { .. }
        | Op::LoadPcReg { .. }
        | Op::TableBranch { .. } => 1,
        Op::LoadDual(_) => 2,
        Op::Pop { list } | Op::PopPc { list } | Op::LoadMultiple(Multiple { list, .. }) => {
            list.count_ones()
        }
        Op::Fp(FpOp::Load { double, .. }) => 1 + u32::from(*double),
        Op::Fp(FpOp::LoadMultiple { words, .. }) => (*words).into(),
        _ => 0,
    }
}

/// Memory words or parts of words that `op` stores.
pub(super) fn stores(op: &Op) -> u32 {
    match op {
        Op::StrImm { .. }
        | Op::StrhImm { .. }
        | Op::StrbImm { .. }
        | Op::StrReg { .. }
        | Op::StrhReg { .. }
        | Op::StrbReg { .. }
        | Op::Store(_)
        | Op::StoreExclusive { .. } => 1,
        Op::StoreDual(_) => 2,
        Op::Push { list } | Op::StoreMultiple(Multiple { list, .. }) => list.count_ones(),
        Op::Fp(FpOp::Store { double, .. }) => 1 + u32::from(*double),
        Op::Fp(FpOp::StoreMultiple { words, .. }) => (*words).into(),
        _ => 0,
    }
}

/// Whether a loop that executes `op` could leave a trace besides the registers that are compared.
pub(super) fn has_effects(op: &Op) -> bool {
    stores(op) > 0
        || match op {
            Op::System(op) => !matches!(op, SystemOp::Mrs { .. } | SystemOp::It { .. }),
            Op::Fp(_) | Op::LoadExclusive { .. } | Op::ClearExclusive => true,
            _ => false,
        }
}

/// Whether `op` may change N, Z, C or V.
pub(super) fn sets_flags(op: &Op) -> bool {
    match op {
        Op::MovsImm { .. }
        | Op::MovsReg { .. }
        | Op::AddsImm { .. }
        | Op::SubsImm { .. }
        | Op::CmpImm { .. }
        | Op::CmpReg { .. }
        | Op::TstReg { .. }
        | Op::TstImm { .. }
        | Op::AddsReg { .. }
        | Op::SubsReg { .. }
        | Op::AndsReg { .. }
        | Op::OrrsReg { .. }
        | Op::EorsReg { .. }
        | Op::BicsReg { .. }
        | Op::AdcsReg { .. }
        | Op::LslsImm { .. }
        | Op::LsrsImm { .. }
        | Op::AsrsImm { .. }
        | Op::Muls { .. }
        | Op::Fp(FpOp::StatusToCore { .. }) => true,
        Op::AluImm { s, .. } | Op::AluReg { s, .. } | Op::ShiftReg { s, .. } => *s,
        _ => false,
    }
}
