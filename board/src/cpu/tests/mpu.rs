//! The MPU: what its regions deny, and what they keep out of the data cache.

use super::{CODE, DEVICE, Machine, RAM};
use crate::bus::Width;
use crate::cpu::{Exit, Options};

const CCR: u32 = 0xE000_ED14;
const SHCSR: u32 = 0xE000_ED24;
const MMFAR: u32 = 0xE000_ED34;
const TYPE: u32 = 0xE000_ED90;
const CTRL: u32 = 0xE000_ED94;
const RNR: u32 = 0xE000_ED98;
const RBAR: u32 = 0xE000_ED9C;
const RASR: u32 = 0xE000_EDA0;

const D2_SRAM: u32 = 0x3000_0000;
const DACCVIOL: u32 = 0x82;
const NO_ACCESS: u32 = 0;
const PRIVILEGED_ONLY: u32 = 1 << 24;
const FULL_ACCESS: u32 = 3 << 24;
const READ_ONLY: u32 = 6 << 24;
const XN: u32 = 1 << 28;
const WRITE_BACK: u32 = 1 << 19 | 0b11 << 16;
const NON_CACHEABLE: u32 = 1 << 19;
const DEVICE_TYPE: u32 = 1 << 16;
const SHAREABLE: u32 = 1 << 18;

/// `ldr r1, [r0]; bkpt #1`, `str r1, [r0]; bkpt #1`
const LOAD: [u16; 2] = [0x6801, 0xBE01];
const STORE: [u16; 2] = [0x6001, 0xBE01];

fn poke(machine: &mut Machine, address: u32, value: u32) {
    let core = &mut machine.cpu.core;
    core.ppb_store(address, Width::Word, value, 0, 0)
        .expect("modelled");
}

fn peek(machine: &mut Machine, address: u32) -> u32 {
    let core = &mut machine.cpu.core;
    core.ppb_load(address, Width::Word, 0, 0).expect("modelled")
}

/// Sets region `n`: its base, the power of two that is its size, and the rest of RASR.
fn region(machine: &mut Machine, n: u32, base: u32, log2: u32, rest: u32) {
    poke(machine, RBAR, base | 1 << 4 | n);
    poke(machine, RASR, rest | (log2 - 1) << 1 | 1);
}

/// Switches the unit on, with the default map behind its regions, and MemManage.
fn enable(machine: &mut Machine) {
    poke(machine, SHCSR, 1 << 16);
    poke(machine, CTRL, 0b101);
}

/// A core in front of `code` with r0 = `address` and one region that holds it, set by `rest`.
fn protected(code: &[u16], address: u32, log2: u32, rest: u32) -> Machine {
    let mut machine = Machine::new(code);
    region(&mut machine, 0, address, log2, rest | WRITE_BACK);
    enable(&mut machine);
    machine.set(&[(0, address)]);
    machine
}

/// Runs to MemManage's handler and gives CFSR and MMFAR.
fn mem_manage(machine: &mut Machine) -> (u32, u32) {
    assert_eq!(machine.run_to_breakpoint(), 99);
    assert_eq!(machine.cpu.xpsr() & 0x1FF, 4);
    let cfsr = machine.cpu.last_fault().expect("a fault").cfsr;
    (cfsr, peek(machine, MMFAR))
}

#[test]
fn the_registers_show_sixteen_regions_and_what_was_written() {
    let mut machine = Machine::new(&LOAD);
    assert_eq!(peek(&mut machine, TYPE), 16 << 8);
    region(&mut machine, 15, 0x2400_0000, 19, FULL_ACCESS);
    assert_eq!(peek(&mut machine, RNR), 15);
    assert_eq!(peek(&mut machine, RBAR), 0x2400_000F);
    assert_eq!(peek(&mut machine, RASR), FULL_ACCESS | 18 << 1 | 1);
    // The aliases reach the same region.
    poke(&mut machine, RNR, 2);
    poke(&mut machine, RBAR + 8, 0x3000_0000);
    poke(&mut machine, RASR + 24, 5 << 1);
    assert_eq!(peek(&mut machine, RBAR + 24), 0x3000_0002);
    assert_eq!(peek(&mut machine, RASR), 5 << 1);
}

