//! Faults, lock-up, and everything that ends a run.

use super::{CODE, DEVICE, Machine, RAM, device};
use crate::bus::Width;
use crate::cpu::{Exit, Options, StopReason};

const CCR: u32 = 0xE000_ED14;
const SHCSR: u32 = 0xE000_ED24;

fn poke(machine: &mut Machine, address: u32, value: u32) {
    let core = &mut machine.cpu.core;
    core.ppb_store(address, Width::Word, value, 0, 0)
        .expect("modelled");
}

fn stop(machine: &mut Machine) -> StopReason {
    match machine.cpu.run(&mut machine.bus, 100_000) {
        Exit::Stopped(reason) => reason,
        exit => panic!("{exit:?}"),
    }
}

#[test]
fn a_wild_access_escalates_to_hard_fault_and_is_recorded() {
    let mut machine = Machine::new(&[0xBF00, 0x6801]); // nop; ldr r1, [r0]
    machine.set(&[(0, 0x6000_0000)]);
    assert_eq!(machine.run_to_breakpoint(), 99);
    assert_eq!(machine.cpu.xpsr() & 0x1FF, 3);
    let fault = machine.cpu.last_fault().expect("a fault");
    assert_eq!(fault.pc, CODE + 2);
    assert_eq!(fault.cfsr, 0x8200);
    assert_eq!(fault.address, Some(0x6000_0000));
    // The stacked program counter is the load's.
    assert_eq!(machine.word(machine.r(13) + 24), CODE + 2);
}

#[test]
fn an_enabled_bus_fault_goes_to_its_own_handler() {
    let mut machine = Machine::new(&[0x6801]);
    poke(&mut machine, SHCSR, 0x0002_0000);
    machine.set(&[(0, 0x6000_0000)]);
    machine.run_to_breakpoint();
    assert_eq!(machine.cpu.xpsr() & 0x1FF, 5);
}

#[test]
fn a_fault_in_the_hard_fault_handler_locks_up() {
    let mut machine = Machine::new(&[0x6801]);
    machine.handler(3, &[0x6801]);
    machine.set(&[(0, 0x6000_0000)]);
    let StopReason::LockUp { pc, .. } = stop(&mut machine) else {
        panic!("no lock-up");
    };
    assert_eq!(pc, super::handler(3));
}

#[test]
fn undefined_instructions_stop_or_fault() {
    let udf = &[0xDE01];
    let mut machine = Machine::new(udf);
    let expected = StopReason::Undefined {
        pc: CODE,
        encoding: 0xDE01,
    };
    assert_eq!(stop(&mut machine), expected);
    let options = Options {
        stop_on_undefined: false,
        ..Options::default()
    };
    let mut machine = Machine::with(udf, options);
    machine.run_to_breakpoint();
    assert_eq!(machine.cpu.last_fault().expect("a fault").cfsr, 1 << 16);
}

#[test]
fn other_usage_faults() {
    let cfsr = |code: &[u16], registers: &[(usize, u32)], ccr: u32| {
        let mut machine = Machine::new(code);
        poke(&mut machine, CCR, 0x200 | ccr);
        machine.set(registers);
        machine.run_to_breakpoint();
        machine.cpu.last_fault().expect("a fault").cfsr
    };
    // bx to an even address
    assert_eq!(cfsr(&[0x4700], &[(0, CODE)], 0), 1 << 17);
    // vmov s0, r0 without access
    assert_eq!(cfsr(&[0xEE00, 0x0A10], &[], 0), 1 << 19);
    // a coprocessor that is not there: mrc p15, 0, r0, c0, c0, 0
    assert_eq!(cfsr(&[0xEE10, 0x0F10], &[], 0), 1 << 19);
    // ldrd and ldm from an unaligned address
    assert_eq!(cfsr(&[0xE9D2, 0x0100], &[(2, RAM + 2)], 0), 1 << 24);
    assert_eq!(cfsr(&[0xCA03], &[(2, RAM + 1)], 0), 1 << 24);
    // ldr r1, [r0] from an unaligned device register
    assert_eq!(cfsr(&[0x6801], &[(0, DEVICE + 2)], 0), 1 << 24);
    // sdiv by zero with DIV_0_TRP
    assert_eq!(cfsr(&[0xFB91, 0xF0F2], &[(2, 0)], 1 << 4), 1 << 25);
    // execution from a peripheral
    assert_eq!(cfsr(&[0x4700], &[(0, DEVICE | 1)], 0), 1 << 0);
    // execution from nowhere
    assert_eq!(cfsr(&[0x4700], &[(0, 0x1000_0001)], 0), 1 << 8);
}

