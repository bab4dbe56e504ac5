//! UDP sockets: boundaries and senders, ARP, broadcast and groups, full buffers, long SENDs.

use std::net::Ipv4Addr;

use super::rig::*;
use crate::chips::w5500::Parameters;
use crate::chips::w5500::packet::{
    self, ArpMessage, ArpOperation, Content, Ipv4Header, Ports, Transport,
};
use crate::time::Span;

const OWN: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 20);
const HOST: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 1);
const NOBODY: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 99);
const GATEWAY: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 254);
const FAR: Ipv4Addr = Ipv4Addr::new(10, 9, 8, 7);
const GROUP: Ipv4Addr = Ipv4Addr::new(239, 1, 2, 3);
const PORT: u16 = 7;
const TIMEOUT: u8 = 1 << 3;

/// A chip with an address, socket 1 in UDP on port 7.
fn rig() -> Rig {
    rig_with(Parameters::default())
}

fn rig_with(parameters: Parameters) -> Rig {
    let mut rig = Rig::with_parameters(parameters);
    rig.write(COMMON, 0x01, &GATEWAY.octets());
    rig.write(COMMON, 0x05, &[255, 255, 255, 0]);
    rig.write(COMMON, 0x09, &MAC);
    rig.write(COMMON, 0x0F, &OWN.octets());
    rig.write(COMMON, 0x18, &[0xFF]);
    open(&mut rig, 1, 0x02, PORT);
    rig
}

fn open(rig: &mut Rig, n: u8, mode: u8, port: u16) {
    rig.write(socket(n), SN_MR, &[mode]);
    rig.write(socket(n), 0x04, &port.to_be_bytes());
    rig.command(n, OPEN);
    assert_eq!(rig.byte(socket(n), SN_SR), 0x22);
}

fn datagram_to(mac: [u8; 6], to: Ipv4Addr, from: (Ipv4Addr, u16), payload: &[u8]) -> Vec<u8> {
    let header = Ipv4Header {
        source_mac: HOST_MAC,
        destination_mac: mac,
        source: from.0,
        destination: to,
        tos: 0,
        ttl: 64,
        fragment: 0x4000,
        identification: 1,
    };
    let ports = Ports {
        source: from.1,
        destination: PORT,
    };
    let mut frame = Vec::new();
    packet::udp(&mut frame, &header, ports, payload);
    frame
}

fn deliver(rig: &mut Rig, from_port: u16, payload: &[u8]) {
    rig.deliver(&datagram_to(MAC, OWN, (HOST, from_port), payload));
    rig.settle();
}

fn arp(operation: ArpOperation, ip: Ipv4Addr, target: Ipv4Addr) -> Vec<u8> {
    let message = ArpMessage {
        operation,
        sender_mac: HOST_MAC,
        sender_ip: ip,
        target_mac: MAC,
        target_ip: target,
    };
    let mut frame = Vec::new();
    packet::arp(&mut frame, BROADCAST, &message);
    frame
}

fn answer_arp(rig: &mut Rig, ip: Ipv4Addr) {
    rig.deliver(&arp(ArpOperation::Reply, ip, OWN));
    rig.settle();
}

fn set_destination(rig: &mut Rig, n: u8, ip: Ipv4Addr, port: u16) {
    let bytes = [ip.octets().as_slice(), &port.to_be_bytes()].concat();
    rig.write(socket(n), 0x0C, &bytes);
}

fn send_to(rig: &mut Rig, ip: Ipv4Addr, port: u16, payload: &[u8]) {
    set_destination(rig, 1, ip, port);
    rig.send(1, payload);
    rig.settle();
}

/// Whose address each ARP request on the wire asked for.
fn asked(rig: &Rig) -> Vec<Ipv4Addr> {
    let requests = rig.sent.iter().filter_map(|(_, frame)| {
        let received = packet::parse(frame).unwrap();
        match received.content {
            Content::Arp(message) if message.operation == ArpOperation::Request => {
                assert_eq!(
                    (received.destination_mac, message.sender_ip),
                    (BROADCAST, OWN)
                );
                Some(message.target_ip)
            }
            _ => None,
        }
    });
    requests.collect()
}

