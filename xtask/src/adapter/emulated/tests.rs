//! Trials on the emulated board that end before its firmware does anything useful.

use bench::{FunctionalOptions, FunctionalResult, Nanos};
use board::chips::lan8742a::PhyTiming;
use board::time::Span;

use super::*;
use crate::results::{Failed, Trial};
use crate::trial::{self, Ports};

/// What the PHY's control register (802.3 clause 22, register 0) is written with.
const SOFT_RESET: u32 = 1 << 15;
const RESTART_NEGOTIATION: u32 = 1 << 12 | 1 << 9;
const FORCE_10_HALF: u32 = 0;
const FORCE_100_HALF: u32 = 1 << 13;

/// An ELF file whose firmware writes the PHY's control register once and then loops.
fn image(phy_control: u32) -> Vec<u8> {
    let code = [
        0x4804,    // ldr r0, AHB1ENR
        0x4905,    // ldr r1, the clocks of the Ethernet block
        0x6001,    // str r1, [r0]
        0x4805,    // ldr r0, MACMDIODR
        0x4905,    // ldr r1, phy_control
        0x6001,    // str r1, [r0]
        0x3804,    // subs r0, #4: MACMDIOAR
        0x4905,    // ldr r1, write register 0 of PHY 0
        0x6001,    // str r1, [r0]
        0xe7feu16, // b .
    ];
    let literals = [
        0x5802_44d8,
        0x0003_8000,
        0x4002_8204,
        phy_control,
        0x0000_0205,
    ];
    let mut segment = words(&[0x2000_1000, 0x0800_0009]);
    segment.extend(code.iter().flat_map(|half| half.to_le_bytes()));
    segment.extend(words(&literals));
    let size = segment.len() as u32;

    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0".to_vec();
    file.extend(words(&[1, 0x0800_0009, 52, 0, 0]));
    let sizes: [u16; 6] = [52, 32, 1, 40, 0, 0];
    file.extend(sizes.iter().flat_map(|half| half.to_le_bytes()));
    file.extend(words(&[1, 84, 0x0800_0000, 0x0800_0000, size, size, 5, 4]));
    file.extend(segment);
    file
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// How a trial fails whose firmware writes this, with a PHY that takes so long for a software reset.
fn failure(phy_control: u32, soft_reset: Span) -> Failed<FunctionalOptions> {
    let config = BoardConfig {
        phy: PhyTiming {
            soft_reset,
            ..PhyTiming::default()
        },
        ..BoardConfig::default()
    };
    let mut target = EmulatedBoard::new(&image(phy_control), config).unwrap();
    let ports = Ports {
        echo: 7,
        telemetry: None,
    };
    let options = FunctionalOptions::default();
    let trial = trial::run::<FunctionalResult>(&mut target, ports, &options, |_| true).unwrap();
    match trial {
        Trial::Failed(failed) => failed,
        Trial::Measured(_) => panic!("firmware that only loops echoed"),
    }
}

#[test]
fn a_phy_whose_reset_never_ends_has_no_link() {
    let failed = failure(SOFT_RESET, Span::from_ms(3_600_000));
    assert_eq!(
        failed.message,
        "no 100 Mbit/s full duplex link within 60 s of reset"
    );
}

#[test]
fn a_phy_whose_reset_ends_has_the_link_that_trials_need() {
    for control in [SOFT_RESET, RESTART_NEGOTIATION] {
        let failed = failure(control, PhyTiming::default().soft_reset);
        assert_eq!(failed.message, "no DHCP lease within 60 s of reset");
    }
}

#[test]
fn a_link_of_another_mode_is_refused_as_soon_as_it_is_up() {
    for (control, mode) in [
        (FORCE_10_HALF, "10 Mbit/s half duplex"),
        (FORCE_100_HALF, "100 Mbit/s half duplex"),
    ] {
        let failed = failure(control, PhyTiming::default().soft_reset);
        let expected =
            format!("the link came up at {mode}, but trials are made at 100 Mbit/s full duplex");
        assert_eq!(failed.message, expected);
        assert!(failed.at_ns < Nanos::from_secs(2));
    }
}

#[test]
fn the_link_is_that_of_the_jack_with_the_cable() {
    // The firmware takes down the link of the native jack only.
    let never = PhyTiming {
        soft_reset: Span::from_ms(3_600_000),
        ..PhyTiming::default()
    };
    for (jack, link_mode, spi_traffic) in [
        (NetworkDevice::Stm32Mac, None, None),
        (
            NetworkDevice::W5500,
            Some(LinkMode::REQUIRED),
            Some(SpiTraffic::default()),
        ),
    ] {
        let config = BoardConfig {
            jack,
            phy: never,
            ..BoardConfig::default()
        };
        let mut target = EmulatedBoard::new(&image(SOFT_RESET), config).unwrap();
        target.run_until(Nanos::from_secs(4)).unwrap();
        assert_eq!(target.link_mode(), link_mode);
        assert_eq!(target.spi_traffic(), spi_traffic);
    }
}