#[test]
fn permissions_decide_about_loads_and_stores() {
    // A region that holds all of AXI SRAM, and one that divides it.
    for log2 in [19, 15] {
        for (rights, may_load, may_store) in [
            (NO_ACCESS, false, false),
            (PRIVILEGED_ONLY, true, true),
            (FULL_ACCESS, true, true),
            (READ_ONLY, true, false),
        ] {
            for (code, allowed) in [(LOAD, may_load), (STORE, may_store)] {
                let mut machine = protected(&code, RAM, log2, rights);
                if allowed {
                    assert_eq!(machine.run_to_breakpoint(), 1);
                } else {
                    assert_eq!(mem_manage(&mut machine), (DACCVIOL, RAM));
                }
            }
        }
    }
}

#[test]
fn multiple_transfers_are_checked_word_by_word() {
    // stmia r0!, {r1-r4}: the last word is in the region.
    let mut machine = protected(&[0xC01E, 0xBE01], RAM + 0x100, 8, READ_ONLY);
    machine.set(&[(0, RAM + 0xF4)]);
    assert_eq!(mem_manage(&mut machine), (DACCVIOL, RAM + 0x100));
}

#[test]
fn an_unaligned_access_is_checked_to_its_last_byte() {
    for (address, allowed) in [(RAM + 0xFC, true), (RAM + 0xFD, false)] {
        let mut machine = protected(&LOAD, RAM + 0x100, 8, NO_ACCESS);
        machine.set(&[(0, address)]);
        assert_eq!(machine.run_to_breakpoint() == 1, allowed, "{address:#x}");
    }
}

#[test]
fn peripherals_are_checked_too() {
    let mut machine = protected(&LOAD, DEVICE, 12, NO_ACCESS);
    assert_eq!(mem_manage(&mut machine), (DACCVIOL, DEVICE));
    assert_eq!(machine.bus.reads, 0);
}

#[test]
fn without_a_background_what_no_region_holds_is_denied() {
    let mut machine = Machine::new(&LOAD);
    region(&mut machine, 0, CODE & !0xFFFF, 16, FULL_ACCESS);
    region(&mut machine, 1, 0x2000_0000, 17, FULL_ACCESS);
    enable(&mut machine);
    poke(&mut machine, CTRL, 1);
    machine.set(&[(0, RAM)]);
    assert_eq!(mem_manage(&mut machine), (DACCVIOL, RAM));
}

#[test]
fn the_highest_region_counts_and_a_disabled_eighth_shows_the_one_below() {
    for (address, allowed) in [(RAM + 0x0C00, false), (RAM + 0x1000, true)] {
        let mut machine = Machine::new(&LOAD);
        region(&mut machine, 3, RAM, 19, FULL_ACCESS);
        // 8 KB without its upper half.
        region(&mut machine, 7, RAM, 13, NO_ACCESS | 0xF0 << 8);
        region(&mut machine, 1, RAM, 13, NO_ACCESS);
        enable(&mut machine);
        machine.set(&[(0, address)]);
        assert_eq!(machine.run_to_breakpoint() == 1, allowed, "{address:#x}");
    }
}

#[test]
fn code_does_not_run_where_it_may_not() {
    for (rest, number) in [(FULL_ACCESS | XN, 99), (NO_ACCESS, 99), (READ_ONLY, 1)] {
        let mut machine = Machine::new(&[0x4700]); // bx r0
        machine.bus.memory.store_u32(RAM, 0xBE01);
        region(&mut machine, 0, RAM, 12, rest);
        enable(&mut machine);
        machine.set(&[(0, RAM | 1)]);
        assert_eq!(machine.run_to_breakpoint(), number);
        if number == 99 {
            assert_eq!(machine.cpu.xpsr() & 0x1FF, 4);
            assert_eq!(machine.cpu.last_fault().expect("a fault").cfsr, 1);
        }
    }
}

