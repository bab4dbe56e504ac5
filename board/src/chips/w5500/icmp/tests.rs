//! Pings answered and blocked, unreachable ports told apart from other messages.

use super::*;

const OWN: Addresses = Addresses {
    mac: [2, 0, 0, 0, 0x72, 3],
    ip: Ipv4Addr::new(192, 168, 1, 50),
    gateway: Ipv4Addr::new(192, 168, 1, 254),
    subnet_mask: Ipv4Addr::new(255, 255, 255, 0),
};
const ASKER: Asker = Asker {
    mac: [2, 0, 0, 0, 0, 1],
    ip: Ipv4Addr::new(192, 168, 1, 1),
};
const PING: IcmpMessage = IcmpMessage::EchoRequest {
    identifier: 1,
    sequence: 2,
    data: b"ping",
};

#[test]
fn a_ping_is_answered_unless_blocked() {
    let mut frame = Vec::new();
    assert!(echo_reply(&mut frame, &OWN, ASKER, &PING, false, 7));
    assert_eq!(frame[..6], ASKER.mac);
    assert_eq!(frame[6..12], OWN.mac);
    assert_eq!(frame[18..23], [0, 7, 0x40, 0, 128]);
    assert_eq!(frame[26..34], [192, 168, 1, 50, 192, 168, 1, 1]);
    assert_eq!(frame[38..], *b"\0\x01\0\x02ping");
    let mut blocked = Vec::new();
    assert!(!echo_reply(&mut blocked, &OWN, ASKER, &PING, true, 7));
    assert!(blocked.is_empty());
}

#[test]
fn only_our_own_datagrams_are_unreachable() {
    let message = IcmpMessage::PortUnreachable {
        source: OWN.ip,
        destination: ASKER.ip,
        destination_port: 9,
    };
    let expected = Unreachable {
        ip: ASKER.ip,
        port: 9,
    };
    assert_eq!(unreachable(&OWN, &message), Some(expected));
    let foreign = IcmpMessage::PortUnreachable {
        source: ASKER.ip,
        destination: OWN.ip,
        destination_port: 9,
    };
    assert_eq!(unreachable(&OWN, &foreign), None);
    assert_eq!(unreachable(&OWN, &PING), None);
}
