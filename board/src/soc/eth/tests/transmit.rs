use super::rig::*;
use crate::soc::eth::timing;
use crate::time::Span;

const HCLK: u64 = 200_000_000;

/// A frame for the host, `len` bytes without check sequence.
fn content(len: usize, tag: u8) -> Vec<u8> {
    frame_to(HOST_MAC, [0x08, 0x00], len, tag)
}

#[test]
fn a_frame_leaves_after_fetch_and_copy_and_closes_after_its_last_bit() {
    for (len, wire_ns) in [(60, 5_760), (142, 12_320), (1_514, 122_080)] {
        let mut rig = Rig::started(4);
        let start = rig.now;
        rig.put_tx(0, &content(len, 7), FD | LD);
        rig.store(TX_TAIL, 0x1234_5678);
        let words = (len as u64).div_ceil(4);
        let on_wire = timing::descriptor_fetch(HCLK) + timing::transfer(words, 1, HCLK);
        let last_bit = start + (on_wire + Span::from_ns(wire_ns));
        let closed = last_bit + timing::transfer(1, 1, HCLK);
        rig.run_until(last_bit);
        assert_eq!(rig.sent, [(last_bit, padded_with_fcs(&content(len, 7)))]);
        assert_eq!(rig.tx_word(0, 3) & OWN, OWN);
        assert!(!rig.irq());
        rig.run_until(closed);
        assert_eq!(rig.tx_word(0, 3), FD | LD);
        assert!(rig.irq());
        assert_eq!(rig.peek(CSR) & (CSR_TI | CSR_NIS), CSR_TI | CSR_NIS);
    }
}

/// PBL 1, four words of descriptor: (6 + 4) + 15 x (6 + 1) HCLK periods for the shortest frame.
#[test]
fn the_bus_time_of_a_short_frame_is_the_stated_one() {
    let total = timing::descriptor_fetch(HCLK) + timing::transfer(15, 1, HCLK);
    assert_eq!(total.as_ps(), 115 * 5_000);
    assert_eq!(timing::transfer(15, 32, HCLK).as_ps(), 21 * 5_000);
    assert_eq!(timing::words(0x2400_0003, 2), 2);
}

#[test]
fn the_ring_wraps_and_keeps_order() {
    let mut rig = Rig::started(3);
    for round in 0..4_u8 {
        for n in 0..3 {
            rig.put_tx(n, &content(60, round * 3 + n as u8), FD | LD);
        }
        rig.store(TX_TAIL, 0);
        rig.settle();
    }
    let tags: Vec<_> = rig.sent.iter().map(|(_, frame)| frame[20]).collect();
    assert_eq!(tags, (0..12).collect::<Vec<_>>());
    assert_eq!(rig.eth.counters().frames_sent, 12);
    assert_eq!(rig.peek(0x1144), TX_RING);
}

/// Without OSF a frame's fetch starts when the one before is closed, so the wire idles in between.
#[test]
fn operate_on_second_frame_closes_the_gap_to_the_minimum() {
    for (control, back_to_back) in [(1 << 16 | 1, false), (1 << 16 | 1 << 4 | 1, true)] {
        let mut rig = Rig::started(4);
        rig.store(CTXCR, control);
        for n in 0..3 {
            rig.put_tx(n, &content(142, n as u8), FD | LD);
        }
        rig.store(TX_TAIL, 0);
        rig.settle();
        let gaps: Vec<_> = rig
            .sent
            .windows(2)
            .map(|pair| (pair[1].0 - pair[0].0).as_ps())
            .collect();
        let slot = 13_280_000;
        let alone = slot - 960_000
            + (timing::transfer(1, 1, HCLK)
                + timing::descriptor_fetch(HCLK)
                + timing::transfer(36, 1, HCLK))
            .as_ps();
        let expected = if back_to_back { slot } else { alone };
        assert_eq!(gaps, [expected, expected]);
    }
}

