//! MACRAW: frames both ways, filters, full buffers, interrupts.

use super::rig::*;
use crate::chips::w5500::{Parameters, PrefixFault, RecvPastData, SendBeyondSpace, SocketMask};
use crate::net::frame;
use crate::net::wire::{PREAMBLE_LEN, serialization};
use crate::time::{Instant, Span};

const IPV4: [u8; 2] = [0x08, 0x00];
const IPV6: [u8; 2] = [0x86, 0xDD];
const MULTICAST: [u8; 6] = [0x01, 0, 0x5E, 0, 0, 0xFB];
const OTHER: [u8; 6] = [0x02, 0, 0, 0, 0x72, 0x09];

#[test]
fn a_frame_is_stored_with_a_length_that_counts_itself() {
    let mut rig = Rig::macraw();
    let frame = frame_to(MAC, IPV4, 142, 0x77);
    rig.deliver(&frame);
    rig.settle();
    assert_eq!(rig.half(socket(0), SN_RX_RSR), 144);
    assert_eq!(rig.byte(socket(0), SN_IR), RECEIVED);
    assert_eq!(rig.byte(COMMON, 0x17), 0x01);
    assert!(rig.int_low());
    assert_eq!(rig.half(rx(0), 0), 144);
    assert_eq!(rig.take_frame(), frame);
    assert_eq!(rig.half(socket(0), SN_RX_RSR), 0);
    let counters = rig.counters();
    assert_eq!(
        (counters.frames_received, counters.macraw_frames_stored),
        (1, 1)
    );
}

#[test]
fn a_frame_shows_at_its_time_after_its_last_bit() {
    let mut rig = Rig::macraw();
    let start = rig.now;
    rig.deliver(&frame_to(MAC, IPV4, 142, 0x77));
    let shows = start + serialization(PREAMBLE_LEN + 146) + Parameters::default().wire_to_interrupt;
    rig.run_until(Instant::from_ps(shows.as_ps() - 1));
    assert!(!rig.int_low());
    rig.run_until(shows);
    assert!(rig.int_low());
}

#[test]
fn a_sent_frame_is_padded_gets_its_check_sequence_and_completes() {
    let mut rig = Rig::macraw();
    let short = frame_to(HOST_MAC, IPV4, 20, 0x55);
    rig.send(0, &short);
    let sent_at = rig.now;
    assert_eq!(rig.half(socket(0), SN_TX_FSR), 16 * 1024 - 20);
    assert_eq!(rig.half(socket(0), SN_TX_RD), 0);
    rig.settle();
    let (arrived, frame) = &rig.sent[0];
    assert_eq!(frame[..20], short);
    assert_eq!(frame[20..], [0; 40]);
    let wire = serialization(PREAMBLE_LEN + frame::MIN_LEN + frame::FCS_LEN);
    assert_eq!(
        *arrived,
        sent_at + Parameters::default().send_to_wire + wire
    );
    assert_eq!(rig.byte(socket(0), SN_IR), SENDOK);
    assert_eq!(rig.half(socket(0), SN_TX_RD), 20);
    assert_eq!(rig.half(socket(0), SN_TX_FSR), 16 * 1024);
    // WIZ unmasks RECV only.
    assert!(!rig.int_low());
    assert_eq!(rig.counters().frames_sent, 1);
}

/// Writes `count` full frames and then SENDs one after the other, faster than the wire.
fn send_back_to_back(rig: &mut Rig, count: u8) {
    let frames = (0..count).map(|tag| frame_to(HOST_MAC, IPV4, 1_514, tag));
    rig.write(tx(0), 0, &frames.collect::<Vec<_>>().concat());
    for n in 1..=u16::from(count) {
        rig.write(socket(0), SN_TX_WR, &(n * 1_514).to_be_bytes());
        rig.command(0, SEND);
    }
}

