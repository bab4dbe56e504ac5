//! TCP sockets against the host's smoltcp: connections, 100 KB each way, windows, ends and silences.

use std::net::{Ipv4Addr, SocketAddrV4};

use super::rig::*;
use crate::net::fault::{FaultRates, Faults};
use crate::net::host::{TcpHandle, TcpState};
use crate::net::wire::WireConfig;
use crate::time::{Instant, Span};

pub const OWN: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 20);
pub const HOST: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 1);
const NOBODY: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 99);
const PORT: u16 = 5_000;
const HOST_PORT: u16 = 6_000;

const LISTEN: u8 = 0x02;
const CONNECT: u8 = 0x04;
const DISCON: u8 = 0x08;

const CLOSED: u8 = 0x00;
const ESTABLISHED: u8 = 0x17;
const FIN_WAIT: u8 = 0x18;
const TIME_WAIT: u8 = 0x1B;
const CLOSE_WAIT: u8 = 0x1C;

const TIMEOUT: u8 = 1 << 3;
const DISCONNECTED: u8 = 1 << 1;
const CONNECTED: u8 = 1 << 0;

/// A chip with an address, the host at the far end.
fn rig_over(wire: WireConfig) -> Rig {
    let mut rig = Rig::facing_host(wire);
    rig.write(COMMON, 0x05, &[255, 255, 255, 0]);
    rig.write(COMMON, 0x09, &MAC);
    rig.write(COMMON, 0x0F, &OWN.octets());
    rig
}

pub fn rig() -> Rig {
    rig_over(WireConfig::default())
}

/// Opens socket `n` in TCP with ND, so that nothing waits for RTR.
fn open(rig: &mut Rig, n: u8, port: u16) {
    rig.write(socket(n), SN_MR, &[0x21]);
    rig.write(socket(n), 0x04, &port.to_be_bytes());
    rig.command(n, OPEN);
    assert_eq!(rig.byte(socket(n), SN_SR), 0x13);
}

fn connect_to(rig: &mut Rig, n: u8, ip: Ipv4Addr) {
    open(rig, n, PORT + u16::from(n));
    let peer = [ip.octets().as_slice(), &HOST_PORT.to_be_bytes()].concat();
    rig.write(socket(n), 0x0C, &peer);
    rig.command(n, CONNECT);
}

/// The chip's socket 1 connects to the host.
fn connected(rig: &mut Rig) -> TcpHandle {
    let handle = rig.host(|host| host.tcp_listen(HOST_PORT)).unwrap();
    connect_to(rig, 1, HOST);
    rig.settle();
    assert_eq!(take_interrupts(rig, 1), CONNECTED);
    assert_eq!(state(rig, 1), ESTABLISHED);
    assert_eq!(
        rig.host(|host| host.tcp_state(handle)),
        TcpState::Established
    );
    handle
}

fn state(rig: &mut Rig, n: u8) -> u8 {
    rig.byte(socket(n), SN_SR)
}

/// Reads Sn_IR and clears what was set.
fn take_interrupts(rig: &mut Rig, n: u8) -> u8 {
    let bits = rig.byte(socket(n), SN_IR);
    rig.write(socket(n), SN_IR, &[bits]);
    bits
}

/// Bytes whose place shows in their value.
fn pattern(len: usize) -> Vec<u8> {
    (0..len)
        .map(|n| (n % 251) as u8 ^ (n / 251) as u8)
        .collect()
}

fn host_takes(rig: &mut Rig, handle: TcpHandle) -> Vec<u8> {
    rig.host(|host| host.tcp_recv(handle, usize::MAX))
}

/// Gives the chip what fits of `bytes` and tells how much that was.
fn chip_sends(rig: &mut Rig, n: u8, bytes: &[u8]) -> usize {
    let free = usize::from(rig.half(socket(n), SN_TX_FSR));
    let len = free.min(bytes.len());
    if len > 0 {
        rig.send(n, &bytes[..len]);
    }
    len
}

fn chip_takes(rig: &mut Rig, n: u8) -> Vec<u8> {
    match rig.half(socket(n), SN_RX_RSR) {
        0 => Vec::new(),
        len => rig.take(n, len),
    }
}

/// Waits up to `limit` until socket `n` is in `wanted`.
fn wait_for_state(rig: &mut Rig, n: u8, wanted: u8, limit: Span) {
    let end = rig.now + limit;
    while state(rig, n) != wanted {
        assert!(rig.now < end, "state {:#04x}", state(rig, n));
        rig.run_for(Span::from_us(100));
    }
}

