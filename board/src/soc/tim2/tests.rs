//! TIM2 as embassy's time driver and HALs use it, on the running clock tree.

use crate::bus::{AccessError, Bus, Width};
use crate::irq::line;
use crate::soc::testbed::{MHZ_400, RCC, Testbed};
use crate::time::{Instant, Span};

const TIM2: u32 = 0x4000_0000;
const CR1: u32 = TIM2;
const DIER: u32 = TIM2 + 0x0C;
const SR: u32 = TIM2 + 0x10;
const EGR: u32 = TIM2 + 0x14;
const CCMR1: u32 = TIM2 + 0x18;
const CNT: u32 = TIM2 + 0x24;
const PSC: u32 = TIM2 + 0x28;
const ARR: u32 = TIM2 + 0x2C;
const CCR1: u32 = TIM2 + 0x34;
const CCR2: u32 = TIM2 + 0x38;

/// Full speed, TIM2 clocked and counting microseconds up to `reload`.
fn microseconds(reload: u32) -> (Testbed, Instant) {
    let mut testbed = Testbed::default();
    testbed.program(MHZ_400);
    testbed.modify(RCC + 0xE8, 0, 1);
    testbed.store(PSC, 199);
    testbed.store(ARR, reload);
    testbed.store(CR1, 1 << 2);
    testbed.store(EGR, 1);
    testbed.store(CR1, 0);
    // Somewhere on the grid of core cycles, away from round figures.
    testbed.cycle += 12_345;
    let start = testbed.now();
    testbed.store(CR1, 1);
    (testbed, start)
}

#[test]
fn the_update_by_software_loads_the_prescaler_without_a_flag() {
    let (mut testbed, _) = microseconds(0xFFFF);
    assert_eq!(testbed.load(SR) & 1, 0);
}

#[test]
fn compare_interrupts_come_at_their_instant() {
    let (mut testbed, start) = microseconds(0xFFFF);
    testbed.store(CCR2, 1_234);
    testbed.store(DIER, 1 << 2);
    let due = start + Span::from_us(1_234);
    testbed.cycle = testbed.soc.cycle_at(due) - 1;
    testbed.soc.run_events(testbed.cycle);
    assert!(!testbed.line(line::TIM2));
    assert_eq!(testbed.load(CNT), 1_233);
    testbed.run_to(due);
    assert!(testbed.line(line::TIM2));
    assert_eq!(testbed.load(CNT), 1_234);
    assert_eq!(testbed.load(SR) & 1 << 2, 1 << 2);
    testbed.store(SR, !(1 << 2));
    assert!(!testbed.line(line::TIM2));
}

#[test]
fn overflows_come_every_period() {
    let (mut testbed, start) = microseconds(0xFFFF);
    testbed.store(DIER, 1);
    for overflow in 1..=3 {
        let due = start + Span::from_us(overflow * 0x1_0000);
        testbed.run_to(Instant::from_ps(due.as_ps() - 2_500));
        assert!(!testbed.line(line::TIM2));
        testbed.run_to(due);
        assert!(testbed.line(line::TIM2));
        assert_eq!(testbed.load(CNT), 0);
        testbed.store(SR, !1);
    }
}

#[test]
fn a_counter_load_is_not_stable_while_it_counts() {
    let (mut testbed, _) = microseconds(0xFFFF);
    assert!(!testbed.try_load(CNT).unwrap().stable);
    assert!(testbed.try_load(SR).unwrap().stable);
    testbed.store(CR1, 0);
    assert!(testbed.try_load(CNT).unwrap().stable);
}

#[test]
fn nobody_looking_for_an_hour_changes_nothing() {
    let (mut testbed, start) = microseconds(9);
    testbed.store(CCR1, 1_000);
    let hour = start + Span::from_ms(3_600_000);
    testbed.run_to(hour + Span::from_us(3));
    assert_eq!(testbed.load(CNT), 3);
}

#[test]
fn a_change_of_the_bus_clock_changes_the_rate() {
    let (mut testbed, start) = microseconds(u32::MAX);
    testbed.run_to(start + Span::from_us(100));
    // APB1 at HCLK/16: the timer clock becomes 2 * 12.5 MHz, an eighth.
    testbed.modify(RCC + 0x1C, 7 << 4, 7 << 4);
    testbed.run_to(start + Span::from_us(180));
    assert_eq!(testbed.load(CNT), 110);
}

#[test]
fn preloaded_registers_wait_for_the_update() {
    let (mut testbed, start) = microseconds(99);
    testbed.store(CR1, 1 | 1 << 7);
    testbed.store(CCMR1, 1 << 3);
    testbed.store(ARR, 49);
    testbed.store(CCR1, 20);
    testbed.run_to(start + Span::from_us(60));
    assert_eq!(testbed.load(CNT), 60, "the period under way is the old one");
    assert_eq!(testbed.load(SR) & 2, 0);
    testbed.run_to(start + Span::from_us(100 + 20));
    assert_eq!(testbed.load(SR) & 2, 2);
    testbed.run_to(start + Span::from_us(100 + 50));
    assert_eq!(testbed.load(CNT), 0);
}

#[test]
fn one_pulse_mode_stops_at_the_update() {
    let (mut testbed, start) = microseconds(99);
    testbed.store(CR1, 1 | 1 << 3);
    testbed.run_to(start + Span::from_us(500));
    assert_eq!(testbed.load(CR1) & 1, 0);
    assert_eq!(testbed.load(CNT), 0);
}

#[test]
fn modes_without_a_model_are_named() {
    let (mut testbed, _) = microseconds(99);
    // Down-counting, input capture, a DMA request.
    for (address, value, offset) in [(CR1, 1 << 4, 0), (CCMR1, 1, 0x18), (DIER, 1 << 8, 0x0C)] {
        assert_eq!(
            testbed
                .soc
                .store(address, Width::Word, value, testbed.cycle),
            Err(AccessError::Unmodelled {
                block: "TIM2",
                offset
            })
        );
    }
}

#[test]
fn a_reset_stops_the_counter() {
    let (mut testbed, _) = microseconds(99);
    testbed.store(RCC + 0x90, 1);
    testbed.store(RCC + 0x90, 0);
    assert_eq!(testbed.load(CR1), 0);
    assert_eq!(testbed.load(ARR), u32::MAX);
    testbed.soc.run_events(testbed.cycle);
    assert!(testbed.is_at_rest());
}