#[test]
fn unaligned_words_are_allowed_in_memory_unless_trapped() {
    let mut machine = Machine::new(&[0x6801, 0xBE01]); // ldr r1, [r0]
    machine.bus.memory.store_u32(RAM + 4, 0x1122_3344);
    machine.set(&[(0, RAM + 3)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(1), 0x2233_4400);
    let mut machine = Machine::new(&[0x6801, 0xBE01]);
    poke(&mut machine, CCR, 0x208);
    machine.set(&[(0, RAM + 3)]);
    assert_eq!(machine.run_to_breakpoint(), 99);
    assert_eq!(machine.cpu.last_fault().expect("a fault").cfsr, 1 << 24);
}

#[test]
fn a_fault_inside_an_if_then_block_leaves_the_base_register_alone() {
    // cmp r2, r2; itt eq; moveq r3, #1; ldreq.w r1, [r0], #4
    let mut machine = Machine::new(&[0x4292, 0xBF04, 0x2301, 0xF850, 0x1B04]);
    machine.set(&[(0, 0x6000_0000)]);
    machine.run_to_breakpoint();
    assert_eq!((machine.r(0), machine.r(3)), (0x6000_0000, 1));
    assert_eq!(machine.cpu.last_fault().expect("a fault").pc, CODE + 6);
    // The stacked ITSTATE is that of the faulting instruction: EQ, last of the block.
    let xpsr = machine.word(machine.r(13) + 28);
    assert_eq!(xpsr >> 25 & 3 | xpsr >> 8 & 0xFC, 0x08);
}

#[test]
fn unmodelled_registers_are_named() {
    let mut machine = Machine::new(&[0xBF00, 0x6801]);
    machine.set(&[(0, DEVICE + device::HOLE)]);
    let expected = StopReason::UnmodelledRegister {
        pc: CODE + 2,
        address: DEVICE + device::HOLE,
        block: "DEVICE",
        offset: device::HOLE,
    };
    assert_eq!(stop(&mut machine), expected);
    let mut machine = Machine::new(&[0x6001]);
    machine.set(&[(0, 0xE000_2000)]);
    let expected = StopReason::UnmodelledRegister {
        pc: CODE,
        address: 0xE000_2000,
        block: "FPB",
        offset: 0,
    };
    assert_eq!(stop(&mut machine), expected);
}

#[test]
fn a_watched_place_ends_the_run_before_its_instruction() {
    let mut machine = Machine::new(&[0x2001, 0x2002, 0x2003]);
    machine.cpu.watch(CODE + 4, "the third");
    let expected = StopReason::Watched {
        pc: CODE + 4,
        name: "the third".to_owned(),
    };
    assert_eq!(stop(&mut machine), expected);
    assert_eq!(machine.r(0), 2);
    assert_eq!(machine.cpu.instructions(), 2);
}

#[test]
fn a_reset_request_ends_the_run() {
    let mut machine = Machine::new(&[0x6001, 0xBE01]);
    machine.set(&[(0, 0xE000_ED0C), (1, 0x05FA_0004)]);
    assert_eq!(stop(&mut machine), StopReason::ResetRequested { pc: CODE });
    let mut machine = Machine::new(&[0x6001, 0xBE01]);
    machine.set(&[(0, 0xE000_ED0C), (1, 0x1234_0004)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
}

#[test]
fn a_pause_request_leaves_the_run_in_order() {
    let mut machine = Machine::new(&[0x6001, 0x2207, 0xBE01]);
    machine.set(&[(0, DEVICE + device::PAUSE)]);
    assert_eq!(machine.cpu.run(&mut machine.bus, 100_000), Exit::Pause);
    assert_eq!(machine.cpu.pc(), CODE + 2);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(2), 7);
}
