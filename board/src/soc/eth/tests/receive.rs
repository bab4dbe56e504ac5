use super::rig::*;
use crate::net::frame;
use crate::soc::eth::{StaleLine, timing};
use crate::time::{Instant, Span};

const HCLK: u64 = 200_000_000;
const RXQMPOCR: u32 = 0xD34;
const CRC_STRIP_TYPE: u32 = 1 << 21;

/// Length, first and last flag and error summary of a closed descriptor.
fn closed(word_3: u32) -> (u32, bool, bool, bool) {
    (
        word_3 & 0x7FFF,
        word_3 & FD != 0,
        word_3 & LD != 0,
        word_3 & 1 << 15 != 0,
    )
}

#[test]
fn a_frame_is_in_memory_after_its_last_bit_copy_and_write_back() {
    let mut rig = Rig::started(4);
    let start = rig.now;
    let content = frame_to_board(142, 0xA5);
    rig.deliver(&content);
    let words = 146_u64.div_ceil(4);
    let done = start
        + (Span::from_ns(12_320)
            + timing::transfer(words, 1, HCLK)
            + timing::descriptor_fetch(HCLK));
    rig.run_until(Instant::from_ps(done.as_ps() - 1));
    assert_eq!(rig.rx_word(0, 3), RX_READY);
    assert!(!rig.irq());
    rig.run_until(done);
    assert!(rig.irq());
    assert_eq!(rig.peek(CSR) & (CSR_RI | CSR_NIS), CSR_RI | CSR_NIS);
    assert_eq!(closed(rig.rx_word(0, 3)), (146, true, true, false));
    assert_eq!((rig.rx_word(0, 3) >> 16) & 7, 1, "a type frame");
    assert_eq!(rig.rx_word(0, 0), 0, "the buffer address is gone");
    assert_eq!(&rig.rx_bytes(0, 142), &content);
    assert!(frame::is_intact(rig.rx_bytes(0, 146)));
}

#[test]
fn strip_settings_decide_about_the_check_sequence() {
    let arp = frame_to([0xFF; 6], [0x08, 0x06], 42, 1);
    let mut length_frame = frame_to(MAC, [0, 30], 44, 2);
    length_frame.resize(60, 0);
    for (bits, lengths) in [
        (0, [64, 64]),
        (1 << 20, [64, 44]),
        (CRC_STRIP_TYPE, [60, 64]),
        (1 << 20 | CRC_STRIP_TYPE, [60, 44]),
    ] {
        let mut rig = Rig::started(4);
        let maccr = rig.peek(MACCR) & !(1 << 20) | bits;
        rig.store(MACCR, maccr);
        rig.deliver(&arp);
        rig.deliver(&length_frame);
        rig.settle();
        let words = [0, 1].map(|n| rig.rx_word(n, 3));
        assert_eq!(words.map(|word| word & 0x7FFF), lengths, "{bits:#x}");
        assert_eq!(words.map(|word| (word >> 16) & 7), [3, 0]);
    }
}

#[test]
fn the_ring_wraps() {
    let mut rig = Rig::started(3);
    for tag in 0..10_u8 {
        rig.deliver(&frame_to_board(60, tag));
        rig.settle();
        let n = u32::from(tag) % 3;
        assert_eq!(rig.rx_bytes(n, 60)[30], tag);
        rig.give_rx(n);
        rig.store(RX_TAIL, 0);
    }
    assert_eq!(rig.eth.counters().frames_received, 10);
}

#[test]
fn a_frame_longer_than_a_buffer_takes_more_descriptors_with_running_totals() {
    let mut rig = Rig::started(4);
    rig.store(CRXCR, 1 << 16 | 1000 << 1 | 1);
    let mut content = frame_to_board(1_514, 0);
    for (n, byte) in content.iter_mut().enumerate().skip(14) {
        *byte = n as u8;
    }
    rig.deliver(&content);
    rig.settle();
    assert_eq!(closed(rig.rx_word(0, 3)), (1_000, true, false, false));
    assert_eq!(closed(rig.rx_word(1, 3)), (1_518, false, true, false));
    assert_eq!(rig.rx_bytes(0, 1_000), &content[..1_000]);
    assert_eq!(rig.rx_bytes(1, 514), &content[1_000..]);
    assert_eq!(rig.rx_word(2, 3), RX_READY);
}

