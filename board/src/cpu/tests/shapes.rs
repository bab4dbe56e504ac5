//! Results do not depend on how code is cut into blocks or a run into parts.

use super::{DEVICE, Machine, RAM, device};
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
    // movs r1, #0; str r1, [r7]; ldr r2, [r6, #4]; bx lr
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

/// Cycles a generated program runs at most.
const END: u64 = 3_000;

/// A small generator of programs: any halfwords, with the frequent groups favoured.
struct Generator(u64);

impl Generator {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    /// Data processing goes to r0 to r3, most transfers have a base from r4 to r6, branches lead back.
    fn program(&mut self) -> Vec<u16> {
        let mut code = Vec::new();
        while code.len() < 40 {
            let (a, b) = (self.next() as u16, self.next() as u16);
            match self.next() % 16 {
                0..=5 => code.push(a & 0x1FFB),
                6 => code.push(0x2000 | a & 0x1BFF),
                7 | 8 => code.push(0x4000 | a & 0x03FB),
                9 | 10 => code.push(0x6000 | a & 0x1FC3 | (4 + b % 3) << 3),
                // IT with any condition and length.
                11 | 12 => code.push(0xBF00 | a & 0xE0 | a & 7 | 8),
                13 => code.extend([0xEA00 | a & 0x1F7, b & 0x73F7]),
                14 => code.push(0xD0F0 | ((a & 0xFF) % 14) << 8 | b & 7),
                _ if b % 8 == 0 => code.extend([0xE800 | a & 0x1FFF, self.next() as u16]),
                _ => code.push(a % 0xE800),
            }
        }
        code
    }

    fn outcome(
        &mut self,
        code: &[u16],
        block_len: usize,
        step: u64,
    ) -> (Vec<u32>, Vec<u32>, CpuStats) {
        let options = Options {
            block_len,
            stop_on_undefined: false,
            idle_skip: step.is_multiple_of(2),
        };
        let mut machine = Machine::with(code, options);
        machine.cpu.enable_fpu();
        machine.bus.due = 150;
        machine.bus.event_raises_line = true;
        machine.cpu.core.nvic.enabled[0] = 1 << 5;
        // The interrupt returns at once, once.
        machine.handler(21, &[0x2000, 0x6038, 0x4770]); // movs r0, #0; str r0, [r7]; bx lr
        for n in 0..13 {
            let place = if n % 3 == 0 {
                super::STACK_TOP
            } else {
                RAM + 0x1000
            };
            machine.set(&[(n, place + 16 * n as u32)]);
        }
        machine.set(&[(7, DEVICE + device::LINE)]);
        let mut limit = step;
        loop {
            match machine.cpu.run(&mut machine.bus, limit.min(END)) {
                Exit::Pause => {}
                Exit::Limit if limit < END => limit += step,
                _ => break,
            }
        }
        let mut state: Vec<u32> = (0..16).map(|n| machine.r(n)).collect();
        state.push(machine.cpu.xpsr());
        state.push(machine.cpu.last_fault().map_or(0, |fault| fault.cfsr));
        state.extend(machine.cpu.fpu().s);
        let memory = (0..256)
            .flat_map(|n| [RAM + 0x1000 + 4 * n, super::STACK_TOP - 512 + 4 * n])
            .map(|address| machine.word(address))
            .collect();
        let stats = CpuStats {
            skipped_passes: 0,
            skipped_cycles: 0,
            ..machine.cpu.stats()
        };
        (state, memory, stats)
    }
}

#[test]
fn any_program_runs_the_same_in_any_shape() {
    let mut generator = Generator(1);
    let mut instructions = 0;
    for round in 0..1_000 {
        let code = generator.program();
        let whole = generator.outcome(&code, 48, 4_000);
        for (block_len, step) in [(1, 4_000), (7, 4_001), (48, 17)] {
            let other = generator.outcome(&code, block_len, step);
            let shape =
                format!("round {round}, blocks of {block_len}, steps of {step}: {code:04x?}");
            assert_eq!(whole.2, other.2, "{shape}");
            assert_eq!(whole.0, other.0, "{shape}");
            assert_eq!(whole.1, other.1, "{shape}");
        }
        instructions += whole.2.instructions;
    }
    assert!(instructions > 20_000, "{instructions}");
}
