//! Against the faults of w5500-dhcp 0.7 and the ways an address is gained and lost.

extern crate std;

use std::net::SocketAddrV4;
use std::vec::Vec;

use proptest::prelude::*;
use w5500_dhcp::ll::{Reg, SnReg};
use w5500_fake::FakeChip;

use super::*;

const MAC: Eui48Addr = Eui48Addr::new(2, 0, 0, 0, 0x72, 3);
const SERVER: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 1);
const ROUTER: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 254);
const LEASE: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 50);

const OFFER: u8 = 2;
const ACK: u8 = 5;
const NAK: u8 = 6;
const ROUTER_OPTION: [u8; 6] = [3, 4, 192, 168, 1, 254];
const LEASE_TIME: [u8; 6] = [51, 4, 0, 0, 0x0e, 0x10];

struct Bench {
    chip: FakeChip,
    address: Address,
    now_secs: u32,
}

impl Bench {
    /// The link has just come up.
    fn asking() -> Self {
        let mut bench = Self {
            chip: FakeChip::default(),
            address: Address::new(MAC),
            now_secs: 3,
        };
        assert_eq!(bench.poll(), None);
        bench.plug(true);
        assert_eq!(bench.poll(), Some(Change::LinkUp));
        bench
    }

    fn leased() -> Self {
        let mut bench = Self::asking();
        bench.reply(OFFER, &[]);
        assert_eq!(bench.serve(), None);
        bench.reply(ACK, &options());
        assert_eq!(bench.serve(), Some(Change::Leased(LEASE)));
        bench
    }

    fn plug(&mut self, up: bool) {
        self.chip.poke(0, Reg::PHYCFGR.addr(), 0xb8 | u8::from(up));
    }

    fn poll(&mut self) -> Option<Change> {
        let mut scratch = [0; 1472];
        self.address
            .poll(&mut self.chip, self.now_secs, &mut scratch)
            .unwrap()
    }

    /// As on an interrupt, after which nothing is left behind.
    fn serve(&mut self) -> Option<Change> {
        let mut scratch = [0; 1472];
        let change = self
            .address
            .serve(&mut self.chip, self.now_secs, &mut scratch)
            .unwrap();
        assert_eq!(self.chip.waiting_bytes(DHCP_SOCKET), 0);
        assert_eq!(self.chip.peek(DHCP_SOCKET.block(), SnReg::IR.addr()), [0]);
        change
    }

    /// The last message the board sent.
    fn asked(&self) -> &[u8] {
        &self.chip.sent.last().unwrap().payload
    }

    fn message(&self, kind: u8, options: &[u8]) -> Vec<u8> {
        let mut message = Vec::from([0; 236]);
        message[0] = 2;
        message[4..8].copy_from_slice(&self.asked()[4..8]);
        message[16..20].copy_from_slice(&LEASE.octets());
        message.extend([0x63, 0x82, 0x53, 0x63, 53, 1, kind, 54, 4]);
        message.extend(SERVER.octets());
        message.extend(options);
        message.push(255);
        message
    }

    fn reply(&mut self, kind: u8, options: &[u8]) {
        let message = self.message(kind, options);
        self.receive(&message);
    }

    fn receive(&mut self, message: &[u8]) {
        let from = SocketAddrV4::new(SERVER, 67);
        self.chip.receive(DHCP_SOCKET, from, message);
    }

    fn register(&self, register: Reg) -> Ipv4Addr {
        self.chip.peek::<4>(0, register.addr()).into()
    }

    fn interrupts_enabled(&self) -> bool {
        let [enabled] = self.chip.peek(0, Reg::SIMR.addr());
        enabled & DHCP_SOCKET.bitmask() != 0
    }
}

fn options() -> Vec<u8> {
    let subnet = [1, 4, 255, 255, 255, 0];
    [subnet, ROUTER_OPTION, LEASE_TIME].concat()
}

#[test]
fn a_link_asks_at_once_and_gets_a_lease() {
    let bench = Bench::leased();
    let to: Vec<_> = bench.chip.sent.iter().map(|sent| sent.to).collect();
    let broadcast = SocketAddrV4::new(Ipv4Addr::BROADCAST, 67);
    assert_eq!(to, [broadcast, broadcast]);
    assert_eq!(bench.register(Reg::SIPR0), LEASE);
    assert_eq!(bench.register(Reg::SUBR0), FALLBACK_SUBNET);
}

#[test]
fn the_gateway_is_the_router_and_not_the_server() {
    assert_eq!(Bench::leased().register(Reg::GAR0), ROUTER);
}

#[test]
fn a_lease_without_a_router_has_no_gateway() {
    let mut bench = Bench::asking();
    bench.reply(OFFER, &[]);
    bench.serve();
    let options = [&[1, 4, 255, 255, 255, 0][..], &LEASE_TIME].concat();
    bench.reply(ACK, &options);
    assert_eq!(bench.serve(), Some(Change::Leased(LEASE)));
    assert_eq!(bench.register(Reg::GAR0), Ipv4Addr::UNSPECIFIED);
}

