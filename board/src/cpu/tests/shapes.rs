//! Results do not depend on how code is cut into blocks or a run into parts.

use super::{DEVICE, Machine, RAM, device, handler};
use crate::bus::Width;
use crate::cpu::{CpuStats, Exit, Options};

/// A program with memory, device and IT instructions, calls and an interrupt from an event.
///
/// ```text
///       str r3, [r4]        ; the event is due in r3 cycles
/// loop: ldr r1, [r0]        ; RAM
///       adds r1, #3
///       itet ne
///       strne r1, [r0]
///       moveq r1, #1
///       addne r2, r2, r1
///       ldr r5, [r6, #4]    ; the device's count of reads
///       eors r2, r5
///       bl leaf
///       cmp r5, r8
///       blt loop
///       bkpt 0
/// leaf: push {r1, lr}
///       umull r9, r10, r2, r1
///       pop {r1, pc}
/// ```
const PROGRAM: &[u16] = &[
    0x6023, 0x6801, 0x3103, 0xBF16, 0x6001, 0x2101, 0x1852, 0x6875, 0x406A, 0xF000, 0xF804, 0x4545,
    0xDBF3, 0xBE00, 0xBF00, 0xB502, 0xFBA2, 0x9A01, 0xBD02,
];

struct Outcome {
    registers: Vec<u32>,
    xpsr: u32,
    stats: CpuStats,
    ram: Vec<u32>,
}

fn outcome(block_len: usize, limits: impl IntoIterator<Item = u64>, delay: u32) -> Outcome {
    let options = Options {
        block_len,
        ..Options::default()
    };
    let mut machine = Machine::with(PROGRAM, options);
    machine.bus.event_raises_line = true;
    let core = &mut machine.cpu.core;
    core.ppb_store(0xE000_E100, Width::Word, 1 << 5, 0, 0)
        .expect("modelled");
    // The handler: ldr r0, =LINE is in r7 already: movs r1, #0; str r1, [r7]; ldr r2, [r6, #4];
    // str r2, [r11 low copy]... kept short: bx lr
    machine.handler(21, &[0x2100, 0x6039, 0x6872, 0x4770]);
    machine.set(&[
        (0, RAM),
        (3, delay),
        (4, DEVICE + device::TIMER),
        (6, DEVICE),
        (7, DEVICE + device::LINE),
        (8, 40),
    ]);
    for limit in limits {
        if machine.cpu.run(&mut machine.bus, limit) != Exit::Limit {
            break;
        }
    }
    assert_eq!(machine.bus.events_at.len(), 1);
    Outcome {
        registers: (0..16).map(|n| machine.r(n)).collect(),
        xpsr: machine.cpu.xpsr(),
        stats: machine.cpu.stats(),
        ram: (0..64)
            .map(|n| machine.word(RAM + 4 * n))
            .chain((1..64).map(|n| machine.word(super::STACK_TOP - 4 * n)))
            .collect(),
    }
}

#[track_caller]
fn same(a: &Outcome, b: &Outcome) {
    assert_eq!(a.registers, b.registers);
    assert_eq!(a.xpsr, b.xpsr);
    assert_eq!(a.stats, b.stats);
    assert_eq!(a.ram, b.ram);
}

#[test]
fn block_length_and_limits_change_nothing() {
    for delay in 300..420 {
        let whole = outcome(48, [1_000_000], delay);
        same(&whole, &outcome(1, [1_000_000], delay));
        same(&whole, &outcome(3, [1_000_000], delay));
        same(&whole, &outcome(48, (0..).map(|n| n * 37), delay));
        same(&whole, &outcome(48, (0..).map(|n| n * 5), delay));
    }
}

#[test]
fn the_handler_is_where_the_vector_says() {
    assert_eq!(handler(21) % 4, 0);
}
