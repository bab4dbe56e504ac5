//! The frames the chip's own protocol engines send and understand: ARP, and UDP, TCP and ICMP over IPv4.
//!
//! Built frames end with their last content byte: whoever puts one on the wire pads it and appends the
//! check sequence. The codecs are smoltcp's; only what the chip adds to them is here.

mod build;
mod parse;

use std::net::Ipv4Addr;

pub use build::{arp, icmp_echo_reply, tcp, udp};
pub use parse::parse;

/// An Ethernet address.
pub type Mac = [u8; 6];

/// The Ethernet address of everybody.
pub const BROADCAST: Mac = [0xFF; 6];

/// The chip's own addresses, as SHAR, SIPR, GAR and SUBR read at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    pub mac: Mac,
    pub ip: Ipv4Addr,
    pub gateway: Ipv4Addr,
    pub subnet_mask: Ipv4Addr,
}

/// Whether an ARP message asks or answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArpOperation {
    Request,
    Reply,
}

/// An ARP message for IPv4 over Ethernet (RFC 826).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArpMessage {
    pub operation: ArpOperation,
    pub sender_mac: Mac,
    pub sender_ip: Ipv4Addr,
    pub target_mac: Mac,
    pub target_ip: Ipv4Addr,
}

/// Where an IPv4 packet goes, and the fields of its header a socket can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv4Header {
    pub source_mac: Mac,
    pub destination_mac: Mac,
    pub source: Ipv4Addr,
    pub destination: Ipv4Addr,
    /// Sn_TOS.
    pub tos: u8,
    /// Sn_TTL.
    pub ttl: u8,
    /// Sn_FRAG: the flags and the fragment offset. Its reset value 0x4000 is "don't fragment".
    pub fragment: u16,
    pub identification: u16,
}

/// The two ports of a UDP datagram or TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    pub source: u16,
    pub destination: u16,
}

/// What a TCP segment says beside its ports and its data (RFC 9293 §3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpHeader {
    pub sequence: u32,
    /// The acknowledgement number, if the ACK flag is set.
    pub acknowledgement: Option<u32>,
    pub syn: bool,
    pub fin: bool,
    pub rst: bool,
    pub psh: bool,
    /// Bytes the sender can take, not scaled: the chip offers no window scale.
    pub window: u16,
    /// The maximum segment size option, in bytes.
    pub mss: Option<u16>,
}

impl TcpHeader {
    /// Sequence numbers a segment with `data` bytes takes up.
    pub fn length(&self, data: usize) -> u32 {
        data as u32 + u32::from(self.syn) + u32::from(self.fin)
    }
}

/// Why the chip makes nothing of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// Cut short, with a wrong length or checksum, or a fragment of a packet.
    Damaged,
    /// Of a protocol or kind the chip has no engine for.
    Unknown,
}

/// A frame the chip understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received<'a> {
    pub source_mac: Mac,
    pub destination_mac: Mac,
    pub content: Content<'a>,
}

/// What is in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    Arp(ArpMessage),
    Ipv4 {
        source: Ipv4Addr,
        destination: Ipv4Addr,
        transport: Transport<'a>,
    },
}

/// What is in an IPv4 packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport<'a> {
    Udp {
        ports: Ports,
        payload: &'a [u8],
    },
    Tcp {
        ports: Ports,
        header: TcpHeader,
        data: &'a [u8],
    },
    Icmp(IcmpMessage<'a>),
}

/// The ICMP messages the chip acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IcmpMessage<'a> {
    EchoRequest {
        identifier: u16,
        sequence: u16,
        data: &'a [u8],
    },
    /// A UDP datagram came to a port nobody listens on.
    PortUnreachable {
        /// Who sent the datagram.
        source: Ipv4Addr,
        /// Where the datagram went.
        destination: Ipv4Addr,
        destination_port: u16,
    },
}

#[cfg(test)]
mod tests;