#[test]
fn a_send_under_way_makes_the_next_wait_behind_it() {
    let mut rig = Rig::macraw();
    send_back_to_back(&mut rig, 3);
    rig.settle();
    let tags: Vec<_> = rig.sent.iter().map(|(_, frame)| frame[20]).collect();
    assert_eq!(tags, [0, 1, 2]);
    assert_eq!(rig.counters().sends_queued, 2);
    assert_eq!(rig.half(socket(0), SN_TX_RD), 3 * 1_514);
}

#[test]
fn a_send_of_nothing_never_completes_and_blocks_nothing() {
    let mut rig = Rig::macraw();
    rig.command(0, SEND);
    rig.run_for(Span::from_ms(10_000));
    assert!(rig.sent.is_empty());
    assert_eq!(rig.byte(socket(0), SN_IR), 0);
    assert_eq!(rig.counters().zero_length_sends, 1);
    rig.send(0, &frame_to(HOST_MAC, IPV4, 60, 1));
    rig.settle();
    assert_eq!(rig.sent.len(), 1);
    assert_eq!(rig.byte(socket(0), SN_IR), SENDOK);
}

#[test]
fn clearing_recv_with_data_left_does_not_raise_it_again() {
    let mut rig = Rig::macraw();
    for tag in 0..3 {
        rig.deliver(&frame_to(MAC, IPV4, 60, tag));
    }
    rig.settle();
    assert_eq!(rig.counters().arrivals_merged, 2);
    rig.write(socket(0), SN_IR, &[RECEIVED]);
    assert_eq!(rig.take_frame()[20], 0);
    rig.settle();
    assert!(!rig.int_low());
    assert_eq!(rig.half(socket(0), SN_RX_RSR), 2 * 62);
    rig.deliver(&frame_to(MAC, IPV4, 60, 3));
    rig.settle();
    assert!(rig.int_low());
    assert_eq!(rig.take_frame()[20], 1);
    assert_eq!(rig.counters().arrivals_merged, 2);
}

/// Sn_MR, destination, type, whether the frame is stored.
#[test]
fn filter_bits_let_pass_what_they_should() {
    for (mode, destination, kind, stored) in [
        (0x04, MAC, IPV4, true),
        (0x04, OTHER, IPV4, true),
        (0x04, MULTICAST, IPV4, true),
        (0x04, BROADCAST, IPV4, true),
        (0x84, MAC, IPV4, true),
        (0x84, OTHER, IPV4, false),
        (0x84, MULTICAST, IPV4, true),
        (0x84, BROADCAST, IPV4, true),
        (0xC4, BROADCAST, IPV4, false),
        (0xC4, MAC, IPV4, true),
        (0xA4, MULTICAST, IPV4, false),
        (0xA4, BROADCAST, IPV4, true),
        (0x24, MULTICAST, IPV4, true),
        (0x94, MAC, IPV6, false),
        (0x94, MAC, IPV4, true),
        (0x84, MAC, IPV6, true),
    ] {
        let mut rig = Rig::macraw();
        rig.write(socket(0), SN_MR, &[mode]);
        rig.deliver(&frame_to(destination, kind, 60, 1));
        rig.settle();
        let counters = rig.counters();
        let expected = (u64::from(stored), u64::from(!stored));
        let counted = (counters.macraw_frames_stored, counters.frames_filtered);
        assert_eq!(counted, expected, "{mode:#x} {destination:x?} {kind:x?}");
    }
}

#[test]
fn frames_that_do_not_fit_are_dropped_whole_and_counted() {
    let mut rig = Rig::macraw();
    let frame = frame_to(MAC, IPV4, 1_022, 9);
    for _ in 0..17 {
        rig.deliver(&frame);
    }
    rig.run_for(Span::from_ms(5));
    let counters = rig.counters();
    assert_eq!(counters.macraw_frames_stored, 16);
    assert_eq!(counters.macraw_frames_dropped, 1);
    assert_eq!(rig.half(socket(0), SN_RX_RSR), 16 * 1024);
    for _ in 0..16 {
        assert_eq!(rig.take_frame(), frame);
    }
    assert_eq!(rig.half(socket(0), SN_RX_RSR), 0);
}