/// What left as UDP: hardware address, destination, ports, payload.
fn datagrams(rig: &Rig) -> Vec<([u8; 6], Ipv4Addr, Ports, Vec<u8>)> {
    let parsed = rig.sent.iter().filter_map(|(_, frame)| {
        let received = packet::parse(frame).unwrap();
        match received.content {
            Content::Ipv4 {
                destination,
                transport: Transport::Udp { ports, payload },
                ..
            } => Some((
                received.destination_mac,
                destination,
                ports,
                payload.to_vec(),
            )),
            _ => None,
        }
    });
    parsed.collect()
}

#[test]
fn two_datagrams_keep_their_boundaries_and_senders() {
    let mut rig = rig();
    deliver(&mut rig, 4_000, b"first");
    deliver(&mut rig, 5_000, b"secnd");
    assert_eq!(rig.half(socket(1), SN_RX_RSR), 2 * 13);
    assert_eq!(rig.byte(COMMON, 0x17), 0x02);
    for (port, payload) in [(4_000_u16, b"first"), (5_000, b"secnd")] {
        let expected = [
            HOST.octets().as_slice(),
            &port.to_be_bytes(),
            &5_u16.to_be_bytes(),
            payload,
        ]
        .concat();
        assert_eq!(rig.take(1, 13), expected);
    }
    assert_eq!(rig.counters().datagrams_stored, 2);
}

#[test]
fn a_datagram_waits_for_arp_once_for_an_unchanged_destination() {
    let mut rig = rig();
    send_to(&mut rig, HOST, 9, b"one");
    assert_eq!(asked(&rig), [HOST]);
    assert!(datagrams(&rig).is_empty());
    assert_eq!(rig.byte(socket(1), SN_IR), 0);
    answer_arp(&mut rig, HOST);
    assert_eq!(rig.read(socket(1), 0x06, 6), HOST_MAC);
    assert_eq!(rig.byte(socket(1), SN_IR), SENDOK);
    send_to(&mut rig, HOST, 9, b"two");
    assert_eq!(asked(&rig), [HOST]);
    let ports = Ports {
        source: PORT,
        destination: 9,
    };
    let expected = [b"one", b"two"].map(|p| (HOST_MAC, HOST, ports, p.to_vec()));
    assert_eq!(datagrams(&rig), expected);
    send_to(&mut rig, NOBODY, 9, b"three");
    assert_eq!(asked(&rig), [HOST, NOBODY]);
    let counters = rig.counters();
    assert_eq!((counters.arp_requests, counters.datagrams_sent), (2, 2));
}

#[test]
fn a_far_destination_goes_through_the_gateway() {
    let mut rig = rig();
    send_to(&mut rig, FAR, 9, b"far");
    assert_eq!(asked(&rig), [GATEWAY]);
    answer_arp(&mut rig, GATEWAY);
    let sent = datagrams(&rig);
    assert_eq!((sent[0].0, sent[0].1), (HOST_MAC, FAR));
}

#[test]
fn farp_and_a_lifetime_make_it_ask_again() {
    let mut forced = rig();
    forced.write(COMMON, 0x00, &[0x02]);
    let mut aged = rig_with(Parameters {
        arp_lifetime: Some(Span::from_ms(5)),
        ..Parameters::default()
    });
    for rig in [&mut forced, &mut aged] {
        send_to(rig, HOST, 9, b"one");
        answer_arp(rig, HOST);
        rig.run_for(Span::from_ms(5));
        send_to(rig, HOST, 9, b"two");
        assert_eq!(asked(rig), [HOST, HOST]);
    }
}

