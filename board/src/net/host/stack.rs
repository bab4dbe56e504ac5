//! The host's protocol stack: smoltcp with its sockets, polled only when a frame comes or a timer is due.

mod tcp;

use std::collections::VecDeque;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddrV4};

use smoltcp::iface::{Config, Interface, PollResult, SocketHandle, SocketSet};
use smoltcp::phy::ChecksumCapabilities;
use smoltcp::socket::{icmp, udp};
use smoltcp::time::Instant as StackInstant;
use smoltcp::wire::{EthernetAddress, Icmpv4Packet, Icmpv4Repr, IpAddress, IpCidr, IpEndpoint};

use super::dhcp::{CLIENT_PORT, DhcpCounters, DhcpServer, Lease, SERVER_PORT};
use super::port::Port;
use super::{BindError, Datagram, HostConfig, PingReply, SendError};
use crate::net::frame;
use crate::net::wire::{Wire, WireConfig};
use crate::schedule::Schedule;
use crate::time::Instant;

/// Identifier of the host's echo requests.
const PING_IDENT: u16 = 0x7230;
/// Longest UDP payload or ICMP echo data in one frame: IP and UDP (or ICMP) headers are 28 bytes.
const MAX_PAYLOAD: usize = frame::MAX_LEN - frame::HEADER_LEN - 28;
/// Messages the sockets hold whose receive side is emptied after each frame, and whose send side
/// carries only pings or DHCP replies.
const SHORT_QUEUE: usize = 16;

/// What is wrong with whoever uses the handle of a socket again that is no more.
const GIVEN_UP: &str = "the socket was given up";

const PS_PER_US: u64 = 1_000_000;

pub(super) struct Stack {
    interface: Interface,
    sockets: SocketSet<'static>,
    icmp: SocketHandle,
    dhcp_socket: SocketHandle,
    dhcp: DhcpServer,
    /// Datagrams a UDP socket accepts before they are on the wire.
    send_queue: usize,
    /// By handle; a socket that was given up leaves a gap.
    udp: Vec<Option<UdpPort>>,
    tcp: Vec<Option<tcp::TcpSocket>>,
    next_tcp_port: u16,
    pings: VecDeque<PingReply>,
    scratch: Vec<u8>,
}

struct UdpPort {
    port: u16,
    socket: SocketHandle,
    received: VecDeque<Datagram>,
}

impl Stack {
    pub fn new(config: &HostConfig) -> Self {
        let mut scratch = Vec::new();
        // The stack asks the port only for its capabilities here; nothing is sent.
        let mut port = Port {
            wire: &mut Wire::new(WireConfig::default()),
            schedule: &mut Schedule::default(),
            now: Instant::ZERO,
            incoming: None,
            scratch: &mut scratch,
        };
        let hardware = EthernetAddress(config.mac).into();
        let mut interface = Interface::new(
            Config::new(hardware),
            &mut port,
            StackInstant::from_micros(0),
        );
        let network = IpCidr::new(config.address.into(), config.prefix_len);
        interface.update_ip_addrs(|addresses| {
            *addresses = std::iter::once(network).collect();
        });
        let mut sockets = SocketSet::new(Vec::new());
        let mut ping_socket = icmp::Socket::new(icmp_buffer(), icmp_buffer());
        let bound = ping_socket.bind(icmp::Endpoint::Ident(PING_IDENT));
        debug_assert!(bound.is_ok(), "a fresh socket binds");
        let mut dhcp_socket = udp_socket(SHORT_QUEUE);
        let bound = dhcp_socket.bind(SERVER_PORT);
        debug_assert!(bound.is_ok(), "a fresh socket binds");
        Self {
            interface,
            icmp: sockets.add(ping_socket),
            dhcp_socket: sockets.add(dhcp_socket),
            dhcp: DhcpServer::new(config.dhcp),
            send_queue: config.transmit_queue,
            sockets,
            udp: Vec::new(),
            tcp: Vec::new(),
            next_tcp_port: tcp::FIRST_PORT,
            pings: VecDeque::new(),
            scratch,
        }
    }