#[test]
fn messages_for_others_do_not_hide_the_reply() {
    let mut bench = Bench::asking();
    let mut of_another = bench.message(OFFER, &[]);
    of_another[7] ^= 1;
    let mut request = bench.message(OFFER, &[]);
    request[0] = 1;
    for other in [&of_another[..], &request, b"", b"short"] {
        bench.receive(other);
    }
    bench.reply(OFFER, &[]);
    bench.serve();
    assert_eq!(bench.chip.sent.len(), 2);
}

#[test]
fn a_truncated_message_does_not_hide_the_reply() {
    let mut bench = Bench::asking();
    let message = bench.message(OFFER, &[]);
    let from = SocketAddrV4::new(SERVER, 67);
    let claimed = message.len() as u16 + 1;
    bench
        .chip
        .receive_claiming(DHCP_SOCKET, from, claimed, &message);
    bench.serve();
    assert_eq!(bench.chip.sent.len(), 1);
    bench.reply(OFFER, &[]);
    bench.serve();
    assert_eq!(bench.chip.sent.len(), 2);
}

#[test]
fn only_an_offer_is_taken_for_one() {
    let mut bench = Bench::asking();
    bench.reply(NAK, &[]);
    bench.reply(ACK, &options());
    bench.serve();
    assert_eq!(bench.chip.sent.len(), 1);
}

#[test]
fn a_lease_that_is_not_understood_does_not_hide_a_better_one() {
    let mut bench = Bench::asking();
    bench.reply(OFFER, &[]);
    bench.serve();
    let cut_short = [51, 200];
    bench.reply(ACK, &[]);
    bench.reply(ACK, &cut_short);
    assert_eq!(bench.serve(), None);
    bench.reply(ACK, &options());
    assert_eq!(bench.serve(), Some(Change::Leased(LEASE)));
}

#[test]
fn an_unanswered_question_is_repeated_and_not_more_often_than_every_five_seconds() {
    let mut bench = Bench::asking();
    for now_secs in 3..3 + 25 {
        bench.now_secs = now_secs;
        bench.poll();
        bench.poll();
    }
    // A second later than its timeout says.
    assert_eq!(bench.chip.sent.len(), 1 + 24 / 6);
}

#[test]
fn without_a_server_the_address_is_fixed_until_the_link_goes_down() {
    let mut bench = Bench::asking();
    for now_secs in 3..33 {
        bench.now_secs = now_secs;
        assert_eq!(bench.poll(), None);
    }
    bench.now_secs = 33;
    let change = [bench.poll(), bench.poll()];
    assert!(change.contains(&Some(Change::Fallback(FALLBACK))));
    assert_eq!(bench.register(Reg::SIPR0), FALLBACK);
    assert!(!bench.interrupts_enabled());

    bench.plug(false);
    assert_eq!(bench.poll(), Some(Change::LinkDown));
    bench.plug(true);
    assert_eq!(bench.poll(), Some(Change::LinkUp));
    assert!(bench.interrupts_enabled());
    assert_eq!(bench.register(Reg::SIPR0), Ipv4Addr::UNSPECIFIED);
}

#[test]
fn a_lease_is_renewed_before_it_ends() {
    let mut bench = Bench::leased();
    let asked = bench.chip.sent.len();
    bench.now_secs += 1000;
    bench.poll();
    assert_eq!(bench.chip.sent.len(), asked);
    bench.now_secs += 1000;
    assert_eq!(bench.poll(), None);
    bench.poll();
    assert_eq!(bench.chip.sent.len(), asked + 1);
    bench.reply(ACK, &options());
    assert_eq!(bench.serve(), None);
    assert_eq!(bench.register(Reg::GAR0), ROUTER);
    assert_eq!(bench.register(Reg::SIPR0), LEASE);
}

proptest! {
    #[test]
    fn any_message_is_consumed(bytes in prop::collection::vec(any::<u8>(), 0..600), answers in any::<bool>()) {
        let mut bench = Bench::asking();
        let mut message = bytes;
        if answers && message.len() > 240 {
            let head = bench.message(OFFER, &[]);
            message[..8].copy_from_slice(&head[..8]);
            message[236..240].copy_from_slice(&head[236..240]);
        }
        bench.receive(&message);
        bench.serve();
    }

    #[test]
    fn an_option_is_found_behind_any_others(
        others in prop::collection::vec((4_u8..53, prop::collection::vec(any::<u8>(), 0..20)), 0..20),
        pads in 0_usize..4,
    ) {
        let mut bytes = Vec::from([0; 236]);
        bytes[0] = 2;
        bytes.extend([0x63, 0x82, 0x53, 0x63]);
        for (code, value) in others {
            bytes.extend([code, value.len() as u8]);
            bytes.extend(value);
            bytes.extend(std::iter::repeat_n(0, pads));
        }
        bytes.extend(ROUTER_OPTION);
        let message = message::Message::parse(&bytes).unwrap();
        prop_assert_eq!(message.router(), Some(ROUTER));
        prop_assert!(message.kind().is_none());
    }
}