#[test]
fn the_chip_connects_to_the_host() {
    let mut rig = rig();
    let handle = connected(&mut rig);
    let counters = rig.counters();
    assert_eq!((counters.segments_sent, counters.segments_received), (2, 1));
    assert_eq!((counters.arp_requests, counters.segments_refused), (1, 0));
    assert_eq!(rig.read(socket(1), 0x06, 6), HOST_MAC);
    // Whoever runs the board looks at the host only when something has moved there.
    assert!(rig.network.take_pause_request());
    rig.settle();
    assert!(!rig.network.take_pause_request());
    rig.send(1, b"hello");
    rig.settle();
    assert!(rig.network.take_pause_request());
    assert_eq!(host_takes(&mut rig, handle), b"hello");
}

#[test]
fn the_host_connects_to_the_chip() {
    let mut rig = rig();
    open(&mut rig, 1, PORT);
    rig.command(1, LISTEN);
    assert_eq!(state(&mut rig, 1), 0x14);
    let to = SocketAddrV4::new(OWN, PORT);
    let handle = rig.host(|host| host.tcp_connect(to)).unwrap();
    rig.settle();
    assert_eq!(take_interrupts(&mut rig, 1), CONNECTED);
    assert_eq!(state(&mut rig, 1), ESTABLISHED);
    assert_eq!(rig.read(socket(1), 0x06, 6), HOST_MAC);
    assert_eq!(rig.read(socket(1), 0x0C, 4), HOST.octets());
    assert_eq!(rig.half(socket(1), 0x10), 49_152);
    rig.host(|host| host.tcp_send(handle, b"hello"));
    rig.settle();
    assert_eq!(chip_takes(&mut rig, 1), b"hello");
}

#[test]
fn a_hundred_kilobytes_reach_the_host() {
    let mut rig = rig();
    let handle = connected(&mut rig);
    let bytes = pattern(100_000);
    let (mut sent, mut arrived) = (0, Vec::new());
    while arrived.len() < bytes.len() {
        sent += chip_sends(&mut rig, 1, &bytes[sent..]);
        rig.run_for(Span::from_us(100));
        arrived.extend(host_takes(&mut rig, handle));
    }
    assert_eq!(arrived, bytes);
    rig.run_for(Span::from_ms(20));
    assert_eq!(take_interrupts(&mut rig, 1), SENDOK);
    assert_eq!(rig.half(socket(1), SN_TX_FSR), 2_048);
    assert!(rig.now < Instant::ZERO + Span::from_ms(4_000));
}

#[test]
fn a_hundred_kilobytes_reach_the_chip() {
    let mut rig = rig();
    let handle = connected(&mut rig);
    let bytes = pattern(100_000);
    let (mut sent, mut arrived) = (0, Vec::new());
    while arrived.len() < bytes.len() {
        let rest = &bytes[sent..];
        sent += rig.host(|host| host.tcp_send(handle, rest));
        rig.run_for(Span::from_us(100));
        arrived.extend(chip_takes(&mut rig, 1));
    }
    assert_eq!(arrived, bytes);
    assert_eq!(take_interrupts(&mut rig, 1), RECEIVED);
    assert!(rig.now < Instant::ZERO + Span::from_ms(4_000));
}

/// Of a hundred frames three are lost, three doubled, three damaged and three overtaken, each way; both
/// ends send at once.
#[test]
fn losses_are_made_good() {
    let rates = FaultRates {
        drop_ppm: 30_000,
        duplicate_ppm: 30_000,
        corrupt_ppm: 30_000,
        delay_ppm: 30_000,
        delay: Span::from_us(300),
    };
    let mut rig = rig_over(WireConfig {
        faults: Faults {
            to_board: rates,
            to_host: rates,
            seed: 3,
        },
        ..WireConfig::default()
    });
    rig.write(COMMON, 0x19, &50_u16.to_be_bytes());
    let handle = rig.host(|host| host.tcp_listen(HOST_PORT)).unwrap();
    connect_to(&mut rig, 1, HOST);
    wait_for_state(&mut rig, 1, ESTABLISHED, Span::from_ms(10_000));
    let (out, back) = (pattern(40_000), pattern(30_000));
    let (mut sent, mut sent_back) = (0, 0);
    let (mut arrived, mut arrived_back) = (Vec::new(), Vec::new());
    while arrived.len() < out.len() || arrived_back.len() < back.len() {
        sent += chip_sends(&mut rig, 1, &out[sent..]);
        let rest = &back[sent_back..];
        sent_back += rig.host(|host| host.tcp_send(handle, rest));
        rig.run_for(Span::from_us(200));
        arrived.extend(host_takes(&mut rig, handle));
        arrived_back.extend(chip_takes(&mut rig, 1));
        assert!(rig.now < Instant::ZERO + Span::from_ms(60_000));
    }
    assert_eq!((arrived, arrived_back), (out, back));
}

