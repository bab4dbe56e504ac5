//! Frames against what the RFCs say of their bytes, and back through the parser.

use proptest::prelude::*;

use super::*;

const CHIP: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 50);
const HOST: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 1);
const CHIP_MAC: Mac = [2, 0, 0, 0, 0x72, 3];
const HOST_MAC: Mac = [2, 0, 0, 0, 0, 1];
const PORTS: Ports = Ports {
    source: 7,
    destination: 40_000,
};

fn header() -> Ipv4Header {
    Ipv4Header {
        source_mac: CHIP_MAC,
        destination_mac: HOST_MAC,
        source: CHIP,
        destination: HOST,
        tos: 0x28,
        ttl: 128,
        fragment: 0x4000,
        identification: 0x1234,
    }
}

/// The ones' complement sum of RFC 1071, written down once more; 0xFFFF over intact data.
fn sum(bytes: &[u8]) -> u16 {
    let mut sum = 0_u32;
    for pair in bytes.chunks(2) {
        sum += u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0));
    }
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    sum as u16
}

/// The sum over a transport's pseudo header and content.
fn transport_sum(frame: &[u8]) -> u16 {
    let content = &frame[34..];
    let mut bytes = frame[26..34].to_vec();
    bytes.extend([0, frame[23]]);
    bytes.extend((content.len() as u16).to_be_bytes());
    bytes.extend(content);
    sum(&bytes)
}

fn transport(frame: &[u8]) -> Transport<'_> {
    let received = parse(frame).expect("a valid frame");
    assert_eq!(received.source_mac, CHIP_MAC);
    assert_eq!(received.destination_mac, HOST_MAC);
    match received.content {
        Content::Ipv4 {
            source,
            destination,
            transport,
        } => {
            assert_eq!((source, destination), (CHIP, HOST));
            transport
        }
        Content::Arp(_) => panic!("no ARP was built"),
    }
}

#[test]
fn a_datagram_carries_the_fields_of_its_socket() {
    let mut frame = vec![0xEE; 3];
    udp(&mut frame, &header(), PORTS, b"wrapped");
    let expected_header = [
        0x45, 0x28, 0, 35, 0x12, 0x34, 0x40, 0, 128, 17, 0, 0, 192, 168, 1, 50, 192, 168, 1, 1,
    ];
    assert_eq!(frame[..14], *b"\x02\0\0\0\0\x01\x02\0\0\0\x72\x03\x08\0");
    assert_eq!(frame[14..24], expected_header[..10]);
    assert_eq!(frame[26..34], expected_header[12..]);
    assert_eq!(frame[34..40], [0, 7, 0x9C, 0x40, 0, 15]);
    assert_eq!(frame[42..], *b"wrapped");
    assert_eq!(sum(&frame[14..34]), 0xFFFF);
    assert_eq!(transport_sum(&frame), 0xFFFF);
}

#[test]
fn a_syn_carries_the_maximum_segment_size() {
    let mut frame = Vec::new();
    let syn = TcpHeader {
        sequence: 0x8000_0001,
        syn: true,
        window: 2_048,
        mss: Some(1_460),
        ..TcpHeader::default()
    };
    tcp(&mut frame, &header(), PORTS, &syn, &[]);
    assert_eq!(frame[38..42], [0x80, 0, 0, 1]);
    assert_eq!(frame[42..50], [0, 0, 0, 0, 0x60, 0x02, 8, 0]);
    assert_eq!(frame[54..], [2, 4, 0x05, 0xB4]);
    assert_eq!(transport_sum(&frame), 0xFFFF);
}

#[test]
fn an_echo_reply_answers_with_the_same_data() {
    let mut frame = Vec::new();
    icmp_echo_reply(&mut frame, &header(), 0xABCD, 9, b"odd");
    assert_eq!(frame[34..36], [0, 0]);
    assert_eq!(frame[38..], *b"\xAB\xCD\0\x09odd");
    assert_eq!(sum(&frame[34..]), 0xFFFF);
    assert_eq!(parse(&frame), Err(Rejected::Unknown));
}

#[test]
fn an_arp_request_is_laid_out_as_in_rfc_826() {
    let message = ArpMessage {
        operation: ArpOperation::Request,
        sender_mac: CHIP_MAC,
        sender_ip: CHIP,
        target_mac: [0; 6],
        target_ip: HOST,
    };
    let mut frame = Vec::new();
    arp(&mut frame, BROADCAST, &message);
    assert_eq!(frame.len(), 42);
    assert_eq!(frame[..6], BROADCAST);
    assert_eq!(frame[12..22], [8, 6, 0, 1, 8, 0, 6, 4, 0, 1]);
    assert_eq!(
        frame[28..42],
        [192, 168, 1, 50, 0, 0, 0, 0, 0, 0, 192, 168, 1, 1]
    );
    frame.resize(60, 0);
    assert_eq!(
        parse(&frame).map(|received| received.content),
        Ok(Content::Arp(message))
    );
}