    pub fn bind_udp(&mut self, port: u16) -> Result<usize, BindError> {
        let mut bound = self.udp.iter().flatten();
        if port == SERVER_PORT || bound.any(|udp| udp.port == port) {
            return Err(BindError::InUse(port));
        }
        let mut socket = udp_socket(self.send_queue);
        socket.bind(port).map_err(|_| BindError::Zero)?;
        let port = UdpPort {
            port,
            socket: self.sockets.add(socket),
            received: VecDeque::new(),
        };
        Ok(fill_gap(&mut self.udp, port))
    }

    pub fn unbind_udp(&mut self, index: usize) {
        let port = self.udp[index].take().expect(GIVEN_UP);
        self.sockets.remove(port.socket);
    }

    pub fn send_udp(
        &mut self,
        index: usize,
        to: SocketAddrV4,
        payload: &[u8],
    ) -> Result<(), SendError> {
        check_len(payload)?;
        let port = self.udp[index].as_ref().expect(GIVEN_UP);
        let socket = self.sockets.get_mut::<udp::Socket>(port.socket);
        let endpoint = IpEndpoint::new((*to.ip()).into(), to.port());
        socket
            .send_slice(payload, endpoint)
            .map_err(|error| match error {
                udp::SendError::BufferFull => SendError::QueueFull,
                udp::SendError::Unaddressable => SendError::Unreachable(*to.ip()),
            })
    }

    pub fn recv_udp(&mut self, index: usize) -> Option<Datagram> {
        let port = self.udp[index].as_mut().expect(GIVEN_UP);
        port.received.pop_front()
    }

    pub fn ping(&mut self, to: Ipv4Addr, sequence: u16, payload: &[u8]) -> Result<(), SendError> {
        check_len(payload)?;
        let request = Icmpv4Repr::EchoRequest {
            ident: PING_IDENT,
            seq_no: sequence,
            data: payload,
        };
        let socket = self.sockets.get_mut::<icmp::Socket>(self.icmp);
        let buffer = socket
            .send(request.buffer_len(), to.into())
            .map_err(|error| match error {
                icmp::SendError::BufferFull => SendError::QueueFull,
                icmp::SendError::Unaddressable => SendError::Unreachable(to),
            })?;
        let mut packet = Icmpv4Packet::new_unchecked(buffer);
        request.emit(&mut packet, &ChecksumCapabilities::default());
        Ok(())
    }

    pub fn recv_ping(&mut self) -> Option<PingReply> {
        self.pings.pop_front()
    }

    pub fn leases(&self) -> &[Lease] {
        self.dhcp.leases()
    }

    pub fn move_dhcp_pool(&mut self) {
        self.dhcp.move_pool();
    }

    pub fn dhcp_counters(&self) -> DhcpCounters {
        self.dhcp.counters()
    }

    /// Handles one frame (without check sequence) and sends what it asks for. Gives whether a
    /// datagram reached a socket, a ping was answered or a TCP connection moved.
    pub fn receive(
        &mut self,
        now: Instant,
        frame: &[u8],
        wire: &mut Wire,
        schedule: &mut Schedule,
    ) -> bool {
        let mut port = Port {
            wire,
            schedule,
            now,
            incoming: Some(frame),
            scratch: &mut self.scratch,
        };
        self.interface
            .poll_ingress_single(stack_time(now), &mut port, &mut self.sockets);
        let news = self.collect_datagrams(now) | self.collect_pings(now) | self.collect_tcp();
        self.serve_dhcp();
        self.transmit(now, wire, schedule);
        news
    }

    /// Sends everything the sockets have ready at `now`.
    pub fn transmit(&mut self, now: Instant, wire: &mut Wire, schedule: &mut Schedule) {
        let mut port = Port {
            wire,
            schedule,
            now,
            incoming: None,
            scratch: &mut self.scratch,
        };
        while self
            .interface
            .poll_egress(stack_time(now), &mut port, &mut self.sockets)
            == PollResult::SocketStateChanged
        {}
    }