/// RTR 200 ms and RCR 8 at reset: nine requests, 1.8 s in all.
#[test]
fn nobody_answers_times_out_loses_the_data_and_blocks_no_other_socket() {
    let mut rig = rig();
    open(&mut rig, 2, 0x02, 8);
    let start = rig.now;
    send_to(&mut rig, NOBODY, 9, b"lost");
    set_destination(&mut rig, 2, HOST, 9);
    rig.send(2, b"alive");
    answer_arp(&mut rig, HOST);
    assert_eq!(datagrams(&rig).len(), 1);
    rig.run_until(start + Span::from_ms(1_800));
    assert_eq!(rig.byte(socket(1), SN_IR), 0);
    rig.run_for(Span::from_ms(1));
    assert_eq!(rig.byte(socket(1), SN_IR), TIMEOUT);
    assert_eq!(rig.byte(socket(1), SN_SR), 0x22);
    assert_eq!(rig.half(socket(1), SN_TX_RD), 4);
    assert_eq!(rig.counters().arp_timeouts, 1);
    assert_eq!(rig.counters().arp_requests, 10);
    // The socket goes on with the next destination.
    send_to(&mut rig, HOST, 9, b"again");
    answer_arp(&mut rig, HOST);
    assert_eq!(datagrams(&rig).len(), 2);
}

#[test]
fn rtr_and_rcr_say_how_long_it_asks() {
    let mut rig = rig();
    rig.write(COMMON, 0x19, &[0, 100, 2]);
    send_to(&mut rig, NOBODY, 9, b"lost");
    rig.run_for(Span::from_ms(28));
    assert_eq!(rig.byte(socket(1), SN_IR), 0);
    rig.run_for(Span::from_ms(2));
    assert_eq!(rig.byte(socket(1), SN_IR), TIMEOUT);
    assert_eq!(rig.counters().arp_requests, 3);
}

#[test]
fn a_send_queued_behind_a_question_keeps_its_own_destination() {
    let mut rig = rig();
    send_to(&mut rig, HOST, 9, b"one");
    send_to(&mut rig, NOBODY, 10, b"two");
    assert_eq!(rig.counters().sends_queued, 1);
    assert_eq!(asked(&rig), [HOST]);
    answer_arp(&mut rig, HOST);
    assert_eq!(asked(&rig), [HOST, NOBODY]);
    answer_arp(&mut rig, NOBODY);
    let sent: Vec<_> = datagrams(&rig)
        .into_iter()
        .map(|(_, ip, ports, payload)| (ip, ports.destination, payload))
        .collect();
    assert_eq!(
        sent,
        [(HOST, 9, b"one".to_vec()), (NOBODY, 10, b"two".to_vec())]
    );
}

#[test]
fn broadcast_needs_no_arp_even_without_an_address() {
    let mut rig = rig();
    rig.write(COMMON, 0x05, &[0; 4]);
    rig.write(COMMON, 0x0F, &[0; 4]);
    send_to(&mut rig, Ipv4Addr::BROADCAST, 67, b"discover");
    let sent = datagrams(&rig);
    assert_eq!((sent[0].0, sent[0].1), (BROADCAST, Ipv4Addr::BROADCAST));
    assert_eq!(rig.counters().arp_requests, 0);
    rig.deliver(&datagram_to(
        BROADCAST,
        Ipv4Addr::BROADCAST,
        (HOST, 67),
        b"offer",
    ));
    rig.settle();
    assert_eq!(rig.half(socket(1), SN_RX_RSR), 13);
}

#[test]
fn send_mac_takes_sn_dhar_as_it_is() {
    let mut rig = rig();
    set_destination(&mut rig, 1, HOST, 9);
    rig.write(socket(1), 0x06, &[2, 4, 6, 8, 10, 12]);
    rig.write(tx(1), 0, b"mac");
    rig.write(socket(1), SN_TX_WR, &[0, 3]);
    rig.command(1, 0x21);
    rig.settle();
    assert_eq!(datagrams(&rig)[0].0, [2, 4, 6, 8, 10, 12]);
    assert_eq!(rig.counters().arp_requests, 0);
}

