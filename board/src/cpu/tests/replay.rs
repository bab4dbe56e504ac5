//! Replaying stretches and counting waits changes nothing but the time it takes.

use super::{DEVICE, Machine, RAM, STACK_TOP, device};
use crate::cpu::{CpuStats, Options};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// When STATUS changes: late enough for all loads to be found hot.
const DUE: u64 = 150_000;

/// What can be seen of a run.
#[derive(Debug, PartialEq)]
struct Outcome {
    registers: Vec<u32>,
    xpsr: u32,
    memory: Vec<u32>,
    loads: u64,
    events: Vec<u64>,
    cycles: u64,
    instructions: u64,
}

/// Runs `code` to each of the limits; gives the outcome and how often something was replayed.
fn run(
    code: &[u16],
    registers: &[(usize, u32)],
    limits: &[u64],
    shortcuts: bool,
) -> (Outcome, u32) {
    let options = Options {
        idle_skip: shortcuts,
        ..Options::default()
    };
    let mut machine = Machine::with_cached_code(code, options);
    machine.set(registers);
    machine.bus.due = DUE;
    for &limit in limits {
        machine.cpu.run(&mut machine.bus, limit);
    }
    let CpuStats {
        cycles,
        instructions,
        ..
    } = machine.cpu.stats();
    let memory = (0..64).flat_map(|n| [RAM + 4 * n, STACK_TOP - 256 + 4 * n]);
    let outcome = Outcome {
        registers: (0..16).map(|n| machine.r(n)).collect(),
        xpsr: machine.cpu.xpsr(),
        memory: memory.map(|address| machine.word(address)).collect(),
        loads: machine.bus.loads,
        events: machine.bus.events_at.clone(),
        cycles,
        instructions,
    };
    (outcome, machine.cpu.code.replays.count())
}

/// Compares with and without; gives the number of replays.
#[track_caller]
fn replays(code: &[u16], registers: &[(usize, u32)], limits: &[u64]) -> u32 {
    let (with, replays) = run(code, registers, limits, true);
    let (without, none) = run(code, registers, limits, false);
    assert_eq!(with, without, "{code:04x?}");
    assert_eq!(none, 0);
    replays
}

const LOOP_REGISTERS: [(usize, u32); 3] = [(6, RAM), (7, DEVICE), (4, 0)];

/// A loop around a load of SEQUENCE to r4 and `body`.
fn around(body: &[u16], after: &[u16]) -> Vec<u16> {
    let load = 0x6800 | (device::SEQUENCE as u16 / 4) << 6 | 7 << 3 | 4;
    let back = (body.len() as i32 + 3).wrapping_neg() as u16 & 0x7FF;
    let mut code = vec![load];
    code.extend(body);
    code.push(0xE000 | back);
    code.extend(after);
    code
}

/// push {r4, lr}; mov r0, r4; cmp r0, #1; it eq; moveq r1, #7; lsls r2, r0, #31; adds r3, r0, r1;
/// pop {r4, lr by way of r2}: one function's worth of work on what was loaded.
const WORK: &[u16] = &[
    0xB510, 0x4620, 0x2801, 0xBF08, 0x2107, 0x07C2, 0x1843, 0xBC14, 0x4696,
];

#[test]
fn work_on_a_polled_value_is_replayed_and_comes_out_the_same() {
    let count = replays(&around(WORK, &[]), &LOOP_REGISTERS, &[400_000]);
    assert!(count > 5_000, "{count}");
}

#[test]
fn a_replay_never_reaches_beyond_a_limit_or_an_event() {
    let code = around(WORK, &[]);
    let limits: Vec<u64> = (0..2_000).map(|n| 200_000 + 7 * n).collect();
    assert!(replays(&code, &LOOP_REGISTERS, &limits) > 1_000);
}

#[test]
fn what_changes_from_pass_to_pass_is_not_taken_for_known() {
    // adds r5, #1 and its uses: a counter beside the polled value.
    let body = [WORK, &[0x3501, 0x1968, 0x6030]].concat();
    replays(&around(&body, &[]), &LOOP_REGISTERS, &[400_000]);
    // str r5, [r6]; ldr r0, [r6]; eors r5, r4; and memory that feeds back.
    let body = [WORK, &[0x6035, 0x6830, 0x4065, 0x3501]].concat();
    replays(&around(&body, &[]), &LOOP_REGISTERS, &[400_000]);
}

#[test]
fn a_wait_for_a_status_bit_is_counted_to_the_cycle() {
    // loop: ldr r4, [r7]; push {r5, r6}; ...; pop {r5, r6}; lsls r0, r4, #31; beq loop; b .
    // It stores, so it is no idle loop.
    let code = [
        0x683C, 0xB460, 0x4620, 0x2801, 0x0042, 0x1883, 0x461A, 0x4611, 0x0840, 0x0840, 0xBC60,
        0x07E0, 0xD0F2, 0xE7FE,
    ];
    let registers = [(7, DEVICE + device::STATUS)];
    for limit in [DUE - 10_000, DUE - 10, DUE, DUE + 50, DUE + 10_000] {
        for more in 0..3 {
            let limits = [limit, limit + 13 * more];
            // Replayed until a pass is known, and once more behind each interruption.
            let count = replays(&code, &registers, &limits);
            assert!((2..50).contains(&count), "{count}");
        }
    }
}

