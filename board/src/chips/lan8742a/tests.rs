use super::*;

const BSR_LINK: u16 = 1 << 2;
const BSR_DONE: u16 = 1 << 5;

fn ms(ms: u64) -> Instant {
    Instant::from_ns(ms * 1_000_000)
}

fn linked() -> Lan8742a {
    let mut phy = Lan8742a::new(PhyTiming::default(), true, Instant::ZERO);
    assert_eq!(phy.next_change(), ms(1_500));
    phy.advance(ms(1_500));
    phy
}

#[test]
fn it_identifies_itself() {
    let mut phy = Lan8742a::new(PhyTiming::default(), true, Instant::ZERO);
    assert_eq!((phy.read(2), phy.read(3)), (0x0007, 0xC131));
    assert_eq!(phy.address(), 0);
}

#[test]
fn the_link_comes_up_once_and_at_its_time() {
    let mut phy = Lan8742a::new(PhyTiming::default(), true, Instant::ZERO);
    phy.advance(ms(1_499));
    assert_eq!(phy.link(), None);
    assert_eq!(phy.read(1), 0x7809);
    assert_eq!(phy.read(31), 0x0040);
    phy.advance(ms(1_500));
    assert!(phy.carries_frames());
    assert_eq!(phy.read(31), 0x1058);
    assert_eq!(phy.read(5), 0x41E1);
    assert_eq!(phy.next_change(), Instant::NEVER);
}

#[test]
fn the_link_bit_is_latched_low_until_read() {
    let mut phy = linked();
    assert_eq!(phy.read(1) & (BSR_LINK | BSR_DONE), BSR_DONE);
    assert_eq!(phy.read(1) & (BSR_LINK | BSR_DONE), BSR_DONE | BSR_LINK);
    assert_eq!(phy.read(1) & BSR_LINK, BSR_LINK);
}

#[test]
fn a_read_while_the_link_is_down_does_not_use_up_the_latch() {
    let mut phy = Lan8742a::new(PhyTiming::default(), true, Instant::ZERO);
    phy.read(1);
    phy.advance(ms(1_500));
    assert_eq!(phy.read(1) & BSR_LINK, 0);
    assert_eq!(phy.read(1) & BSR_LINK, BSR_LINK);
}

#[test]
fn a_soft_reset_clears_itself_and_negotiates_again() {
    let mut phy = linked();
    phy.write(4, 0x0081, ms(1_600));
    phy.write(0, 0x8000, ms(2_000));
    assert!(!phy.carries_frames());
    let over = ms(2_000) + Span::from_us(256);
    assert_eq!(phy.next_change(), over);
    phy.write(4, 0x0001, ms(2_000));
    assert_eq!(phy.read(0) & 0x8000, 0x8000);
    phy.advance(over);
    assert_eq!(phy.read(0), 0x3000);
    assert_eq!(phy.read(4), 0x01E1);
    assert_eq!(phy.next_change(), over + Span::from_ms(1_500));
}

#[test]
fn a_restart_drops_the_link_and_clears_its_own_bit() {
    let mut phy = linked();
    phy.write(0, 0x3200, ms(3_000));
    assert_eq!(phy.link(), None);
    assert_eq!(phy.read(0), 0x3000);
    assert_eq!(phy.next_change(), ms(4_500));
    assert_eq!(phy.read(29), 1 << 6 | 1 << 4);
    assert_eq!(phy.read(29), 0);
}

#[test]
fn the_best_common_mode_wins() {
    for (advertised, expected) in [
        (0x01E1, Some((true, true))),
        (0x00E1, Some((true, false))),
        (0x0061, Some((false, true))),
        (0x0021, Some((false, false))),
        (0x0001, None),
    ] {
        let mut phy = linked();
        phy.write(4, advertised, ms(2_000));
        phy.write(0, 0x3200, ms(2_000));
        phy.advance(ms(3_500));
        let mode = phy.link().map(|mode| (mode.speed_100, mode.full_duplex));
        assert_eq!(mode, expected, "{advertised:#06x}");
        assert_eq!(phy.carries_frames(), mode.is_some_and(|mode| mode.0));
    }
}