#[test]
fn pointers_wrap_in_16_bits_and_bursts_inside_the_block() {
    let mut rig = Rig::macraw_with(Parameters {
        pointer_at_open: 0xFFB0,
        ..Parameters::default()
    });
    assert_eq!(rig.half(socket(0), SN_TX_RD), 0xFFB0);
    for tag in 0..40 {
        let frame: Vec<u8> = (0..1_000_u16).map(|n| (n % 253) as u8 ^ tag).collect();
        let mut frame = [frame_to(MAC, IPV4, 14, 0), frame].concat();
        rig.deliver(&frame);
        rig.settle();
        assert_eq!(rig.take_frame(), frame);
        frame[..6].copy_from_slice(&HOST_MAC);
        rig.send(0, &frame);
        rig.settle();
        assert_eq!(rig.sent.last().unwrap().1, frame);
    }
    let moved = 40 * 1_016_u16;
    assert_eq!(
        rig.half(socket(0), SN_RX_RD),
        0xFFB0_u16.wrapping_add(moved)
    );
}

#[test]
fn damaged_and_misshapen_frames_are_dropped_and_counted() {
    let mut rig = Rig::macraw();
    let mut bad = with_fcs(&frame_to(MAC, IPV4, 60, 1));
    bad[30] ^= 1;
    let runt = with_fcs(&frame_to(MAC, IPV4, 59, 1));
    let giant = with_fcs(&frame_to(MAC, IPV4, 1_515, 1));
    for frame in [bad, runt, giant] {
        rig.deliver_raw(&frame);
    }
    rig.settle();
    let counters = rig.counters();
    assert_eq!((counters.damaged_frames, counters.frames_received), (3, 0));
    assert!(!rig.int_low());
}

#[test]
fn masks_gate_sir_and_simr_gates_the_pin() {
    for (mask, expected_ir) in [(SocketMask::Sir, RECEIVED), (SocketMask::SnIr, 0)] {
        let mut rig = Rig::macraw_with(Parameters {
            socket_mask: mask,
            ..Parameters::default()
        });
        rig.write(socket(0), SN_IMR, &[0]);
        rig.deliver(&frame_to(MAC, IPV4, 60, 1));
        rig.settle();
        assert_eq!(rig.byte(socket(0), SN_IR), expected_ir);
        assert_eq!(rig.byte(COMMON, 0x17), 0);
        assert!(!rig.int_low());
    }
    let mut rig = Rig::macraw();
    rig.write(COMMON, 0x18, &[0]);
    rig.deliver(&frame_to(MAC, IPV4, 60, 1));
    rig.settle();
    assert_eq!(rig.byte(COMMON, 0x17), 1);
    assert!(!rig.int_low());
    rig.write(COMMON, 0x18, &[1]);
    assert!(rig.int_low());
    rig.write(socket(0), SN_IR, &[0xFF]);
    assert!(!rig.int_low());
}

#[test]
fn intlevel_is_the_shortest_time_until_the_pin_falls_again() {
    let mut rig = Rig::macraw();
    // (1499 + 1) x 4 cycles of 150 MHz are 40 us.
    rig.write(COMMON, 0x13, &1_499_u16.to_be_bytes());
    rig.deliver(&frame_to(MAC, IPV4, 60, 1));
    rig.settle();
    rig.write(socket(0), SN_IR, &[RECEIVED]);
    let released = rig.now;
    rig.deliver(&frame_to(MAC, IPV4, 60, 1));
    let falls = released + Span::from_us(40);
    rig.run_until(Instant::from_ps(falls.as_ps() - 1));
    assert!(!rig.int_low());
    assert_eq!(rig.byte(socket(0), SN_IR), RECEIVED);
    rig.run_until(falls);
    assert!(rig.int_low());
}