    /// When the stack wants to transmit next by itself; never at `now` again.
    pub fn next_poll(&mut self, now: Instant) -> Instant {
        let now = stack_time(now);
        match self.interface.poll_at(now, &self.sockets) {
            None => Instant::NEVER,
            Some(at) => {
                let us = at.total_micros().max(now.total_micros() + 1);
                Instant::from_ps(us as u64 * PS_PER_US)
            }
        }
    }

    fn collect_datagrams(&mut self, now: Instant) -> bool {
        let mut news = false;
        for port in self.udp.iter_mut().flatten() {
            let socket = self.sockets.get_mut::<udp::Socket>(port.socket);
            while let Ok((payload, meta)) = socket.recv() {
                let IpAddress::Ipv4(from) = meta.endpoint.addr;
                port.received.push_back(Datagram {
                    at: now,
                    from: SocketAddrV4::new(from, meta.endpoint.port),
                    payload: payload.to_vec(),
                });
                news = true;
            }
        }
        news
    }

    fn collect_pings(&mut self, now: Instant) -> bool {
        let mut news = false;
        let socket = self.sockets.get_mut::<icmp::Socket>(self.icmp);
        while let Ok((message, IpAddress::Ipv4(from))) = socket.recv() {
            let Ok(packet) = Icmpv4Packet::new_checked(message) else {
                continue;
            };
            if let Ok(Icmpv4Repr::EchoReply { seq_no, data, .. }) =
                Icmpv4Repr::parse(&packet, &ChecksumCapabilities::default())
            {
                self.pings.push_back(PingReply {
                    at: now,
                    from,
                    sequence: seq_no,
                    payload: data.to_vec(),
                });
                news = true;
            }
        }
        news
    }

    fn serve_dhcp(&mut self) {
        let socket = self.sockets.get_mut::<udp::Socket>(self.dhcp_socket);
        while let Ok((message, _)) = socket.recv() {
            let Some(reply) = self.dhcp.answer(message) else {
                continue;
            };
            let to = IpEndpoint::new(reply.to.into(), CLIENT_PORT);
            // A full queue loses the reply, as on any busy server; the client asks again.
            let _ = socket.send_slice(&reply.message, to);
        }
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Stack")
            .field("dhcp", &self.dhcp)
            .field("udp_sockets", &self.udp.len())
            .finish_non_exhaustive()
    }
}

/// Puts a socket into the first free place, and tells which that is.
fn fill_gap<T>(places: &mut Vec<Option<T>>, socket: T) -> usize {
    let gap = places.iter().position(Option::is_none);
    let index = gap.unwrap_or_else(|| {
        places.push(None);
        places.len() - 1
    });
    places[index] = Some(socket);
    index
}

fn stack_time(now: Instant) -> StackInstant {
    StackInstant::from_micros((now.as_ps() / PS_PER_US) as i64)
}

fn check_len(payload: &[u8]) -> Result<(), SendError> {
    if payload.len() > MAX_PAYLOAD {
        return Err(SendError::TooLong(payload.len()));
    }
    Ok(())
}

fn udp_socket(send_queue: usize) -> udp::Socket<'static> {
    let buffer = |packets: usize| {
        udp::PacketBuffer::new(
            vec![udp::PacketMetadata::EMPTY; packets],
            vec![0; packets * frame::MAX_LEN],
        )
    };
    udp::Socket::new(buffer(SHORT_QUEUE), buffer(send_queue))
}

fn icmp_buffer() -> icmp::PacketBuffer<'static> {
    icmp::PacketBuffer::new(
        vec![icmp::PacketMetadata::EMPTY; SHORT_QUEUE],
        vec![0; SHORT_QUEUE * frame::MAX_LEN],
    )
}
