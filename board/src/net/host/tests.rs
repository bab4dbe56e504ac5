//! The host against a smoltcp station on the board's side of the wire.

pub mod station;

use std::time::{Duration, Instant as WallInstant};

use proptest::prelude::*;

use super::*;
use crate::net::wire::{PREAMBLE_LEN, serialization};
use station::{Bench, Station};

const BOARD: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 50);
const HOST: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 1);

fn us(us: u64) -> Instant {
    Instant::from_ns(us * 1_000)
}

#[test]
fn a_dhcp_client_gets_its_lease() {
    let mut bench = Bench::new(Station::dhcp());
    assert!(bench.network.host().leases().is_empty());
    bench.run_until(us(2_000_000));
    let lease = bench.network.host().leases()[0];
    assert_eq!(
        (lease.mac, lease.address, lease.bound),
        (station::MAC, BOARD, true)
    );
    let config = bench.station.lease().expect("the client is configured");
    assert_eq!(config.address.address(), BOARD);
    assert_eq!(config.address.prefix_len(), 24);
    assert_eq!(config.router, Some(HOST));
    assert_eq!(config.dns_servers.as_slice(), [HOST]);
    let counters = bench.network.host().dhcp_counters();
    assert_eq!((counters.offers, counters.acknowledgements), (1, 1));
}

/// The board's station is asked for its address once, then each round trip is two slots less two gaps.
#[test]
fn a_ping_takes_its_two_frames_on_the_wire() {
    let mut bench = Bench::new(Station::fixed());
    for sequence in [1, 2] {
        let sent = bench.now();
        let payload = [sequence as u8; 56];
        bench
            .network
            .host()
            .ping(BOARD, sequence, &payload)
            .unwrap();
        bench.run_until(sent + Span::from_ms(1));
        let reply = bench.network.host().recv_ping().expect("an answer");
        assert_eq!((reply.from, reply.sequence), (BOARD, sequence));
        assert_eq!(reply.payload, payload);
        let frame_ns = (8 + 14 + 28 + 56 + 4) * 80;
        let arp_ns = if sequence == 1 { 2 * (8 + 64) * 80 } else { 0 };
        // The first request goes out while the gap after the ARP request is over, its answer too.
        assert_eq!((reply.at - sent).as_ps(), (2 * frame_ns + arp_ns) * 1_000);
    }
}

#[test]
fn the_host_answers_pings_and_arp() {
    let mut bench = Bench::new(Station::fixed());
    bench.station.ping(HOST, 9);
    bench.run_until(us(1_000));
    assert_eq!(bench.station.ping_answers, [9]);
}

#[test]
fn datagrams_travel_both_ways_with_exact_instants() {
    let mut bench = Bench::new(Station::fixed());
    let socket = bench.network.host().bind_udp(40_000).unwrap();
    bench.warm_up(BOARD);
    for (n, len) in [0_usize, 1, 100, 1_472].into_iter().enumerate() {
        let sent = us(10_000 * (n as u64 + 1)) + Span::from_ps(123_456);
        bench.run_until(sent);
        let payload: Vec<u8> = (0..len).map(|byte| byte as u8).collect();
        let to = SocketAddrV4::new(BOARD, 7);
        bench.network.host().send_udp(socket, to, &payload).unwrap();
        bench.run_until(sent + Span::from_ms(1));
        let echo = bench.network.host().recv_udp(socket).expect("an echo");
        assert_eq!(echo.from, to);
        assert_eq!(echo.payload, payload);
        let frame_ns = 80 * (8 + (14 + 28 + len as u64).max(60) + 4);
        assert_eq!((echo.at - sent).as_ps(), 2 * frame_ns * 1_000);
        assert_eq!(bench.network.host().recv_udp(socket), None);
    }
}

/// RFC 1112 §6.4: the group's low 23 bits behind 01:00:5E; nobody is asked for an address.
#[test]
fn multicast_goes_to_the_group_s_hardware_address() {
    let mut bench = Bench::new(Station::fixed());
    let socket = bench.network.host().bind_udp(40_000).unwrap();
    let group = SocketAddrV4::new(Ipv4Addr::new(239, 129, 2, 3), 5_000);
    bench
        .network
        .host()
        .send_udp(socket, group, b"all")
        .unwrap();
    let now = bench.now();
    bench.network.flush(now, &mut bench.schedule);
    let arrival = now + serialization(PREAMBLE_LEN + 64);
    let frame = bench
        .network
        .wire
        .receive(Direction::ToBoard, arrival, &mut bench.schedule)
        .expect("one frame, at once");
    assert_eq!(frame[..6], [0x01, 0, 0x5E, 1, 2, 3]);
    assert_eq!(frame[30..34], [239, 129, 2, 3]);
    assert_eq!(bench.network.wire.queued(Direction::ToBoard), 0);
}

