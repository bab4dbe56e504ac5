use proptest::prelude::*;

use super::*;
use crate::net::host::HostConfig;

const CLIENT: EthernetAddress = EthernetAddress([2, 0, 0, 0, 0x72, 1]);

fn request(kind: DhcpMessageType) -> DhcpRepr<'static> {
    DhcpRepr {
        message_type: kind,
        transaction_id: 0x1234_5678,
        secs: 0,
        client_hardware_address: CLIENT,
        client_ip: Ipv4Addr::UNSPECIFIED,
        your_ip: Ipv4Addr::UNSPECIFIED,
        server_ip: Ipv4Addr::UNSPECIFIED,
        router: None,
        subnet_mask: None,
        relay_agent_ip: Ipv4Addr::UNSPECIFIED,
        broadcast: false,
        requested_ip: None,
        client_identifier: Some(CLIENT),
        server_identifier: None,
        parameter_request_list: Some(&[1, 3, 6]),
        dns_servers: None,
        max_size: Some(1500),
        lease_duration: None,
        renew_duration: None,
        rebind_duration: None,
        additional_options: &[],
    }
}

fn bytes(repr: &DhcpRepr) -> Vec<u8> {
    let mut message = vec![0; repr.buffer_len()];
    repr.emit(&mut DhcpPacket::new_unchecked(message.as_mut_slice()))
        .unwrap();
    message
}

fn server() -> DhcpServer {
    DhcpServer::new(HostConfig::default().dhcp)
}

#[test]
fn discover_and_request_give_the_first_address_with_every_option() {
    let mut server = server();
    let offer = server
        .answer(&bytes(&request(DhcpMessageType::Discover)))
        .unwrap();
    assert_eq!(offer.to, Ipv4Addr::BROADCAST);
    assert!(!server.leases()[0].bound);
    let ack = server
        .answer(&bytes(&DhcpRepr {
            requested_ip: Some(Ipv4Addr::new(192, 168, 1, 50)),
            server_identifier: Some(Ipv4Addr::new(192, 168, 1, 1)),
            ..request(DhcpMessageType::Request)
        }))
        .unwrap();
    let packet = DhcpPacket::new_checked(ack.message.as_slice()).unwrap();
    let ack = DhcpRepr::parse(&packet).unwrap();
    assert_eq!(ack.message_type, DhcpMessageType::Ack);
    assert_eq!(ack.transaction_id, 0x1234_5678);
    assert_eq!(ack.your_ip, Ipv4Addr::new(192, 168, 1, 50));
    assert_eq!(ack.subnet_mask, Some(Ipv4Addr::new(255, 255, 255, 0)));
    assert_eq!(ack.router, Some(Ipv4Addr::new(192, 168, 1, 1)));
    assert_eq!(
        ack.dns_servers.unwrap().as_slice(),
        [Ipv4Addr::new(192, 168, 1, 1)]
    );
    assert_eq!(ack.lease_duration, Some(86_400));
    let counters = server.counters();
    assert_eq!((counters.offers, counters.acknowledgements), (1, 1));
    assert_eq!((counters.refusals, counters.ignored), (0, 0));
    assert!(server.leases()[0].bound);
}

#[test]
fn another_address_is_refused_and_another_servers_request_ignored() {
    let mut server = server();
    let refusal = server
        .answer(&bytes(&DhcpRepr {
            requested_ip: Some(Ipv4Addr::new(192, 168, 1, 77)),
            ..request(DhcpMessageType::Request)
        }))
        .unwrap();
    let packet = DhcpPacket::new_checked(refusal.message.as_slice()).unwrap();
    assert_eq!(
        DhcpRepr::parse(&packet).unwrap().message_type,
        DhcpMessageType::Nak
    );
    let other = DhcpRepr {
        server_identifier: Some(Ipv4Addr::new(10, 0, 0, 1)),
        ..request(DhcpMessageType::Request)
    };
    assert_eq!(server.answer(&bytes(&other)), None);
    assert_eq!(
        (server.counters().refusals, server.counters().ignored),
        (1, 1)
    );
}

#[test]
fn a_renewal_is_answered_to_the_clients_address() {
    let mut server = server();
    let renewal = DhcpRepr {
        client_ip: Ipv4Addr::new(192, 168, 1, 50),
        ..request(DhcpMessageType::Request)
    };
    let reply = server.answer(&bytes(&renewal)).unwrap();
    assert_eq!(reply.to, Ipv4Addr::new(192, 168, 1, 50));
}

#[test]
fn clients_get_different_addresses_until_none_is_left_and_a_release_frees_one() {
    let mut server = server();
    let count = HostConfig::default().dhcp.addresses;
    let discover = |n: u8| {
        bytes(&DhcpRepr {
            client_hardware_address: EthernetAddress([2, 0, 0, 0, 1, n]),
            ..request(DhcpMessageType::Discover)
        })
    };
    for n in 0..count {
        assert!(server.answer(&discover(n)).is_some());
        assert_eq!(server.leases()[usize::from(n)].address.octets()[3], 50 + n);
    }
    assert_eq!(server.answer(&discover(200)), None);
    let release = DhcpRepr {
        client_hardware_address: EthernetAddress([2, 0, 0, 0, 1, 3]),
        ..request(DhcpMessageType::Release)
    };
    server.answer(&bytes(&release));
    server.answer(&discover(200)).unwrap();
    assert_eq!(server.leases().last().unwrap().address.octets()[3], 53);
}

proptest! {
    #[test]
    fn no_message_makes_the_server_panic(
        noise in proptest::collection::vec(any::<u8>(), 0..400),
        cut in 0..400_usize,
        flips in proptest::collection::vec((0..400_usize, any::<u8>()), 0..8),
    ) {
        let mut server = server();
        server.answer(&noise);
        let mut message = bytes(&request(DhcpMessageType::Request));
        for (at, byte) in flips {
            if let Some(place) = message.get_mut(at) {
                *place = byte;
            }
        }
        message.truncate(cut);
        server.answer(&message);
    }
}

#[test]
fn a_moved_pool_refuses_the_old_address_and_gives_another() {
    let mut server = server();
    let ask = |address: u8| {
        bytes(&DhcpRepr {
            requested_ip: Some(Ipv4Addr::new(192, 168, 1, address)),
            ..request(DhcpMessageType::Request)
        })
    };
    server.answer(&ask(50)).unwrap();
    assert!(server.leases()[0].bound);
    server.move_pool();
    assert_eq!(server.leases(), []);
    server.answer(&ask(50)).unwrap();
    assert_eq!(server.counters().refusals, 1);
    server.answer(&ask(66)).unwrap();
    let lease = server.leases()[0];
    assert_eq!((lease.address.octets()[3], lease.bound), (66, true));
}