#[test]
fn a_forced_mode_comes_up_without_negotiation() {
    let mut phy = linked();
    phy.write(0, 0x2100, ms(2_000));
    phy.advance(ms(3_500));
    assert_eq!(phy.read(31), 0x0058);
    assert_eq!(phy.read(1) & BSR_DONE, 0);
}

#[test]
fn power_down_and_isolation_stop_frames() {
    let mut phy = linked();
    phy.write(0, 0x3400, ms(2_000));
    assert!(phy.link().is_some() && !phy.carries_frames());
    phy.write(0, 0x3800, ms(2_000));
    assert_eq!((phy.link(), phy.next_change()), (None, Instant::NEVER));
    phy.write(0, 0x3000, ms(2_500));
    assert_eq!(phy.next_change(), ms(4_000));
}

#[test]
fn the_mmd_window_reaches_its_registers() {
    let mut phy = linked();
    for (control, data) in [(0x0003, 0x8010), (0x4003, 0x0001)] {
        phy.write(13, control, Instant::ZERO);
        phy.write(14, data, Instant::ZERO);
    }
    assert_eq!(phy.read(14), 0x0001);
    phy.write(13, 0x0003, Instant::ZERO);
    assert_eq!(phy.read(14), 0x8010);
    phy.write(14, 0x8011, Instant::ZERO);
    phy.write(13, 0x4003, Instant::ZERO);
    assert_eq!(phy.read(14), 0);
}

#[test]
fn without_a_cable_there_is_never_a_link_nor_energy() {
    let mut phy = Lan8742a::new(PhyTiming::default(), false, Instant::ZERO);
    assert_eq!(phy.next_change(), Instant::NEVER);
    assert_eq!(phy.read(17), 0);
    // A forced mode, a restarted negotiation, a reset.
    for control in [0x2100, 0x1200, 0x8000] {
        phy.write(0, control, ms(10));
        phy.advance(ms(20));
        phy.advance(ms(5_000));
        assert_eq!(phy.link(), None, "{control:#06x}");
        assert_eq!(phy.next_change(), Instant::NEVER, "{control:#06x}");
    }
}

#[test]
fn a_pulled_cable_drops_the_link_and_a_plugged_one_negotiates_anew() {
    let mut phy = linked();
    phy.read(1);
    phy.set_cable(false, ms(2_000));
    assert_eq!((phy.link(), phy.next_change()), (None, Instant::NEVER));
    assert_eq!(phy.read(1) & 1 << 2, 0);
    assert_eq!(phy.read(29) & 1 << 4, 1 << 4);
    phy.set_cable(false, ms(3_000));
    phy.set_cable(true, ms(4_000));
    assert_eq!(phy.next_change(), ms(5_500));
    phy.advance(ms(5_500));
    assert!(phy.carries_frames());
    // The status latches that the link was down.
    assert_eq!(phy.read(1) & 1 << 2, 0);
    assert_eq!(phy.read(1) & 1 << 2, 1 << 2);
}

#[test]
fn a_cable_does_not_end_a_power_down() {
    let mut phy = linked();
    phy.set_cable(false, ms(2_000));
    phy.write(0, 0x3800, ms(2_000));
    phy.set_cable(true, ms(3_000));
    assert_eq!((phy.link(), phy.next_change()), (None, Instant::NEVER));
    phy.write(0, 0x3000, ms(4_000));
    assert_eq!(phy.next_change(), ms(5_500));
}

#[test]
fn a_reset_of_the_board_is_a_power_on_with_the_cable_as_it_is() {
    let mut phy = linked();
    phy.write(4, 0x0061, ms(2_000));
    phy.reset(ms(2_000));
    assert_eq!((phy.read(4), phy.next_change()), (0x01E1, ms(3_500)));
    phy.set_cable(false, ms(2_100));
    phy.reset(ms(2_200));
    assert_eq!(phy.next_change(), Instant::NEVER);
}
