//! SPI1 with the W5500 behind it, driven as drivers do.

pub mod master;

use master::{CSTART, Master, SPE, SPI1, SR, TXDR};

use crate::bus::{AccessError, Bus, Width};
use crate::irq::line;
use crate::soc::testbed::RCC;
use crate::time::Instant;

const VERSION: [u8; 4] = [0x00, 0x39, 0x00, 0x00];

const RXP: u32 = 1 << 0;
const TXP: u32 = 1 << 1;
const EOT: u32 = 1 << 3;
const TXTF: u32 = 1 << 4;
const OVR: u32 = 1 << 6;
const MODF: u32 = 1 << 9;
const TXC: u32 = 1 << 12;

/// Core cycles at the testbed's clocks (core and kernel 64 MHz, SCK 8 MHz) that a byte takes, and the
/// delays before and behind it.
const FRAME: u64 = 64;
const START: u64 = 2;
const SEEN: u64 = 2;

#[test]
fn the_chip_answers_through_spi1() {
    let mut master = Master::ready();
    assert_eq!(master.transaction(&VERSION)[3], 0x04);
    assert_eq!(master.bed.soc.sck_hz(), Some(8_000_000));
    assert_eq!(master.bed.soc.spi_bytes(), 4);
    // SHAR takes what is written.
    master.transaction(&[0x00, 0x09, 0x04, 2, 0, 0, 0, 0x72, 1]);
    let answer = master.transaction(&[0x00, 0x09, 0x00, 0, 0, 0, 0, 0, 0]);
    assert_eq!(answer[3..], [2, 0, 0, 0, 0x72, 1]);
}

#[test]
fn nothing_reaches_the_chip_without_its_chip_select_or_with_a_pin_not_switched_to_spi1() {
    let mut master = Master::ready();
    master.open();
    let deselected = master.bed.soc.w5500().counters();
    assert_eq!(master.exchange(&VERSION), [0xFF; 4]);

    // PD14 low, yet as an input.
    master.select(true);
    master.bed.modify(0x5802_0C00, 0b11 << 28, 0);
    assert_eq!(master.exchange(&VERSION), [0xFF; 4]);
    master.bed.modify(0x5802_0C00, 0, 0b01 << 28);

    // MOSI as alternate function 6.
    master.select(true);
    master.bed.modify(0x5802_0420, 0xF << 20, 6 << 20);
    assert_eq!(master.exchange(&VERSION), [0; 4]);
    master.select(false);
    assert_eq!(master.bed.soc.w5500().counters(), deselected);
    assert_eq!(master.bed.soc.w5500().traffic().entries().count(), 0);
}

#[test]
fn a_byte_takes_eight_periods_and_the_delays_of_both_domains() {
    let mut master = Master::ready();
    master.open();
    master.select(true);
    let mut cycles = Vec::new();
    for byte in VERSION {
        master.write_byte(byte);
        master.bed.modify(SPI1, 0, CSTART);
        let written = master.bed.cycle;
        cycles.push(master.wait_cycle_by_cycle(RXP) - written);
        master.read_byte();
    }
    assert_eq!(cycles, [START + FRAME + SEEN; 4]);
}

#[test]
fn bytes_in_the_fifo_follow_each_other_without_a_gap() {
    let mut master = Master::ready();
    master.open();
    master.select(true);
    for byte in VERSION {
        master.write_byte(byte);
    }
    assert_eq!(master.status() & TXC, 0, "bytes wait for CSTART");
    master.bed.modify(SPI1, 0, CSTART);
    let started = master.bed.cycle;
    let seen: Vec<u64> = (0..4)
        .map(|_| {
            let at = master.wait_cycle_by_cycle(RXP) - started;
            if at < 4 * FRAME {
                assert_eq!(master.status() & TXC, 0);
            }
            master.read_byte();
            at
        })
        .collect();
    let expected = [1, 2, 3, 4].map(|n| START + n * FRAME + SEEN);
    assert_eq!(seen, expected);
    assert_ne!(master.status() & TXC, 0, "with the last byte");
}

#[test]
fn the_transmit_fifo_holds_sixteen_bytes() {
    let mut master = Master::ready();
    master.open();
    for n in 0..16 {
        assert_ne!(master.status() & TXP, 0, "{n}");
        master.write_byte(n);
    }
    assert_eq!(master.status() & TXP, 0);
    // The first goes into the shift register; after four more a word fits, and a byte.
    master.bed.modify(SPI1, 0, CSTART);
    assert_ne!(master.status() & TXP, 0);
    master.pass(START + 4 * FRAME);
    master.bed.store(TXDR, 0x0403_0201);
    assert_ne!(master.status() & TXP, 0);
    master.write_byte(5);
    assert_eq!(master.status() & TXP, 0);
}

