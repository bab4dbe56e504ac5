//! Loads and stores that the fast path of [`Memory`](crate::memory::Memory) does not take: the private
//! peripheral bus, peripherals, memories under closer watch, and faults.

use crate::bus::{AccessError, Bus, Width};
use crate::cpu::fault::Fault;
use crate::cpu::replay::LatestLoad;
use crate::cpu::scb::UNALIGN_TRP;
use crate::cpu::state::Core;
use crate::cpu::stop::StopReason;

/// Where and when an instruction executes.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub pc: u32,
    pub cycle: u64,
}

const PRIVATE_BUS: std::ops::Range<u32> = 0xE000_0000..0xE010_0000;

/// DWT_CYCCNT and SYST_CVR change by themselves; SYST_CSR changes when read.
const RUNNING: [u32; 3] = [0xE000_1004, 0xE000_E010, 0xE000_E018];

/// A load: the zero-extended value and the cycles beyond the instruction; `None` where it failed.
#[inline(never)]
pub(super) fn load<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    width: Width,
    place: Place,
) -> Option<(u32, u32)> {
    let bytes = width.bytes();
    let unaligned = address & (bytes - 1) != 0;
    if is_peripheral(address) && !unaligned {
        return load_peripheral(core, bus, address, width, place);
    }
    core.attention = true;
    if unaligned && core.scb.ccr & UNALIGN_TRP != 0 {
        core.raise(Fault::unaligned(address));
        return None;
    }
    if let Some(fault) = core.protection_fault(address, bytes, false) {
        core.raise(fault);
        return None;
    }
    if bus.memory_mut().misses_clock(address) {
        return Some((0, core.access_cycles(bus, address).0));
    }
    core.load_through_cache(bus, address, bytes);
    if let Some(slice) = bus.memory().slice(address, bytes) {
        let mut word = [0; 4];
        word[..slice.len()].copy_from_slice(slice);
        let (cycles, _) = core.access_cycles(bus, address);
        return Some((u32::from_le_bytes(word), cycles));
    }
    if unaligned {
        core.raise(misplaced(address));
        return None;
    }
    if PRIVATE_BUS.contains(&address) {
        if !core.privileged() {
            core.raise(Fault::bus(address));
            return None;
        }
        core.pass_has_effects |= RUNNING.contains(&(address & !3));
        let value = core.ppb_load(address, width, place.pc, place.cycle)?;
        return Some((value, core.cost.private_bus.into()));
    }
    load_peripheral(core, bus, address, width, place)
}

/// What is on the bus of peripherals: most accesses that come here go there.
const fn is_peripheral(address: u32) -> bool {
    address >> 29 == 2
}

#[inline(always)]
fn load_peripheral<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    width: Width,
    place: Place,
) -> Option<(u32, u32)> {
    let attention = std::mem::replace(&mut core.attention, true);
    if let Some(fault) = core.protection_fault(address, width.bytes(), false) {
        core.raise(fault);
        return None;
    }
    match bus.load(address, width, place.cycle) {
        Ok(loaded) => {
            core.pass_has_effects |= !loaded.stable;
            let hot = core.hot_loads.count(place.pc);
            core.latest_load = LatestLoad {
                pc: place.pc,
                cycle: place.cycle,
            };
            core.attention = attention || hot || !bus.last_access_was_quiet();
            Some((loaded.value, loaded.cycles))
        }
        Err(error) => {
            refuse(core, error, address, place.pc);
            None
        }
    }
}

/// A store: the cycles beyond the instruction; `None` where it failed.
#[inline(never)]
pub(super) fn store<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    width: Width,
    value: u32,
    place: Place,
) -> Option<u32> {
    core.pass_has_effects = true;
    let bytes = width.bytes();
    let unaligned = address & (bytes - 1) != 0;
    if is_peripheral(address) && !unaligned {
        return store_peripheral(core, bus, address, width, value, place);
    }
    core.attention = true;
    if unaligned && core.scb.ccr & UNALIGN_TRP != 0 {
        core.raise(Fault::unaligned(address));
        return None;
    }
    if let Some(fault) = core.protection_fault(address, bytes, true) {
        core.raise(fault);
        return None;
    }
    if bus.memory_mut().misses_clock(address) {
        return Some(core.access_cycles(bus, address).1);
    }
    let stored = &value.to_le_bytes()[..bytes as usize];
    core.store_through_cache(bus, address, stored);
    if let Some(slice) = bus.memory_mut().slice_mut(address, bytes) {
        slice.copy_from_slice(stored);
        return Some(core.access_cycles(bus, address).1);
    }
    if unaligned {
        core.raise(misplaced(address));
        return None;
    }
    if PRIVATE_BUS.contains(&address) {
        if !core.privileged() {
            core.raise(Fault::bus(address));
            return None;
        }
        core.ppb_store(address, width, value, place.pc, place.cycle)?;
        core.maintain_data_cache(bus, address, value);
        return Some(core.cost.private_bus.into());
    }
    store_peripheral(core, bus, address, width, value, place)
}

#[inline(always)]
fn store_peripheral<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    address: u32,
    width: Width,
    value: u32,
    place: Place,
) -> Option<u32> {
    let attention = std::mem::replace(&mut core.attention, true);
    if let Some(fault) = core.protection_fault(address, width.bytes(), true) {
        core.raise(fault);
        return None;
    }
    match bus.store(address, width, value, place.cycle) {
        Ok(cycles) => {
            core.attention = attention || !bus.last_access_was_quiet();
            Some(cycles)
        }
        Err(error) => {
            refuse(core, error, address, place.pc);
            None
        }
    }
}

/// The fault of an unaligned access that no memory holds: Device memory takes aligned ones only.
fn misplaced(address: u32) -> Fault {
    match address >> 29 {
        2 | 5 | 6 | 7 => Fault::unaligned(address),
        _ => Fault::bus(address),
    }
}

fn refuse(core: &mut Core, error: AccessError, address: u32, pc: u32) {
    match error {
        AccessError::Fault => core.raise(Fault::bus(address)),
        AccessError::Unmodelled { block, offset } => {
            core.stop_with(StopReason::UnmodelledRegister {
                pc,
                address,
                block,
                offset,
            });
        }
    }
}
