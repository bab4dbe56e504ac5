//! The port with a smoltcp station on the board's side of the wire.

use std::net::Ipv4Addr;

use smoltcp::wire::{
    DhcpMessageType, DhcpPacket, DhcpRepr, EthernetAddress, EthernetFrame, Ipv4Packet, UdpPacket,
};

use super::*;
use crate::net::Network;
use crate::net::host::HostConfig;
use crate::net::host::tests::station::{self, Bench, Station};
use crate::net::test_frames::{arrivals, frame_to, padded_with_fcs};
use crate::net::wire::WireConfig;
use crate::schedule::Event;
use crate::time::Span;

const BOARD: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 50);
const DHCP_PORT: u16 = 67;
const SERVER_MAC: [u8; 6] = [0x02, 0, 0, 0, 0, 0x77];

fn service() -> DhcpService {
    DhcpService {
        mac: SERVER_MAC,
        config: HostConfig::default().dhcp,
    }
}

fn bench(station: Station, dhcp: Option<DhcpService>) -> Bench {
    let mut bench = Bench::new(station);
    bench.network.plug_into_external(ExternalConfig {
        transmit_queue: 4,
        dhcp,
    });
    bench
}

fn port(bench: &mut Bench) -> &mut ExternalPort {
    bench.network.external().expect("the cable is in the port")
}

fn run_for(bench: &mut Bench, span: Span) {
    bench.run_until(bench.now() + span);
}

#[test]
fn the_ports_own_dhcp_server_leases_and_nothing_of_it_goes_out() {
    let mut bench = bench(Station::dhcp(), Some(service()));
    run_for(&mut bench, Span::from_ms(2_000));
    let lease = port(&mut bench).leases()[0];
    assert_eq!(
        (lease.mac, lease.address, lease.bound),
        (station::MAC, BOARD, true)
    );
    let config = bench.station.lease().expect("the client is configured");
    assert_eq!(config.address.address(), BOARD);
    let expected = ExternalCounters {
        dhcp_requests: 2,
        dhcp_replies: 2,
        ..ExternalCounters::default()
    };
    assert_eq!(port(&mut bench).counters(), expected);
    assert_eq!(port(&mut bench).dhcp_counters().acknowledgements, 1);
    assert_eq!(bench.network.leases()[0].address, BOARD);
    assert!(bench.network.host().leases().is_empty());
}

#[test]
fn without_a_server_of_its_own_the_port_lets_the_client_ask_outside() {
    let mut bench = bench(Station::dhcp(), None);
    run_for(&mut bench, Span::from_ms(1_000));
    assert!(bench.network.take_pause_request());
    assert!(!bench.network.take_pause_request());
    let discover = port(&mut bench).receive().expect("a message");
    assert_eq!(discover[..6], [0xFF; 6]);
    assert_eq!(discover[36..38], DHCP_PORT.to_be_bytes());
    assert_eq!(port(&mut bench).counters().outward, 1);
    assert_eq!(port(&mut bench).leases(), []);
}

/// The far end of another network, whose host takes part through the port.
fn host_outside(outside: &mut Network, bench: &mut Bench, schedule: &mut Schedule, until: Instant) {
    while bench.now() < until {
        run_for(bench, Span::from_us(10));
        let now = bench.now();
        while let Some(frame) = port(bench).receive() {
            let frame = padded_with_fcs(&frame);
            outside.wire.send(Direction::ToHost, &frame, now, schedule);
        }
        outside.flush(now, schedule);
        while let Some((event, at)) = schedule.take(now) {
            match event {
                Event::WireToBoard => {
                    while let Some(frame) = outside.wire.receive(Direction::ToBoard, at, schedule) {
                        let content = &frame[..frame.len() - FCS_LEN];
                        port(bench).send(content).expect("room for a frame");
                    }
                }
                other => outside.on_event(other, at, schedule),
            }
        }
    }
}

