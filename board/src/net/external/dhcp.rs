//! A DHCP server without a protocol stack around it: frames in, frames out.

use std::net::Ipv4Addr;

use smoltcp::phy::ChecksumCapabilities;
use smoltcp::wire::{
    EthernetAddress, EthernetFrame, EthernetProtocol, EthernetRepr, IpProtocol, Ipv4Packet,
    Ipv4Repr, UDP_HEADER_LEN, UdpPacket, UdpRepr,
};

use crate::net::host::{DHCP_CLIENT_PORT, DHCP_SERVER_PORT};
use crate::net::host::{DhcpConfig, DhcpCounters, DhcpServer, Lease};

const HOP_LIMIT: u8 = 64;

/// What the server hands out, and the hardware address it answers from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DhcpService {
    pub mac: [u8; 6],
    pub config: DhcpConfig,
}

/// The server.
#[derive(Debug)]
pub(super) struct DhcpResponder {
    service: DhcpService,
    server: DhcpServer,
}

impl DhcpResponder {
    pub fn new(service: DhcpService) -> Self {
        Self {
            service,
            server: DhcpServer::new(service.config),
        }
    }

    pub fn leases(&self) -> &[Lease] {
        self.server.leases()
    }

    pub fn counters(&self) -> DhcpCounters {
        self.server.counters()
    }

    /// Takes a frame that is a message to this server and gives the frame of its answer, if it deserves
    /// one; `None` when the frame is anything else.
    pub fn take(&mut self, frame: &[u8]) -> Option<Option<Vec<u8>>> {
        let (client, message) = self.message(frame)?;
        let reply = self.server.answer(message);
        Some(reply.map(|reply| self.frame(client, reply.to, &reply.message)))
    }

    /// The client's hardware address and the message, if both checksums are right and the message is
    /// broadcast or sent to this server.
    fn message<'a>(&self, frame: &'a [u8]) -> Option<(EthernetAddress, &'a [u8])> {
        let checksums = ChecksumCapabilities::default();
        let ethernet = EthernetFrame::new_checked(frame).ok()?;
        if ethernet.ethertype() != EthernetProtocol::Ipv4 {
            return None;
        }
        let ip = Ipv4Packet::new_checked(ethernet.payload()).ok()?;
        let header = Ipv4Repr::parse(&ip, &checksums).ok()?;
        let for_us = header.dst_addr.is_broadcast() || header.dst_addr == self.address();
        if header.next_header != IpProtocol::Udp || !for_us {
            return None;
        }
        let udp = UdpPacket::new_checked(ip.payload()).ok()?;
        let (from, to) = (header.src_addr.into(), header.dst_addr.into());
        let ports = UdpRepr::parse(&udp, &from, &to, &checksums).ok()?;
        let is_dhcp = ports.dst_port == DHCP_SERVER_PORT;
        is_dhcp.then(|| (ethernet.src_addr(), udp.payload()))
    }

    /// A message to the client; without an address of its own it is reached by broadcast.
    pub fn frame(&self, client: EthernetAddress, to: Ipv4Addr, message: &[u8]) -> Vec<u8> {
        let checksums = ChecksumCapabilities::default();
        let udp = UdpRepr {
            src_port: DHCP_SERVER_PORT,
            dst_port: DHCP_CLIENT_PORT,
        };
        let ip = Ipv4Repr {
            src_addr: self.address(),
            dst_addr: to,
            next_header: IpProtocol::Udp,
            payload_len: UDP_HEADER_LEN + message.len(),
            hop_limit: HOP_LIMIT,
        };
        let ethernet = EthernetRepr {
            src_addr: EthernetAddress(self.service.mac),
            dst_addr: if to.is_broadcast() {
                EthernetAddress::BROADCAST
            } else {
                client
            },
            ethertype: EthernetProtocol::Ipv4,
        };
        let mut bytes = vec![0; ethernet.buffer_len() + ip.buffer_len() + ip.payload_len];
        let mut frame = EthernetFrame::new_unchecked(bytes.as_mut_slice());
        ethernet.emit(&mut frame);
        let mut packet = Ipv4Packet::new_unchecked(frame.payload_mut());
        ip.emit(&mut packet, &checksums);
        udp.emit(
            &mut UdpPacket::new_unchecked(packet.payload_mut()),
            &ip.src_addr.into(),
            &ip.dst_addr.into(),
            message.len(),
            |payload| payload.copy_from_slice(message),
            &checksums,
        );
        bytes
    }

    fn address(&self) -> Ipv4Addr {
        self.service.config.server
    }
}
