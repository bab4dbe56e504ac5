//! Emulated instructions a second on three small programs: `cargo bench -p board --bench core`.

use std::time::Instant;

use board::bus::MemoryOnly;
use board::cost::CostTable;
use board::cpu::{Cpu, Exit, Options};

const CODE: u32 = 0x0800_0400;
const ROUNDS: u32 = 50_000_000;

/// Registers only: a xorshift generator.
const COMPUTE: &[u16] = &[
    0xEA80, 0x3040, 0xEA80, 0x4050, 0xEA80, 0x1040, 0x1809, 0xF3C0, 0x02C8, 0x3301, 0x3C01, 0xD1F3,
    0xE7FE,
];

/// A byte copy with post-indexed accesses whose pointers wrap every 4 KB.
const COPY: &[u16] = &[
    0xF811, 0x3B01, 0xF800, 0x3B01, 0xF36F, 0x310E, 0xF36F, 0x300E, 0x3C01, 0xD1F5, 0xE7FE,
];

/// A call whose callee saves registers, loads, stores and branches.
const CALLS: &[u16] = &[
    0x4620, 0xF000, 0xF805, 0x182D, 0x3C01, 0xD1F9, 0xE7FE, 0xBF00, 0xB570, 0x683C, 0x687D, 0x42AC,
    0xBF38, 0x60BD, 0x7B3E, 0xB106, 0x3001, 0xE9D7, 0x5604, 0x1940, 0x00B6, 0x61B8, 0x83BE, 0xBD70,
];

fn measure(name: &str, code: &[u16]) {
    let mut bus = MemoryOnly::default();
    let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
    bus.memory
        .program(0x0800_0000, &0x2001_0000u32.to_le_bytes());
    bus.memory.program(0x0800_0004, &(CODE | 1).to_le_bytes());
    bus.memory.program(CODE, &bytes);
    let options = Options {
        idle_skip: false,
        ..Options::default()
    };
    let mut cpu = Cpu::new(CostTable::default(), options);
    cpu.reset(&mut bus, 0x0800_0000);
    for (register, value) in [
        (0, 0x2400_0000),
        (1, 0x2400_8000),
        (2, 0x2545_F491),
        (4, ROUNDS),
        (7, 0x2400_0100),
    ] {
        cpu.set_register(register, value);
    }
    let started = Instant::now();
    let exit = cpu.run(&mut bus, 1_000_000_000);
    assert_eq!(exit, Exit::Limit);
    let millions = cpu.instructions() as f64 / 1e6;
    let rate = millions / started.elapsed().as_secs_f64();
    println!("{name:8} {rate:7.1} million instructions/s");
}

fn main() {
    measure("compute", COMPUTE);
    measure("copy", COPY);
    measure("calls", CALLS);
}