#[test]
fn recv_with_nothing_there_is_counted_and_changes_nothing() {
    let mut rig = Rig::macraw();
    rig.command(0, RECV);
    assert_eq!(rig.counters().recv_without_data, 1);
    assert_eq!(rig.half(socket(0), SN_RX_RSR), 0);
    rig.deliver(&frame_to(MAC, IPV4, 60, 1));
    rig.settle();
    assert_eq!(rig.take_frame()[20], 1);
    assert_eq!(rig.counters().recv_without_data, 1);
}

#[test]
fn recv_past_the_data_does_as_the_parameter_says() {
    for (policy, size) in [
        (RecvPastData::AsWritten, 0_u16.wrapping_sub(2)),
        (RecvPastData::Clamped, 0),
    ] {
        let mut rig = Rig::macraw_with(Parameters {
            recv_past_data: policy,
            ..Parameters::default()
        });
        rig.deliver(&frame_to(MAC, IPV4, 60, 1));
        rig.settle();
        rig.write(socket(0), SN_RX_RD, &64_u16.to_be_bytes());
        rig.command(0, RECV);
        assert_eq!(rig.counters().recv_past_data, 1);
        assert_eq!(rig.half(socket(0), SN_RX_RSR), size);
        rig.deliver(&frame_to(MAC, IPV4, 60, 1));
        rig.settle();
        let dropped = u64::from(policy == RecvPastData::AsWritten);
        assert_eq!(rig.counters().macraw_frames_dropped, dropped);
    }
}

#[test]
fn a_send_of_more_than_is_free_does_as_the_parameter_says() {
    for (policy, frames) in [(SendBeyondSpace::Sent, 1), (SendBeyondSpace::Ignored, 0)] {
        let mut rig = Rig::macraw_with(Parameters {
            send_beyond_space: policy,
            ..Parameters::default()
        });
        rig.write(socket(0), SN_TXBUF_SIZE, &[1]);
        rig.write(tx(0), 0, &[0xA5; 1024]);
        rig.write(socket(0), SN_TX_WR, &1_200_u16.to_be_bytes());
        rig.command(0, SEND);
        rig.settle();
        assert_eq!(rig.counters().sends_beyond_space, 1);
        assert_eq!(rig.sent.len(), frames);
        assert!(rig.sent.iter().all(|(_, frame)| *frame == [0xA5; 1_200]));
    }
}

#[test]
fn a_send_longer_than_a_frame_is_cut() {
    let mut rig = Rig::macraw();
    rig.send(0, &[3; 1_600]);
    rig.settle();
    assert_eq!(rig.sent[0].1, [3; 1_514]);
    assert_eq!(rig.counters().oversize_frames, 1);
    assert_eq!(rig.half(socket(0), SN_TX_RD), 1_600);
}

#[test]
fn a_wrong_prefix_comes_when_it_is_asked_for() {
    let mut rig = Rig::macraw_with(Parameters {
        prefix_fault: Some(PrefixFault {
            every: 2,
            prefix: 1,
        }),
        ..Parameters::default()
    });
    for _ in 0..3 {
        rig.deliver(&frame_to(MAC, IPV4, 60, 1));
    }
    rig.settle();
    let prefixes = [0, 62, 124].map(|at| rig.half(rx(0), at));
    assert_eq!(prefixes, [62, 1, 62]);
    assert_eq!(rig.counters().wrong_prefixes, 1);
}

#[test]
fn close_stops_reception_and_forgets_what_waits() {
    let mut rig = Rig::macraw();
    send_back_to_back(&mut rig, 2);
    rig.command(0, CLOSE);
    rig.deliver(&frame_to(MAC, IPV4, 60, 1));
    rig.settle();
    assert_eq!(rig.sent.len(), 1);
    assert_eq!(rig.byte(socket(0), SN_SR), 0);
    assert_eq!(rig.byte(socket(0), SN_IR), 0);
    assert_eq!(rig.counters().frames_filtered, 1);
}