#[test]
fn a_frame_in_several_descriptors_is_one_frame_and_interrupts_once() {
    let mut rig = Rig::started(4);
    let whole = content(300, 9);
    for (n, (range, flags)) in (0..).zip([(0..100, FD), (100..250, 0), (250..300, LD)]) {
        rig.put_tx(n, &whole[range], flags);
    }
    rig.store(TX_TAIL, 0);
    rig.settle();
    assert_eq!(rig.sent.len(), 1);
    assert_eq!(rig.sent[0].1, padded_with_fcs(&whole));
    assert_eq!([0, 1, 2].map(|n| rig.tx_word(n, 3)), [FD, 0, LD]);
    assert_eq!(rig.eth.counters().frames_sent, 1);
}

#[test]
fn both_buffers_of_a_descriptor_are_read() {
    let mut rig = Rig::started(4);
    let whole = content(200, 3);
    rig.put_tx(0, &whole[..80], FD | LD);
    rig.put_tx(1, &whole[80..], 0);
    let second = TX_BUFFERS + BUFFER_STRIDE;
    rig.put_descriptor(TX_RING, [TX_BUFFERS, second, 120 << 16 | 80, OWN | FD | LD]);
    rig.put_descriptor(TX_RING + 16, [0; 4]);
    rig.store(TX_TAIL, 0);
    rig.settle();
    assert_eq!(rig.sent[0].1, padded_with_fcs(&whole));
    assert!(!rig.irq(), "no IOC in word 2");
}

#[test]
fn without_work_the_engine_suspends_and_says_so() {
    let mut rig = Rig::started(4);
    rig.store(CSR, u32::MAX);
    rig.store(TX_TAIL, 0);
    rig.settle();
    assert_eq!(rig.peek(CSR), CSR_TBU);
    assert!(!rig.irq(), "TBU is not enabled");
    rig.store(CIER, 1 << 15 | 1 << 2);
    assert!(rig.irq());
    assert_eq!((rig.peek(0x100C) >> 12) & 0xF, 6);
}

#[test]
fn the_line_falls_only_when_summary_and_cause_are_cleared() {
    let mut rig = Rig::started(4);
    rig.put_tx(0, &content(60, 7), FD | LD);
    rig.store(TX_TAIL, 0);
    rig.settle();
    assert!(rig.irq());
    rig.store(CSR, CSR_NIS);
    assert!(rig.irq(), "TI is still set");
    rig.store(CSR, CSR_TI);
    assert!(rig.irq(), "the summary is sticky");
    rig.store(CSR, CSR_NIS);
    assert!(!rig.irq());
}

#[test]
fn a_disabled_transmitter_holds_its_frame() {
    let mut rig = Rig::started(4);
    let maccr = rig.peek(MACCR);
    rig.store(MACCR, maccr & !0b10);
    rig.put_tx(0, &content(60, 7), FD | LD);
    rig.store(TX_TAIL, 0);
    rig.settle();
    assert!(rig.sent.is_empty());
    assert_eq!(rig.peek(0xD08) & 1 << 4, 1 << 4);
    rig.store(MACCR, maccr);
    rig.settle();
    assert_eq!(rig.sent.len(), 1);
}

#[test]
fn a_stopped_engine_finishes_its_frame_and_stays() {
    let mut rig = Rig::started(4);
    rig.put_tx(0, &content(60, 1), FD | LD);
    rig.put_tx(1, &content(60, 2), FD | LD);
    rig.store(TX_TAIL, 0);
    rig.run_for(Span::from_us(2));
    rig.store(CTXCR, 1 << 16);
    rig.settle();
    assert_eq!(rig.sent.len(), 1);
    assert_eq!(rig.peek(CSR) & 2, 2);
    rig.store(TX_TAIL, 0);
    rig.settle();
    assert_eq!(rig.sent.len(), 1);
    rig.store(CTXCR, 1 << 16 | 1);
    rig.settle();
    assert_eq!(rig.sent.len(), 2);
}