/// The host quotes a datagram as RFC 792 asks at least: its header and eight bytes.
#[test]
fn a_port_unreachable_is_read_from_its_quote() {
    let mut datagram = Vec::new();
    udp(&mut datagram, &header(), PORTS, &[7; 100]);
    let mut message = vec![3, 3, 0, 0, 0, 0, 0, 0];
    message.extend(&datagram[14..14 + 28]);
    let checksum = !sum(&message);
    message[2..4].copy_from_slice(&checksum.to_be_bytes());
    let mut frame = Vec::new();
    icmp_echo_reply(&mut frame, &header(), 0, 0, &message[8..]);
    frame[34..].copy_from_slice(&message);
    let expected = IcmpMessage::PortUnreachable {
        source: CHIP,
        destination: HOST,
        destination_port: 40_000,
    };
    assert_eq!(transport(&frame), Transport::Icmp(expected));
    frame[36] ^= 1;
    assert_eq!(parse(&frame), Err(Rejected::Damaged));
}

#[test]
fn fragments_are_not_understood() {
    let mut frame = Vec::new();
    for (fragment, understood) in [(0x4000, true), (0, true), (0x2000, false), (1, false)] {
        let header = Ipv4Header {
            fragment,
            ..header()
        };
        udp(&mut frame, &header, PORTS, b"x");
        assert_eq!(parse(&frame).is_ok(), understood);
        assert!(understood || parse(&frame) == Err(Rejected::Damaged));
    }
}

proptest! {
    #[test]
    fn datagrams_come_back_whole_and_no_flipped_bit_passes(
        payload in proptest::collection::vec(any::<u8>(), 0..=1_472),
        bit in any::<prop::sample::Index>(),
    ) {
        let mut frame = Vec::new();
        udp(&mut frame, &header(), PORTS, &payload);
        let expected = Transport::Udp { ports: PORTS, payload: &payload };
        prop_assert_eq!(transport(&frame), expected);
        // Past the addresses and the type, every bit is under one of the two checksums. A checksum of
        // zero would mean that there is none.
        let bit = 14 * 8 + bit.index((frame.len() - 14) * 8);
        frame[bit / 8] ^= 1 << (bit % 8);
        prop_assume!(frame[40..42] != [0, 0]);
        prop_assert_eq!(parse(&frame), Err(Rejected::Damaged));
    }

    #[test]
    fn segments_come_back_whole(
        sequence in any::<u32>(),
        acknowledgement in any::<Option<u32>>(),
        flags in 0_u8..4,
        psh in any::<bool>(),
        window in any::<u16>(),
        mss in proptest::option::of(1_u16..),
        data in proptest::collection::vec(any::<u8>(), 0..=1_456),
    ) {
        let segment = TcpHeader {
            sequence,
            acknowledgement,
            syn: flags == 1,
            fin: flags == 2,
            rst: flags == 3,
            psh: psh && flags == 0,
            window,
            mss,
        };
        let mut frame = Vec::new();
        tcp(&mut frame, &header(), PORTS, &segment, &data);
        prop_assert_eq!(transport_sum(&frame), 0xFFFF);
        let expected = Transport::Tcp { ports: PORTS, header: segment, data: &data };
        prop_assert_eq!(transport(&frame), expected);
    }

    #[test]
    fn no_frame_makes_the_parser_panic(
        mut frame in proptest::collection::vec(any::<u8>(), 0..200),
        kind in prop_oneof![Just([8_u8, 0]), Just([8, 6])],
        protocol in prop_oneof![Just(1_u8), Just(6), Just(17)],
    ) {
        if frame.len() > 34 {
            frame[12..14].copy_from_slice(&kind);
            frame[14] = 0x45;
            let len = frame.len() as u16 - 14;
            frame[16..18].copy_from_slice(&len.to_be_bytes());
            frame[20..22].fill(0);
            frame[23] = protocol;
            frame[24..26].fill(0);
            let checksum = !sum(&frame[14..34]);
            frame[24..26].copy_from_slice(&checksum.to_be_bytes());
        }
        let _ = parse(&frame);
    }
}