#[test]
fn a_host_outside_resolves_and_pings_through_the_port() {
    let mut bench = bench(Station::fixed(), None);
    let mut outside = Network::new(WireConfig::default(), HostConfig::default());
    outside.wire.set_carrier(true);
    let mut schedule = Schedule::default();
    outside.host().ping(BOARD, 5, b"through").unwrap();
    let end = Instant::ZERO + Span::from_ms(5);
    host_outside(&mut outside, &mut bench, &mut schedule, end);
    let reply = outside.host().recv_ping().expect("an answer");
    assert_eq!(
        (reply.sequence, reply.payload.as_slice()),
        (5, &b"through"[..])
    );
    // ARP and ping, each there and back; the station asks for no address of its own.
    let expected = ExternalCounters {
        outward: 2,
        inward: 2,
        ..ExternalCounters::default()
    };
    assert_eq!(port(&mut bench).counters(), expected);
    assert_eq!(bench.network.wire.sent(Direction::ToBoard), 2);
    assert_eq!(bench.network.wire.sent(Direction::ToHost), 2);
    assert!(bench.network.host().recv_ping().is_none());
}

#[test]
fn frames_are_padded_and_refused_exactly_where_the_queue_ends() {
    let mut wire = Wire::new(WireConfig::default());
    wire.set_carrier(true);
    let mut schedule = Schedule::default();
    let mut port = ExternalPort::new(ExternalConfig {
        transmit_queue: 2,
        dhcp: None,
    });
    let frame = frame_to(station::MAC, [0x88, 0xB5], 20, 7);
    for len in [HEADER_LEN - 1, MAX_LEN + 1] {
        assert_eq!(port.send(&vec![0; len]), Err(FrameError::BadLength(len)));
    }
    assert_eq!(port.send(&frame), Ok(()));
    assert_eq!(port.send(&[1; MAX_LEN]), Ok(()));
    assert_eq!(port.send(&frame), Err(FrameError::QueueFull));
    port.flush(Instant::ZERO, &mut wire, &mut schedule);
    assert!(!port.has_room(), "both wait for the wire");
    assert_eq!(port.counters().inward, 2);
    let at = Instant::ZERO + Span::from_us(6);
    let first = wire.receive(Direction::ToBoard, at, &mut schedule);
    assert_eq!(first, Some(padded_with_fcs(&frame)));
    port.look_at(&wire);
    assert!(port.has_room());
}

#[test]
fn a_frame_with_a_wrong_check_sequence_ends_in_the_port() {
    let mut wire = Wire::new(WireConfig::default());
    wire.set_carrier(true);
    let mut schedule = Schedule::default();
    let mut port = ExternalPort::new(ExternalConfig {
        transmit_queue: 2,
        dhcp: None,
    });
    let good = padded_with_fcs(&frame_to([0xFF; 6], [0x88, 0xB5], 100, 7));
    let mut bad = good.clone();
    bad[20] ^= 1;
    for frame in [&bad, &good] {
        wire.send(Direction::ToHost, frame, Instant::ZERO, &mut schedule);
    }
    let end = Instant::ZERO + Span::from_ms(1);
    port.on_arrival(end, &mut wire, &mut schedule);
    assert_eq!(port.receive().as_deref(), Some(&good[..100]));
    assert_eq!(port.receive(), None);
    let expected = ExternalCounters {
        fcs_errors: 1,
        outward: 1,
        ..ExternalCounters::default()
    };
    assert_eq!(port.counters(), expected);
    assert_eq!(arrivals(&mut wire, end, &mut schedule).count(), 0);
}