#[test]
fn a_long_write_overruns_and_switching_off_forgets_it() {
    let mut master = Master::ready();
    master.open();
    master.select(true);
    master.write(&[0; 16]);
    assert_eq!(master.status() & OVR, 0);
    master.select(false);
    master.select(true);
    master.write(&[0; 17]);
    assert_ne!(master.status() & OVR, 0);
    assert_eq!(
        master.status() >> 13 & 0b111,
        0b100,
        "sixteen bytes, packed"
    );
    master.select(false);
    assert_eq!(master.transaction(&VERSION)[3], 0x04);
    assert_eq!(master.status() & OVR, 0);
}

#[test]
fn an_overrun_can_be_cleared_by_its_flag_too() {
    let mut master = Master::ready();
    master.open();
    master.write(&[0; 20]);
    for _ in 0..4 {
        master.bed.load(SPI1 + 0x30);
    }
    assert_eq!(master.status() & (OVR | RXP), OVR);
    master.bed.store(SPI1 + 0x18, OVR);
    assert_eq!(master.status() & OVR, 0);
}

#[test]
fn a_receiver_clocks_as_many_frames_as_its_size_says() {
    let mut master = Master::ready();
    master.open();
    master.select(true);
    master.write(&VERSION[..3]);
    master.bed.modify(SPI1, SPE, 0);
    master.bed.modify(SPI1 + 0x0C, 0, 0b10 << 17);
    master.bed.store(SPI1 + 0x04, 3);
    master.bed.store(SPI1 + 0x10, EOT);
    master.bed.modify(SPI1, 0, SPE);
    assert_eq!(master.status() >> 16, 3);
    master.bed.modify(SPI1, 0, CSTART);
    let started = master.bed.cycle;
    let end = started + START + 3 * FRAME + SEEN;
    // The interrupt needs nobody to look.
    while master.bed.soc.next_event_cycle() < end {
        assert!(!master.bed.line(line::SPI1));
        master.bed.step();
    }
    master.bed.step();
    assert_eq!(master.bed.cycle, end);
    assert!(master.bed.line(line::SPI1));
    assert_eq!(master.status() & (EOT | RXP), EOT | RXP);
    assert_eq!(master.status() >> 16, 0);
    assert_eq!(master.bed.load(SPI1) & CSTART, 0);
    assert_eq!(master.read_byte(), 0x04);
    master.bed.store(SPI1 + 0x18, EOT);
    assert_eq!(master.status() & EOT, 0);
    assert!(master.bed.line(line::SPI1), "TXC still asks");
}

#[test]
fn a_size_limits_what_a_full_duplex_master_takes() {
    let mut master = Master::ready();
    master.open();
    master.bed.modify(SPI1, SPE, 0);
    master.bed.store(SPI1 + 0x04, 2);
    master.bed.modify(SPI1, 0, SPE);
    for n in 0..3 {
        master.write_byte(n);
    }
    assert_eq!(master.status() & (TXTF | TXP), TXTF);
    master.bed.modify(SPI1, 0, CSTART);
    master.pass(10 * FRAME);
    assert_ne!(master.status() & EOT, 0);
    assert_eq!(master.bed.soc.spi_bytes(), 2);
}

#[test]
fn pins_that_float_between_operations_give_the_chip_a_stray_clock() {
    for (always_driven, stray) in [(true, 0), (false, 1)] {
        let mut master = Master::ready();
        master.open();
        if !always_driven {
            master.bed.modify(SPI1, SPE, 0);
            master.bed.modify(SPI1 + 0x0C, 1 << 31, 0);
            master.bed.modify(SPI1, 0, SPE);
        }
        master.select(true);
        master.write(&VERSION[..3]);
        // What every operation of embassy-stm32 begins with.
        master.bed.modify(SPI1, SPE, 0);
        master.bed.modify(SPI1, 0, SPE);
        let answer = master.exchange(&[0])[0];
        master.select(false);
        let counters = master.bed.soc.w5500().counters();
        assert_eq!(counters.stray_clocks, stray);
        assert_eq!(counters.misaligned_transactions, stray);
        assert_eq!(answer == 0x04, always_driven);
    }
}

#[test]
fn polling_becomes_an_event_that_comes_with_the_change() {
    let mut master = Master::ready();
    master.open();
    // What the board does anyway lies far away.
    let quiet = master.bed.soc.next_event_cycle();
    master.write_byte(0x55);
    master.bed.modify(SPI1, 0, CSTART);
    let started = master.bed.cycle;
    let mut stable = Vec::new();
    for _ in 0..6 {
        stable.push(master.load_status().stable);
        assert_eq!(
            stable.ends_with(&[true]),
            master.bed.soc.next_event_cycle() < quiet
        );
        master.bed.cycle += 1;
    }
    assert!(stable[5] && !stable[0], "{stable:?}");
    master.bed.step();
    assert_eq!(
        master.bed.cycle,
        started + START + FRAME,
        "the byte is through"
    );
    assert_eq!(master.status() & RXP, 0);
    master.bed.step();
    assert_eq!(master.bed.cycle, started + START + FRAME + SEEN);
    assert_ne!(master.status() & RXP, 0);
    assert_eq!(
        master.bed.soc.next_event_cycle(),
        quiet,
        "nothing more will change"
    );
    assert!(
        !master.load_status().stable,
        "the first look at this status"
    );
}

