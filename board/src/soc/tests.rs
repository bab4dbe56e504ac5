//! The part as the core sees it.

use crate::bus::{AccessError, Bus, Width};
use crate::irq::line;
use crate::soc::SocConfig;
use crate::soc::testbed::{PWR, RCC, Testbed};
use crate::time::{Instant, Span};

const AHB4ENR: u32 = RCC + 0xE0;
const APB4ENR: u32 = RCC + 0xF4;
const SYSCFG: u32 = 0x5800_0400;
const EXTI: u32 = 0x5800_0000;
const GPIOB: u32 = 0x5802_0400;
const GPIOC: u32 = 0x5802_0800;
const GPIOG: u32 = 0x5802_1800;
const PORT_G: usize = 6;

#[test]
fn wild_accesses_fault_and_unmodelled_registers_are_named() {
    let mut testbed = Testbed::default();
    assert_eq!(testbed.try_load(0x4FFF_0000), Err(AccessError::Fault));
    assert_eq!(
        testbed.soc.store(0xA000_0000, Width::Word, 1, 0),
        Err(AccessError::Fault)
    );
    for (address, block, offset) in [
        (RCC + 0x200, "RCC", 0x200),
        (0x5200_200C, "FLASH", 0x0C),
        (PWR + 0x30, "PWR", 0x30),
        (0x4802_1808, "RNG", 0x08),
        (0x5C00_1FC0 - 0xF00, "DBGMCU", 0xC0),
    ] {
        assert_eq!(
            testbed.try_load(address),
            Err(AccessError::Unmodelled { block, offset })
        );
    }
}

#[test]
fn a_peripheral_without_its_clock_reads_zero_and_is_reported() {
    let mut testbed = Testbed::default();
    testbed.store(GPIOB + 0x14, 1);
    assert_eq!(testbed.load(GPIOB), 0);
    let stats = testbed.soc.access_stats();
    assert_eq!((stats.loads, stats.stores), (1, 1));
    assert_eq!(stats.unclocked, 2);
    assert_eq!(stats.first_unclocked, Some(GPIOB + 0x14));

    testbed.modify(AHB4ENR, 0, 1 << 1);
    assert_eq!(testbed.load(GPIOB), 0xFFFF_FEBF);
    assert_eq!(testbed.load(GPIOB + 0x14), 0, "the store went nowhere");
    assert_eq!(testbed.soc.access_stats().unclocked, 2);
}

#[test]
fn pins_show_what_drives_them() {
    let mut testbed = Testbed::default();
    testbed.modify(AHB4ENR, 0, 1 << 1 | 1 << 2);
    // PB0 and PB14 as outputs, set through BSRR; a byte store sets PB14's neighbour PB15 in ODR.
    testbed.modify(GPIOB, 3 | 3 << 28 | 3 << 30, 1 | 1 << 28 | 1 << 30);
    testbed.store(GPIOB + 0x18, 1 << 0 | 1 << 14);
    // PB4 shows its pull-up: it is NJTRST after reset.
    assert_eq!(testbed.load(GPIOB + 0x10), 0x4011);
    testbed.store(GPIOB + 0x18, 1 << 16);
    assert_eq!(testbed.load(GPIOB + 0x10), 0x4010);
    let cycle = testbed.cycle;
    testbed
        .soc
        .store(GPIOB + 0x15, Width::Byte, 0x80, cycle)
        .unwrap();
    assert_eq!(testbed.load(GPIOB + 0x10), 0x8010);

    // PC13 is the button, which pulls low against the pull-up; PC0 floats to its pull-up.
    testbed.store(GPIOC, 0);
    testbed.store(GPIOC + 0x0C, 1 | 1 << 26);
    assert_eq!(testbed.load(GPIOC + 0x10), 1);
    testbed.soc.drive_pin(2, 13, Some(true), Instant::ZERO);
    assert_eq!(testbed.load(GPIOC + 0x10), 1 | 1 << 13);
}

