//! SPI frames: modes, increments, blocks, stray clock edges, and how traffic is counted.

use super::rig::*;
use crate::chips::w5500::{Parameters, SpiBlock, TrafficEntry};

#[test]
fn the_address_goes_on_by_one_with_every_byte() {
    let mut rig = Rig::new();
    rig.write(COMMON, 0x01, &[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(rig.read(COMMON, 0x01, 4), [1, 2, 3, 4]);
    assert_eq!(rig.read(COMMON, 0x05, 4), [5, 6, 7, 8]);
    assert_eq!(rig.read(COMMON, 0x03, 3), [3, 4, 5]);
}

#[test]
fn an_address_beyond_ffff_goes_on_at_zero() {
    let mut rig = Rig::new();
    rig.write(COMMON, 0x01, &[9]);
    assert_eq!(rig.read(COMMON, 0xFFFF, 3), [0, 0, 9]);
}

#[test]
fn fixed_length_frames_end_by_their_length() {
    for (mode, len) in [(1, 1_usize), (2, 2), (3, 4)] {
        let mut rig = Rig::new();
        // Three frames under one chip select: write, write, read.
        let mut bytes = Vec::new();
        for (address, value) in [(0x01, 0x30), (0x05, 0x40)] {
            bytes.extend([0, address, COMMON | WRITE | mode]);
            bytes.extend((0..len as u8).map(|n| value + n));
        }
        bytes.extend([0, 0x01, COMMON | mode]);
        bytes.extend(vec![0; len]);
        let back = rig.transaction(&bytes);
        let expected: Vec<u8> = (0..len as u8).map(|n| 0x30 + n).collect();
        assert_eq!(back[back.len() - len..], expected);
        assert_eq!(rig.byte(COMMON, 0x05), 0x40);
        let counted: Vec<_> = rig.chip.traffic().entries().collect();
        let entry = |register, write| TrafficEntry {
            block: SpiBlock::Common,
            write,
            register: Some(register),
            transactions: 1,
            bytes: 3 + len as u64,
        };
        assert_eq!(counted[..2], [entry("GAR", false), entry("GAR", true)]);
        assert_eq!(counted[3], entry("SUBR", true));
    }
}

#[test]
fn miso_in_header_and_write_is_as_the_parameters_say() {
    let mut rig = Rig::with_parameters(Parameters {
        header_miso: [0xA, 0xB, 0xC],
        write_miso: 0xD,
        ..Parameters::default()
    });
    let back = rig.transaction(&[0, 0x01, COMMON | WRITE, 1, 2]);
    assert_eq!(back, [0xA, 0xB, 0xC, 0xD, 0xD]);
}

#[test]
fn a_chip_that_is_not_selected_neither_answers_nor_listens() {
    let mut rig = Rig::new();
    let back: Vec<u8> = [0, 0x01, COMMON | WRITE, 7].map(|b| rig.exchange(b)).into();
    assert_eq!(back, [0xFF; 4]);
    assert_eq!(rig.byte(COMMON, 0x01), 0);
}

#[test]
fn a_transaction_that_ends_in_its_header_is_counted_and_does_nothing() {
    let mut rig = Rig::new();
    rig.transaction(&[]);
    rig.transaction(&[0]);
    rig.transaction(&[0, 1]);
    assert_eq!(rig.counters().truncated_headers, 2);
    assert_eq!(rig.chip.traffic().entries().count(), 0);
}

#[test]
fn after_a_stray_clock_edge_a_register_reads_shifted_and_the_transaction_is_misaligned() {
    let mut rig = Rig::new();
    rig.select();
    for byte in [0, 0x39, COMMON] {
        rig.exchange(byte);
    }
    rig.with(|chip, ctx| chip.stray_clock(ctx));
    // VERSIONR is 0x04: the first of its bits went with the stray edge, the next register's first came.
    assert_eq!(rig.exchange(0), 0x08);
    rig.deselect();
    let counters = rig.counters();
    assert_eq!(counters.stray_clocks, 1);
    assert_eq!(counters.misaligned_transactions, 1);
    assert_eq!(rig.byte(COMMON, 0x39), 0x04);
    assert_eq!(rig.counters().misaligned_transactions, 1);
}

#[test]
fn a_stray_clock_edge_before_data_shifts_what_is_written() {
    let mut rig = Rig::new();
    rig.select();
    for byte in [0, 0x01, COMMON | WRITE] {
        rig.exchange(byte);
    }
    rig.with(|chip, ctx| chip.stray_clock(ctx));
    rig.exchange(0x81);
    rig.exchange(0x80);
    rig.deselect();
    // 0 (stray) and 1000000, then 1 and 1000000; the last bit is lost.
    assert_eq!(rig.read(COMMON, 0x01, 3), [0x40, 0xC0, 0x00]);
}

#[test]
fn what_floats_and_what_is_reserved_reads_as_the_parameters_say() {
    let mut rig = Rig::with_parameters(Parameters {
        deselected_miso: 0x3C,
        reserved_value: 0xA5,
        stray_mosi: true,
        ..Parameters::default()
    });
    assert_eq!(rig.exchange(0), 0x3C);
    assert_eq!(rig.byte(COMMON, 0x2F), 0xA5);
    assert_eq!(rig.byte(socket(0), 0x17), 0xA5);
    assert_eq!(rig.byte(8 << 3, 0), 0xA5);
    rig.select();
    for byte in [0, 0x01, COMMON | WRITE] {
        rig.exchange(byte);
    }
    rig.with(|chip, ctx| chip.stray_clock(ctx));
    rig.exchange(0x00);
    rig.deselect();
    assert_eq!(rig.byte(COMMON, 0x01), 0x80);
}

#[test]
fn eight_stray_edges_are_a_byte_and_stray_edges_of_others_are_nothing() {
    let mut rig = Rig::new();
    rig.with(|chip, ctx| chip.stray_clock(ctx));
    rig.select();
    for byte in [0, 0x38, COMMON] {
        rig.exchange(byte);
    }
    for _ in 0..8 {
        rig.with(|chip, ctx| chip.stray_clock(ctx));
    }
    assert_eq!(rig.exchange(0), 0x04);
    rig.deselect();
    assert_eq!(rig.counters().stray_clocks, 8);
    assert_eq!(rig.counters().misaligned_transactions, 0);
}

/// The derivation of what WIZ 0.3.0 moves for one echoed packet of 100 bytes: 342 bytes.
#[test]
fn traffic_counts_a_macraw_echo_as_derived() {
    let mut rig = Rig::macraw();
    let frame = frame_to(MAC, [0x08, 0x00], 142, 7);
    rig.deliver(&frame);
    rig.settle();
    let before: Vec<_> = rig.chip.traffic().entries().collect();
    // Receive as the driver does.
    rig.half(socket(0), SN_RX_RSR);
    rig.half(socket(0), SN_RX_RSR);
    rig.write(socket(0), SN_IR, &[RECEIVED]);
    let at = rig.half(socket(0), SN_RX_RD);
    let len = rig.half(rx(0), at);
    let received = rig.read(rx(0), at.wrapping_add(2), usize::from(len) - 2);
    rig.write(socket(0), SN_RX_RD, &at.wrapping_add(len).to_be_bytes());
    rig.command(0, RECV);
    assert_eq!(received, frame);
    // Send.
    rig.half(socket(0), SN_TX_FSR);
    rig.send(0, &frame);
    let total = |entries: &[TrafficEntry]| {
        entries.iter().fold((0, 0), |sum, entry| {
            (sum.0 + entry.transactions, sum.1 + entry.bytes)
        })
    };
    let after: Vec<_> = rig.chip.traffic().entries().collect();
    let (transactions, bytes) = total(&after);
    let (transactions_before, bytes_before) = total(&before);
    assert_eq!(
        (transactions - transactions_before, bytes - bytes_before),
        (13, 342)
    );
    assert!(after.contains(&TrafficEntry {
        block: SpiBlock::Socket(0),
        write: false,
        register: Some("RX_RSR"),
        transactions: 2,
        bytes: 10,
    }));
    assert!(after.contains(&TrafficEntry {
        block: SpiBlock::RxBuffer(0),
        write: false,
        register: None,
        transactions: 2,
        bytes: 150,
    }));
}

#[test]
fn the_second_byte_of_a_register_counts_under_its_name() {
    let mut rig = Rig::new();
    rig.byte(socket(5), SN_RX_RSR + 1);
    rig.byte(COMMON, 0x2F);
    rig.byte(8 << 3, 0);
    let entries: Vec<_> = rig.chip.traffic().entries().collect();
    let seen: Vec<_> = entries.iter().map(|e| (e.block, e.register)).collect();
    assert_eq!(
        seen,
        [
            (SpiBlock::Common, Some("reserved")),
            (SpiBlock::Socket(5), Some("RX_RSR")),
            (SpiBlock::Reserved, None),
        ]
    );
}

#[test]
fn reads_and_writes_beyond_data_and_space_are_counted_by_transaction() {
    let mut rig = Rig::macraw();
    rig.deliver(&frame_to(MAC, [0x08, 0x00], 60, 1));
    rig.settle();
    rig.read(rx(0), 0, 62);
    rig.read(rx(0), 2, 60);
    assert_eq!(rig.counters().reads_past_data, 0);
    rig.read(rx(0), 2, 61);
    rig.read(rx(0), 62, 1);
    assert_eq!(rig.counters().reads_past_data, 2);
    rig.write(tx(0), 0, &[0; 16 * 1024]);
    assert_eq!(rig.counters().writes_past_space, 0);
    rig.write(tx(0), 1, &[0; 16 * 1024]);
    assert_eq!(rig.counters().writes_past_space, 1);
}
