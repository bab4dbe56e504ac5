//! Multiple and dual transfers. All of them need word alignment.

use super::Outcome;
use super::access::{self, Place};
use super::transfer::indexed;
use crate::bus::{Bus, Width};
use crate::cpu::fault::Fault;
use crate::cpu::op::{Dual, Multiple};
use crate::cpu::state::Core;

/// Loads `words` words from `address` on, by the slow path if need be.
#[inline(always)]
pub(super) fn read_words<B: Bus, const N: usize>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    words: &mut [u32; N],
    count: u32,
    place: Place,
) -> Outcome {
    if address & 3 != 0 {
        core.raise(Fault::unaligned(address));
        return Outcome::Failed;
    }
    if let Some((bytes, cycles)) = bus.memory().read_words(address, count) {
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        return Outcome::Done(cycles);
    }
    one_by_one(address, count, place, |n, at, place| {
        let (value, cycles) = access::load(core, bus, at, Width::Word, place)?;
        words[n] = value;
        Some(bus.memory().word_cycles(at, n, cycles))
    })
}

/// Transfers `count` words one by one: `access` transfers word `n` at an address and gives its cycles.
#[cold]
#[inline(never)]
fn one_by_one(
    address: u32,
    count: u32,
    place: Place,
    mut access: impl FnMut(usize, u32, Place) -> Option<u32>,
) -> Outcome {
    let mut total = 0;
    for n in 0..count {
        let place = Place {
            cycle: place.cycle.wrapping_add(u64::from(total)),
            ..place
        };
        match access(n as usize, address.wrapping_add(4 * n), place) {
            Some(cycles) => total += cycles,
            None => return Outcome::Failed,
        }
    }
    Outcome::Leave(total)
}

/// Stores words from `address` on, by the slow path if need be.
#[inline(always)]
pub(super) fn write_words<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    words: &[u32],
    place: Place,
) -> Outcome {
    if address & 3 != 0 {
        core.raise(Fault::unaligned(address));
        return Outcome::Failed;
    }
    let count = words.len() as u32;
    if let Some((bytes, cycles)) = bus.memory_mut().write_words(address, count) {
        for (bytes, word) in bytes.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        return Outcome::Done(cycles);
    }
    one_by_one(address, count, place, |n, at, place| {
        let cycles = access::store(core, bus, at, Width::Word, words[n], place)?;
        Some(bus.memory().word_cycles(at, n, cycles))
    })
}

/// Loads the registers of `list` from `address` on; PC goes to `r[15]` as it is.
#[inline(always)]
fn load_list<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    list: u16,
    place: Place,
) -> Outcome {
    let count = list.count_ones();
    if address & 3 == 0
        && let Some((bytes, cycles)) = bus.memory().read_words(address, count)
    {
        let mut rest = u32::from(list);
        for bytes in bytes.chunks_exact(4) {
            core.r[rest.trailing_zeros() as usize & 15] =
                u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            rest &= rest.wrapping_sub(1);
        }
        return Outcome::Done(cycles);
    }
    load_list_slowly(core, bus, address, list, place)
}

#[cold]
fn load_list_slowly<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    list: u16,
    place: Place,
) -> Outcome {
    let mut words = [0; 16];
    let outcome = read_words(core, bus, address, &mut words, list.count_ones(), place);
    if !matches!(outcome, Outcome::Failed) {
        for (n, word) in registers(list).zip(words) {
            core.r[n] = word;
        }
    }
    outcome
}

#[inline(always)]
fn store_list<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    list: u16,
    place: Place,
) -> Outcome {
    let count = list.count_ones();
    if address & 3 == 0
        && let Some((bytes, cycles)) = bus.memory_mut().write_words(address, count)
    {
        let mut rest = u32::from(list);
        for bytes in bytes.chunks_exact_mut(4) {
            let word = core.r[rest.trailing_zeros() as usize & 15];
            bytes.copy_from_slice(&word.to_le_bytes());
            rest &= rest.wrapping_sub(1);
        }
        return Outcome::Done(cycles);
    }
    store_list_slowly(core, bus, address, list, place)
}