#[test]
fn a_packet_that_is_damaged_inside_is_dropped_and_counted() {
    let mut rig = rig();
    let mut frame = datagram_to(MAC, OWN, (HOST, 1), b"damaged");
    frame[43] ^= 1;
    rig.deliver(&frame);
    rig.settle();
    assert_eq!(rig.counters().bad_packets, 1);
    assert_eq!(rig.half(socket(1), SN_RX_RSR), 0);
}

/// Sn_MR, destination, whether socket 1 gets it.
#[test]
fn modes_decide_about_broadcast_groups_and_unicast() {
    let directed = Ipv4Addr::new(192, 168, 1, 255);
    for (mode, to, taken) in [
        (0x02, OWN, true),
        (0x02, Ipv4Addr::BROADCAST, true),
        (0x02, directed, true),
        (0x02, GROUP, false),
        (0x02, FAR, false),
        (0x42, Ipv4Addr::BROADCAST, false),
        (0x82, GROUP, true),
        (0x82, Ipv4Addr::new(239, 1, 2, 4), false),
        (0x82, OWN, true),
        (0x92, OWN, false),
        (0x92, GROUP, true),
    ] {
        let mut rig = rig();
        set_destination(&mut rig, 1, GROUP, PORT);
        rig.write(socket(1), SN_MR, &[mode]);
        let mac = match to {
            GROUP => [0x01, 0, 0x5E, 1, 2, 3],
            OWN | FAR => MAC,
            _ => BROADCAST,
        };
        rig.deliver(&datagram_to(mac, to, (HOST, 1), b"x"));
        rig.settle();
        assert_eq!(
            rig.counters().datagrams_stored,
            u64::from(taken),
            "{mode:#x} {to}"
        );
    }
}

#[test]
fn a_datagram_for_nobody_is_counted() {
    let mut rig = rig();
    rig.command(1, CLOSE);
    deliver(&mut rig, 1, b"nobody");
    let counters = rig.counters();
    assert_eq!(
        (counters.datagrams_without_socket, counters.frames_filtered),
        (1, 1)
    );
}

#[test]
fn a_datagram_that_does_not_fit_is_dropped_whole_and_counted() {
    let mut rig = rig();
    deliver(&mut rig, 1, &[1; 1_472]);
    deliver(&mut rig, 2, &[2; 561]);
    deliver(&mut rig, 3, &[3; 560]);
    deliver(&mut rig, 4, &[]);
    assert_eq!(rig.half(socket(1), SN_RX_RSR), 2_048);
    let counters = rig.counters();
    assert_eq!(
        (counters.datagrams_stored, counters.datagrams_dropped),
        (2, 2)
    );
    rig.take(1, 1_480);
    assert_eq!(rig.take(1, 568)[8..], [3; 560]);
}

#[test]
fn an_empty_datagram_is_a_header_alone() {
    let mut rig = rig();
    deliver(&mut rig, 4_000, &[]);
    let header = rig.take(1, 8);
    assert_eq!(header[..4], HOST.octets());
    assert_eq!(header[6..], [0, 0]);
}

#[test]
fn a_long_send_leaves_as_several_datagrams() {
    let mut rig = rig();
    let payload: Vec<u8> = (0..2_000_u16).map(|n| (n % 251) as u8).collect();
    send_to(&mut rig, Ipv4Addr::BROADCAST, 9, &payload);
    let sent: Vec<_> = datagrams(&rig).into_iter().map(|d| d.3).collect();
    assert_eq!(sent.iter().map(Vec::len).collect::<Vec<_>>(), [1_472, 528]);
    assert_eq!(sent.concat(), payload);
    assert_eq!(rig.byte(socket(1), SN_IR), SENDOK);
    assert_eq!(rig.counters().datagrams_sent, 2);
}