#[test]
fn tcp_needs_a_port_to_listen_on_and_a_peer_on_the_link() {
    let mut host = Host::new(HostConfig::default());
    assert_eq!(host.tcp_listen(0), Err(ListenError::PortZero));
    let elsewhere = Ipv4Addr::new(10, 0, 0, 1);
    assert_eq!(
        host.tcp_connect(SocketAddrV4::new(elsewhere, 80)),
        Err(SendError::Unreachable(elsewhere))
    );
    let waiting = host.tcp_listen(80).unwrap();
    assert_eq!(host.tcp_state(waiting), TcpState::Listen);
    assert_eq!(host.tcp_send(waiting, b"too early"), 0);
    assert!(host.tcp_recv(waiting, 9).is_empty());
}

#[test]
fn host_latency_is_added_to_what_the_host_hears() {
    let config = HostConfig {
        latency: Span::from_us(30),
        ..HostConfig::default()
    };
    let mut bench = Bench::facing(config, Station::fixed());
    bench.warm_up(BOARD);
    let sent = us(20_000);
    bench.run_until(sent);
    bench.network.host().ping(BOARD, 3, &[0; 56]).unwrap();
    bench.run_until(us(30_000));
    let reply = bench.network.host().recv_ping().unwrap();
    assert_eq!(
        (reply.at - sent).as_ps(),
        (2 * (8 + 14 + 28 + 56 + 4) * 80 + 30_000) * 1_000
    );
}

#[test]
fn a_full_transmit_queue_refuses_and_a_wrong_address_too() {
    let config = HostConfig {
        transmit_queue: 3,
        ..HostConfig::default()
    };
    let mut bench = Bench::facing(config, Station::fixed());
    bench.warm_up(BOARD);
    let host = bench.network.host();
    let socket = host.bind_udp(40_000).unwrap();
    let to = SocketAddrV4::new(BOARD, 9);
    for _ in 0..3 {
        host.send_udp(socket, to, &[0; 1_472]).unwrap();
    }
    assert_eq!(host.send_udp(socket, to, &[]), Err(SendError::QueueFull));
    let now = bench.now();
    bench.run_until(now + Span::from_us(124));
    let host = bench.network.host();
    assert_eq!(host.send_udp(socket, to, &[]), Ok(()));
    assert_eq!(host.send_udp(socket, to, &[]), Err(SendError::QueueFull));
    assert_eq!(
        host.send_udp(socket, to, &[0; 1_473]),
        Err(SendError::QueueFull)
    );
    let elsewhere = Ipv4Addr::new(10, 0, 0, 1);
    assert_eq!(
        host.ping(elsewhere, 1, &[]),
        Err(SendError::Unreachable(elsewhere))
    );
    assert_eq!(host.bind_udp(40_000), Err(BindError::InUse(40_000)));
    assert_eq!(host.bind_udp(67), Err(BindError::InUse(67)));
    assert_eq!(host.bind_udp(0), Err(BindError::Zero));
}

#[test]
fn a_frame_with_a_wrong_check_sequence_is_counted_and_dropped() {
    let mut bench = Bench::new(Station::fixed());
    let now = bench.now();
    bench
        .network
        .wire
        .send(Direction::ToHost, &[0xFF; 64], now, &mut bench.schedule);
    bench.run_until(us(1_000));
    let counters = bench.network.host().counters();
    assert_eq!((counters.received, counters.fcs_errors), (1, 1));
}

/// A burst is accepted at one instant and leaves back to back.
#[test]
fn a_burst_of_a_thousand_datagrams_is_queued_whole() {
    let mut bench = Bench::new(Station::fixed());
    bench.warm_up(BOARD);
    let host = bench.network.host();
    let socket = host.bind_udp(40_000).unwrap();
    let to = SocketAddrV4::new(BOARD, 9);
    for _ in 0..1_000 {
        host.send_udp(socket, to, &[0; 1_472]).unwrap();
    }
    assert_eq!(host.send_udp(socket, to, &[]), Err(SendError::QueueFull));
    let before = bench.network.wire.sent(Direction::ToBoard);
    let start = bench.now();
    bench.run_until(start + Span::from_us(1));
    assert_eq!(bench.network.wire.sent(Direction::ToBoard) - before, 1_000);
    bench.run_until(start + Span::from_ns(1_000 * 123_040));
    assert_eq!(bench.network.wire.queued(Direction::ToBoard), 0);
}