#[test]
fn both_buffers_of_a_descriptor_are_filled() {
    let mut rig = Rig::started(4);
    rig.store(CRXCR, 1 << 16 | 64 << 1 | 1);
    let second = RX_BUFFERS + 8 * BUFFER_STRIDE;
    for n in 0..4 {
        rig.put_descriptor(
            RX_RING + 16 * n,
            [RX_BUFFERS, 0, second, RX_READY | 1 << 25],
        );
    }
    rig.store(CRXCR, 1 << 16 | 64 << 1);
    rig.store(CRXCR, 1 << 16 | 64 << 1 | 1);
    rig.settle();
    let content = frame_to_board(96, 0x77);
    rig.deliver(&content);
    rig.settle();
    assert_eq!(closed(rig.rx_word(0, 3)), (100, true, true, false));
    assert_eq!(rig.rx_bytes(0, 64), &content[..64]);
    assert_eq!(rig.rx_bytes(8, 32), &content[64..]);
}

#[test]
fn running_out_suspends_at_once_and_a_tail_write_resumes() {
    let mut rig = Rig::started(2);
    for tag in 0..2 {
        rig.deliver(&frame_to_board(60, tag));
    }
    rig.settle();
    assert_eq!(
        rig.peek(CSR) & CSR_RBU,
        CSR_RBU,
        "the prefetch finds nothing"
    );
    assert_eq!((rig.peek(0x100C) >> 8) & 0xF, 4);
    rig.deliver(&frame_to_board(60, 2));
    rig.settle();
    assert_eq!(rig.peek(0xD38) >> 16, 1, "it waits in the FIFO");
    rig.give_rx(0);
    rig.settle();
    assert_eq!(rig.rx_word(0, 3), RX_READY, "nobody told the engine");
    rig.store(RX_TAIL, 0xDEAD_BEE0);
    rig.settle();
    assert_eq!(rig.rx_bytes(0, 60)[30], 2);
    assert_eq!(rig.peek(0xD38) >> 16, 0);
}

#[test]
fn starvation_interrupts_only_when_cause_and_summary_are_enabled() {
    for (enabled, summary, line) in [
        (1 << 14, 0, false),
        (1 << 7, CSR_AIS, false),
        (1 << 14 | 1 << 7, CSR_AIS, true),
    ] {
        let mut rig = Rig::started(2);
        rig.store(CIER, enabled);
        rig.deliver(&frame_to_board(60, 0));
        rig.deliver(&frame_to_board(60, 1));
        rig.settle();
        assert_eq!(rig.peek(CSR) & (CSR_RBU | CSR_AIS), CSR_RBU | summary);
        assert_eq!(rig.irq(), line);
    }
}

#[test]
fn the_next_frame_resumes_too() {
    let mut rig = Rig::started(2);
    for tag in 0..3 {
        rig.deliver(&frame_to_board(60, tag));
    }
    rig.settle();
    rig.give_rx(0);
    rig.give_rx(1);
    rig.deliver(&frame_to_board(60, 3));
    rig.settle();
    assert_eq!([0, 1].map(|n| rig.rx_bytes(n, 60)[30]), [2, 3]);
}

/// 2,048 bytes of FIFO hold thirty shortest frames (64 and 4 status bytes), or one longest.
#[test]
fn a_full_fifo_drops_whole_frames_and_counts_each() {
    for (len, kept, sent) in [(60, 30, 41), (1_514, 1, 5), (142, 13, 20)] {
        let mut rig = Rig::started(2);
        rig.store(CIER, 0);
        rig.deliver(&frame_to_board(60, 0));
        rig.deliver(&frame_to_board(60, 0));
        rig.settle();
        for tag in 0..sent {
            rig.deliver(&frame_to_board(len, tag as u8));
        }
        rig.run_for(Span::from_ms(2));
        assert_eq!(rig.peek(0xD38) >> 16, kept);
        let counted = rig.load(RXQMPOCR);
        assert_eq!((counted.value, counted.stable), (sent - kept, false));
        assert_eq!(rig.peek(RXQMPOCR), 0, "cleared by the read");
        assert_eq!(rig.eth.counters().fifo_overflows, u64::from(sent - kept));
        for tag in 0..kept {
            let n = tag % 2;
            rig.give_rx(n);
            rig.store(RX_TAIL, 0);
            rig.settle();
            assert_eq!(rig.rx_bytes(n, 60)[30], tag as u8, "oldest first");
        }
    }
}

