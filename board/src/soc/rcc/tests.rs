//! Clock trees as firmwares program them, by register writes.

use crate::bus::Bus;
use crate::soc::SocConfig;
use crate::soc::clocks::PllOutputs;
use crate::soc::limits::{ClockViolation, VoltageScale};
use crate::soc::testbed::{
    ClockSetup, FLASH_ACR, MHZ_400, MHZ_520_HSE, MHZ_520_HSI, MHZ_550, PWR, RCC, Testbed,
};
use crate::time::{Instant, Span};

const HSE_ON: u32 = 1 << 16;
const HSE_BYPASS: u32 = 1 << 18;
const PLL1_ON: u32 = 1 << 24;
const PLL1_READY: u32 = 1 << 25;

fn boosted() -> Testbed {
    Testbed::new(SocConfig {
        cpu_freq_boost: true,
        ..SocConfig::default()
    })
}

/// System clock, HCLK, APB and timer clocks in MHz.
fn frequencies(testbed: &Testbed) -> [u64; 4] {
    let clocks = testbed.soc.clocks();
    assert_eq!(clocks.pclk1_hz, clocks.pclk2_hz);
    assert_eq!(clocks.pclk1_hz, clocks.pclk3_hz);
    assert_eq!(clocks.pclk1_hz, clocks.pclk4_hz);
    [
        clocks.core_hz,
        clocks.hclk_hz,
        clocks.pclk1_hz,
        clocks.timers1_hz,
    ]
    .map(|hz| hz / 1_000_000)
}

#[test]
fn published_settings_give_the_published_frequencies() {
    for (setup, expected) in [
        (MHZ_400, [400, 200, 100, 200]),
        (MHZ_520_HSI, [520, 260, 130, 260]),
        (MHZ_520_HSE, [520, 260, 130, 260]),
    ] {
        let mut testbed = Testbed::default();
        assert_eq!(frequencies(&testbed), [64; 4]);
        testbed.program(setup);
        assert_eq!(testbed.soc.violation(), None);
        assert_eq!(frequencies(&testbed), expected);
        assert_eq!(testbed.load(RCC + 0x10) >> 3 & 7, 3, "SWS shows PLL1");
        assert_eq!(testbed.soc.core_cycles_per_hclk(), 2);
    }
}

#[test]
fn full_speed_needs_the_option_bit() {
    let mut testbed = boosted();
    testbed.program(MHZ_550);
    assert_eq!(testbed.soc.violation(), None);
    assert_eq!(testbed.soc.clocks().core_hz, 550_000_000);

    let mut testbed = Testbed::default();
    testbed.program(MHZ_550);
    assert_eq!(
        testbed.soc.violation(),
        Some(ClockViolation::TooFast {
            clock: "core clock",
            hz: 550_000_000,
            limit_hz: 520_000_000,
            scale: VoltageScale::Vos0,
        })
    );
}

#[test]
fn settings_outside_the_specification_are_named_and_ask_for_a_pause() {
    let cases = [
        (
            ClockSetup {
                latency: 1,
                ..MHZ_400
            },
            "flash latency of 1 wait states is below the 2 that HCLK at 200000000 Hz needs at VOS1",
        ),
        (
            ClockSetup {
                vos: 0b10,
                ..MHZ_400
            },
            "core clock at 400000000 Hz is above the limit of 300000000 Hz at VOS2",
        ),
        (
            ClockSetup {
                range: 2,
                ..MHZ_400
            },
            "PLL1 reference at 16000000 Hz is outside its range of 4000000 to 8000000 Hz",
        ),
        (
            ClockSetup {
                multiplier: 60,
                ..MHZ_400
            },
            "PLL1 oscillator at 960000000 Hz is outside its range of 192000000 to 836000000 Hz",
        ),
        (
            ClockSetup {
                p_divider: 3,
                ..MHZ_400
            },
            "PLL1 divider P of 3 is odd and not 1",
        ),
    ];
    for (setup, expected) in cases {
        let mut testbed = Testbed::default();
        testbed.program(setup);
        let violation = testbed.soc.violation().expect(expected);
        assert_eq!(violation.to_string(), expected);
        testbed.soc.run_events(testbed.cycle);
        assert!(testbed.soc.take_pause_request());
    }
}

