//! What the chip itself makes of a frame: ARP, ping, unreachable ports, and datagrams for its sockets.

use std::net::Ipv4Addr;

use super::icmp::{self, Asker};
use super::packet::{self, ArpMessage, ArpOperation, Content, IcmpMessage, Rejected, Transport};
use super::registers::{common, socket as register};
use super::tcp_socket::Arrival;
use super::{ChipContext, W5500, arp};

impl W5500 {
    /// Takes a frame without check sequence; tells whether the chip or a socket made something of it.
    pub(super) fn receive_ip(&mut self, frame: &[u8], ctx: &mut ChipContext) -> bool {
        if !self.runs_ip() {
            return false;
        }
        let group = frame[0] & 1 != 0;
        if !group && !frame.starts_with(&self.common.mac()) {
            return false;
        }
        let received = match packet::parse(frame) {
            Ok(received) => received,
            Err(rejected) => {
                self.counters.bad_packets += u64::from(rejected == Rejected::Damaged);
                return false;
            }
        };
        match received.content {
            Content::Arp(message) => self.receive_arp(&message, ctx),
            Content::Ipv4 {
                source,
                destination,
                transport,
            } => match transport {
                Transport::Udp { ports, payload } => {
                    self.receive_udp(source, destination, ports, payload, ctx)
                }
                Transport::Icmp(message) => {
                    let asker = Asker {
                        mac: received.source_mac,
                        ip: source,
                    };
                    self.receive_icmp(asker, destination, &message, ctx)
                }
                Transport::Tcp {
                    ports,
                    header,
                    data,
                } => {
                    let arrival = Arrival {
                        source_mac: received.source_mac,
                        source,
                        ports,
                        header,
                        data,
                    };
                    self.receive_tcp(destination, &arrival, ctx)
                }
            },
        }
    }

    /// Without an address and without a socket that uses one, there is nothing to look for.
    fn runs_ip(&self) -> bool {
        let mut sockets = self.sockets.iter();
        !self.common.addresses().ip.is_unspecified()
            || sockets.any(|socket| {
                !matches!(
                    socket.status,
                    register::STATUS_CLOSED | register::STATUS_MACRAW
                )
            })
    }

    fn receive_arp(&mut self, message: &ArpMessage, ctx: &mut ChipContext) -> bool {
        let own = self.common.addresses();
        if arp::is_conflict(&own, message) {
            self.raise_common(common::IR_CONFLICT, ctx);
        }
        if message.operation == ArpOperation::Reply {
            self.receive_arp_answer(message, ctx);
        } else if let Some(reply) = arp::reply(&own, message) {
            self.send_arp(&reply, ctx);
            self.counters.arp_replies += 1;
        }
        true
    }

    fn receive_icmp(
        &mut self,
        asker: Asker,
        destination: Ipv4Addr,
        message: &IcmpMessage,
        ctx: &mut ChipContext,
    ) -> bool {
        let own = self.common.addresses();
        if destination != own.ip || own.ip.is_unspecified() {
            return false;
        }
        if let Some(unreachable) = icmp::unreachable(&own, message) {
            self.common
                .set_unreachable(unreachable.ip, unreachable.port);
            self.raise_common(common::IR_UNREACH, ctx);
        }
        let block = self.common.blocks_ping();
        let identification = self.identification;
        let mut frame = std::mem::take(&mut self.frame);
        if icmp::echo_reply(&mut frame, &own, asker, message, block, identification) {
            self.next_identification();
            self.transmit(&mut frame, ctx);
            self.counters.pings_answered += 1;
        }
        self.frame = frame;
        true
    }

    /// Numbers the chip's IPv4 packets.
    pub(super) fn next_identification(&mut self) -> u16 {
        let identification = self.identification;
        self.identification = identification.wrapping_add(1);
        identification
    }
}
