//! Loads and stores: addressing, write-back, extension, exclusives, and code that changes.

use super::{CODE, Machine, RAM, STACK_TOP, bytes_of, run};

fn with_memory(code: &[u16], registers: &[(usize, u32)], words: &[(u32, u32)]) -> Machine {
    let mut code = code.to_vec();
    code.push(0xBE00);
    let mut machine = Machine::new(&code);
    machine.set(registers);
    for &(address, value) in words {
        machine.bus.memory.store_u32(address, value);
    }
    machine.run_to_breakpoint();
    machine
}

#[test]
fn single_transfers() {
    let code = &[
        0x57F0, // ldrsb r0, [r6, r7]
        0x5FF1, // ldrsh r1, [r6, r7]
        0xF816, 0x2F01, // ldrb r2, [r6, #1]!
        0xF836, 0x3B02, // ldrh r3, [r6], #2
        0xF846, 0x1C04, // str r1, [r6, #-4]
        0xF806, 0x1027, // strb.w r1, [r6, r7, lsl #2]
    ];
    let machine = with_memory(
        code,
        &[(6, RAM + 0x101), (7, 3)],
        &[(RAM + 0x100, 0x4433_2211), (RAM + 0x104, 0x8877_8695)],
    );
    assert_eq!(machine.r(0), 0xFFFF_FF95);
    assert_eq!(machine.r(1), 0xFFFF_8695);
    assert_eq!(machine.r(2), 0x33);
    assert_eq!(machine.r(3), 0x4433);
    assert_eq!(machine.r(6), RAM + 0x104);
    assert_eq!(machine.word(RAM + 0x100), 0xFFFF_8695);
    assert_eq!(machine.word(RAM + 0x110), 0x95);
}

#[test]
fn multiple_transfers() {
    let code = &[
        0xC00E, // stmia r0!, {r1-r3}
        0xE930, 0x0070, // ldmdb r0!, {r4-r6}
        0xE920, 0x0102, // stmdb.w r0!, {r1, r8}
        0xE890, 0x0204, // ldmia.w r0, {r2, r9}
    ];
    let machine = run(code, &[(0, RAM + 0x40), (1, 11), (2, 22), (3, 33), (8, 88)]);
    assert_eq!([4, 5, 6].map(|n| machine.r(n)), [11, 22, 33]);
    assert_eq!((machine.r(2), machine.r(9)), (11, 88));
    assert_eq!(machine.r(0), RAM + 0x38);
    assert_eq!(machine.word(RAM + 0x38), 11);
}

#[test]
fn the_stack_grows_down_and_pop_branches() {
    // push {r0-r3, lr}; pop {r4-r7, pc}; then at the target: bkpt 7
    let mut machine = Machine::new(&[0xB50F, 0xBDF0, 0xBE00, 0xBE07]);
    machine.set(&[(0, 1), (1, 2), (2, 3), (3, 4), (14, CODE + 7)]);
    assert_eq!(machine.run_to_breakpoint(), 7);
    assert_eq!([4, 5, 6, 7].map(|n| machine.r(n)), [1, 2, 3, 4]);
    assert_eq!(machine.r(13), STACK_TOP);
    assert_eq!(machine.word(STACK_TOP - 4), CODE + 7);
    assert_eq!(machine.word(STACK_TOP - 20), 1);
}

#[test]
fn dual_transfers() {
    let code = &[
        0xE9D2, 0x0102, // ldrd r0, r1, [r2, #8]
        0xE862, 0x0102, // strd r0, r1, [r2], #-8
        0xE9F2, 0x3402, // ldrd r3, r4, [r2, #8]!
    ];
    let machine = with_memory(code, &[(2, RAM)], &[(RAM + 8, 5), (RAM + 12, 6)]);
    assert_eq!([0, 1, 3, 4].map(|n| machine.r(n)), [5, 6, 5, 6]);
    assert_eq!(machine.r(2), RAM);
}

#[test]
fn an_exclusive_store_succeeds_once() {
    let code = &[
        0xE856, 0x0F00, // ldrex r0, [r6]
        0xE846, 0x0100, // strex r1, r0, [r6]
        0xE846, 0x0200, // strex r2, r0, [r6]
        0xE856, 0x0F00, // ldrex r0, [r6]
        0xF3BF, 0x8F2F, // clrex
        0xE846, 0x0300, // strex r3, r0, [r6]
    ];
    let machine = with_memory(code, &[(6, RAM), (1, 9), (2, 9), (3, 9)], &[(RAM, 77)]);
    assert_eq!([0, 1, 2, 3].map(|n| machine.r(n)), [77, 0, 1, 1]);
}

