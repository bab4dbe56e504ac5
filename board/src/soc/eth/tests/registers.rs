use super::rig::*;
use crate::bus::{AccessError, Width};
use crate::schedule::Event;
use crate::time::{Instant, Span};

const DMAMR: u32 = 0x1000;

#[test]
fn reset_values_are_those_drivers_see() {
    let mut rig = Rig::new();
    for (offset, value) in [
        (0x1004, 0x0101_0000),
        (0xD00, 0x0007_0008),
        (0xD30, 0x0070_0000),
        (0x300, 0x8000_FFFF),
        (0x304, 0xFFFF_FFFF),
        (0x318, 0x0000_FFFF),
        (0x110, 0x0000_3041),
        (0x120, 0x1184_1904),
        (0x124, 0x4100_0000),
        (0x0D4, 0x03E8_0000),
    ] {
        assert_eq!(rig.peek(offset), value, "{offset:#x}");
    }
}

#[test]
fn a_register_nobody_modelled_is_named_and_so_is_a_function() {
    let mut rig = Rig::new();
    for offset in [0x018, 0x900, 0xB00, 0x1080, 0x1170, 0x2000] {
        let unmodelled = AccessError::Unmodelled {
            block: "ETH",
            offset,
        };
        let load = rig.with(|eth, ctx| eth.load(offset, Width::Word, ctx));
        assert_eq!(load, Err(unmodelled));
        assert_eq!(rig.try_store(offset, 0), Err(unmodelled));
    }
    for (offset, bit) in [
        (0x000, 12),
        (0x008, 9),
        (0x1000, 16),
        (0x1104, 12),
        (0x0C0, 0),
    ] {
        let stored = rig.try_store(offset, 1 << bit);
        assert!(
            matches!(stored, Err(AccessError::Unmodelled { .. })),
            "{offset:#x}"
        );
    }
}

#[test]
fn reserved_and_read_only_bits_do_not_change() {
    let mut rig = Rig::new();
    rig.store(0x300, 0x7FFF_1234);
    assert_eq!(rig.peek(0x300), 0x8000_1234);
    rig.store(0x120, 0);
    assert_eq!(rig.peek(0x120), 0x1184_1904);
    rig.store(0x112C, u32::MAX);
    assert_eq!(rig.peek(0x112C), 0x3FF);
}

#[test]
fn bytes_and_halves_reach_their_lane() {
    let mut rig = Rig::new();
    rig.with(|eth, ctx| eth.store(0x306, Width::Half, 0x1122, ctx))
        .unwrap();
    assert_eq!(rig.peek(0x304), 0x1122_FFFF);
    let byte = rig
        .with(|eth, ctx| eth.load(0x307, Width::Byte, ctx))
        .unwrap();
    assert_eq!(byte.value, 0x11);
}

#[test]
fn a_software_reset_clears_itself_at_one_instant_and_restores_registers() {
    let mut rig = Rig::new();
    rig.store(0x1134, 0xFFC7);
    rig.store(DMAMR, 1);
    let end = rig.schedule.due(Event::EthReset);
    assert_eq!((end - rig.now).as_ps(), 800_000);
    rig.run_until(Instant::from_ps(end.as_ps() - 1));
    let poll = rig.load(DMAMR);
    assert_eq!((poll.value, poll.stable), (1, true));
    rig.run_until(end);
    assert_eq!((rig.peek(DMAMR), rig.peek(0x1134)), (0, 0));
}

#[test]
fn without_the_reference_clock_a_reset_never_ends() {
    let mut rig = Rig::new();
    rig.with(|eth, ctx| eth.set_reference_clock(false, ctx));
    rig.store(DMAMR, 1);
    rig.run_for(Span::from_ms(10_000));
    assert_eq!(rig.peek(DMAMR), 1);
    rig.with(|eth, ctx| eth.set_reference_clock(true, ctx));
    rig.run_for(Span::from_us(1));
    assert_eq!(rig.peek(DMAMR), 0);
}

#[test]
fn a_reset_in_the_middle_of_traffic_stops_everything() {
    let mut rig = Rig::started(4);
    rig.put_tx(0, &frame_to_board(60, 1), FD | LD);
    rig.store(TX_TAIL, 1);
    rig.deliver(&frame_to_board(60, 2));
    rig.store(DMAMR, 1);
    rig.settle();
    assert!(rig.sent.is_empty() && !rig.irq());
    assert_eq!(rig.tx_word(0, 3) & OWN, OWN);
    assert_eq!(rig.rx_word(0, 3), RX_READY);
}

#[test]
fn the_transmit_queue_flush_bit_clears_itself() {
    let mut rig = Rig::started(4);
    let queue = rig.peek(0xD00);
    rig.store(0xD00, queue | 1);
    assert_eq!(rig.peek(0xD00) & 1, 0);
}

#[test]
fn mmc_counters_count_and_reset() {
    let mut rig = Rig::started(4);
    rig.put_tx(0, &frame_to_board(60, 1), FD | LD);
    rig.store(TX_TAIL, 1);
    rig.deliver(&frame_to_board(60, 2));
    rig.deliver(&frame_to([0xFF; 6], [8, 6], 60, 2));
    let mut broken = vec![0; 64];
    broken[..6].copy_from_slice(&MAC);
    rig.deliver_raw(&broken);
    rig.settle();
    let counters = |rig: &mut Rig| [0x768, 0x7C4, 0x794].map(|offset| rig.peek(offset));
    assert_eq!(counters(&mut rig), [1, 1, 1]);
    rig.store(0x700, 1);
    assert_eq!(counters(&mut rig), [0, 0, 0]);
    assert_eq!(rig.peek(0x700), 0);
}