proptest! {
    #[test]
    fn no_frame_makes_the_host_panic(
        noise in proptest::collection::vec(any::<u8>(), 14..1_600),
        kind in prop_oneof![Just([8, 0]), Just([8, 6]), any::<[u8; 2]>()],
        version in any::<bool>(),
        broadcast in any::<bool>(),
    ) {
        let mut bench = Bench::new(Station::fixed());
        let mut frame = noise;
        let destination = if broadcast { [0xFF; 6] } else { HostConfig::default().mac };
        frame[..6].copy_from_slice(&destination);
        frame[12..14].copy_from_slice(&kind);
        if version && frame.len() > 14 {
            frame[14] = 0x45;
        }
        frame::append_fcs(&mut frame);
        let now = bench.now();
        bench.network.wire.send(Direction::ToHost, &frame, now, &mut bench.schedule);
        bench.run_until(us(1_000));
        prop_assert_eq!(bench.network.host().counters().received, 1);
    }
}

/// The stack must not be polled when nothing is due: an idle second costs no events.
#[test]
fn an_idle_host_asks_for_nothing() {
    let mut bench = Bench::new(Station::fixed());
    bench.warm_up(BOARD);
    let before = bench.events;
    let now = bench.now();
    bench.run_until(now + Span::from_ms(10_000));
    assert_eq!(bench.events, before);
}

/// Prints the wall time of a host round trip (two host operations and the station's own echo).
#[test]
fn ten_thousand_echoes_lose_none() {
    let mut bench = Bench::new(Station::fixed());
    let socket = bench.network.host().bind_udp(40_000).unwrap();
    bench.warm_up(BOARD);
    let start = bench.now();
    let to = SocketAddrV4::new(BOARD, 7);
    let wall = WallInstant::now();
    let mut echoes = 0;
    for n in 0..10_000_u64 {
        bench.run_until(start + Span::from_us(100 * n));
        let host = bench.network.host();
        host.send_udp(socket, to, &n.to_le_bytes().repeat(12))
            .unwrap();
        while host.recv_udp(socket).is_some() {
            echoes += 1;
        }
    }
    let wall: Duration = wall.elapsed();
    bench.run_until(start + Span::from_ms(1_001));
    while bench.network.host().recv_udp(socket).is_some() {
        echoes += 1;
    }
    eprintln!("host, wire and station: {:?} an echo", wall / 10_000);
    assert_eq!(echoes, 10_000);
}

#[test]
fn a_closed_udp_socket_frees_its_port_and_no_other() {
    let mut bench = Bench::new(Station::fixed());
    bench.warm_up(BOARD);
    let host = bench.network.host();
    let first = host.bind_udp(40_000).unwrap();
    let second = host.bind_udp(40_001).unwrap();
    host.unbind_udp(first);
    assert_eq!(host.bind_udp(40_001), Err(BindError::InUse(40_001)));
    let third = host.bind_udp(40_000).unwrap();
    let to = SocketAddrV4::new(BOARD, 7);
    host.send_udp(second, to, b"two").unwrap();
    host.send_udp(third, to, b"three").unwrap();
    bench.run_until(bench.now() + Span::from_ms(1));
    let host = bench.network.host();
    for (socket, payload) in [(second, &b"two"[..]), (third, b"three")] {
        assert_eq!(host.recv_udp(socket).expect("an echo").payload, payload);
        assert_eq!(host.recv_udp(socket), None);
    }
}

#[test]
#[should_panic(expected = "the socket was given up")]
fn a_handle_that_was_given_up_is_not_used_again() {
    let mut bench = Bench::new(Station::fixed());
    let socket = bench.network.host().bind_udp(40_000).unwrap();
    bench.network.host().unbind_udp(socket);
    bench.network.host().recv_udp(socket);
}

#[test]
fn a_connection_that_is_given_up_falls_silent() {
    let mut bench = Bench::new(Station::fixed());
    bench.warm_up(BOARD);
    let to = SocketAddrV4::new(Ipv4Addr::new(192, 168, 1, 99), 80);
    let nobody = bench.network.host().tcp_connect(to).unwrap();
    bench.run_until(us(10_000));
    let asked = bench.network.wire.sent(Direction::ToBoard);
    assert_eq!(bench.network.host().tcp_state(nobody), TcpState::SynSent);
    bench.network.host().tcp_give_up(nobody);
    bench.run_until(us(20_000_000));
    assert_eq!(bench.network.wire.sent(Direction::ToBoard), asked);
}