#[test]
fn code_that_is_rewritten_is_not_replayed_as_it_was() {
    // The loop in RAM; each pass stores r5's low half over an instruction of its own.
    let base = RAM + 0x100;
    let load = 0x6800 | (device::SEQUENCE as u16 / 4) << 6 | 7 << 3 | 4;
    let mut code = vec![
        load, 0x4620, 0x2801, 0x07C2, 0x1843, 0x461A, 0x4611, 0x2000, 0x2000,
    ];
    code.extend([0x800D | 5 << 3, 0x3501, 0xE7F3]);
    let start = |shortcuts: bool| {
        let options = Options {
            idle_skip: shortcuts,
            ..Options::default()
        };
        let mut machine = Machine::with_cached_code(&[0x4708], options); // bx r1
        machine.bus.memory.program(base, &super::bytes_of(&code));
        // r5 counts from movs r0, #0; r1 is where to store, then.
        machine.set(&[(1, base | 1), (7, DEVICE), (5, base + 14)]);
        machine.cpu.run(&mut machine.bus, 300_000);
        (
            (0..16).map(|n| machine.r(n)).collect::<Vec<_>>(),
            machine.cpu.stats().instructions,
        )
    };
    assert_eq!(start(true), start(false));
}

#[test]
fn a_store_into_what_has_become_code_is_noticed() {
    // The loop pushes r5, `movs r0, #n; bx lr`, and pops it. After many passes the word below the stack is
    // called, r9 sums up what it gives, and r5 becomes the next n.
    let code = [
        0x69BC, 0xB420, 0x4620, 0x2801, 0x0080, 0x4620, 0x0080, 0x4620, 0xBC08, 0x7034, 0x3A01,
        0xD1F3, 0x466B, 0x3B03, 0x4798, 0x4481, 0x3501, 0x22C8, 0xE7EC,
    ];
    let registers = [(2, 5_000), (5, 0x4770_2001), (6, RAM), (7, DEVICE), (9, 0)];
    assert!(replays(&code, &registers, &[70_000]) > 500);
    replays(&code, &registers, &[600_000]);
}

/// One or two halfwords that do something with r0 to r3, the stack's top words or memory at r6.
fn instruction() -> impl Strategy<Value = Vec<u16>> {
    let low = |mask: u16, base: u16| any::<u16>().prop_map(move |a| vec![base | a & mask]);
    prop_oneof![
        5 => low(0x1FFB, 0x0000),
        2 => low(0x1BFF, 0x2000),
        3 => low(0x03FB, 0x4000),
        // str and ldr of r0 to r3 at sp and at r6.
        2 => (0..8u16, 0..4u16, any::<bool>()).prop_map(|(n, r, load)| vec![0x9000 | u16::from(load) << 11 | r << 8 | n]),
        2 => (0..8u16, 0..4u16, any::<bool>()).prop_map(|(n, r, load)| vec![0x6030 | u16::from(load) << 11 | n << 6 | r]),
        // it, with one instruction that sets no flags; a conditional branch over one.
        2 => (0..14u16, 0..4u16, any::<u8>()).prop_map(|(c, r, imm)| vec![0xBF08 | c << 4, 0x2000 | r << 8 | u16::from(imm)]),
        1 => (0..14u16, 0..4u16, any::<u8>()).prop_map(|(c, r, imm)| vec![0xD000 | c << 8, 0x2000 | r << 8 | u16::from(imm)]),
        1 => Just(vec![0x4620]),
        // A wide data-processing instruction.
        3 => (any::<u16>(), any::<u16>()).prop_map(|(a, b)| vec![0xEA00 | a & 0x1F3, b & 0x73F3]),
    ]
}

/// push {some}; instructions; pop {as many}.
fn frame() -> impl Strategy<Value = Vec<u16>> {
    let list = prop::sample::subsequence(vec![0u16, 1, 2, 3], 1..4);
    (
        list,
        prop::collection::vec(instruction(), 4..24),
        any::<bool>(),
    )
        .prop_map(|(list, body, flip)| {
            let bits = |list: &[u16]| list.iter().fold(0, |bits, n| bits | 1 << n);
            let up: Vec<u16> = list.iter().map(|n| 3 - n).collect();
            let mut code = vec![0xB410 | bits(&list)];
            code.extend(body.into_iter().flatten());
            code.push(0xBC10 | bits(if flip { &up } else { &list }));
            code
        })
}

/// Leaves the last two polled values in r1 and r2, flags that follow from the last, and constants in r0 and
/// r3: the same few states come again and again.
const REDUCE: &[u16] = &[0x2005, 0x2303, 0x4611, 0x4622, 0x2C02];

#[test]
fn any_work_comes_out_the_same() {
    let mut runner = TestRunner::deterministic();
    let work = (prop::collection::vec(frame(), 1..3), 1u64..60_000);
    let mut count = 0;
    for _ in 0..600 {
        let (frames, step) = work.new_tree(&mut runner).expect("a program").current();
        let code = around(&[&frames.concat(), REDUCE].concat(), &[]);
        let limits = (1..400).map(|n| 120_000 + n * step);
        let limits: Vec<u64> = limits.take_while(|limit| *limit < 400_000).collect();
        count += replays(&code, &LOOP_REGISTERS, &limits);
    }
    assert!(count > 100_000, "{count}");
}
