//! Resolutions by hand, message by message.

use super::*;
use crate::time::Span;

const OWN: Addresses = Addresses {
    mac: [2, 0, 0, 0, 0x72, 3],
    ip: Ipv4Addr::new(192, 168, 1, 50),
    gateway: Ipv4Addr::new(192, 168, 1, 254),
    subnet_mask: Ipv4Addr::new(255, 255, 255, 0),
};
const HOST: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 1);
const HOST_MAC: Mac = [2, 0, 0, 0, 0, 1];

fn message(operation: ArpOperation, sender_ip: Ipv4Addr, target_ip: Ipv4Addr) -> ArpMessage {
    ArpMessage {
        operation,
        sender_mac: HOST_MAC,
        sender_ip,
        target_mac: [0; 6],
        target_ip,
    }
}

#[test]
fn the_first_hop_follows_the_subnet() {
    let far = Ipv4Addr::new(8, 8, 8, 8);
    let subnet_broadcast = Ipv4Addr::new(192, 168, 1, 255);
    assert_eq!(next_hop(&OWN, HOST), NextHop::Resolve(HOST));
    assert_eq!(next_hop(&OWN, far), NextHop::Resolve(OWN.gateway));
    assert_eq!(next_hop(&OWN, subnet_broadcast), NextHop::Broadcast);
    assert_eq!(next_hop(&OWN, Ipv4Addr::BROADCAST), NextHop::Broadcast);
    let unset = Addresses {
        ip: Ipv4Addr::UNSPECIFIED,
        gateway: Ipv4Addr::UNSPECIFIED,
        subnet_mask: Ipv4Addr::UNSPECIFIED,
        ..OWN
    };
    assert_eq!(next_hop(&unset, HOST), NextHop::Resolve(HOST));
    assert_eq!(next_hop(&unset, Ipv4Addr::BROADCAST), NextHop::Broadcast);
}

/// 1.8 s at the reset values: nine requests, 200 ms each.
#[test]
fn nobody_answers_nine_requests() {
    let start = Instant::from_ns(5_000);
    let mut resolution = Resolution::start(HOST, Retry::default(), start);
    for n in 1..=8 {
        let due = start + Span::from_ms(200 * n);
        assert_eq!(resolution.deadline(), due);
        assert_eq!(resolution.on_timer(Instant::from_ps(due.as_ps() - 1)), None);
        assert_eq!(resolution.on_timer(due), Some(Overdue::AskAgain));
    }
    let end = start + Span::from_ms(1_800);
    assert_eq!(resolution.deadline(), end);
    assert_eq!(resolution.on_timer(end), Some(Overdue::GiveUp));
    assert_eq!(resolution.deadline(), Instant::NEVER);
}

#[test]
fn only_the_target_s_reply_is_an_answer() {
    let resolution = Resolution::start(HOST, Retry::default(), Instant::ZERO);
    let request = resolution.request(&OWN);
    assert_eq!(destination(&request), BROADCAST);
    assert_eq!((request.sender_ip, request.target_ip), (OWN.ip, HOST));
    let answer = message(ArpOperation::Reply, HOST, OWN.ip);
    assert_eq!(resolution.answer(&answer), Some(HOST_MAC));
    let other = message(ArpOperation::Reply, OWN.gateway, OWN.ip);
    assert_eq!(resolution.answer(&other), None);
    let question = message(ArpOperation::Request, HOST, OWN.ip);
    assert_eq!(resolution.answer(&question), None);
}

#[test]
fn requests_for_the_own_address_are_answered() {
    let question = message(ArpOperation::Request, HOST, OWN.ip);
    let answer = reply(&OWN, &question).unwrap();
    assert_eq!(destination(&answer), HOST_MAC);
    assert_eq!(answer.operation, ArpOperation::Reply);
    assert_eq!((answer.sender_mac, answer.sender_ip), (OWN.mac, OWN.ip));
    assert_eq!((answer.target_mac, answer.target_ip), (HOST_MAC, HOST));
    let other = message(ArpOperation::Request, HOST, OWN.gateway);
    assert_eq!(reply(&OWN, &other), None);
    assert_eq!(
        reply(&OWN, &message(ArpOperation::Reply, HOST, OWN.ip)),
        None
    );
    let unset = Addresses {
        ip: Ipv4Addr::UNSPECIFIED,
        ..OWN
    };
    let probe = message(ArpOperation::Request, HOST, Ipv4Addr::UNSPECIFIED);
    assert_eq!(reply(&unset, &probe), None);
}

#[test]
fn somebody_else_with_our_address_is_a_conflict() {
    let intruder = message(ArpOperation::Request, OWN.ip, HOST);
    assert!(is_conflict(&OWN, &intruder));
    let ourselves = ArpMessage {
        sender_mac: OWN.mac,
        ..intruder
    };
    assert!(!is_conflict(&OWN, &ourselves));
    assert!(!is_conflict(
        &OWN,
        &message(ArpOperation::Request, HOST, OWN.ip)
    ));
    assert!(!is_conflict(
        &OWN,
        &message(ArpOperation::Reply, OWN.ip, HOST)
    ));
}
