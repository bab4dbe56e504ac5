//! Checksum insertion and verification against smoltcp's own.

use proptest::prelude::*;
use smoltcp::phy::ChecksumCapabilities;
use smoltcp::wire::{
    Icmpv4Packet, Icmpv4Repr, IpProtocol, Ipv4Packet, Ipv4Repr, UdpPacket, UdpRepr,
};

use super::rig::*;
use crate::soc::eth::checksum::{self, Insertion, Verified};

const SOURCE: std::net::Ipv4Addr = std::net::Ipv4Addr::new(192, 168, 1, 1);
const DESTINATION: std::net::Ipv4Addr = std::net::Ipv4Addr::new(192, 168, 1, 50);

fn ipv4(protocol: IpProtocol, payload: &[u8]) -> Vec<u8> {
    let repr = Ipv4Repr {
        src_addr: SOURCE,
        dst_addr: DESTINATION,
        next_header: protocol,
        payload_len: payload.len(),
        hop_limit: 64,
    };
    let mut frame = frame_to_board(14 + 20 + payload.len(), 0);
    let mut packet = Ipv4Packet::new_unchecked(&mut frame[14..]);
    repr.emit(&mut packet, &ChecksumCapabilities::default());
    packet.payload_mut().copy_from_slice(payload);
    frame
}

fn udp(payload: &[u8]) -> Vec<u8> {
    let mut datagram = vec![0; 8 + payload.len()];
    UdpRepr {
        src_port: 40_000,
        dst_port: 7,
    }
    .emit(
        &mut UdpPacket::new_unchecked(&mut datagram),
        &SOURCE.into(),
        &DESTINATION.into(),
        payload.len(),
        |buffer| buffer.copy_from_slice(payload),
        &ChecksumCapabilities::default(),
    );
    ipv4(IpProtocol::Udp, &datagram)
}

fn echo(payload: &[u8]) -> Vec<u8> {
    let repr = Icmpv4Repr::EchoRequest {
        ident: 1,
        seq_no: 2,
        data: payload,
    };
    let mut message = vec![0; repr.buffer_len()];
    repr.emit(
        &mut Icmpv4Packet::new_unchecked(&mut message),
        &ChecksumCapabilities::default(),
    );
    ipv4(IpProtocol::Icmp, &message)
}

const UDP_CHECKSUM: usize = 14 + 20 + 6;
const ICMP_CHECKSUM: usize = 14 + 20 + 2;

proptest! {
    #[test]
    fn insertion_gives_what_smoltcp_computes(payload in proptest::collection::vec(any::<u8>(), 0..1472)) {
        for (correct, at) in [(udp(&payload), UDP_CHECKSUM), (echo(&payload), ICMP_CHECKSUM)] {
            let mut frame = correct.clone();
            frame[24..26].copy_from_slice(&[0xAA, 0x55]);
            frame[at..at + 2].copy_from_slice(&[0x12, 0x34]);
            let mut header_only = frame.clone();
            checksum::insert(&mut header_only, Insertion::Header);
            prop_assert_eq!(&header_only[24..26], &correct[24..26]);
            prop_assert_eq!(&header_only[at..at + 2], &[0x12, 0x34]);
            checksum::insert(&mut frame, Insertion::Full);
            prop_assert_eq!(frame, correct);
        }
    }

    #[test]
    fn any_single_flip_is_found(payload in proptest::collection::vec(any::<u8>(), 1..300), at in 0..1_000_usize, bit in 0..8) {
        let mut frame = udp(&payload);
        let sound = Verified { payload_type: 1, ipv4: true, ..Verified::default() };
        prop_assert_eq!(checksum::verify(&frame), sound);
        let at = UDP_CHECKSUM + 2 + at % payload.len();
        frame[at] ^= 1_u8 << bit;
        prop_assert_eq!(checksum::verify(&frame), Verified { payload_error: true, ..sound });
    }

    #[test]
    fn noise_never_panics(mut frame in proptest::collection::vec(any::<u8>(), 0..200), ip in any::<bool>()) {
        if ip && frame.len() > 14 {
            frame[12..14].copy_from_slice(&[8, 0]);
            frame[14] = 0x40 | frame[14] & 0xF;
        }
        checksum::verify(&frame);
        for bits in 0..4 {
            checksum::insert(&mut frame, Insertion::from_bits(bits));
        }
    }
}

#[test]
fn a_software_pseudo_header_is_completed() {
    let correct = udp(b"trade study");
    let mut frame = correct.clone();
    let mut pseudo: u32 = [0xC0A8, 0x0101, 0xC0A8, 0x0132, 17, 8 + 11].iter().sum();
    pseudo = (pseudo & 0xFFFF) + (pseudo >> 16);
    frame[UDP_CHECKSUM..UDP_CHECKSUM + 2].copy_from_slice(&(pseudo as u16).to_be_bytes());
    checksum::insert(&mut frame, Insertion::HeaderAndPayload);
    assert_eq!(frame, correct);
}

#[test]
fn fragments_and_absent_udp_checksums_are_bypassed() {
    let mut fragment = udp(b"x");
    fragment[20] = 0x20;
    checksum::insert(&mut fragment, Insertion::Header);
    let bypassed = Verified {
        ipv4: true,
        bypassed: true,
        ..Verified::default()
    };
    assert_eq!(checksum::verify(&fragment), bypassed);
    let mut unchecked = udp(b"x");
    unchecked[UDP_CHECKSUM..UDP_CHECKSUM + 2].fill(0);
    assert_eq!(
        checksum::verify(&unchecked),
        Verified {
            payload_type: 1,
            ..bypassed
        }
    );
}

#[test]
fn the_descriptor_asks_for_insertion() {
    let correct = udp(b"sixteen bytes...");
    let mut blank = correct.clone();
    blank[24..26].fill(0);
    blank[UDP_CHECKSUM..UDP_CHECKSUM + 2].fill(0);
    let mut rig = Rig::started(4);
    rig.put_tx(0, &blank, FD | LD | 3 << 16);
    rig.put_tx(1, &blank, FD | LD);
    rig.store(TX_TAIL, 0);
    rig.settle();
    assert_eq!(&rig.sent[0].1[..correct.len()], &correct);
    assert_eq!(&rig.sent[1].1[..blank.len()], &blank);
}

#[test]
fn offload_reports_or_drops() {
    let sound = udp(b"fine");
    let mut broken = udp(b"fine");
    broken[UDP_CHECKSUM + 3] ^= 1;
    for (disable_drop, second) in [(false, None), (true, Some(1 | 1 << 4 | 1 << 7))] {
        let mut rig = Rig::started(4);
        let maccr = rig.peek(MACCR);
        rig.store(MACCR, maccr | 1 << 27);
        rig.store(RXQOMR, 0x0070_0020 | u32::from(disable_drop) << 6);
        rig.deliver(&sound);
        rig.deliver(&broken);
        rig.settle();
        assert_eq!(rig.rx_word(0, 1), 1 | 1 << 4);
        assert_eq!(rig.rx_word(0, 3) >> 26 & 1, 1, "word 1 is valid");
        let got = (rig.rx_word(1, 3) & OWN == 0).then(|| rig.rx_word(1, 1));
        assert_eq!(got, second);
        assert_eq!(rig.eth.counters().checksum_errors, u64::from(!disable_drop));
    }
}