#[test]
fn the_overflow_counter_has_eleven_bits_and_a_flag() {
    let mut rig = Rig::started(2);
    rig.store(CRXCR, 1 << 16 | 1536 << 1);
    rig.store(0xD2C, 1 << 24);
    for _ in 0..(30 + 2_050) {
        rig.deliver(&frame_to_board(60, 0));
    }
    rig.run_for(Span::from_ms(20));
    assert!(rig.irq(), "the queue's overflow interrupt is enabled");
    assert_eq!((rig.peek(0xC20), rig.peek(0x1008) >> 16), (1, 1));
    assert_eq!(rig.peek(RXQMPOCR), 1 << 11 | 2);
    rig.store(0xD2C, 1 << 24 | 1 << 16);
    assert_eq!(rig.peek(0xC20), 0);
}

#[test]
fn a_smaller_queue_holds_less() {
    let mut rig = Rig::started(2);
    rig.store(CRXCR, 1 << 16 | 1536 << 1);
    rig.store(RXQOMR, 1 << 20 | 1 << 5);
    for _ in 0..10 {
        rig.deliver(&frame_to_board(60, 0));
    }
    rig.settle();
    assert_eq!(rig.peek(0xD38) >> 16, 512 / 68);
    assert_eq!(rig.peek(RXQMPOCR), 10 - 512 / 68);
}

#[test]
fn a_disabled_receiver_hears_nothing() {
    let mut rig = Rig::started(2);
    let maccr = rig.peek(MACCR);
    rig.store(MACCR, maccr & !1);
    rig.deliver(&frame_to_board(60, 0));
    rig.settle();
    assert_eq!(rig.eth.counters().frames_received, 0);
    assert_eq!(rig.rx_word(0, 3), RX_READY);
}

#[test]
fn the_address_filter_follows_its_bits() {
    let other = [0x02, 0, 0, 0, 0x72, 0x02];
    let multicast = [0x01, 0x00, 0x5E, 0, 0, 0xFB];
    let passes = |filter: u32, destination: [u8; 6]| {
        let mut rig = Rig::started(2);
        rig.store(0x008, filter);
        let hash = crc32fast::hash(&multicast).reverse_bits() >> 26;
        rig.store(0x010 + 4 * (hash / 32), 1 << (hash % 32));
        rig.store(0x308, 1 << 31 | 1 << 29 | 0x0072);
        rig.store(0x30C, 0x0000_0006);
        rig.deliver(&frame_to(destination, [8, 0], 60, 0));
        rig.settle();
        let word_2 = rig.rx_word(0, 2);
        let counters = rig.eth.counters();
        assert_eq!(counters.frames_received + counters.filtered, 1);
        (counters.frames_received == 1, word_2 >> 17 & 1 == 1)
    };
    const PR: u32 = 1;
    const HMC: u32 = 1 << 2;
    const DAIF: u32 = 1 << 3;
    const PM: u32 = 1 << 4;
    const DBF: u32 = 1 << 5;
    const RA: u32 = 1 << 31;
    assert_eq!(passes(0, MAC), (true, false));
    assert_eq!(passes(0, other), (false, false));
    assert_eq!(passes(0, [0xFF; 6]), (true, false));
    assert_eq!(passes(DBF, [0xFF; 6]), (false, false));
    assert_eq!(passes(0, multicast), (false, false));
    assert_eq!(passes(PM, multicast), (true, false));
    assert_eq!(passes(HMC, multicast), (true, false));
    assert_eq!(passes(HMC, [0x01, 0, 0x5E, 0, 0, 1]), (false, false));
    assert_eq!(passes(PR, other), (true, false));
    assert_eq!(passes(RA, other), (true, true));
    assert_eq!(passes(DAIF, MAC), (false, false));
    assert_eq!(passes(DAIF, other), (true, false));
    assert_eq!(
        passes(0, [0x06, 0, 0, 0, 0x72, 0x99]),
        (true, false),
        "masked"
    );
    assert_eq!(passes(0, [0x06, 0, 0, 0, 0x73, 0x99]), (false, false));
}