#[test]
fn unprivileged_code_has_its_own_rights() {
    // msr control, r2; ldr r1, [r0]; bkpt #1
    let code = [0xF382, 0x8814, 0x6801, 0xBE01];
    for (control, number) in [(0, 1), (1, 99)] {
        let mut machine = protected(&code, RAM, 19, PRIVILEGED_ONLY);
        region(&mut machine, 1, CODE & !0xFFFF, 16, FULL_ACCESS);
        region(&mut machine, 2, 0x2000_0000, 17, FULL_ACCESS);
        machine.set(&[(2, control)]);
        assert_eq!(machine.run_to_breakpoint(), number);
    }
}

#[test]
fn hard_fault_and_nmi_are_free_unless_they_shall_not() {
    for (hfnmiena, locks_up) in [(0, false), (0b10, true)] {
        let mut machine = protected(&LOAD, RAM, 19, NO_ACCESS);
        poke(&mut machine, SHCSR, 0);
        poke(&mut machine, CTRL, 0b101 | hfnmiena);
        machine.handler(3, &LOAD);
        match machine.cpu.run(&mut machine.bus, 100_000) {
            Exit::Stopped(crate::cpu::StopReason::LockUp { .. }) => assert!(locks_up),
            _ => assert!(!locks_up),
        }
    }
}

#[test]
fn a_frame_that_may_not_be_stacked_is_a_fault_of_its_own() {
    let mut machine = Machine::new(&[0xDF00]); // svc #0
    region(&mut machine, 0, RAM, 19, READ_ONLY);
    enable(&mut machine);
    machine.set(&[(13, RAM + 0x100)]);
    assert_eq!(machine.run_to_breakpoint(), 99);
    assert_eq!(machine.cpu.xpsr() & 0x1FF, 4);
    assert_eq!(machine.cpu.last_fault().expect("a fault").cfsr, 1 << 4);
}

#[test]
fn device_memory_takes_aligned_accesses_only() {
    for (memory_type, number) in [(DEVICE_TYPE, 99), (NON_CACHEABLE, 1)] {
        let mut machine = Machine::new(&LOAD);
        region(&mut machine, 0, D2_SRAM, 15, FULL_ACCESS | memory_type);
        enable(&mut machine);
        machine.set(&[(0, D2_SRAM + 1)]);
        assert_eq!(machine.run_to_breakpoint(), number);
        if number == 99 {
            assert_eq!(machine.cpu.last_fault().expect("a fault").cfsr, 1 << 24);
        }
    }
}

/// Cycles of a program with the data cache on.
fn cycles(code: [u16; 2], log2: u32, memory_type: u32) -> u64 {
    let mut machine = Machine::with(&code, Options::default());
    poke(&mut machine, CCR, 0x200 | 1 << 16);
    region(&mut machine, 0, D2_SRAM, log2, FULL_ACCESS | memory_type);
    enable(&mut machine);
    machine.set(&[(0, D2_SRAM)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    machine.cpu.cycle()
}

#[test]
fn what_a_region_keeps_out_of_the_data_cache_costs_the_bus() {
    // Two core cycles in an HCLK period: 7 periods for a load, 1 for a store.
    for log2 in [15, 10] {
        for (memory_type, load, store) in [
            (WRITE_BACK, 0, 0),
            (0b10 << 16, 0, 2),
            (NON_CACHEABLE, 14, 2),
            (WRITE_BACK | SHAREABLE, 14, 2),
            (DEVICE_TYPE, 14, 2),
        ] {
            let base = cycles(LOAD, log2, WRITE_BACK);
            assert_eq!(cycles(LOAD, log2, memory_type) - base, load);
            let base = cycles(STORE, log2, WRITE_BACK);
            assert_eq!(cycles(STORE, log2, memory_type) - base, store);
        }
    }
}

#[test]
fn switched_off_again_it_is_forgotten() {
    let mut machine = protected(&STORE, RAM, 19, NO_ACCESS);
    machine.cpu.run(&mut machine.bus, 0);
    assert_eq!(machine.bus.memory.read_u32(RAM), None, "no fast path");
    poke(&mut machine, CTRL, 0);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert!(machine.bus.memory.read_u32(RAM).is_some());
}