#[test]
fn pad_and_check_sequence_follow_the_descriptor() {
    let short = content(20, 5);
    for (cpc, expected) in [
        (0, padded_with_fcs(&short)),
        (1, with_fcs(&short)),
        (2, short.clone()),
        (3, with_fcs(&short[..16])),
    ] {
        let mut rig = Rig::started(4);
        rig.put_tx(0, &short, FD | LD | cpc << 26);
        rig.store(TX_TAIL, 0);
        rig.settle();
        assert_eq!(rig.sent[0].1, expected, "CPC {cpc}");
    }
}

#[test]
fn the_source_address_is_replaced_or_inserted() {
    let mut rig = Rig::started(4);
    let frame = content(80, 5);
    rig.put_tx(0, &frame, FD | LD | 0b011 << 23);
    let mut without = frame.clone();
    without.drain(6..12);
    rig.put_tx(1, &without, FD | LD | 0b010 << 23);
    rig.store(TX_TAIL, 0);
    rig.settle();
    let mut expected = frame;
    expected[6..12].copy_from_slice(&MAC);
    assert_eq!(rig.sent[0].1, padded_with_fcs(&expected));
    assert_eq!(rig.sent[1].1, padded_with_fcs(&expected));
}

#[test]
fn tightly_coupled_memory_is_out_of_the_dmas_reach() {
    let mut rig = Rig::started(4);
    rig.store(CIER, 1 << 14 | 1 << 12);
    rig.put_descriptor(TX_RING, [0x2000_0100, 0, 60, OWN | FD | LD]);
    rig.store(TX_TAIL, 0);
    rig.settle();
    let status = rig.peek(CSR);
    assert_eq!(status & (1 << 12 | CSR_AIS), 1 << 12 | CSR_AIS);
    assert_eq!((status >> 16) & 0b111, 0b101, "a read of data");
    assert!(rig.irq() && rig.sent.is_empty());
    rig.store(0x1114, 0x2000_0000);
    rig.store(CTXCR, 1 << 16);
    rig.store(CTXCR, 1 << 16 | 1);
    rig.settle();
    assert_eq!(
        (rig.peek(CSR) >> 16) & 0b111,
        0b111,
        "a read of a descriptor"
    );
}

#[test]
fn a_longer_stride_is_kept() {
    let mut rig = Rig::started(2);
    rig.store(DMACCR, 2 << 18);
    for n in 0..2 {
        let buffer = TX_BUFFERS + n * BUFFER_STRIDE;
        rig.put_tx(n, &content(60, n as u8), FD | LD);
        rig.put_descriptor(TX_RING + 24 * n, [buffer, 0, 60, OWN | FD | LD]);
    }
    rig.put_descriptor(TX_RING, [TX_BUFFERS, 0, 60, OWN | FD | LD]);
    rig.store(TX_TAIL, 0);
    rig.settle();
    let tags: Vec<_> = rig.sent.iter().map(|(_, frame)| frame[20]).collect();
    assert_eq!(tags, [0, 1]);
}

#[test]
fn the_engine_stops_in_front_of_its_tail() {
    let mut rig = Rig::started(4);
    for n in 0..3 {
        rig.put_tx(n, &content(60, n as u8), FD | LD);
    }
    rig.store(TX_TAIL, TX_RING + 16 * 2);
    rig.settle();
    assert_eq!(rig.sent.len(), 2);
    assert_eq!(rig.tx_word(2, 3) & OWN, OWN);
    assert_eq!(rig.peek(CSR) & CSR_TBU, CSR_TBU);
    assert_eq!((rig.peek(0x100C) >> 12) & 0xF, 6);
    rig.store(TX_TAIL, TX_RING + 16 * 3);
    rig.settle();
    assert_eq!(rig.sent.len(), 3);
}

/// A ring given away whole while the engine is suspended has its tail where the engine stands
/// (embassy pull request 7048).
#[test]
fn a_full_ring_with_its_tail_at_the_engine_is_not_sent() {
    let mut rig = Rig::started(4);
    for n in 0..4 {
        rig.put_tx(n, &content(60, n as u8), FD | LD);
    }
    rig.store(TX_TAIL, TX_RING);
    rig.settle();
    assert!(rig.sent.is_empty());
}
