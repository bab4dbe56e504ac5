//! Single loads and stores in their general forms, exclusives and table branches.

use super::Outcome;
use super::access::{self, Place};
use crate::bus::{Bus, Width};
use crate::cpu::fault::Fault;
use crate::cpu::op::{Index, Indexed, LoadKind, Reg};
use crate::cpu::state::Core;

impl LoadKind {
    pub(super) fn width(self) -> Width {
        match self {
            Self::Word => Width::Word,
            Self::Half | Self::SignedHalf => Width::Half,
            Self::Byte | Self::SignedByte => Width::Byte,
        }
    }

    fn extend(self, value: u32) -> u32 {
        match self {
            Self::SignedHalf => value as i16 as u32,
            Self::SignedByte => value as i8 as u32,
            _ => value,
        }
    }
}

/// A value read, and whether the block must be left.
pub(super) struct Read {
    pub value: u32,
    pub cycles: u32,
    pub slow: bool,
}

/// Reads by the fast path where it goes.
#[inline(always)]
pub(super) fn read<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    width: Width,
    place: Place,
) -> Option<Read> {
    let memory = bus.memory();
    let fast = match width {
        Width::Word => memory.read_u32(address),
        Width::Half => memory.read_u16(address),
        Width::Byte => memory.read_u8(address),
    };
    if let Some((value, cycles)) = fast {
        return Some(Read {
            value,
            cycles,
            slow: false,
        });
    }
    access::load(core, bus, address, width, place).map(|(value, cycles)| Read {
        value,
        cycles,
        slow: true,
    })
}

/// Writes by the fast path where it goes.
#[inline(always)]
pub(super) fn write<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    width: Width,
    value: u32,
    place: Place,
) -> Outcome {
    let memory = bus.memory_mut();
    let fast = match width {
        Width::Word => memory.write_u32(address, value),
        Width::Half => memory.write_u16(address, value),
        Width::Byte => memory.write_u8(address, value),
    };
    if let Some(cycles) = fast {
        return Outcome::Done(cycles);
    }
    match access::store(core, bus, address, width, value, place) {
        Some(cycles) => Outcome::Leave(cycles),
        None => Outcome::Failed,
    }
}

impl Read {
    pub(super) fn outcome(&self) -> Outcome {
        if self.slow {
            Outcome::Leave(self.cycles)
        } else {
            Outcome::Done(self.cycles)
        }
    }
}

#[inline(never)]
pub(super) fn load<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    kind: LoadKind,
    t: Reg,
    address: u32,
    place: Place,
) -> Outcome {
    match read(core, bus, address, kind.width(), place) {
        Some(read) => {
            core.set(t, kind.extend(read.value));
            read.outcome()
        }
        None => Outcome::Failed,
    }
}

/// The address an indexed access goes to, and its base register's new value.
#[inline(always)]
pub(super) fn indexed(core: &Core, n: Reg, index: Index, imm: u32) -> (u32, u32) {
    let base = core.r[usize::from(n & 15)];
    let moved = base.wrapping_add(imm);
    match index {
        Index::Offset => (moved, base),
        Index::Pre => (moved, moved),
        Index::Post => (base, moved),
    }
}

#[inline(never)]
pub(super) fn load_indexed<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    transfer: Indexed,
    place: Place,
) -> Outcome {
    let Indexed {
        kind,
        t,
        n,
        index,
        imm,
    } = transfer;
    let (address, base) = indexed(core, n, index, imm);
    match read(core, bus, address, kind.width(), place) {
        Some(read) => {
            core.set(n, base);
            core.set(t, kind.extend(read.value));
            read.outcome()
        }
        None => Outcome::Failed,
    }
}

#[inline(never)]
pub(super) fn store_indexed<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    transfer: Indexed,
    place: Place,
) -> Outcome {
    let Indexed {
        kind,
        t,
        n,
        index,
        imm,
    } = transfer;
    let (address, base) = indexed(core, n, index, imm);
    let value = core.r[usize::from(t & 15)];
    let outcome = write(core, bus, address, kind.width(), value, place);
    if !matches!(outcome, Outcome::Failed) {
        core.set(n, base);
    }
    outcome
}

/// LDR pc: the target goes to `r[15]`; `n` 15 takes `imm` as the address.
#[inline(never)]
pub(super) fn load_pc<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    n: Reg,
    index: Index,
    imm: u32,
    place: Place,
) -> Outcome {
    if n == 15 {
        return load_word_to_pc(core, bus, imm, place);
    }
    let (address, base) = indexed(core, n, index, imm);
    let outcome = load_word_to_pc(core, bus, address, place);
    if !matches!(outcome, Outcome::Failed) {
        core.set(n, base);
    }
    outcome
}

#[inline(never)]
pub(super) fn load_word_to_pc<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    place: Place,
) -> Outcome {
    match read(core, bus, address, Width::Word, place) {
        Some(read) => {
            core.r[15] = read.value;
            read.outcome()
        }
        None => Outcome::Failed,
    }
}

/// TBB and TBH: the target goes to `r[15]`.
#[inline(never)]
pub(super) fn table_branch<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    half: bool,
    n: Reg,
    m: Reg,
    base: u32,
    place: Place,
) -> Outcome {
    let table = if n == 15 {
        base
    } else {
        core.r[usize::from(n & 15)]
    };
    let index = core.r[usize::from(m & 15)];
    let (offset, width) = if half {
        (index << 1, Width::Half)
    } else {
        (index, Width::Byte)
    };
    match read(core, bus, table.wrapping_add(offset), width, place) {
        Some(read) => {
            core.r[15] = base.wrapping_add(read.value * 2);
            read.outcome()
        }
        None => Outcome::Failed,
    }
}

#[inline(never)]
pub(super) fn load_exclusive<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    kind: LoadKind,
    t: Reg,
    address: u32,
    place: Place,
) -> Outcome {
    if address & (kind.width().bytes() - 1) != 0 {
        core.raise(Fault::unaligned(address));
        return Outcome::Failed;
    }
    let outcome = load(core, bus, kind, t, address, place);
    if !matches!(outcome, Outcome::Failed) {
        core.exclusive = true;
        core.pass_has_effects = true;
    }
    outcome
}

#[inline(never)]
pub(super) fn store_exclusive<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    kind: LoadKind,
    d: Reg,
    t: Reg,
    address: u32,
    place: Place,
) -> Outcome {
    if address & (kind.width().bytes() - 1) != 0 {
        core.raise(Fault::unaligned(address));
        return Outcome::Failed;
    }
    core.pass_has_effects = true;
    if !std::mem::take(&mut core.exclusive) {
        core.set(d, 1);
        return Outcome::Done(0);
    }
    let value = core.r[usize::from(t & 15)];
    let outcome = write(core, bus, address, kind.width(), value, place);
    if !matches!(outcome, Outcome::Failed) {
        core.set(d, 0);
    }
    outcome
}