/// A client's message in a frame, from `from` to `to`.
fn message(kind: DhcpMessageType, from: Ipv4Addr, to: Ipv4Addr) -> Vec<u8> {
    let client = EthernetAddress(station::MAC);
    let repr = DhcpRepr {
        message_type: kind,
        transaction_id: 1,
        secs: 0,
        client_hardware_address: client,
        client_ip: from,
        your_ip: Ipv4Addr::UNSPECIFIED,
        server_ip: Ipv4Addr::UNSPECIFIED,
        router: None,
        subnet_mask: None,
        relay_agent_ip: Ipv4Addr::UNSPECIFIED,
        broadcast: false,
        requested_ip: None,
        client_identifier: None,
        server_identifier: None,
        parameter_request_list: None,
        dns_servers: None,
        max_size: None,
        lease_duration: None,
        renew_duration: None,
        rebind_duration: None,
        additional_options: &[],
    };
    let mut payload = vec![0; repr.buffer_len()];
    repr.emit(&mut DhcpPacket::new_unchecked(payload.as_mut_slice()))
        .unwrap();
    // A server's frame with the directions of addresses and ports turned round.
    let mut bytes = DhcpResponder::new(service()).frame(client, to, &payload);
    let mut frame = EthernetFrame::new_unchecked(bytes.as_mut_slice());
    frame.set_src_addr(client);
    frame.set_dst_addr(EthernetAddress(SERVER_MAC));
    let mut ip = Ipv4Packet::new_unchecked(frame.payload_mut());
    ip.set_src_addr(from);
    ip.fill_checksum();
    let mut udp = UdpPacket::new_unchecked(ip.payload_mut());
    udp.set_src_port(68);
    udp.set_dst_port(DHCP_PORT);
    udp.fill_checksum(&from.into(), &to.into());
    bytes
}

#[test]
fn a_renewal_is_answered_to_the_clients_own_addresses() {
    let server = service().config.server;
    let mut responder = DhcpResponder::new(service());
    let renewal = message(DhcpMessageType::Request, BOARD, server);
    let answer = responder.take(&renewal).expect("for the server");
    let answer = answer.expect("an acknowledgement");
    let frame = EthernetFrame::new_checked(answer.as_slice()).unwrap();
    assert_eq!(frame.src_addr(), EthernetAddress(SERVER_MAC));
    assert_eq!(frame.dst_addr(), EthernetAddress(station::MAC));
    let ip = Ipv4Packet::new_checked(frame.payload()).unwrap();
    assert!(ip.verify_checksum());
    assert_eq!((ip.src_addr(), ip.dst_addr()), (server, BOARD));
    let udp = UdpPacket::new_checked(ip.payload()).unwrap();
    assert!(udp.verify_checksum(&server.into(), &BOARD.into()));
    assert_eq!((udp.src_port(), udp.dst_port()), (DHCP_PORT, 68));
    let packet = DhcpPacket::new_checked(udp.payload()).unwrap();
    let reply = DhcpRepr::parse(&packet).unwrap();
    assert_eq!(reply.message_type, DhcpMessageType::Ack);
    assert_eq!(reply.your_ip, BOARD);
}

#[test]
fn what_is_not_for_the_server_goes_out() {
    let mut responder = DhcpResponder::new(service());
    let server = service().config.server;
    let discover = message(
        DhcpMessageType::Discover,
        Ipv4Addr::UNSPECIFIED,
        Ipv4Addr::BROADCAST,
    );
    assert!(responder.take(&discover).is_some());
    let to_another = message(
        DhcpMessageType::Request,
        BOARD,
        Ipv4Addr::new(192, 168, 1, 2),
    );
    let mut other_port = message(DhcpMessageType::Request, BOARD, server);
    other_port[37] = 68;
    let mut damaged = discover.clone();
    damaged[60] ^= 1;
    let arp = frame_to([0xFF; 6], [0x08, 0x06], 60, 0);
    for frame in [to_another, other_port, damaged, arp, vec![0; 10]] {
        assert_eq!(responder.take(&frame), None);
    }
    assert_eq!(responder.counters().offers, 1);
    // A message to the server that it does not understand is taken and not answered.
    let offer = message(DhcpMessageType::Offer, BOARD, server);
    assert_eq!(responder.take(&offer), Some(None));
    assert_eq!(responder.counters().ignored, 1);
}