#[test]
fn the_chip_closes_first() {
    let mut rig = rig();
    let handle = connected(&mut rig);
    rig.command(1, DISCON);
    rig.run_for(Span::from_ms(20));
    assert_eq!(state(&mut rig, 1), FIN_WAIT);
    assert_eq!(rig.host(|host| host.tcp_state(handle)), TcpState::CloseWait);
    rig.host(|host| host.tcp_close(handle));
    rig.settle();
    assert_eq!(state(&mut rig, 1), TIME_WAIT);
    assert_eq!(take_interrupts(&mut rig, 1), DISCONNECTED);
    assert_eq!(rig.host(|host| host.tcp_state(handle)), TcpState::Closed);
    rig.run_for(Span::from_ms(200));
    assert_eq!(state(&mut rig, 1), CLOSED);
}

#[test]
fn the_host_closes_first() {
    let mut rig = rig();
    let handle = connected(&mut rig);
    rig.host(|host| host.tcp_send(handle, b"last"));
    rig.host(|host| host.tcp_close(handle));
    rig.settle();
    assert_eq!(state(&mut rig, 1), CLOSE_WAIT);
    assert_eq!(take_interrupts(&mut rig, 1), DISCONNECTED | RECEIVED);
    assert_eq!(chip_takes(&mut rig, 1), b"last");
    rig.send(1, b"words");
    rig.command(1, DISCON);
    rig.run_for(Span::from_ms(20));
    assert_eq!(state(&mut rig, 1), CLOSED);
    assert_eq!(take_interrupts(&mut rig, 1), SENDOK);
    assert_eq!(host_takes(&mut rig, handle), b"words");
    assert_eq!(rig.host(|host| host.tcp_state(handle)), TcpState::TimeWait);
}

/// Nine transmissions, 31.8 s after the first of them.
#[test]
fn a_host_that_falls_silent_times_out() {
    let mut rig = rig();
    connected(&mut rig);
    rig.host_listens = false;
    rig.send(1, b"anybody?");
    let sent = rig.now;
    rig.run_until(sent + Span::from_ms(31_799));
    assert_eq!(state(&mut rig, 1), ESTABLISHED);
    assert_eq!(rig.sent.len(), 9);
    rig.run_until(sent + Span::from_ms(31_800));
    assert_eq!(state(&mut rig, 1), CLOSED);
    assert_eq!(take_interrupts(&mut rig, 1), TIMEOUT);
    let waits: Vec<u64> = rig
        .sent
        .windows(2)
        .map(|pair| (pair[1].0 - pair[0].0).as_ps() / Span::from_ms(1).as_ps())
        .collect();
    assert_eq!(waits, [200, 400, 800, 1_600, 3_200, 6_400, 6_400, 6_400]);
}

/// ARP gives up after 1.8 s; meanwhile another socket connects.
#[test]
fn a_peer_that_is_not_there_does_not_block_one_that_is() {
    let mut rig = rig();
    connect_to(&mut rig, 2, NOBODY);
    let begun = rig.now;
    assert_eq!(state(&mut rig, 2), 0x15);
    let handle = connected(&mut rig);
    rig.send(1, b"hello");
    rig.settle();
    assert_eq!(host_takes(&mut rig, handle), b"hello");
    rig.run_until(begun + Span::from_ms(1_799));
    assert_eq!(state(&mut rig, 2), 0x15);
    rig.run_until(begun + Span::from_ms(1_800));
    assert_eq!(state(&mut rig, 2), CLOSED);
    assert_eq!(take_interrupts(&mut rig, 2), TIMEOUT);
    assert_eq!(state(&mut rig, 1), ESTABLISHED);
    let counters = rig.counters();
    assert_eq!((counters.arp_timeouts, counters.arp_requests), (1, 10));
}

#[test]
fn the_chip_s_window_closes_and_reopens() {
    let mut rig = rig();
    let handle = connected(&mut rig);
    let bytes = pattern(10_000);
    rig.host(|host| host.tcp_send(handle, &bytes));
    rig.run_for(Span::from_ms(30_000));
    assert_eq!(rig.half(socket(1), SN_RX_RSR), 2_048);
    assert_eq!(state(&mut rig, 1), ESTABLISHED);
    let mut arrived = Vec::new();
    let reopened = rig.now;
    while arrived.len() < bytes.len() {
        arrived.extend(chip_takes(&mut rig, 1));
        rig.run_for(Span::from_ms(1));
    }
    assert_eq!(arrived, bytes);
    // RECV tells the host at once; it does not have to ask.
    assert!(rig.now - reopened < Span::from_ms(200));
}

