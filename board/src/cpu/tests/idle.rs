//! Skipping idle loops changes nothing but the time it takes.

use super::{DEVICE, Machine, RAM, device};
use crate::cpu::{CpuStats, Exit, Options};

struct Outcome {
    registers: Vec<u32>,
    xpsr: u32,
    stats: CpuStats,
    events: Vec<u64>,
}

fn outcome(code: &[u16], registers: &[(usize, u32)], idle_skip: bool, limits: &[u64]) -> Outcome {
    let options = Options {
        idle_skip,
        ..Options::default()
    };
    let mut machine = Machine::with(code, options);
    machine.set(registers);
    for &limit in limits {
        if machine.cpu.run(&mut machine.bus, limit) != Exit::Limit {
            break;
        }
    }
    Outcome {
        registers: (0..16).map(|n| machine.r(n)).collect(),
        xpsr: machine.cpu.xpsr(),
        stats: machine.cpu.stats(),
        events: machine.bus.events_at.clone(),
    }
}

/// Runs with and without skipping, and gives the number of passes that were skipped.
#[track_caller]
fn skipped(code: &[u16], registers: &[(usize, u32)], limits: &[u64]) -> u64 {
    let with = outcome(code, registers, true, limits);
    let without = outcome(code, registers, false, limits);
    assert_eq!(with.registers, without.registers);
    assert_eq!(with.xpsr, without.xpsr);
    assert_eq!(with.events, without.events);
    assert_eq!(with.stats.cycles, without.stats.cycles);
    assert_eq!(with.stats.instructions, without.stats.instructions);
    assert_eq!(without.stats.skipped_passes, 0);
    with.stats.skipped_passes
}

/// str r3, [r4]; loop: ldr r1, [r0]; tst r1, #1; beq loop; bkpt 0
const POLL: &[u16] = &[0x6023, 0x6801, 0xF011, 0x0F01, 0xD0FB, 0xBE00];

#[test]
fn a_poll_of_a_stable_register_is_skipped_to_the_event() {
    for delay in [50, 1_000, 12_345, 12_346, 12_347] {
        let registers = [
            (0, DEVICE + device::STATUS),
            (3, delay),
            (4, DEVICE + device::TIMER),
        ];
        let passes = skipped(POLL, &registers, &[100_000]);
        assert_eq!(passes == 0, delay < 100, "{delay}: {passes}");
    }
}

#[test]
fn an_event_during_the_examined_pass_is_not_missed() {
    for delay in 20..300 {
        let registers = [
            (0, DEVICE + device::STATUS),
            (3, delay),
            (4, DEVICE + device::TIMER),
        ];
        skipped(POLL, &registers, &[20_000]);
    }
}

#[test]
fn a_poll_of_memory_is_skipped_to_the_limit() {
    let registers = [(0, RAM), (4, RAM + 8)];
    let whole = outcome(POLL, &registers, true, &[50_000]);
    let parts = outcome(POLL, &registers, true, &[7_777, 23_456, 50_000]);
    assert_eq!(whole.stats.instructions, parts.stats.instructions);
    assert_eq!(whole.registers, parts.registers);
    assert!(skipped(POLL, &registers, &[7_777, 23_456, 50_000]) > 1_000);
}

#[test]
fn a_branch_to_itself_is_skipped() {
    assert!(skipped(&[0xE7FE], &[], &[100_000]) > 5_000);
}

#[test]
fn a_loop_that_works_is_not_skipped() {
    // loop: subs r0, #1; bne loop; bkpt 0
    assert_eq!(
        skipped(&[0x3801, 0xD1FD, 0xBE00], &[(0, 5_000)], &[100_000]),
        0
    );
    // loop: ldr r2, [r0]; adds r2, #1; str r2, [r0]; subs r1, #1; bne loop; bkpt 0
    let code = &[0x6802, 0x3201, 0x6002, 0x3901, 0xD1FA, 0xBE00];
    assert_eq!(skipped(code, &[(0, RAM), (1, 5_000)], &[200_000]), 0);
    // loop: movw r3, #0; adc r3, r3, #0; rsbs r3, r3, #0; movw r3, #0; b loop: only carry changes
    let code = &[
        0xF240, 0x0300, 0xF143, 0x0300, 0x425B, 0xF240, 0x0300, 0xE7F7,
    ];
    assert_eq!(skipped(code, &[], &[9_999]), 0);
    // loop: movs r2, #1; str r2, [r0]; b loop: the registers stay, the store does not count as idle
    let code = &[0x2201, 0x6002, 0xE7FC];
    assert_eq!(skipped(code, &[(0, RAM)], &[100_000]), 0);
}

#[test]
fn a_poll_of_a_register_that_changes_is_not_skipped() {
    let registers = [
        (0, DEVICE + device::READS),
        (3, 2_000),
        (4, DEVICE + device::TIMER),
    ];
    // str r3, [r4]; loop: ldr r1, [r0]; cmp r1, #100; bne loop; bkpt 0
    let code = &[0x6023, 0x6801, 0x2964, 0xD1FC, 0xBE00];
    assert_eq!(skipped(code, &registers, &[100_000]), 0);
    // The cycle counter: loop: ldr r1, [r0]; movs r1, #0; b loop
    let code = &[0x6801, 0x2100, 0xE7FC];
    assert_eq!(skipped(code, &[(0, 0xE000_1004)], &[20_000]), 0);
}