#[test]
fn a_ping_is_answered_unless_it_is_blocked() {
    for (mode, answers) in [(0x00, 1), (0x10, 0)] {
        let mut rig = rig();
        rig.write(COMMON, 0x00, &[mode]);
        let mut ping = datagram_to(MAC, OWN, (HOST, 1), &[0; 8]);
        // ICMP echo request 1, sequence 2, over the UDP header; both checksums by hand.
        ping[23] = 1;
        ping[34..50].fill(0);
        ping[34..42].copy_from_slice(&[8, 0, 0xF7, 0xFC, 0, 1, 0, 2]);
        ping[24..26].fill(0);
        let sum: u32 = ping[14..34]
            .chunks(2)
            .map(|w| u32::from(w[0]) << 8 | u32::from(w[1]))
            .sum();
        let checksum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
        ping[24..26].copy_from_slice(&checksum.to_be_bytes());
        rig.deliver(&ping);
        rig.settle();
        assert_eq!(rig.counters().pings_answered, answers);
        assert_eq!(rig.sent.len() as u64, answers);
    }
}

#[test]
fn arp_requests_for_the_own_address_are_answered() {
    let mut rig = rig();
    rig.deliver(&arp(ArpOperation::Request, HOST, OWN));
    rig.deliver(&arp(ArpOperation::Request, HOST, NOBODY));
    rig.settle();
    assert_eq!(rig.counters().arp_replies, 1);
    assert_eq!(rig.sent.len(), 1);
    assert_eq!(rig.byte(COMMON, 0x15), 0);
}

#[test]
fn somebody_with_the_own_address_is_a_conflict() {
    let mut rig = rig();
    rig.write(COMMON, 0x16, &[0xFF]);
    assert_eq!(rig.byte(COMMON, 0x16), 0xF0);
    rig.deliver(&arp(ArpOperation::Request, OWN, HOST));
    rig.settle();
    assert_eq!(rig.byte(COMMON, 0x15), 0x80);
    assert!(rig.int_low());
    rig.write(COMMON, 0x15, &[0x80]);
    assert!(!rig.int_low());
}

#[test]
fn an_unreachable_port_is_told() {
    let mut rig = rig();
    rig.write(COMMON, 0x16, &[0x40]);
    send_to(&mut rig, HOST, 9, b"one");
    answer_arp(&mut rig, HOST);
    let quoted = &rig.sent.last().unwrap().1[14..42];
    let header = Ipv4Header {
        source_mac: HOST_MAC,
        destination_mac: MAC,
        source: HOST,
        destination: OWN,
        tos: 0,
        ttl: 64,
        fragment: 0,
        identification: 2,
    };
    // An echo reply of the right length, turned into port unreachable.
    let mut frame = Vec::new();
    packet::icmp_echo_reply(&mut frame, &header, 0, 0, quoted);
    frame[34..36].copy_from_slice(&[3, 3]);
    frame[36..38].fill(0);
    let sum: u32 = frame[34..]
        .chunks(2)
        .map(|w| u32::from(w[0]) << 8 | u32::from(w[1]))
        .sum();
    let folded = (sum & 0xFFFF) + (sum >> 16);
    let checksum = !((folded & 0xFFFF) + (folded >> 16)) as u16;
    frame[36..38].copy_from_slice(&checksum.to_be_bytes());
    rig.deliver(&frame);
    rig.settle();
    assert_eq!(rig.byte(COMMON, 0x15), 0x40);
    assert!(rig.int_low());
    assert_eq!(rig.read(COMMON, 0x28, 4), HOST.octets());
    assert_eq!(rig.half(COMMON, 0x2C), 9);
}

#[test]
fn macraw_gets_what_a_socket_takes_only_if_the_parameter_says_so() {
    for (macraw_gets_all, stored) in [(true, 1), (false, 0)] {
        let mut rig = rig_with(Parameters {
            macraw_gets_all,
            ..Parameters::default()
        });
        rig.write(socket(0), SN_MR, &[0x84]);
        rig.command(0, OPEN);
        deliver(&mut rig, 1, b"both");
        let counters = rig.counters();
        assert_eq!(counters.datagrams_stored, 1);
        assert_eq!(counters.macraw_frames_stored, stored);
    }
}