#[test]
fn pause_frames_are_kept_from_the_software_unless_asked_for() {
    let pause = frame_to([1, 0x80, 0xC2, 0, 0, 1], [0x88, 0x08], 60, 0);
    for (filter, received) in [(1 << 4, 0), (1 << 4 | 2 << 6, 1)] {
        let mut rig = Rig::started(2);
        rig.store(0x008, filter);
        rig.deliver(&pause);
        rig.settle();
        assert_eq!(rig.eth.counters().frames_received, received);
    }
}

#[test]
fn a_wrong_check_sequence_is_dropped_or_forwarded_with_its_error() {
    for (queue, received) in [(0x0070_0020, false), (0x0070_0030, true)] {
        let mut rig = Rig::started(2);
        rig.store(RXQOMR, queue);
        let mut broken = frame_to_board(64, 1);
        broken[40] ^= 1;
        rig.deliver_raw(&broken);
        rig.settle();
        assert_eq!(rig.eth.counters().crc_errors, 1);
        assert_eq!(rig.rx_word(0, 3) & OWN == 0, received);
        if received {
            assert_eq!(closed(rig.rx_word(0, 3)), (64, true, true, true));
            assert_eq!(rig.rx_word(0, 3) >> 24 & 1, 1);
        }
    }
}

#[test]
fn a_runt_needs_its_own_permission() {
    for (queue, received) in [(0x0070_0020, 0), (0x0070_0028, 1)] {
        let mut rig = Rig::started(2);
        rig.store(RXQOMR, queue);
        rig.deliver_raw(&with_fcs(&frame_to_board(30, 1)));
        rig.settle();
        assert_eq!(rig.eth.counters().frames_received, received);
    }
}

#[test]
fn a_buffer_in_tightly_coupled_memory_stops_the_engine() {
    let mut rig = Rig::started(2);
    rig.store(CIER, 1 << 14 | 1 << 12);
    for n in 0..2 {
        rig.put_descriptor(RX_RING + 16 * n, [0x2000_0000, 0, 0, RX_READY]);
    }
    rig.deliver(&frame_to_board(60, 0));
    rig.settle();
    assert_eq!(
        rig.peek(CSR) & 1 << 12,
        0,
        "fetched before its address changed"
    );
    rig.deliver(&frame_to_board(60, 0));
    rig.settle();
    let status = rig.peek(CSR);
    assert_eq!(status & (1 << 12 | CSR_AIS), 1 << 12 | CSR_AIS);
    assert_eq!((status >> 19) & 0b111, 0b100, "a write of data");
    assert!(rig.irq());
}

/// Gives slots back as a driver does that then writes the tail once, to the slot it will look at next.
fn give_with_tail_ahead(rig: &mut Rig, slots: &[u32]) {
    for n in slots {
        rig.give_rx(*n);
    }
    let next = slots.last().map_or(0, |n| (n + 1) % 4);
    rig.store(RX_TAIL, RX_RING + 16 * next);
}

#[test]
fn the_engine_stops_in_front_of_its_tail() {
    let mut rig = Rig::started(4);
    rig.store(RX_TAIL, RX_RING + 16 * 3);
    for tag in 0..4 {
        rig.deliver(&frame_to_board(60, tag));
    }
    rig.settle();
    assert_eq!([0, 1, 2].map(|n| rig.rx_word(n, 3) & OWN), [0; 3]);
    assert_eq!(rig.rx_word(3, 3), RX_READY, "it is the engine's, and stays");
    assert_eq!(rig.peek(CSR) & CSR_RBU, CSR_RBU);
    assert_eq!(rig.peek(0x114C), RX_RING + 16 * 3);
    rig.store(RX_TAIL, RX_RING);
    rig.settle();
    assert_eq!(rig.rx_bytes(3, 60)[30], 3);
}

