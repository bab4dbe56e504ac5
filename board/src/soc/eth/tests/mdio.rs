use super::rig::Rig;
use crate::bus::AccessError;
use crate::chips::LinkMode;
use crate::schedule::Event;
use crate::time::{Instant, Span};

const MDIOAR: u32 = 0x200;
const MDIODR: u32 = 0x204;

/// Clock range 4: HCLK/102.
fn command(phy: u32, register: u32, operation: u32) -> u32 {
    phy << 21 | register << 16 | 4 << 8 | operation << 2 | 1
}

#[test]
fn a_transaction_takes_64_management_clocks() {
    for (hclk_mhz, clock_range, ps) in [
        (200, 4, 32_640_000),
        (260, 5, 30_523_077),
        (64, 0, 42_000_000),
        (110, 1, 36_072_728),
        (25, 2, 40_960_000),
        (50, 3, 33_280_000),
        (200, 8, 1_280_000),
        (200, 15, 5_760_000),
    ] {
        let mut rig = Rig::new();
        rig.clocks.hclk_hz = hclk_mhz * 1_000_000;
        rig.store(MDIOAR, clock_range << 8 | 0b11 << 2 | 1);
        let due = rig.schedule.due(Event::Mdio);
        assert_eq!(
            (due - rig.now).as_ps(),
            ps,
            "HCLK {hclk_mhz} CR {clock_range}"
        );
    }
}

#[test]
fn a_read_is_busy_to_its_last_clock_and_every_poll_may_be_skipped() {
    let mut rig = Rig::new();
    rig.store(MDIOAR, command(0, 2, 0b11));
    let end = rig.now + Span::from_ps(32_640_000);
    rig.run_until(Instant::from_ps(end.as_ps() - 1));
    let poll = rig.load(MDIOAR);
    assert_eq!((poll.value & 1, poll.stable), (1, true));
    assert_eq!(rig.peek(MDIODR), 0);
    rig.run_until(end);
    assert_eq!(rig.peek(MDIOAR), command(0, 2, 0b11) & !1);
    assert_eq!(rig.peek(MDIODR), 0x0007);
}

#[test]
fn an_address_nobody_has_reads_ones_and_swallows_writes() {
    let mut rig = Rig::new();
    for phy in 1..32 {
        rig.store(MDIODR, 0x8000);
        rig.store(MDIOAR, command(phy, 0, 0b01));
        rig.settle();
        rig.store(MDIOAR, command(phy, 0, 0b11));
        rig.settle();
        assert_eq!(rig.peek(MDIODR), 0xFFFF);
    }
    assert_eq!(rig.eth.link_mode(), Some(LinkMode::BEST));
}

#[test]
fn nothing_changes_while_a_transaction_is_under_way() {
    let mut rig = Rig::new();
    rig.store(MDIODR, 0x0234);
    rig.store(MDIOAR, command(0, 30, 0b01));
    let due = rig.schedule.due(Event::Mdio);
    rig.store(MDIODR, 0xFFFF);
    rig.store(MDIOAR, command(0, 0, 0b01));
    assert_eq!(rig.schedule.due(Event::Mdio), due);
    assert_eq!(rig.peek(MDIOAR), command(0, 30, 0b01));
    rig.settle();
    rig.store(MDIOAR, command(0, 30, 0b11));
    rig.settle();
    assert_eq!(rig.peek(MDIODR), 0x0234);
}

#[test]
fn a_phy_reset_takes_the_carrier_and_negotiation_brings_it_back() {
    let mut rig = Rig::new();
    rig.store(MDIODR, 0x8000);
    rig.store(MDIOAR, command(0, 0, 0b01));
    rig.run_for(Span::from_us(40));
    assert!(!rig.wire.carrier() && rig.eth.link_mode().is_none());
    rig.run_for(Span::from_ms(1_500));
    assert!(!rig.wire.carrier());
    rig.run_for(Span::from_ms(1));
    assert!(rig.wire.carrier() && rig.eth.link_mode().is_some());
}

#[test]
fn clause_45_and_reserved_clock_ranges_are_named() {
    let mut rig = Rig::new();
    let unmodelled = Err(AccessError::Unmodelled {
        block: "ETH",
        offset: MDIOAR,
    });
    assert_eq!(rig.try_store(MDIOAR, command(0, 0, 0b11) | 2), unmodelled);
    assert_eq!(rig.try_store(MDIOAR, 6 << 8 | 0b1101), unmodelled);
}
