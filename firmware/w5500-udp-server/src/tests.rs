extern crate std;

use std::net::{Ipv4Addr, SocketAddrV4};
use std::vec::Vec;

use w5500_fake::{Access, FakeChip};
use w5500_hl::ll::{Reg, Sn, SnReg};

use super::*;

const ECHO: Sn = Sn::Sn1;
const ALICE: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(192, 168, 1, 1), 4000);
const BOB: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(192, 168, 1, 2), 5000);

fn bound() -> (FakeChip, UdpServer) {
    let mut chip = FakeChip::default();
    let server = UdpServer::bind(&mut chip, ECHO, 7).unwrap();
    chip.accesses.clear();
    (chip, server)
}

fn echo(chip: &mut FakeChip, server: &mut UdpServer) -> u32 {
    let mut buffer = [0; 1472];
    server
        .serve(chip, &mut buffer, |_, length| length)
        .expect("the fake's bus never fails")
}

fn is_destination(access: &Access) -> bool {
    access.write && access.block == ECHO.block() && access.address == SnReg::DIPR0.addr()
}

#[test]
fn binding_unmasks_reception_alone() {
    let mut chip = FakeChip::default();
    chip.poke(0, Reg::SIMR.addr(), 0b1);
    UdpServer::bind(&mut chip, ECHO, 7).unwrap();
    let [unmasked] = chip.peek(ECHO.block(), SnReg::IMR.addr());
    assert_eq!(unmasked & 0b1_1111, 0b100);
    assert_eq!(chip.peek(0, Reg::SIMR.addr()), [0b11]);
    assert_eq!(chip.peek(ECHO.block(), SnReg::PORT0.addr()), [0, 7]);
}

#[test]
fn every_waiting_datagram_goes_back_to_its_sender_with_its_bounds() {
    let (mut chip, mut server) = bound();
    chip.receive(ECHO, ALICE, b"hello");
    chip.receive(ECHO, BOB, b"world");
    echo(&mut chip, &mut server);
    let sent: Vec<_> = chip
        .sent
        .iter()
        .map(|sent| (sent.to, sent.payload.as_slice()))
        .collect();
    assert_eq!(sent, [(ALICE, &b"hello"[..]), (BOB, &b"world"[..])]);
    assert_eq!(chip.waiting_bytes(ECHO), 0);
}

#[test]
fn the_interrupt_is_cleared_before_the_buffer_is_looked_at() {
    let (mut chip, mut server) = bound();
    chip.receive(ECHO, ALICE, b"hello");
    echo(&mut chip, &mut server);
    let place = |address: u16, write: bool| {
        let found = |a: &Access| (a.address, a.write) == (address, write);
        chip.accesses.iter().position(found).unwrap()
    };
    assert!(place(SnReg::IR.addr(), true) < place(SnReg::RX_RSR0.addr(), false));
    assert_eq!(chip.peek(ECHO.block(), SnReg::IR.addr()), [0]);
}

/// Sn_IR twice and the empty probe are 13 bytes a wake; SIR's 4 are the caller's. A datagram takes
/// ten transactions and 54 + 2 x 100 bytes.
#[test]
fn an_echo_to_a_known_peer_takes_ten_transactions_and_254_bytes() {
    let (mut chip, mut server) = bound();
    chip.receive(ECHO, ALICE, &[1; 100]);
    echo(&mut chip, &mut server);
    chip.accesses.clear();
    chip.receive(ECHO, ALICE, &[2; 100]);
    echo(&mut chip, &mut server);
    // w5500-hl reads Sn_SR besides where debug assertions are on.
    chip.accesses
        .retain(|access| access.address != SnReg::SR.addr() || access.block != ECHO.block());
    assert_eq!(chip.accesses.len(), 3 + 10);
    let bytes: usize = chip.accesses.iter().map(|access| access.bytes).sum();
    assert_eq!(bytes, 13 + 254);
}

#[test]
fn the_destination_is_written_when_it_changes_and_only_then() {
    let (mut chip, mut server) = bound();
    for sender in [ALICE, ALICE, BOB, BOB, ALICE] {
        chip.receive(ECHO, sender, b"hello");
    }
    echo(&mut chip, &mut server);
    let rewritten = chip.accesses.iter().filter(|access| is_destination(access));
    assert_eq!(rewritten.count(), 3);
    let sent: Vec<_> = chip.sent.iter().map(|sent| sent.to).collect();
    assert_eq!(sent, [ALICE, ALICE, BOB, BOB, ALICE]);
}

#[test]
fn an_empty_reply_is_never_sent() {
    let (mut chip, mut server) = bound();
    chip.receive(ECHO, ALICE, b"");
    chip.receive(ECHO, ALICE, b"hello");
    echo(&mut chip, &mut server);
    assert_eq!(chip.sent.len(), 1);
    assert_eq!(chip.sent[0].payload, b"hello");
}

#[test]
fn a_reply_waits_for_the_one_before_it() {
    let (mut chip, mut server) = bound();
    chip.receive(ECHO, ALICE, b"hello");
    chip.busy_looks = 3;
    assert_eq!(echo(&mut chip, &mut server), 0);
    assert_eq!(chip.sent.len(), 1);
    assert_eq!(chip.busy_looks, 0);
}

#[test]
fn a_transmitter_that_stays_busy_costs_its_reply_and_no_other() {
    let (mut chip, mut server) = bound();
    chip.receive(ECHO, ALICE, b"lost");
    chip.receive(ECHO, ALICE, b"kept");
    chip.busy_looks = BUSY_LOOKS + 1;
    assert_eq!(echo(&mut chip, &mut server), 1);
    assert_eq!(chip.sent.len(), 1);
    assert_eq!(chip.sent[0].payload, b"kept");
}

#[test]
fn datagrams_wrap_around_the_end_of_both_buffers() {
    let (mut chip, mut server) = bound();
    for round in 0..100 {
        let payload = [round; 700];
        chip.receive(ECHO, ALICE, &payload);
        echo(&mut chip, &mut server);
        assert_eq!(chip.sent.pop().unwrap().payload, payload);
    }
}