#[test]
fn lowering_the_supply_under_a_fast_clock_is_named() {
    let mut testbed = Testbed::default();
    testbed.program(MHZ_400);
    testbed.modify(PWR + 0x18, 0b11 << 14, 0b01 << 14);
    assert!(matches!(
        testbed.soc.violation(),
        Some(ClockViolation::TooFast {
            scale: VoltageScale::Vos3,
            ..
        })
    ));
}

#[test]
fn lowering_the_wait_states_under_a_fast_clock_is_named() {
    let mut testbed = Testbed::default();
    testbed.program(MHZ_400);
    testbed.store(FLASH_ACR, 0x21);
    assert!(matches!(
        testbed.soc.violation(),
        Some(ClockViolation::FlashLatency {
            programmed: 1,
            needed: 2,
            ..
        })
    ));
}

#[test]
fn a_pll_locks_after_its_time_and_not_before() {
    let mut testbed = Testbed::default();
    testbed.run_to(Instant::from_ns(100_000));
    testbed.store(RCC + 0x28, 4 << 4);
    testbed.store(RCC + 0x2C, 3 << 2 | 1 << 16);
    testbed.store(RCC + 0x30, 1 << 9 | 49);
    testbed.modify(RCC, 0, PLL1_ON);
    let locked_at = Instant::from_ns(100_000) + Span::from_us(50);
    testbed.cycle = testbed.soc.cycle_at(locked_at) - 1;
    testbed.soc.run_events(testbed.cycle);
    assert_eq!(testbed.load(RCC) & PLL1_READY, 0);
    testbed.run_to(locked_at);
    assert_eq!(testbed.load(RCC) & PLL1_READY, PLL1_READY);

    // Only P is enabled; outputs show once something else is switched.
    testbed.modify(RCC + 0x10, 0, 1 << 15);
    assert_eq!(
        testbed.soc.clocks().pll[0],
        PllOutputs {
            p_hz: Some(400_000_000),
            q_hz: None,
            r_hz: None
        }
    );
    testbed.modify(RCC, PLL1_ON, 0);
    assert_eq!(testbed.load(RCC) & PLL1_READY, 0);
}

#[test]
fn a_running_pll_keeps_its_registers() {
    let mut testbed = Testbed::default();
    testbed.program(MHZ_400);
    let before = [testbed.load(RCC + 0x28), testbed.load(RCC + 0x30)];
    testbed.store(RCC + 0x28, before[0] ^ (0b11 | 5 << 4));
    testbed.store(RCC + 0x30, 99);
    assert_eq!([testbed.load(RCC + 0x28), testbed.load(RCC + 0x30)], before);
}

#[test]
fn the_prescaler_of_a_stopped_pll_changes_while_another_runs() {
    let mut testbed = Testbed::default();
    testbed.program(MHZ_400);
    let before = testbed.load(RCC + 0x28);
    assert_eq!(before & 0x0003_F000, 32 << 12);
    testbed.store(RCC + 0x28, 0b01 | 7 << 4 | 8 << 12 | 9 << 20);
    let expected = before & 0x3F3 | 8 << 12 | 9 << 20;
    assert_eq!(testbed.load(RCC + 0x28), expected);
}

#[test]
fn what_drives_the_system_clock_cannot_be_switched_off() {
    let mut testbed = Testbed::default();
    testbed.program(MHZ_400);
    testbed.modify(RCC, PLL1_ON | 1, 0);
    assert_eq!(testbed.load(RCC) & (PLL1_ON | 1), PLL1_ON | 1);
    assert_eq!(testbed.soc.clocks().core_hz, 400_000_000);
}

