//! UDP sockets (DS1.0.9 §4.2 Sn_MR; WDOC UDP.md).

use std::net::Ipv4Addr;

use super::arp::{NextHop, next_hop};
use super::packet::{self, BROADCAST, Ipv4Header, Mac, Ports};
use super::registers::{Command, socket as register};
use super::send::Send;
use super::socket::Socket;
use super::{ChipContext, W5500};

/// Before each datagram in the receive buffer: the sender's address and port, and the payload's length.
const HEADER_LEN: usize = 8;

impl W5500 {
    /// Sends the SEND at the head of the queue, or asks for its destination's hardware address first.
    pub(super) fn send_udp(&mut self, n: u8, send: Send, ctx: &mut ChipContext) {
        let socket = &self.sockets[usize::from(n)];
        let to_group = socket.has(register::MR_MULTI_MFEN);
        if send.command == Command::SendMac || to_group {
            let mac = socket.array(register::DHAR);
            self.send_datagrams(n, send, mac, ctx);
            return;
        }
        match next_hop(&self.common.addresses(), send.destination) {
            NextHop::Broadcast => self.send_datagrams(n, send, BROADCAST, ctx),
            NextHop::Resolve(target) => match self.resolved(n, send.destination, ctx) {
                Some(mac) => self.send_datagrams(n, send, mac, ctx),
                None => self.resolve(n, target, ctx),
            },
        }
    }

    /// Puts a SEND on the wire as one datagram, or several if it is too long for one.
    pub(super) fn send_datagrams(&mut self, n: u8, send: Send, mac: Mac, ctx: &mut ChipContext) {
        let block = self.tx.block(n);
        let ports = Ports {
            source: self.sockets[usize::from(n)].half(register::PORT),
            destination: send.port,
        };
        let mut frame = std::mem::take(&mut self.frame);
        let mut payload = std::mem::take(&mut self.payload);
        let mut end = ctx.now;
        let mut sent = 0;
        while sent < send.len() {
            let len = (send.len() - sent).min(self.parameters.udp_largest);
            payload.clear();
            let from = send.from.wrapping_add(sent as u16);
            self.tx.copy_out(block, from, len, &mut payload);
            let header = self.socket_header(n, mac, send.destination);
            packet::udp(&mut frame, &header, ports, &payload);
            end = self.transmit(&mut frame, ctx);
            self.counters.datagrams_sent += 1;
            sent += len;
        }
        self.frame = frame;
        self.payload = payload;
        self.on_wire_until(n, end, ctx);
    }

    /// The headers of a packet that socket `n` sends.
    pub(super) fn socket_header(&mut self, n: u8, mac: Mac, destination: Ipv4Addr) -> Ipv4Header {
        let identification = self.next_identification();
        let socket = &self.sockets[usize::from(n)];
        let own = self.common.addresses();
        Ipv4Header {
            source_mac: own.mac,
            destination_mac: mac,
            source: own.ip,
            destination,
            tos: socket.byte(register::TOS),
            ttl: socket.byte(register::TTL),
            fragment: socket.half(register::FRAG),
            identification,
        }
    }

    /// Gives a datagram to the first socket that listens on its port; tells whether one does.
    pub(super) fn receive_udp(
        &mut self,
        source: Ipv4Addr,
        destination: Ipv4Addr,
        ports: Ports,
        payload: &[u8],
        ctx: &mut ChipContext,
    ) -> bool {
        let own = self.common.addresses();
        let cast = if next_hop(&own, destination) == NextHop::Broadcast {
            Cast::Broadcast
        } else if destination.is_multicast() {
            Cast::Group(destination)
        } else if destination == own.ip {
            Cast::Unicast
        } else {
            return false;
        };
        let takes = |socket: &Socket| {
            socket.status == register::STATUS_UDP
                && socket.half(register::PORT) == ports.destination
                && cast.reaches(socket)
        };
        let Some(n) = (0..8).find(|n| takes(&self.sockets[usize::from(*n)])) else {
            self.counters.datagrams_without_socket += 1;
            return false;
        };
        self.store_datagram(n, source, ports.source, payload, ctx);
        true
    }

    fn store_datagram(
        &mut self,
        n: u8,
        source: Ipv4Addr,
        port: u16,
        payload: &[u8],
        ctx: &mut ChipContext,
    ) {
        let space = self.rx.block(n).len();
        let free = self.sockets[usize::from(n)].rx_free(space);
        if HEADER_LEN + payload.len() > usize::from(free) {
            self.counters.datagrams_dropped += 1;
            return;
        }
        self.counters.datagrams_stored += 1;
        let mut header = [0; HEADER_LEN];
        header[..4].copy_from_slice(&source.octets());
        header[4..6].copy_from_slice(&port.to_be_bytes());
        header[6..].copy_from_slice(&(payload.len() as u16).to_be_bytes());
        self.store(n, [&header, payload]);
        self.raise_socket(n, register::IR_RECV, ctx);
    }
}

/// How a datagram is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cast {
    Unicast,
    Broadcast,
    Group(Ipv4Addr),
}

impl Cast {
    /// Whether a UDP socket's mode lets it through.
    fn reaches(self, socket: &Socket) -> bool {
        let multi = socket.has(register::MR_MULTI_MFEN);
        match self {
            Self::Unicast => !(multi && socket.has(register::MR_UCASTB)),
            Self::Broadcast => !socket.has(register::MR_BCASTB),
            Self::Group(group) => multi && socket.array(register::DIPR) == group.octets(),
        }
    }
}