#[test]
fn edges_reach_the_interrupt_line_through_the_selected_port() {
    let mut testbed = Testbed::default();
    testbed.modify(AHB4ENR, 0, 1 << 6);
    testbed.modify(APB4ENR, 0, 1 << 1);
    // PG14: input; EXTI14 from port G, falling edge.
    testbed.modify(GPIOG, 3 << 28, 0);
    testbed.soc.drive_pin(PORT_G, 14, Some(true), Instant::ZERO);
    testbed.store(EXTI + 0x04, 1 << 14);
    testbed.modify(EXTI + 0x80, 0, 1 << 14);
    testbed
        .soc
        .drive_pin(PORT_G, 14, Some(false), Instant::ZERO);
    assert!(
        !testbed.line(line::exti(14)),
        "EXTI14 still belongs to port A"
    );

    testbed.soc.drive_pin(PORT_G, 14, Some(true), Instant::ZERO);
    testbed.store(SYSCFG + 0x14, (PORT_G as u32) << 8);
    testbed
        .soc
        .drive_pin(PORT_G, 14, Some(false), Instant::ZERO);
    assert!(testbed.line(line::exti(14)));
    assert_eq!(testbed.load(EXTI + 0x88), 1 << 14);
    testbed.store(EXTI + 0x88, 1 << 14);
    assert!(!testbed.line(line::exti(14)));
    testbed.soc.drive_pin(PORT_G, 14, Some(true), Instant::ZERO);
    assert!(
        !testbed.line(line::exti(14)),
        "rising edges are not selected"
    );
}

#[test]
fn the_supply_takes_time_to_settle() {
    let mut testbed = Testbed::default();
    assert_eq!(testbed.load(PWR + 0x18), 1 << 14 | 1 << 13, "VOS3, ready");
    assert_eq!(
        testbed.load(PWR + 0x04) >> 13 & 1,
        0,
        "supply not configured"
    );
    testbed.store(PWR + 0x0C, 0x02);
    testbed.wait_for(PWR + 0x04, 1 << 13);
    assert_eq!(testbed.now(), Instant::from_ns(40_000));
    testbed.store(PWR + 0x0C, 0x04);
    assert_eq!(testbed.load(PWR + 0x0C), 0x02, "written once");

    testbed.store(PWR + 0x18, 0);
    assert_eq!(testbed.load(PWR + 0x18), 0);
    testbed.wait_for(PWR + 0x18, 1 << 13);
    assert_eq!(testbed.now(), Instant::from_ns(80_000));
    assert_eq!(testbed.load(PWR + 0x04) >> 14, 0, "ACTVOS shows VOS0");
}

#[test]
fn the_compensation_cell_needs_csi() {
    const CCCSR: u32 = SYSCFG + 0x20;
    let mut testbed = Testbed::default();
    testbed.modify(APB4ENR, 0, 1 << 1);
    testbed.store(CCCSR, 1);
    assert!(testbed.is_at_rest());
    testbed.modify(RCC, 0, 1 << 7);
    testbed.wait_for(CCCSR, 1 << 8);
    assert_eq!(testbed.now(), Instant::from_ns(1_000) + Span::from_us(5));
}

#[test]
fn identification_is_the_h723s() {
    let mut testbed = Testbed::new(SocConfig {
        cpu_freq_boost: true,
        ..SocConfig::default()
    });
    assert_eq!(testbed.load(0x5C00_1000) & 0xFFF, 0x483);
    testbed.modify(APB4ENR, 0, 1 << 1);
    assert_eq!(testbed.load(SYSCFG + 0x348), 1);
    assert_eq!(
        testbed.soc.memory().slice(0x1FF1_E800, 12),
        Some(&b"EMULATEDH723"[..])
    );
}

#[test]
fn slower_buses_take_longer() {
    let mut testbed = Testbed::default();
    testbed.store(RCC + 0x1C, 4 << 4);
    testbed.modify(RCC + 0xE8, 0, 1);
    assert_eq!(testbed.try_load(RCC).unwrap().cycles, 7);
    assert_eq!(testbed.try_load(0x4000_0000).unwrap().cycles, 7 + 4);
}
