//! ICMP in the chip: answers to pings, and what an unreachable port does to UIPR and UPORTR.

use std::net::Ipv4Addr;

use super::packet::{self, Addresses, IcmpMessage, Ipv4Header, Mac};

/// Time to live of the chip's own answers: Sn_TTL's reset value, as no socket sets one for them.
const TTL: u8 = 128;
/// "Don't fragment", as Sn_FRAG has it at reset.
const FRAGMENT: u16 = 0x4000;

/// A datagram's destination that nobody listens on, for UIPR and UPORTR; IR.UNREACH is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable {
    pub ip: Ipv4Addr,
    pub port: u16,
}

/// The asker of a ping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker {
    pub mac: Mac,
    pub ip: Ipv4Addr,
}

/// Builds the answer to a ping of the chip's own address in `frame` and tells whether there is one;
/// MR.PB (`block`) suppresses it.
pub fn echo_reply(
    frame: &mut Vec<u8>,
    own: &Addresses,
    asker: Asker,
    message: &IcmpMessage,
    block: bool,
    identification: u16,
) -> bool {
    let IcmpMessage::EchoRequest {
        identifier,
        sequence,
        data,
    } = *message
    else {
        return false;
    };
    if block {
        return false;
    }
    let header = Ipv4Header {
        source_mac: own.mac,
        destination_mac: asker.mac,
        source: own.ip,
        destination: asker.ip,
        tos: 0,
        ttl: TTL,
        fragment: FRAGMENT,
        identification,
    };
    packet::icmp_echo_reply(frame, &header, identifier, sequence, data);
    true
}

/// What an ICMP message says about a UDP datagram the chip sent.
pub fn unreachable(own: &Addresses, message: &IcmpMessage) -> Option<Unreachable> {
    match *message {
        IcmpMessage::PortUnreachable {
            source,
            destination,
            destination_port,
        } if source == own.ip => Some(Unreachable {
            ip: destination,
            port: destination_port,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