#[cold]
fn store_list_slowly<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    list: u16,
    place: Place,
) -> Outcome {
    let mut words = [0; 16];
    for (word, n) in words.iter_mut().zip(registers(list)) {
        *word = core.r[n];
    }
    let count = list.count_ones() as usize;
    write_words(core, bus, address, &words[..count], place)
}

/// The registers of a list, rising.
fn registers(list: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |n| list >> n & 1 != 0)
}

/// Where a multiple transfer starts, and its base register's new value.
#[inline(always)]
fn multiple_address(core: &Core, multiple: Multiple) -> (u32, u32) {
    let base = core.r[usize::from(multiple.n & 15)];
    let size = 4 * multiple.list.count_ones();
    if multiple.before {
        let start = base.wrapping_sub(size);
        (start, start)
    } else {
        (base, base.wrapping_add(size))
    }
}

/// A multiple transfer by `list_transfer`, and the base register's new value once it is done.
#[inline(always)]
fn transfer_multiple<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    multiple: Multiple,
    place: Place,
    list_transfer: impl FnOnce(&mut Core, &mut B, u32, u16, Place) -> Outcome,
) -> Outcome {
    let (address, base) = multiple_address(core, multiple);
    let outcome = list_transfer(core, bus, address, multiple.list, place);
    if multiple.writeback && !matches!(outcome, Outcome::Failed) {
        core.set(multiple.n, base);
    }
    outcome
}

#[inline(never)]
pub(super) fn load_multiple<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    multiple: Multiple,
    place: Place,
) -> Outcome {
    transfer_multiple(core, bus, multiple, place, load_list)
}

#[inline(never)]
pub(super) fn store_multiple<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    multiple: Multiple,
    place: Place,
) -> Outcome {
    transfer_multiple(core, bus, multiple, place, store_list)
}

/// A multiple transfer on the full descending stack.
const fn on_stack(list: u16, before: bool) -> Multiple {
    Multiple {
        n: 13,
        list,
        writeback: true,
        before,
    }
}

#[inline(never)]
pub(super) fn push<B: Bus>(core: &mut Core, bus: &mut B, list: u16, place: Place) -> Outcome {
    transfer_multiple(core, bus, on_stack(list, true), place, store_list)
}

#[inline(never)]
pub(super) fn pop<B: Bus>(core: &mut Core, bus: &mut B, list: u16, place: Place) -> Outcome {
    transfer_multiple(core, bus, on_stack(list, false), place, load_list)
}

#[inline(never)]
pub(super) fn load_dual<B: Bus>(core: &mut Core, bus: &mut B, dual: Dual, place: Place) -> Outcome {
    let Dual {
        t,
        t2,
        n,
        index,
        imm,
    } = dual;
    let (address, base) = if n == 15 {
        (imm, 0)
    } else {
        indexed(core, n, index, imm)
    };
    let mut words = [0; 2];
    let outcome = read_words(core, bus, address, &mut words, 2, place);
    if !matches!(outcome, Outcome::Failed) {
        if n != 15 {
            core.set(n, base);
        }
        core.r[usize::from(t & 15)] = words[0];
        core.r[usize::from(t2 & 15)] = words[1];
    }
    outcome
}

#[inline(never)]
pub(super) fn store_dual<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    dual: Dual,
    place: Place,
) -> Outcome {
    let Dual {
        t,
        t2,
        n,
        index,
        imm,
    } = dual;
    let (address, base) = indexed(core, n, index, imm);
    let words = [core.r[usize::from(t & 15)], core.r[usize::from(t2 & 15)]];
    let outcome = write_words(core, bus, address, &words, place);
    if !matches!(outcome, Outcome::Failed) {
        core.set(n, base);
    }
    outcome
}
