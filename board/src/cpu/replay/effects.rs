//! What an instruction reads and writes, as far as recording needs it.

use super::symbols::Flags;
use crate::cpu::op::{AluOp, ImmCarry, Index, Indexed, LoadKind, Multiple, Op, Reg, ShiftKind};

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Register `d` becomes register `m`.
    Copy { d: Reg, m: Reg },
    /// Writes what follows from what it reads; sets of registers as bits.
    Compute {
        reads: u16,
        writes: u16,
        flags_read: Flags,
        flags_written: Flags,
    },
    /// Loads or stores the registers of `list`, rising, from or to memory words.
    Transfer(Transfer),
    /// Branches to what register `m` holds.
    Exchange { m: Reg },
}

/// A transfer of whole words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transfer {
    pub load: bool,
    pub base: Reg,
    /// From the base to the first word, in bytes.
    pub offset: u32,
    /// What the base register changes by.
    pub step: u32,
    pub list: u16,
}

const PC: u16 = 1 << 15;

/// What `op` does; `None` where recording ends.
pub(super) fn effect(op: &Op) -> Option<Effect> {
    let effect = match *op {
        Op::MovReg { d, m } => Effect::Copy { d, m },
        Op::Bx { m } => Effect::Exchange { m },
        _ => match transfer(op) {
            Some(transfer) => Effect::Transfer(transfer),
            None => compute(op)?,
        },
    };
    names_no_pc(&effect).then_some(effect)
}

fn names_no_pc(effect: &Effect) -> bool {
    match *effect {
        Effect::Copy { d, m } => d != 15 && m != 15,
        Effect::Exchange { m } => m != 15,
        Effect::Compute { reads, writes, .. } => (reads | writes) & PC == 0,
        Effect::Transfer(Transfer {
            load,
            base,
            step,
            list,
            ..
        }) => {
            let loads_base = load && list >> base & 1 != 0 && step != 0;
            base != 15 && !loads_base && (load || list & PC == 0)
        }
    }
}

fn transfer(op: &Op) -> Option<Transfer> {
    let one = |load, t: Reg, base, offset| Transfer {
        load,
        base,
        offset,
        step: 0,
        list: 1 << t,
    };
    Some(match *op {
        Op::LdrImm { t, n, imm } if t < 13 => one(true, t, n, imm),
        Op::StrImm { t, n, imm } if t < 13 => one(false, t, n, imm),
        Op::Load(indexed) => indexed_word(true, indexed)?,
        Op::Store(indexed) => indexed_word(false, indexed)?,
        Op::Push { list } => below(13, list),
        Op::Pop { list } | Op::PopPc { list } => above(true, 13, list, true),
        Op::LoadMultiple(Multiple {
            n,
            list,
            writeback,
            before: false,
        }) if list & PC == 0 => above(true, n, list, writeback),
        Op::StoreMultiple(Multiple {
            n,
            list,
            writeback: true,
            before: true,
        }) => below(n, list),
        _ => return None,
    })
}

fn indexed_word(load: bool, indexed: Indexed) -> Option<Transfer> {
    let Indexed {
        kind,
        t,
        n,
        index,
        imm,
    } = indexed;
    let (offset, step) = match index {
        Index::Offset => (imm, 0),
        Index::Pre => (imm, imm),
        Index::Post => (0, imm),
    };
    (kind == LoadKind::Word && t < 13 && t != n).then_some(Transfer {
        load,
        base: n,
        offset,
        step,
        list: 1 << t,
    })
}

/// A store of `list` that ends at the base register, which goes down with it.
fn below(base: Reg, list: u16) -> Transfer {
    let down = (4 * list.count_ones()).wrapping_neg();
    Transfer {
        load: false,
        base,
        offset: down,
        step: down,
        list,
    }
}

fn above(load: bool, base: Reg, list: u16, writeback: bool) -> Transfer {
    Transfer {
        load,
        base,
        offset: 0,
        step: if writeback { 4 * list.count_ones() } else { 0 },
        list,
    }
}

fn set(registers: &[Reg]) -> u16 {
    registers.iter().fold(0, |set, n| set | 1 << (n & 15))
}

