//! Whole boards running tiny programs, assembled by hand (the comments give the assembly).

use super::*;
use crate::config::NetworkDevice;
use crate::elf::fixture::{FUNCTION, Fixture, OBJECT};
use crate::soc::limits::ClockViolation;
use crate::time::Span;

const BOOT: u32 = Firmware::BOOT_ADDRESS;
const CODE: u32 = BOOT + 0x100;
const HARD_FAULT: u32 = BOOT + 0x80;

/// `b .`
const FOREVER: [u16; 1] = [0xE7FE];

/// `ldr r0, =address; ldr r1, [r0]; b .`
fn load_from(address: u32) -> Vec<u16> {
    let mut code = vec![0x4801, 0x6801, 0xE7FE, 0xBF00];
    code.extend(halves(address));
    code
}

/// `ldr r0, =address; ldr r1, =value; str r1, [r0]; b .`
fn store_to(address: u32, value: u32) -> Vec<u16> {
    let mut code = vec![0x4801, 0x4902, 0x6001, 0xE7FE];
    code.extend(halves(address));
    code.extend(halves(value));
    code
}

/// Copies `count` words from `from` to `to`, then `b .`:
/// `ldr r0, =from; ldr r1, =to; ldr r2, =count; 1: ldm r0!, {r3}; stm r1!, {r3}; subs r2, #1; bne 1b`
fn copy(from: u32, to: u32, count: u32) -> Vec<u16> {
    let mut code = vec![
        0x4803, 0x4904, 0x4A04, 0xC808, 0xC108, 0x3A01, 0xD1FB, 0xE7FE,
    ];
    for literal in [from, to, count] {
        code.extend(halves(literal));
    }
    code
}

fn halves(word: u32) -> [u16; 2] {
    [word as u16, (word >> 16) as u16]
}

fn bytes(code: &[u16]) -> Vec<u8> {
    code.iter().flat_map(|half| half.to_le_bytes()).collect()
}

/// A vector table whose reset leads to `code`, and a HardFault handler that loops.
fn program(code: &[u16]) -> Fixture {
    let mut vectors = [0; 16];
    vectors[0] = 0x2002_0000;
    vectors[1] = CODE | 1;
    vectors[2..8].fill(HARD_FAULT | 1);
    let vectors: Vec<u8> = vectors.iter().flat_map(|v: &u32| v.to_le_bytes()).collect();
    Fixture::default()
        .segment(BOOT, &vectors)
        .segment(HARD_FAULT, &bytes(&FOREVER))
        .segment(CODE, &bytes(code))
        .symbol("HardFault", HARD_FAULT | 1, 2, FUNCTION)
        .symbol("main", CODE | 1, 2 * code.len() as u32, FUNCTION)
}

fn board(fixture: &Fixture) -> Board {
    Board::new(BoardConfig::default(), &fixture.build()).expect("a firmware")
}

fn ms(ms: u64) -> Instant {
    Instant::ZERO + Span::from_ms(ms)
}

fn ending(code: &[u16]) -> RunError {
    board(&program(code))
        .run_until(ms(1))
        .expect_err("a run that cannot go on")
}

#[test]
fn time_passes_to_the_instant_and_not_an_instruction_further() {
    let mut board = board(&program(&FOREVER));
    for end in [1, 2, 50] {
        assert_eq!(board.run_until(ms(end)), Ok(Stop::TimeReached));
        let late = board.now() - ms(end);
        assert!(late < Span::from_us(1), "{late:?}");
    }
    assert_eq!(
        board.run_until(ms(1)),
        Ok(Stop::TimeReached),
        "time never goes back"
    );
    // HSI runs the core at 64 MHz.
    let cycles = board.stats().cycles;
    assert!((3_200_000..3_200_010).contains(&cycles), "{cycles}");
}

#[test]
fn idle_skip_changes_nothing_but_speed() {
    let outcomes = [true, false].map(|idle_skip| {
        let config = BoardConfig {
            idle_skip,
            ..BoardConfig::default()
        };
        let mut board = Board::new(config, &program(&FOREVER).build()).unwrap();
        board.run_until(ms(3)).unwrap();
        let stats = board.stats();
        (board.now(), stats.cycles, stats.instructions)
    });
    assert_eq!(outcomes[0], outcomes[1]);
}

