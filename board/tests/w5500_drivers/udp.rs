//! w5500-hl's UDP.

use std::net::{Ipv4Addr, SocketAddrV4};

use board::net::host::{HostConfig, UdpHandle};
use board::time::Span;
use w5500_hl::ll::eh1::vdm::W5500;
use w5500_hl::ll::net::Eui48Addr;
use w5500_hl::ll::{Registers, Sn, SocketInterrupt};
use w5500_hl::{Error, Udp};

use crate::rig::{CHIP, CHIP_MAC, Rig, Spi};

const PORT: u16 = 7;
const ECHO: SocketAddrV4 = SocketAddrV4::new(CHIP, PORT);

/// Gives the chip its addresses.
pub fn configure(rig: &Rig) -> W5500<Spi> {
    let mut chip = W5500::new(rig.spi());
    chip.set_shar(&Eui48Addr::from(CHIP_MAC)).unwrap();
    chip.set_sipr(&CHIP).unwrap();
    chip.set_subr(&Ipv4Addr::new(255, 255, 255, 0)).unwrap();
    chip.set_gar(&Ipv4Addr::new(192, 168, 1, 1)).unwrap();
    chip
}

/// Receives the next datagram, waiting for it at most 10 ms.
fn receive(rig: &Rig, chip: &mut W5500<Spi>, sn: Sn) -> Option<(Vec<u8>, SocketAddrV4)> {
    let mut buffer = [0; 2048];
    for _ in 0..1_000 {
        match chip.udp_recv_from(sn, &mut buffer) {
            Ok((length, sender)) => {
                return Some((buffer[..usize::from(length)].to_vec(), sender));
            }
            Err(Error::WouldBlock) => rig.pass(Span::from_us(10)),
            Err(error) => panic!("{error:?}"),
        }
    }
    None
}

/// What the host's socket has within 5 ms.
fn at_host(rig: &Rig, socket: UdpHandle) -> Option<Vec<u8>> {
    rig.pass(Span::from_ms(5));
    rig.receive(socket).map(|datagram| datagram.payload)
}

#[test]
fn datagrams_of_every_size_go_both_ways_unchanged() {
    let rig = Rig::linked(HostConfig::default());
    let mut chip = configure(&rig);
    chip.udp_bind(Sn::Sn1, PORT).unwrap();
    let socket = rig.bind(5_000);
    for length in [1, 2, 17, 18, 19, 100, 255, 256, 512, 1_023, 1_471, 1_472] {
        let payload: Vec<u8> = (0..length).map(|i| (i * 7 + length) as u8).collect();
        rig.send(socket, ECHO, &payload);
        let (received, sender) = receive(&rig, &mut chip, Sn::Sn1).expect("a datagram");
        assert_eq!(received, payload, "{length} bytes to the chip");
        assert_eq!(sender.port(), 5_000);
        let sent = chip.udp_send_to(Sn::Sn1, &received, &sender).unwrap();
        assert_eq!(usize::from(sent), payload.len());
        assert_eq!(at_host(&rig, socket), Some(payload), "{length} bytes back");
    }
}

#[test]
fn two_datagrams_before_the_first_read_keep_boundaries_and_senders() {
    let rig = Rig::linked(HostConfig::default());
    let mut chip = configure(&rig);
    chip.udp_bind(Sn::Sn1, PORT).unwrap();
    let (first, second) = (rig.bind(5_001), rig.bind(5_002));
    rig.send(first, ECHO, b"first");
    rig.send(second, ECHO, b"other");
    rig.pass(Span::from_ms(5));
    for (payload, port) in [(b"first", 5_001), (b"other", 5_002)] {
        let (received, sender) = receive(&rig, &mut chip, Sn::Sn1).expect("a datagram");
        assert_eq!((&received[..], sender.port()), (&payload[..], port));
        chip.udp_send_to(Sn::Sn1, &received, &sender).unwrap();
    }
    assert_eq!(at_host(&rig, first).as_deref(), Some(&b"first"[..]));
    assert_eq!(at_host(&rig, second).as_deref(), Some(&b"other"[..]));
}

#[test]
fn a_peer_that_does_not_answer_times_out_and_does_not_block_a_live_one() {
    let rig = Rig::linked(HostConfig::default());
    let mut chip = configure(&rig);
    chip.udp_bind(Sn::Sn1, PORT).unwrap();
    chip.udp_bind(Sn::Sn2, 9).unwrap();
    let socket = rig.bind(5_000);
    let nobody = SocketAddrV4::new(Ipv4Addr::new(192, 168, 1, 250), 9);
    let start = rig.now();
    chip.udp_send_to(Sn::Sn2, b"anybody?", &nobody).unwrap();
    let mut echoed = 0;
    let mut timed_out_at = None;
    for _ in 0..400 {
        rig.send(socket, ECHO, b"alive");
        let (received, sender) = receive(&rig, &mut chip, Sn::Sn1).expect("a datagram");
        chip.udp_send_to(Sn::Sn1, &received, &sender).unwrap();
        echoed += usize::from(at_host(&rig, socket).is_some());
        let interrupts = chip.sn_ir(Sn::Sn2).unwrap();
        if interrupts.timeout_raised() && timed_out_at.is_none() {
            assert!(!interrupts.sendok_raised());
            timed_out_at = Some(rig.now() - start);
        }
    }
    assert_eq!(echoed, 400);
    // RTR 200 ms, RCR 8: nine times 200 ms. The loop looks every 5 to 10 ms.
    let after_ms = timed_out_at.expect("a timeout").as_ps() / 1_000_000_000;
    assert!((1_800..1_820).contains(&after_ms), "{after_ms} ms");
    // The socket can be used again, for a peer that answers.
    chip.set_sn_ir(Sn::Sn2, SocketInterrupt::TIMEOUT_MASK)
        .unwrap();
    let host = SocketAddrV4::new(Ipv4Addr::new(192, 168, 1, 1), 5_000);
    chip.udp_send_to(Sn::Sn2, b"hello", &host).unwrap();
    assert_eq!(at_host(&rig, socket).as_deref(), Some(&b"hello"[..]));
}

#[test]
fn a_datagram_without_payload_arrives_but_cannot_be_sent() {
    let rig = Rig::linked(HostConfig::default());
    let mut chip = configure(&rig);
    chip.udp_bind(Sn::Sn1, PORT).unwrap();
    let socket = rig.bind(5_000);
    rig.send(socket, ECHO, b"");
    let (received, sender) = receive(&rig, &mut chip, Sn::Sn1).expect("a datagram");
    assert_eq!(received, b"");
    chip.udp_send_to(Sn::Sn1, b"", &sender).unwrap();
    assert_eq!(at_host(&rig, socket), None);
    assert!(!chip.sn_ir(Sn::Sn1).unwrap().sendok_raised());
}