#[test]
fn literals_and_table_branches() {
    // ldr r0, [pc, #4]; ldr.w r1, [pc, #-4]; b over; .word 0x12345678
    let code = &[0x4801, 0xF85F, 0x1004, 0xE001, 0x5678, 0x1234];
    let machine = run(code, &[]);
    assert_eq!(machine.r(0), 0x1234_5678);
    assert_eq!(machine.r(1), 0xF85F_4801);
    // tbb [pc, r0]; .byte 2, 4; ...
    let code = &[
        0xE8DF, 0xF000, 0x0402, 0xE003, 0x2101, 0xBE01, 0x2102, 0xBE02,
    ];
    for (index, breakpoint) in [(0, 1), (1, 2)] {
        let mut machine = Machine::new(code);
        machine.set(&[(0, index)]);
        assert_eq!(machine.run_to_breakpoint(), breakpoint);
        assert_eq!(machine.r(1), u32::from(breakpoint));
    }
}

#[test]
fn code_in_ram_that_is_rewritten_runs_as_rewritten() {
    // In RAM: bx lr's neighbour "movs r0, #1; bx lr" is called, rewritten to "movs r0, #2", called.
    let code = &[
        0x4788, // blx r1
        0x4602, // mov r2, r0
        0x8033, // strh r3, [r6, #0]
        0x4788, // blx r1
    ];
    let mut machine = Machine::new(&[code.as_slice(), &[0xBE00]].concat());
    machine
        .bus
        .memory
        .program(RAM, &bytes_of(&[0x2001, 0x4770]));
    machine.set(&[(1, RAM + 1), (3, 0x2002), (6, RAM)]);
    machine.run_to_breakpoint();
    assert_eq!((machine.r(2), machine.r(0)), (1, 2));
}

#[test]
fn floating_point_registers_go_to_the_stack_and_back() {
    // vpush {d8-d9}; vmov s16, r0; vpop {d8-d9}; vmov r1, s16
    let code = &[
        0xED2D, 0x8B04, 0xEE08, 0x0A10, 0xECBD, 0x8B04, 0xEE18, 0x1A10, 0xBE00,
    ];
    let mut machine = Machine::new(code);
    machine.cpu.enable_fpu();
    machine.cpu.fpu_mut().s[16] = 0x1111;
    machine.cpu.fpu_mut().s[19] = 0x4444;
    machine.run_to_breakpoint();
    assert_eq!(machine.r(1), 0x1111);
    assert_eq!(machine.r(13), STACK_TOP);
    assert_eq!(machine.word(STACK_TOP - 4), 0x4444);
}

#[test]
fn memory_costs_what_its_region_says() {
    let ldr = &[0x6801, 0x6801]; // ldr r1, [r0], twice
    let cycles = |base| run(ldr, &[(0, base)]).cpu.cycle();
    // Seven HCLK periods of two core cycles, twice, against none in DTCM.
    assert_eq!(cycles(RAM) - cycles(0x2000_0000), 28);
}

#[test]
fn uncached_code_pays_for_each_unit_of_eight_bytes_once() {
    // Two wide moves from an aligned address to a unit of two HCLK periods of two cycles; the third unit
    // begins with the breakpoint. The moves execute while the next unit is fetched.
    let machine = run(
        &[
            0xF04F, 0x0001, 0xF04F, 0x0001, 0xF04F, 0x0001, 0xF04F, 0x0001,
        ],
        &[],
    );
    assert_eq!(machine.cpu.cycle(), 3 * 4 + 2);
}

#[test]
fn code_is_fetched_while_the_core_waits_for_data() {
    // Two loads, four wide moves, the breakpoint: the loads take longer than two units, so those are there
    // when they are wanted, and the third two cycles after them.
    let wide = [0xF04F, 0x0001];
    let code = [&[0x6801, 0x6801, 0x2001, 0x2001][..], &[wide; 4].concat()].concat();
    let machine = run(&code, &[(0, RAM)]);
    assert_eq!(machine.cpu.cycle(), 4 + 2 * (1 + 14) + 2 + 4 + 2);
}

#[test]
fn one_instruction_loads_further_words_for_less() {
    let cycles = |code: u16| run(&[code, code], &[(0, RAM)]).cpu.cycle();
    // ldm r0!, {r1-r4} against ldr r1, [r0], twice: three registers more, in two beats of an HCLK period.
    assert_eq!(cycles(0xC81E) - cycles(0x6801), 2 * (3 + 2 * 2));
}