/// Stores the pairs of address and value, then sends words over SPI1 for ever and polls for the end of
/// each: `ldr r0, =SPI1; ldr r3, =start; 1: str r1, [r0, #0x20]; str r3, [r0]; 2: ldr r4, [r0, #0x14];
/// lsls r4, #19; bpl 2b; b 1b`
fn sending_over_spi1(setup: &[(u32, u32)]) -> Vec<u16> {
    const SPI1: u32 = 0x4001_3000;
    const START: u32 = 0x201;
    let literals: Vec<u32> = (setup.iter())
        .flat_map(|(address, value)| [*address, *value])
        .chain([SPI1, START])
        .collect();
    let body = [0x6201, 0x6003, 0x6944, 0x04E4, 0xD5FC, 0xE7F9];
    let len = (3 * setup.len() + 2 + body.len()).next_multiple_of(2);
    let load = |at: usize, register: u16, literal: usize| {
        let words = (len / 2 + literal) - (at + 2) / 2;
        0x4800 | register << 8 | words as u16
    };
    let mut code = Vec::new();
    for n in 0..setup.len() {
        code.push(load(code.len(), 0, 2 * n));
        code.push(load(code.len(), 1, 2 * n + 1));
        code.push(0x6001);
    }
    code.push(load(code.len(), 0, literals.len() - 2));
    code.push(load(code.len(), 3, literals.len() - 1));
    code.extend(body);
    code.resize(len, 0xBF00);
    code.extend(literals.into_iter().flat_map(halves));
    code
}

#[test]
fn idle_skip_changes_nothing_where_spi1_is_polled() {
    // SPI1's clock, per_ck as its kernel clock; master, SCK at 64 MHz / 256; on.
    let code = sending_over_spi1(&[
        (0x5802_44F0, 1 << 12),
        (0x5802_4450, 4 << 12),
        (0x4001_300C, 1 << 29 | 1 << 26 | 1 << 22),
        (0x4001_3008, 7 << 28 | 0x0007_0007),
        (0x4001_3000, 1),
    ]);
    let stats = [true, false].map(|idle_skip| {
        let config = BoardConfig {
            idle_skip,
            ..BoardConfig::default()
        };
        let mut board = Board::new(config, &program(&code).build()).unwrap();
        board.run_until(ms(20)).unwrap();
        assert_eq!(board.sck_hz(), Some(250_000));
        board.stats()
    });
    let [skipped, executed] = stats;
    // A word is 32 periods of SCK, and what the core needs between two is little beside them.
    assert!((600..=625).contains(&skipped.spi_bytes), "{skipped:?}");
    assert!(skipped.skipped_cycles > skipped.cycles / 2, "{skipped:?}");
    assert_eq!(
        (skipped.cycles, skipped.instructions, skipped.spi_bytes),
        (executed.cycles, executed.instructions, executed.spi_bytes)
    );
}

#[test]
fn an_unmodelled_register_ends_the_run_by_name() {
    let error = ending(&load_from(0x4000_481C));
    assert_eq!(
        error.kind,
        RunErrorKind::UnmodelledRegister {
            block: "USART3",
            offset: 0x1C,
            address: 0x4000_481C
        }
    );
    assert_eq!(error.pc, CODE + 2);
    let text = error.to_string();
    assert!(
        text.starts_with(
            "access to USART3+0x1c (0x4000481c), a register that is not modelled at 0.000000 s"
        ),
        "{text}"
    );
    assert!(text.ends_with("pc 0x08000102 in main+0x2"), "{text}");
}

#[test]
fn a_wild_access_becomes_a_hard_fault_at_its_instruction() {
    let error = ending(&load_from(0x6000_0000));
    let RunErrorKind::HardFault { cause: Some(cause) } = &error.kind else {
        panic!("{error}");
    };
    assert!(cause.contains("address 0x60000000"), "{cause}");
    assert_eq!(error.pc, CODE + 2);
}

#[test]
fn an_undefined_instruction_is_named() {
    // `udf #0xfe`
    let error = ending(&[0xDEFE]);
    assert_eq!(
        error.kind,
        RunErrorKind::UndefinedInstruction { encoding: 0xDEFE }
    );
    assert_eq!(error.pc, CODE);
}

