//! Exceptions and sleep: entry, return, priorities, nesting, tail-chaining.

use super::{CODE, DEVICE, Machine, RAM, STACK_TOP, device};
use crate::cpu::{Exit, Options};

const NVIC_ISER0: u32 = 0xE000_E100;
const NVIC_ISPR0: u32 = 0xE000_E200;
const NVIC_IPR0: u32 = 0xE000_E400;
const ICSR: u32 = 0xE000_ED04;
const SCR: u32 = 0xE000_ED10;

/// str r1, [r0]
const STORE: u16 = 0x6001;
/// bx lr
const RETURN: u16 = 0x4770;
const NOP: u16 = 0xBF00;

fn poke(machine: &mut Machine, address: u32, value: u32) {
    let core = &mut machine.cpu.core;
    core.ppb_store(address, crate::bus::Width::Word, value, 0, 0)
        .expect("modelled");
}

/// A machine with interrupt line 5 enabled; its handler is exception 21.
fn with_line_5(code: &[u16]) -> Machine {
    let mut machine = Machine::new(code);
    poke(&mut machine, NVIC_ISER0, 1 << 5);
    machine
}

#[test]
fn a_supervisor_call_stacks_and_returns() {
    // svc 3; bkpt 1; the handler: movs r0, #7; mrs r4, ipsr; bx lr
    let mut machine = Machine::new(&[0xDF03, 0xBE01]);
    machine.handler(11, &[0x2007, 0xF3EF, 0x8405, RETURN]);
    machine.set(&[(0, 0x10), (1, 0x11), (12, 0x1C), (14, 0x1E)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(4), 11);
    assert_eq!(machine.r(0), 0x10);
    assert_eq!(machine.r(13), STACK_TOP);
    let frame: Vec<u32> = (0..8)
        .map(|n| machine.word(STACK_TOP - 32 + 4 * n))
        .collect();
    assert_eq!(frame, [0x10, 0x11, 0, 0, 0x1C, 0x1E, CODE + 2, 1 << 24]);
}

#[test]
fn an_odd_word_stack_is_padded_and_put_back() {
    // push {r0}; svc; pop {r2}; bkpt
    let mut machine = Machine::new(&[0xB401, 0xDF00, 0xBC04, 0xBE01]);
    machine.handler(11, &[0x466B, RETURN]); // mov r3, sp
    machine.set(&[(0, 5)]);
    machine.handler(11, &[0x466C, RETURN]); // mov r4, sp
    machine.run_to_breakpoint();
    assert_eq!(machine.r(4), STACK_TOP - 4 - 32 - 4);
    assert_eq!((machine.r(2), machine.r(13)), (5, STACK_TOP));
    assert_eq!(machine.word(STACK_TOP - 12) & 1 << 9, 1 << 9);
}

#[test]
fn a_raised_line_interrupts_before_the_next_instruction() {
    // str r1, [r0] raises the line; adds r2, #1; bkpt 1
    let mut machine = with_line_5(&[STORE, 0x3201, 0xBE01]);
    // handler: str r2, [r3]; movs r1, #0; str r1, [r0]; bx lr
    machine.handler(21, &[0x601A, 0x2100, STORE, RETURN]);
    machine.set(&[(0, DEVICE + device::LINE), (1, 1), (2, 40), (3, RAM)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.word(RAM), 40);
    assert_eq!(machine.r(2), 41);
}

#[test]
fn a_line_that_stays_high_interrupts_again() {
    let mut machine = with_line_5(&[STORE, 0xBE01]);
    // handler: adds r4, #1; cmp r4, #3; it eq; streq r5, [r0]; bx lr
    machine.handler(21, &[0x3401, 0x2C03, 0xBF08, 0x6005, RETURN]);
    machine.set(&[(0, DEVICE + device::LINE), (1, 1), (5, 0)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(4), 3);
}

#[test]
fn masks_hold_interrupts_back() {
    // cpsid i; str r1, [r0]; movs r2, #1; cpsie i; bkpt 1
    let mut machine = with_line_5(&[0xB672, STORE, 0x2201, 0xB662, 0xBE01]);
    machine.handler(21, &[0xBE02]);
    machine.set(&[(0, DEVICE + device::LINE), (1, 1)]);
    assert_eq!(machine.run_to_breakpoint(), 2);
    assert_eq!(machine.word(machine.r(13) + 8), 1);
    // msr basepri, r3 with the line's priority: nothing comes.
    let mut machine = with_line_5(&[0xF383, 0x8811, STORE, NOP, 0xBE01]);
    poke(&mut machine, NVIC_IPR0 + 4, 0x0000_4000);
    machine.set(&[(0, DEVICE + device::LINE), (1, 1), (3, 0x40)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    // One level lower, it does.
    let mut machine = with_line_5(&[0xF383, 0x8811, STORE, NOP, 0xBE01]);
    poke(&mut machine, NVIC_IPR0 + 4, 0x0000_3000);
    machine.handler(21, &[0xBE02]);
    machine.set(&[(0, DEVICE + device::LINE), (1, 1), (3, 0x40)]);
    assert_eq!(machine.run_to_breakpoint(), 2);
}

/// Lines 1 and 2 with the given priorities; the handler of line 1 pends line 2. Both note the
/// exception number in a list at `r6`.
fn nested(priority_1: u32, priority_2: u32) -> (Vec<u32>, u64) {
    let mut machine = Machine::new(&[STORE, 0xBE01]);
    poke(&mut machine, NVIC_ISER0, 0b110);
    poke(&mut machine, NVIC_IPR0, priority_1 << 8 | priority_2 << 16);
    // 17: mrs r4, ipsr; stmia r6!, {r4}; str r5, [r0]; stmia r6!, {r4}; bx lr
    machine.handler(17, &[0xF3EF, 0x8405, 0xC610, 0x6005, 0xC610, RETURN]);
    // 18: mrs r7, ipsr; stmia r6!, {r7}; bx lr
    machine.handler(18, &[0xF3EF, 0x8705, 0xC680, RETURN]);
    machine.set(&[(0, NVIC_ISPR0), (1, 0b010), (5, 0b100), (6, RAM)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(13), STACK_TOP);
    let count = (machine.r(6) - RAM) / 4;
    let list = (0..count).map(|n| machine.word(RAM + 4 * n)).collect();
    (list, machine.cpu.cycle())
}

#[test]
fn a_more_urgent_interrupt_nests_and_an_equal_one_chains() {
    let (order, nested_cycles) = nested(0x80, 0x40);
    assert_eq!(order, [17, 18, 17]);
    let (order, chained_cycles) = nested(0x80, 0x80);
    assert_eq!(order, [17, 17, 18]);
    assert!(chained_cycles < nested_cycles);
}

#[test]
fn the_lower_number_wins_among_equals() {
    let mut machine = Machine::new(&[STORE, 0xBE01]);
    poke(&mut machine, NVIC_ISER0, 0b11_0000);
    machine.handler(20, &[0x3401, RETURN]); // adds r4, #1
    machine.handler(21, &[0x4625, RETURN]); // mov r5, r4
    machine.set(&[(0, NVIC_ISPR0), (1, 0b11_0000)]);
    machine.run_to_breakpoint();
    assert_eq!(machine.r(5), 1);
}

#[test]
fn an_interrupted_if_then_block_goes_on() {
    // itttt al-like: cmp r2, r2; itttt eq; streq r1, [r0]; addeq r3, #1; addeq r3, #2; addeq r3, #4
    let mut machine = with_line_5(&[0x4292, 0xBF01, STORE, 0x3301, 0x3302, 0x3304, 0xBE01]);
    machine.handler(21, &[0x2100, STORE, 0x2901, RETURN]); // the flags change: cmp r1, #1
    machine.set(&[(0, DEVICE + device::LINE), (1, 1)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(3), 7);
}

#[test]
fn waiting_for_an_interrupt_jumps_to_the_event() {
    // str r1, [r0]; wfi; bkpt 1
    let mut machine = with_line_5(&[STORE, 0xBF30, 0xBE01]);
    machine.handler(21, &[0xBE02]);
    machine.bus.event_raises_line = true;
    machine.set(&[(0, DEVICE + device::TIMER), (1, 5_000)]);
    assert_eq!(machine.run_to_breakpoint(), 2);
    assert_eq!(machine.bus.events_at.len(), 1);
    let event = machine.bus.events_at[0];
    // The store executes when it has been fetched.
    assert_eq!(event, 4 + 5_000);
    assert!(machine.cpu.sleep_cycles() > 4_900);
    assert_eq!(machine.cpu.instructions(), 2);
}

#[test]
fn a_masked_interrupt_still_wakes() {
    // cpsid i; str r1, [r0]; wfi; bkpt 1
    let mut machine = with_line_5(&[0xB672, STORE, 0xBF30, 0xBE01]);
    machine.bus.event_raises_line = true;
    machine.set(&[(0, DEVICE + device::TIMER), (1, 5_000)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert!(machine.cpu.sleep_cycles() > 4_900);
}

#[test]
fn waiting_for_an_event_takes_the_event_register() {
    // sev; wfe; wfe: the second sleeps for good
    let mut machine = Machine::new(&[0xBF40, 0xBF20, 0xBF20, 0xBE01]);
    assert_eq!(machine.cpu.run(&mut machine.bus, 10_000), Exit::Limit);
    assert!(machine.cpu.asleep());
    assert_eq!(machine.cpu.cycle(), 10_000);
    assert_eq!(machine.cpu.instructions(), 3);
}

#[test]
fn sleeping_on_exit_runs_handlers_only() {
    let mut machine = with_line_5(&[STORE, NOP, 0xBE01]);
    poke(&mut machine, SCR, 2);
    machine.handler(21, &[0x2100, STORE, RETURN]);
    machine.set(&[(0, DEVICE + device::LINE), (1, 1)]);
    assert_eq!(machine.cpu.run(&mut machine.bus, 10_000), Exit::Limit);
    assert!(machine.cpu.asleep());
    assert_eq!(machine.cpu.pc(), CODE + 2);
}

#[test]
fn systick_comes_round() {
    // loop: b loop
    let mut machine = Machine::new(&[0xE7FE]);
    poke(&mut machine, 0xE000_E014, 999);
    poke(&mut machine, 0xE000_E018, 0);
    poke(&mut machine, 0xE000_E010, 7);
    machine.handler(15, &[0x3401, RETURN]); // adds r4, #1
    assert_eq!(machine.cpu.run(&mut machine.bus, 10_500), Exit::Limit);
    assert_eq!(machine.r(4), 10);
}

#[test]
fn pend_sv_and_icsr() {
    // str r1, [r0]; bkpt 1; handler: ldr r2, [r0]; bx lr
    let mut machine = Machine::new(&[STORE, 0xBE01]);
    machine.handler(14, &[0x6802, 0x4614, RETURN]); // mov r4, r2
    machine.set(&[(0, ICSR), (1, 1 << 28)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(4), 14 | 1 << 11);
}

#[test]
fn floating_point_context_is_stacked_lazily() {
    // vmov s0, r0; svc; vmov r4, s0; bkpt 1
    let code = &[0xEE00, 0x0A10, 0xDF00, 0xEE10, 0x4A10, 0xBE01];
    // The handler changes s0 with a context of its own: vmov s0, r1; bx lr
    let mut machine = Machine::with(code, Options::default());
    machine.cpu.enable_fpu();
    machine.handler(11, &[0xEE00, 0x1A10, RETURN]);
    machine.set(&[(0, 123), (1, 456)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(4), 123);
    assert_eq!(machine.word(STACK_TOP - 0x68 + 0x20), 123);
    assert_eq!(machine.r(13), STACK_TOP);
    // A handler that touches no floating-point register leaves the space unwritten.
    let mut machine = Machine::with(code, Options::default());
    machine.cpu.enable_fpu();
    machine.handler(11, &[RETURN]);
    machine.set(&[(0, 123)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(4), 123);
    assert_eq!(machine.word(STACK_TOP - 0x68 + 0x20), 0);
}

#[test]
fn threads_have_a_stack_of_their_own() {
    // msr psp, r0; movs r1, #2; msr control, r1; push {r1}; svc; bkpt 1
    let code = &[
        0xF380, 0x8809, 0x2102, 0xF381, 0x8814, 0xB402, 0xDF00, 0xBE01,
    ];
    let mut machine = Machine::new(code);
    machine.handler(11, &[0x466C, 0x4675, RETURN]); // mov r4, sp; mov r5, lr
    machine.set(&[(0, RAM + 0x100)]);
    assert_eq!(machine.run_to_breakpoint(), 1);
    assert_eq!(machine.r(4), STACK_TOP);
    assert_eq!(machine.r(5), 0xFFFF_FFFD);
    assert_eq!(machine.r(13), RAM + 0xFC);
}