#[test]
fn a_tail_at_the_list_does_not_start_the_engine() {
    let mut rig = Rig::started(4);
    rig.store(CRXCR, 1 << 16 | 1536 << 1);
    rig.store(0x111C, RX_RING);
    rig.store(RX_TAIL, RX_RING);
    rig.store(CRXCR, 1 << 16 | 1536 << 1 | 1);
    rig.deliver(&frame_to_board(60, 0));
    rig.settle();
    assert_eq!(rig.rx_word(0, 3), RX_READY);
    assert_eq!((rig.peek(0x100C) >> 8) & 0xF, 4);
}

/// A tail on the next slot works while frames come singly, and stalls reception for good after a burst
/// of a ring's length (stm32h7xx-hal-driver issue 61, zephyr issue 79066).
#[test]
fn a_tail_on_the_next_slot_stalls_after_a_burst_and_transmission_goes_on() {
    let mut rig = Rig::started(4);
    for tag in 0..6_u32 {
        rig.deliver(&frame_to_board(60, tag as u8));
        rig.settle();
        assert_eq!(rig.rx_word(tag % 4, 3) & OWN, 0);
        give_with_tail_ahead(&mut rig, &[tag % 4]);
    }
    for tag in 0..8 {
        rig.deliver(&frame_to_board(60, tag));
    }
    rig.settle();
    let received = rig.eth.counters().frames_received;
    assert_eq!(
        rig.peek(0xD38) >> 16,
        4,
        "four of the burst wait in the FIFO"
    );
    give_with_tail_ahead(&mut rig, &[2, 3, 0, 1]);
    rig.settle();
    for _ in 0..40 {
        rig.deliver(&frame_to_board(60, 0));
        rig.run_for(Span::from_ms(10));
    }
    assert_eq!(
        [0, 1, 2, 3].map(|n| rig.rx_word(n, 3)),
        [RX_READY; 4],
        "nothing is received though every descriptor is the engine's"
    );
    assert_eq!((rig.peek(0x100C) >> 8) & 0xF, 4, "suspended");
    let counters = rig.eth.counters();
    assert_eq!(counters.frames_received, received + 26, "the FIFO is full");
    assert_eq!(counters.fifo_overflows, 14);
    rig.put_tx(0, &frame_to([2, 0, 0, 0, 0, 1], [8, 0], 60, 7), FD | LD);
    rig.store(TX_TAIL, TX_RING + 16);
    rig.settle();
    assert_eq!(rig.sent.len(), 1, "transmission is alive");
}

#[test]
fn one_line_of_one_frame_is_left_as_it_was() {
    let mut rig = Rig::started(1);
    rig.deliver(&frame_to_board(255, 1));
    rig.settle();
    rig.with(|eth, _| eth.leave_stale_line(StaleLine { line: 3, after: 1 }));
    let mut next = |len, tag| {
        rig.give_rx(0);
        rig.store(RX_TAIL, 0);
        rig.deliver(&frame_to_board(len, tag));
        rig.settle();
        rig.rx_bytes(0, len as u32).to_vec()
    };
    assert_eq!(next(100, 2), frame_to_board(100, 2), "it ends in line 3");
    assert_eq!(next(128, 1), frame_to_board(128, 1), "one comes before");
    assert_eq!(next(100, 2), frame_to_board(100, 2), "it ends in line 3");
    let mixed = next(255, 3);
    let new = frame_to_board(255, 3);
    assert_eq!((&mixed[..96], &mixed[128..]), (&new[..96], &new[128..]));
    assert_eq!(
        (&mixed[96..100], &mixed[104..128]),
        (&[2; 4][..], &[1; 24][..])
    );
    assert_eq!(next(255, 4), frame_to_board(255, 4), "only once");
}
