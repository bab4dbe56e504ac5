//! ARP, ping and unreachable ports with the host's smoltcp at the far end.

use super::rig::*;
use super::tcp::{HOST, OWN, rig};

/// Common registers.
const MR: u16 = 0x00;
const IR: u16 = 0x15;
const UIPR: u16 = 0x28;
const PING_BLOCK: u8 = 1 << 4;
const UNREACHABLE: u8 = 1 << 6;
/// The most that fits a frame.
const LONGEST: usize = 1_472;

#[test]
fn the_host_finds_and_pings_the_chip() {
    let mut rig = rig();
    let data: Vec<u8> = (0..LONGEST).map(|n| n as u8).collect();
    rig.host(|host| host.ping(OWN, 1, &data)).unwrap();
    rig.settle();
    let reply = rig.host(|host| host.recv_ping()).expect("an answer");
    assert_eq!((reply.from, reply.sequence), (OWN, 1));
    assert_eq!(reply.payload, data);
    rig.write(COMMON, MR, &[PING_BLOCK]);
    rig.host(|host| host.ping(OWN, 2, b"blocked")).unwrap();
    rig.settle();
    assert_eq!(rig.host(|host| host.recv_ping()), None);
    let counters = rig.counters();
    assert_eq!((counters.arp_replies, counters.pings_answered), (1, 1));
}

#[test]
fn the_host_s_unreachable_port_is_named() {
    let mut rig = rig();
    rig.write(socket(2), SN_MR, &[0x02]);
    rig.write(socket(2), 0x04, &7_u16.to_be_bytes());
    rig.command(2, OPEN);
    let destination = [HOST.octets().as_slice(), &9_u16.to_be_bytes()].concat();
    rig.write(socket(2), 0x0C, &destination);
    rig.send(2, &[0x5A; LONGEST]);
    rig.settle();
    assert_eq!(rig.byte(COMMON, IR), UNREACHABLE);
    assert_eq!(rig.read(COMMON, UIPR, 6), destination);
    // The SEND itself was in order.
    assert_eq!(rig.byte(socket(2), SN_IR), SENDOK);
}