#[test]
fn the_host_s_window_closes_and_reopens() {
    let mut rig = rig();
    let handle = connected(&mut rig);
    let bytes = pattern(70_000);
    let mut sent = 0;
    let full = rig.now + Span::from_ms(2_000);
    while rig.now < full {
        sent += chip_sends(&mut rig, 1, &bytes[sent..]);
        rig.run_for(Span::from_us(500));
    }
    // The host's buffer and the chip's.
    assert_eq!(sent, 65_535 + 2_048);
    take_interrupts(&mut rig, 1);
    rig.run_for(Span::from_ms(60_000));
    assert_eq!(
        (state(&mut rig, 1), take_interrupts(&mut rig, 1)),
        (ESTABLISHED, 0)
    );
    let mut arrived = Vec::new();
    while arrived.len() < bytes.len() {
        arrived.extend(host_takes(&mut rig, handle));
        sent += chip_sends(&mut rig, 1, &bytes[sent..]);
        rig.run_for(Span::from_ms(1));
        assert!(rig.now < full + Span::from_ms(62_000));
    }
    assert_eq!(arrived, bytes);
}

#[test]
fn resets_go_both_ways() {
    let mut rig = rig();
    let handle = connected(&mut rig);
    rig.host(|host| host.tcp_abort(handle));
    rig.settle();
    assert_eq!(state(&mut rig, 1), CLOSED);
    assert_eq!(take_interrupts(&mut rig, 1), DISCONNECTED);

    // The chip forgets a connection and refuses what comes for it, and what it never had.
    let handle = connected(&mut rig);
    rig.command(1, CLOSE);
    rig.host(|host| host.tcp_send(handle, b"gone?"));
    let to = SocketAddrV4::new(OWN, 9);
    let refused = rig.host(|host| host.tcp_connect(to)).unwrap();
    rig.settle();
    for handle in [handle, refused] {
        assert_eq!(rig.host(|host| host.tcp_state(handle)), TcpState::Closed);
    }
    assert_eq!(rig.counters().segments_refused, 2);

    // The host refuses a connection that nobody waits for.
    connect_to(&mut rig, 1, HOST);
    rig.settle();
    assert_eq!(state(&mut rig, 1), CLOSED);
    assert_eq!(take_interrupts(&mut rig, 1), DISCONNECTED);
}

#[test]
fn sockets_on_one_port_take_one_connection_each() {
    let mut rig = rig();
    let to = SocketAddrV4::new(OWN, PORT);
    for n in [3, 5] {
        open(&mut rig, n, PORT);
        rig.command(n, LISTEN);
    }
    let connections = [3, 5].map(|n| {
        let handle = rig.host(|host| host.tcp_connect(to)).unwrap();
        rig.settle();
        (n, handle)
    });
    for (n, handle) in connections {
        assert_eq!(state(&mut rig, n), ESTABLISHED);
        rig.host(|host| host.tcp_send(handle, &[n; 9]));
    }
    rig.settle();
    for (n, _) in connections {
        assert_eq!(chip_takes(&mut rig, n), [n; 9]);
    }
    let third = rig.host(|host| host.tcp_connect(to)).unwrap();
    rig.settle();
    assert_eq!(rig.host(|host| host.tcp_state(third)), TcpState::Closed);
}

/// The host answers keep-alives until it is not there any more.
#[test]
fn kpalvtr_finds_out_that_the_host_is_gone() {
    let mut rig = rig();
    connected(&mut rig);
    rig.write(socket(1), 0x2F, &[1]);
    rig.send(1, b"x");
    rig.run_for(Span::from_ms(20));
    take_interrupts(&mut rig, 1);
    let before = rig.counters().segments_sent;
    rig.run_for(Span::from_ms(15_500));
    assert_eq!(rig.counters().segments_sent - before, 3);
    rig.host_listens = false;
    rig.run_for(Span::from_ms(5_000 + 31_000));
    assert_eq!(state(&mut rig, 1), ESTABLISHED);
    rig.run_for(Span::from_ms(1_000));
    assert_eq!(state(&mut rig, 1), CLOSED);
    assert_eq!(take_interrupts(&mut rig, 1), TIMEOUT);
}