#[test]
fn a_chip_select_input_that_is_active_turns_the_master_off() {
    let mut master = Master::ready();
    master.open();
    master.bed.modify(SPI1, SPE, 0);
    // No SSOE: SSM with SSI low.
    master.bed.modify(SPI1 + 0x0C, 1 << 29, 0);
    master.bed.modify(SPI1, 0, SPE);
    assert_eq!(master.bed.load(SPI1) & SPE, 0);
    assert_ne!(master.status() & MODF, 0);
    assert_eq!(master.bed.load(SPI1 + 0x0C) & 1 << 22, 0, "MASTER");
    master.bed.store(SPI1 + 0x18, MODF);
    // With SSI high it is nobody's fault.
    master.bed.modify(SPI1 + 0x0C, 0, 1 << 22);
    master.bed.modify(SPI1, 0, 1 << 12);
    master.bed.modify(SPI1, 0, SPE);
    assert_eq!(master.status() & MODF, 0);
    assert_ne!(master.bed.load(SPI1) & SPE, 0);
}

#[test]
fn settings_are_locked_while_the_block_is_on() {
    let mut master = Master::ready();
    master.open();
    for (offset, value) in [(0x04, 5), (0x08, 0x1007_0007), (0x0C, 0)] {
        let before = master.bed.load(SPI1 + offset);
        master.bed.store(SPI1 + offset, value);
        assert_eq!(master.bed.load(SPI1 + offset), before, "{offset:#x}");
    }
    master.bed.modify(SPI1 + 0x08, 0, 0b11 << 14);
    assert_eq!(
        master.bed.load(SPI1 + 0x08) >> 14 & 0b11,
        0b11,
        "DMA requests are not"
    );
}

#[test]
fn the_kernel_clock_is_the_one_that_rcc_selects() {
    // SPI123SEL: PLL1_Q is off, PLL2_P is off, PLL3_P is off, nothing drives I2S_CKIN, per_ck is HSI.
    for (selected, hz) in [
        (0, None),
        (1, None),
        (2, None),
        (3, None),
        (4, Some(32_000_000)),
    ] {
        let mut master = Master::ready();
        master.bed.store(RCC + 0x50, selected << 12);
        master.open_divided(0);
        master.write_byte(0);
        master.bed.modify(SPI1, 0, CSTART);
        master.pass(1_000);
        assert_eq!(master.bed.soc.sck_hz(), hz, "{selected}");
        assert_eq!(master.status() & TXC != 0, hz.is_some());
    }
}

#[test]
fn what_is_not_modelled_is_refused_by_name() {
    let refused = |setup: &[(u32, u32)]| {
        let mut master = Master::ready();
        let (last, before) = setup.split_last().unwrap();
        for (offset, value) in before {
            master.bed.store(SPI1 + offset, *value);
        }
        let (offset, value) = *last;
        let cycle = master.bed.cycle;
        let stored = master
            .bed
            .soc
            .store(SPI1 + offset, Width::Word, value, cycle);
        let block = "SPI1";
        assert_eq!(
            stored,
            Err(AccessError::Unmodelled { block, offset }),
            "{setup:x?}"
        );
    };
    const MASTER: u32 = 1 << 22 | 1 << 26 | 1 << 29;
    refused(&[(0x0C, 1 << 26), (0x00, SPE)]); // slave
    refused(&[(0x0C, 1 << 22), (0x00, SPE)]); // chip select input on a pin
    refused(&[(0x0C, MASTER | 0b11 << 17), (0x00, SPE)]); // half duplex
    refused(&[(0x0C, MASTER), (0x08, 0x0007_000F), (0x00, SPE)]); // 16 bits
    refused(&[(0x0C, MASTER | 0b11 << 24)]); // mode 3
    refused(&[(0x08, 1 << 22 | 0x0007_0007)]); // CRC
    refused(&[(0x50, 1)]); // I2S
    refused(&[
        (0x0C, MASTER | 0b10 << 17),
        (0x00, SPE),
        (0x00, SPE | CSTART),
    ]); // endless receiver
}

#[test]
fn a_reset_by_rcc_ends_everything() {
    let mut master = Master::ready();
    master.open();
    master.write_byte(1);
    master.bed.modify(SPI1, 0, CSTART);
    master.bed.modify(RCC + 0x98, 0, 1 << 12);
    master.bed.modify(RCC + 0x98, 1 << 12, 0);
    assert_eq!(master.bed.load(SPI1), 0);
    assert_eq!(master.bed.load(SR), TXP | TXC);
    master.pass(1_000);
    master.status();
    assert_eq!(master.bed.soc.spi_bytes(), 0);
}

#[test]
fn the_chip_pulls_its_interrupt_pin_after_power_on_only_when_it_asks() {
    let mut master = Master::ready();
    let pin = |master: &mut Master| master.bed.load(0x5802_1810) >> 14 & 1;
    // PG14 as an input.
    master.bed.modify(0x5802_1800, 0b11 << 28, 0);
    assert_eq!(pin(&mut master), 1);
    assert!(master.bed.now() > Instant::ZERO);
}