/// Instructions that only compute, and direct branches.
#[rustfmt::skip] // a form a line
fn compute(op: &Op) -> Option<Effect> {
    let plain = |reads: &[Reg], d: Reg| (set(reads), set(&[d]), Flags::NONE, Flags::NONE);
    let flagging = |reads: &[Reg], writes: &[Reg], flags| (set(reads), set(writes), Flags::NONE, flags);
    let branch = |condition| (0, 0, Flags::of_condition(condition), Flags::NONE);
    let (reads, writes, flags_read, flags_written) = match *op {
        Op::Nop | Op::B { .. } => (0, 0, Flags::NONE, Flags::NONE),
        Op::MovImm { d, .. } | Op::Literal { t: d, .. } => plain(&[], d),
        Op::MovsImm { d, .. } => flagging(&[], &[d], Flags::NZ),
        Op::MovsReg { d, m } => flagging(&[m], &[d], Flags::NZ),
        Op::Movt { d, .. } => plain(&[d], d),
        Op::AddImm { d, n, .. } | Op::AndImm { d, n, .. } | Op::OrrImm { d, n, .. }
        | Op::EorImm { d, n, .. } | Op::Ubfx { d, n, .. } | Op::Sbfx { d, n, .. } => plain(&[n], d),
        Op::AddsImm { d, n, .. } | Op::SubsImm { d, n, .. } => flagging(&[n], &[d], Flags::ALL),
        Op::CmpImm { n, .. } => flagging(&[n], &[], Flags::ALL),
        Op::CmpReg { n, m } => flagging(&[n, m], &[], Flags::ALL),
        Op::TstImm { n, .. } => flagging(&[n], &[], Flags::NZ),
        Op::TstReg { n, m } => flagging(&[n, m], &[], Flags::NZ),
        Op::AddReg { d, n, m } | Op::SubReg { d, n, m } | Op::AndReg { d, n, m } | Op::OrrReg { d, n, m }
        | Op::EorReg { d, n, m } | Op::BicReg { d, n, m } | Op::Mul { d, n, m }
        | Op::AddLsl { d, n, m, .. } | Op::OrrLsl { d, n, m, .. } | Op::OrrLsr { d, n, m, .. } => plain(&[n, m], d),
        Op::AddsReg { d, n, m } | Op::SubsReg { d, n, m } => flagging(&[n, m], &[d], Flags::ALL),
        Op::AndsReg { d, n, m } | Op::OrrsReg { d, n, m } | Op::EorsReg { d, n, m }
        | Op::BicsReg { d, n, m } | Op::Muls { d, n, m } => flagging(&[n, m], &[d], Flags::NZ),
        Op::LslImm { d, m, .. } | Op::LsrImm { d, m, .. } | Op::AsrImm { d, m, .. } | Op::Uxtb { d, m }
        | Op::Uxth { d, m } | Op::Sxtb { d, m } | Op::Sxth { d, m } | Op::Bit { d, m, .. } => plain(&[m], d),
        Op::LslsImm { d, m, .. } | Op::LsrsImm { d, m, .. } | Op::AsrsImm { d, m, .. } => flagging(&[m], &[d], Flags::NZC),
        Op::AluImm { op, s, d, n, carry, .. } => return alu(op, s, d, n, 0, carry != ImmCarry::Keep),
        Op::AluReg { op, s, d, n, m, kind, amount } => {
            if kind == ShiftKind::Rrx { return None; }
            return alu(op, s, d, n, set(&[m]), amount != 0);
        }
        Op::Beq { .. } => branch(0), Op::Bne { .. } => branch(1), Op::Bcs { .. } => branch(2),
        Op::Bcc { .. } => branch(3), Op::Bmi { .. } => branch(4), Op::Bpl { .. } => branch(5),
        Op::Bvs { .. } => branch(6), Op::Bvc { .. } => branch(7), Op::Bhi { .. } => branch(8),
        Op::Bls { .. } => branch(9), Op::Bge { .. } => branch(10), Op::Blt { .. } => branch(11),
        Op::Bgt { .. } => branch(12), Op::Ble { .. } => branch(13),
        Op::Bl { .. } => plain(&[], 14),
        Op::Cbz { n, .. } | Op::Cbnz { n, .. } => (set(&[n]), 0, Flags::NONE, Flags::NONE),
        _ => return None,
    };
    Some(Effect::Compute { reads, writes, flags_read, flags_written })
}

/// The general forms of data processing, whose second operand takes `others`; `carry` says whether a
/// logical one writes C.
fn alu(op: AluOp, s: bool, d: Reg, n: Reg, others: u16, carry: bool) -> Option<Effect> {
    let arithmetic = match op {
        AluOp::Add | AluOp::Sub | AluOp::Rsb | AluOp::Cmn | AluOp::Cmp => true,
        AluOp::Adc | AluOp::Sbc => return None,
        _ => false,
    };
    let compares = matches!(op, AluOp::Tst | AluOp::Teq | AluOp::Cmn | AluOp::Cmp);
    let first = match op {
        AluOp::Mov | AluOp::Mvn => 0,
        _ => set(&[n]),
    };
    Some(Effect::Compute {
        reads: first | others,
        writes: if compares { 0 } else { set(&[d]) },
        flags_read: Flags::NONE,
        flags_written: match (s, arithmetic, carry) {
            (false, ..) => Flags::NONE,
            (true, true, _) => Flags::ALL,
            (true, false, true) => Flags::NZC,
            (true, false, false) => Flags::NZ,
        },
    })
}
