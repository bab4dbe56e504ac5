//! Floating-point instructions: data processing goes to [`fpu`](crate::cpu::fpu), the rest is here.

use super::Outcome;
use super::access::Place;
use super::multiple::{read_words, write_words};
use crate::bus::Bus;
use crate::cpu::fpu::{self, Condition, FpOp, MultipleMode};
use crate::cpu::op::Reg;
use crate::cpu::state::Core;

/// Executes `op`; the caller has seen to it that the registers may be used.
#[inline(never)]
pub(super) fn execute<B: Bus>(core: &mut Core, bus: &mut B, op: FpOp, place: Place) -> Outcome {
    match op {
        FpOp::Load {
            double,
            d,
            base,
            offset,
        } => {
            let address = address(core, base, offset, place);
            return load(
                core,
                bus,
                address,
                first_single(double, d),
                words(double),
                place,
            );
        }
        FpOp::Store {
            double,
            d,
            base,
            offset,
        } => {
            let address = address(core, base, offset, place);
            return store(
                core,
                bus,
                address,
                first_single(double, d),
                words(double),
                place,
            );
        }
        FpOp::LoadMultiple {
            first,
            words,
            base,
            mode,
        } => {
            let (address, moved) = multiple(core, base, mode);
            let outcome = load(core, bus, address, first.into(), words.into(), place);
            write_back(core, base, moved, &outcome);
            return outcome;
        }
        FpOp::StoreMultiple {
            first,
            words,
            base,
            mode,
        } => {
            let (address, moved) = multiple(core, base, mode);
            let outcome = store(core, bus, address, first.into(), words.into(), place);
            write_back(core, base, moved, &outcome);
            return outcome;
        }
        _ => move_or_compute(core, op),
    }
    Outcome::Done(0)
}

fn move_or_compute(core: &mut Core, op: FpOp) {
    match op {
        FpOp::Data(op) => fpu::execute(op, &mut core.fpu),
        FpOp::Select {
            condition,
            double,
            d,
            n,
            m,
        } => {
            let holds = core.passes(match condition {
                Condition::Equal => 0,
                Condition::Overflow => 6,
                Condition::GreaterOrEqual => 10,
                Condition::Greater => 12,
            });
            let value = core.fpu.get(double, if holds { n } else { m });
            core.fpu.set(double, d, value);
        }
        FpOp::CoreToSingle { t, s } => core.fpu.s[single(s)] = reg(core, t),
        FpOp::SingleToCore { t, s } => core.set(t, core.fpu.s[single(s)]),
        FpOp::CorePairToSingles { t, t2, s } => {
            core.fpu.s[single(s)] = reg(core, t);
            core.fpu.s[single(s + 1)] = reg(core, t2);
        }
        FpOp::SinglesToCorePair { t, t2, s } => {
            core.set(t, core.fpu.s[single(s)]);
            core.set(t2, core.fpu.s[single(s + 1)]);
        }
        FpOp::StatusToCore { t: 15 } => core.set_nzcv(core.fpu.nzcv()),
        FpOp::StatusToCore { t } => core.set(t, core.fpu.fpscr),
        FpOp::CoreToStatus { t } => core.fpu.write_fpscr(reg(core, t)),
        FpOp::Load { .. }
        | FpOp::Store { .. }
        | FpOp::LoadMultiple { .. }
        | FpOp::StoreMultiple { .. } => {}
    }
}

fn reg(core: &Core, n: Reg) -> u32 {
    core.r[usize::from(n & 15)]
}

fn single(s: u8) -> usize {
    usize::from(s & 31)
}

fn first_single(double: bool, d: u8) -> usize {
    usize::from(d) << usize::from(double)
}

fn words(double: bool) -> usize {
    1 + usize::from(double)
}

fn address(core: &Core, base: Reg, offset: i16, place: Place) -> u32 {
    let base = if base == 15 {
        place.pc.wrapping_add(4) & !3
    } else {
        reg(core, base)
    };
    base.wrapping_add(i32::from(offset) as u32)
}

/// Where a multiple transfer starts, and its base register's new value.
fn multiple(core: &Core, base: Reg, mode: MultipleMode) -> (u32, u32) {
    let base = reg(core, base);
    match mode {
        MultipleMode::Increment => (base, base),
        MultipleMode::IncrementWriteback { step_words } => {
            (base, base.wrapping_add(4 * u32::from(step_words)))
        }
        MultipleMode::DecrementWriteback { step_words } => {
            let start = base.wrapping_sub(4 * u32::from(step_words));
            (start, start)
        }
    }
}

fn write_back(core: &mut Core, base: Reg, moved: u32, outcome: &Outcome) {
    if !matches!(outcome, Outcome::Failed) {
        core.set(base, moved);
    }
}

fn load<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    first: usize,
    count: usize,
    place: Place,
) -> Outcome {
    let mut words = [0; 32];
    let outcome = read_words(core, bus, address, &mut words, count as u32, place);
    if !matches!(outcome, Outcome::Failed) {
        for (single, word) in core.fpu.s.iter_mut().skip(first).take(count).zip(words) {
            *single = word;
        }
    }
    outcome
}

fn store<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    first: usize,
    count: usize,
    place: Place,
) -> Outcome {
    let singles = core.fpu.s;
    let end = (first + count).min(singles.len());
    write_words(core, bus, address, &singles[first..end], place)
}