/// A program that goes straight into its panic function.
fn panicking(code: &[u16]) -> Fixture {
    let panic = BOOT + 0x180;
    let mut file = program(&FOREVER).segment(panic, &bytes(code)).symbol(
        "rust_begin_unwind",
        panic | 1,
        2,
        FUNCTION,
    );
    file.segments[0].1[4..8].copy_from_slice(&(panic | 1).to_le_bytes());
    file
}

#[test]
fn a_panic_ends_the_run_whatever_its_handler_does() {
    // `udf #0xfe`, as panic-probe does; `b .`, as panic-halt does.
    for code in [0xDEFE, FOREVER[0]] {
        let error = board(&panicking(&[code])).run_until(ms(1)).unwrap_err();
        assert_eq!(error.kind, RunErrorKind::Panic { message: None });
        assert!(
            error.to_string().contains("rust_begin_unwind+0x0"),
            "{error}"
        );
    }
}

#[test]
fn a_breakpoint_ends_the_run() {
    // `bkpt #3`
    assert_eq!(
        ending(&[0xBE03]).kind,
        RunErrorKind::Breakpoint { value: 3 }
    );
}

#[test]
fn a_reset_request_ends_the_run() {
    // AIRCR: key and SYSRESETREQ.
    assert_eq!(
        ending(&store_to(0xE000_ED0C, 0x05FA_0004)).kind,
        RunErrorKind::ResetRequested
    );
}

#[test]
fn clocks_outside_the_specification_end_the_run() {
    // FLASH_ACR: no wait states at 64 MHz and VOS3.
    let error = ending(&store_to(0x5200_2000, 0));
    assert!(
        matches!(
            error.kind,
            RunErrorKind::ClockViolation(ClockViolation::FlashLatency { needed: 1, .. })
        ),
        "{error}"
    );
}

#[test]
fn accesses_without_a_clock_are_counted() {
    let mut board = board(&program(&load_from(0x5802_0400)));
    board.run_until(ms(1)).unwrap();
    let stats = board.stats();
    assert_eq!(stats.unclocked_accesses, 1);
    assert_eq!(stats.first_unclocked_address, Some(0x5802_0400));
    assert_eq!(stats.peripheral_loads, 1);
}

/// `ldr r0, =0x580244DC; ldr r1, =enable; str r1, [r0]; ldr r0, =address; str r0, [r0]; ldr r2, [r0];
/// b .`, which enables clocks of AHB2 and then stores an address at itself.
fn store_behind_gates(enable: u32, address: u32) -> Vec<u16> {
    let mut code = vec![
        0x4803, 0x4904, 0x6001, 0x4804, 0x6000, 0x6802, 0xE7FE, 0xBF00,
    ];
    for literal in [0x5802_44DC, enable, address] {
        code.extend(halves(literal));
    }
    code
}

#[test]
fn sram1_and_sram2_answer_only_with_their_clocks() {
    for (enable, address, unclocked) in [
        (0, 0x3000_0000, 2),
        (1 << 29, 0x3000_0000, 0),
        (1 << 29, 0x3000_4000, 2),
        (1 << 30, 0x3000_0000, 2),
        (1 << 30, 0x3000_7FFC, 0),
        (0, 0x2400_0000, 0),
    ] {
        let mut board = board(&program(&store_behind_gates(enable, address)));
        board.run_until(ms(1)).unwrap();
        let stats = board.stats();
        assert_eq!(stats.unclocked_accesses, unclocked, "{address:#x}");
        let first = (unclocked > 0).then_some(address);
        assert_eq!(stats.first_unclocked_address, first);
        let value = if unclocked > 0 { 0 } else { address };
        assert_eq!(board.cpu.register(2), value);
        assert_eq!(board.soc.memory().load_u32(address), Some(value));
    }
}

#[test]
fn a_clock_change_in_the_middle_of_a_run_keeps_time() {
    // RCC_CR: HSION, HSIDIV = 8.
    let mut board = board(&program(&store_to(0x5802_4400, 1 | 3 << 3)));
    assert_eq!(board.run_until(ms(10)), Ok(Stop::TimeReached));
    assert!(board.now() - ms(10) < Span::from_us(1));
    let cycles = board.stats().cycles;
    assert!(
        (80_000..80_200).contains(&cycles),
        "{cycles}: 8 MHz all the way but for the start"
    );
}