#[test]
fn a_switch_to_a_pll_that_still_locks_waits_for_it() {
    let mut testbed = Testbed::default();
    testbed.store(RCC + 0x28, 8 << 4);
    testbed.store(RCC + 0x2C, 3 << 2 | 1 << 16);
    testbed.store(RCC + 0x30, 3 << 9 | 24);
    testbed.modify(RCC, 0, PLL1_ON);
    testbed.modify(RCC + 0x10, 7, 3);
    assert_eq!(
        testbed.load(RCC + 0x10) & 0x3F,
        0x03,
        "asked for, not in force"
    );
    let epoch = testbed.soc.clock_epoch();
    let before = testbed.now();
    testbed.step();
    assert_eq!(testbed.load(RCC + 0x10) & 0x3F, 0x1B);
    assert_eq!(testbed.soc.clocks().core_hz, 50_000_000);
    assert_eq!(testbed.soc.clock_epoch(), epoch + 1);
    assert_eq!(testbed.now(), before + Span::from_us(50));
    // A cycle now takes 20 ns.
    assert_eq!(
        testbed.soc.instant_at(testbed.cycle + 50),
        testbed.now() + Span::from_us(1)
    );
}

#[test]
fn the_board_has_no_crystal_for_hse() {
    let mut testbed = Testbed::default();
    testbed.modify(RCC, 0, HSE_ON);
    assert!(testbed.is_at_rest());
    testbed.modify(RCC, HSE_ON, 0);
    testbed.modify(RCC, 0, HSE_BYPASS);
    testbed.modify(RCC, 0, HSE_ON);
    testbed.wait_for(RCC, 1 << 17);
}

#[test]
fn the_internal_oscillator_divides() {
    let mut testbed = Testbed::default();
    testbed.modify(RCC, 3 << 3, 2 << 3);
    assert_eq!(testbed.soc.clocks().core_hz, 16_000_000);
}

#[test]
fn timers_run_at_twice_or_four_times_their_bus_up_to_hclk() {
    for (timpre, prescaler, expected_mhz) in [
        (0, 0, 64),
        (0, 4, 64),
        (0, 5, 32),
        (0, 7, 8),
        (1, 5, 64),
        (1, 6, 32),
    ] {
        let mut testbed = Testbed::default();
        testbed.store(RCC + 0x1C, prescaler << 4);
        testbed.modify(RCC + 0x10, 1 << 15, timpre << 15);
        assert_eq!(
            testbed.soc.clocks().timers1_hz,
            expected_mhz * 1_000_000,
            "TIMPRE {timpre}, D2PPRE1 {prescaler}"
        );
    }
}

#[test]
fn the_backup_domain_is_write_protected() {
    let mut testbed = Testbed::default();
    testbed.store(RCC + 0x70, 0x8200);
    assert_eq!(testbed.load(RCC + 0x70), 0);
    testbed.modify(PWR, 0, 1 << 8);
    testbed.store(RCC + 0x70, 0x8200);
    assert_eq!(testbed.load(RCC + 0x70), 0x8200);
}

#[test]
fn the_low_speed_oscillator_takes_its_time() {
    let mut testbed = Testbed::default();
    testbed.store(RCC + 0x74, 1);
    testbed.wait_for(RCC + 0x74, 2);
    assert_eq!(testbed.now(), Instant::from_ns(80_000));
}

#[test]
fn the_cores_own_view_shows_the_same_enables() {
    let mut testbed = Testbed::default();
    testbed.store(RCC + 0xE0, 0x44);
    assert_eq!(testbed.load(RCC + 0x140), 0x44);
    testbed.store(RCC + 0x140, 0x45);
    assert_eq!(testbed.load(RCC + 0xE0), 0x45);
}

#[test]
fn reset_flags_are_those_of_a_power_on_until_cleared() {
    let mut testbed = Testbed::default();
    assert_eq!(testbed.load(RCC + 0xD0), 0x00FA_0000);
    testbed.store(RCC + 0xD0, 1 << 16);
    assert_eq!(testbed.load(RCC + 0xD0), 0);
}