/// A control block with one message in its ring, copied to RAM by the program.
fn logging(after: &[u16]) -> Fixture {
    const RTT: u32 = 0x2400_0000;
    let mut block = b"SEGGER RTT\0\0\0\0\0\0".to_vec();
    for word in [1, 0, 0, RTT + 48, 16, 3, 0, 0] {
        block.extend(u32::to_le_bytes(word));
    }
    // Message 1 in rzCOBS: its low byte, a map that says "then a zero", the separator.
    block.extend([1, 0x7E, 0, 0]);
    let mut code = copy(BOOT + 0x200, RTT, block.len() as u32 / 4);
    if !after.is_empty() {
        code[7] = after[0];
    }
    program(&code)
        .segment(BOOT + 0x200, &block)
        .symbol("_SEGGER_RTT", RTT, 48, OBJECT)
        .defmt("defmt_error", "on fire", 1)
}

#[test]
fn the_log_is_read_on_a_grid_of_virtual_time() {
    let mut board = board(&logging(&[]));
    board.run_until(ms(9)).unwrap();
    assert_eq!(board.log().lines(), []);
    board.run_until(ms(11)).unwrap();
    let lines = board.log().take_lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].message, "on fire");
    assert_eq!(lines[0].at, ms(10));
    assert_eq!(board.stats().undecodable_log_bytes, 0);
}

#[test]
fn an_early_end_carries_the_log_so_far() {
    // The program ends in `udf` before the probe's first look.
    let error = board(&logging(&[0xDEFE])).run_until(ms(5)).unwrap_err();
    assert_eq!(error.log.len(), 1);
    assert_eq!(error.log[0].to_string(), "ERROR on fire");
}

#[test]
fn a_file_that_is_no_firmware_makes_no_board() {
    let error = Board::new(BoardConfig::default(), b"text").unwrap_err();
    assert_eq!(error.to_string(), "not an ELF file");
}

/// `ldr r0, =address; ldr r1, [r0]; adds r1, #1; str r1, [r0]; b .`
fn count_starts_in(address: u32) -> Vec<u16> {
    let mut code = vec![0x4802, 0x6801, 0x3101, 0x6001, 0xE7FE, 0xBF00];
    code.extend(halves(address));
    code
}

#[test]
fn the_reset_button_starts_the_firmware_anew_while_time_and_sram_go_on() {
    const STARTS: u32 = 0x2000_0000;
    let mut board = board(&program(&count_starts_in(STARTS)));
    board.run_until(ms(2)).unwrap();
    let starts = |board: &mut Board| board.soc.memory().load_u32(STARTS);
    let first = starts(&mut board).unwrap();
    for presses in 1..3 {
        let before = (board.now(), board.stats().instructions);
        board.reset();
        assert_eq!((board.now(), board.stats().instructions), before);
        board.run_until(ms(2 + presses)).unwrap();
        assert_eq!(starts(&mut board), Some(first + presses as u32));
    }
    assert!(board.now() - ms(4) < Span::from_us(1));
}

#[test]
fn the_reset_button_ends_nothing_of_the_clocks_before() {
    // RCC_CR: HSEON, whose start is under way when the button is pressed.
    let mut board = board(&program(&store_to(0x5802_4400, 0x0001_0001)));
    board.run_until(Instant::from_ns(10_000)).unwrap();
    board.reset();
    assert_eq!(board.soc.clocks().core_hz, 64_000_000);
    board.run_until(ms(5)).unwrap();
    let cycles = board.stats().cycles;
    assert!((320_000..320_010).contains(&cycles), "{cycles}");
}

#[test]
fn the_cable_can_be_pulled_and_plugged_in() {
    for jack in [NetworkDevice::Stm32Mac, NetworkDevice::W5500] {
        let config = BoardConfig {
            jack,
            ..BoardConfig::default()
        };
        let mut board = Board::new(config, &program(&FOREVER).build()).unwrap();
        board.run_until(ms(3_000)).unwrap();
        assert!(board.link_mode().is_some(), "{jack:?}");
        board.set_cable(false);
        board.run_until(ms(6_000)).unwrap();
        assert_eq!(board.link_mode(), None, "{jack:?}");
        board.set_cable(true);
        board.run_until(ms(9_000)).unwrap();
        assert!(board.link_mode().is_some(), "{jack:?}");
        board.reset();
        assert_eq!(board.link_mode(), None, "{jack:?}");
        board.run_until(ms(12_000)).unwrap();
        assert!(board.link_mode().is_some(), "{jack:?}");
    }
}
