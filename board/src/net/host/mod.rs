//! The host on the far end of the wire: smoltcp in virtual time, with a DHCP server of our own.

mod dhcp;
mod port;
mod stack;
mod tcp;

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddrV4};

pub(super) use dhcp::{
    CLIENT_PORT as DHCP_CLIENT_PORT, DhcpServer, SERVER_PORT as DHCP_SERVER_PORT,
};
pub use dhcp::{DhcpConfig, DhcpCounters, Lease};
use stack::Stack;
pub use tcp::{ListenError, TcpHandle, TcpState};

use crate::net::frame;
use crate::net::wire::{Direction, Wire};
use crate::schedule::{Event, Schedule};
use crate::time::{Instant, Span};

/// What the host is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostConfig {
    pub mac: [u8; 6],
    pub address: Ipv4Addr,
    pub prefix_len: u8,
    /// Time from the last bit of a frame to the moment the host's software has it. Zero, so that a
    /// round-trip time is the wire's and the board's alone; a desktop host takes tens of microseconds.
    pub latency: Span,
    /// Frames the host's interface queues before a datagram is refused (Linux: txqueuelen 1000).
    pub transmit_queue: usize,
    pub dhcp: DhcpConfig,
}

impl Default for HostConfig {
    fn default() -> Self {
        let address = Ipv4Addr::new(192, 168, 1, 1);
        Self {
            mac: [0x02, 0, 0, 0, 0, 0x01],
            address,
            prefix_len: 24,
            latency: Span::ZERO,
            transmit_queue: 1_000,
            dhcp: DhcpConfig {
                first_address: Ipv4Addr::new(192, 168, 1, 50),
                addresses: 16,
                subnet_mask: Ipv4Addr::new(255, 255, 255, 0),
                server: address,
                router: address,
                dns: address,
                lease_seconds: 86_400,
            },
        }
    }
}

/// A datagram that reached one of the host's sockets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// When the host's software had it: its last bit's arrival plus [`HostConfig::latency`].
    pub at: Instant,
    pub from: SocketAddrV4,
    pub payload: Vec<u8>,
}

/// An answer to one of the host's pings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PingReply {
    /// As in [`Datagram`].
    pub at: Instant,
    pub from: Ipv4Addr,
    pub sequence: u16,
    pub payload: Vec<u8>,
}

/// One of the host's UDP sockets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UdpHandle(usize);

/// Why the host cannot bind a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    #[error("UDP port {0} is in use on the host")]
    InUse(u16),
    #[error("UDP port 0 cannot be bound")]
    Zero,
}

/// Why the host did not send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    #[error("the host's transmit queue is full")]
    QueueFull,
    #[error("{0} bytes do not fit into one frame")]
    TooLong(usize),
    #[error("{0} is not on the host's network")]
    Unreachable(Ipv4Addr),
}

/// Frames the host's interface threw away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostCounters {
    /// Frames that arrived.
    pub received: u64,
    /// Of these, frames whose check sequence was wrong.
    pub fcs_errors: u64,
}

/// The host.
#[derive(Debug)]
pub struct Host {
    config: HostConfig,
    stack: Stack,
    counters: HostCounters,
    /// Frames on their way from the wire to the software.
    latent: VecDeque<(Instant, Vec<u8>)>,
    /// Frames that wait for the wire, and datagrams accepted since it was last looked at.
    backlog: usize,
    pause: bool,
}

impl Host {
    pub fn new(config: HostConfig) -> Self {
        Self {
            config,
            stack: Stack::new(&config),
            counters: HostCounters::default(),
            latent: VecDeque::new(),
            backlog: 0,
            pause: false,
        }
    }

    /// Opens a UDP socket on `port`.
    pub fn bind_udp(&mut self, port: u16) -> Result<UdpHandle, BindError> {
        self.stack.bind_udp(port).map(UdpHandle)
    }

    /// Closes a UDP socket; datagrams that nobody took are lost.
    ///
    /// # Panics
    /// A handle that was given up before; so do all others that take one.
    pub fn unbind_udp(&mut self, handle: UdpHandle) {
        self.stack.unbind_udp(handle.0);
    }

    /// Sends a datagram at the present instant, or as soon as the wire is free.
    pub fn send_udp(
        &mut self,
        handle: UdpHandle,
        to: SocketAddrV4,
        payload: &[u8],
    ) -> Result<(), SendError> {
        self.check_room(*to.ip())?;
        self.stack.send_udp(handle.0, to, payload)?;
        self.backlog += 1;
        Ok(())
    }

    /// Takes the next datagram that reached a socket; the queue has no limit, so none is ever lost here.
    pub fn recv_udp(&mut self, handle: UdpHandle) -> Option<Datagram> {
        self.stack.recv_udp(handle.0)
    }

    /// Sends an ICMP echo request.
    pub fn ping(&mut self, to: Ipv4Addr, sequence: u16, payload: &[u8]) -> Result<(), SendError> {
        self.check_room(to)?;
        self.stack.ping(to, sequence, payload)?;
        self.backlog += 1;
        Ok(())
    }

    /// Takes the next answer to a ping.
    pub fn recv_ping(&mut self) -> Option<PingReply> {
        self.stack.recv_ping()
    }

    /// The DHCP server's leases, oldest first.
    pub fn leases(&self) -> &[Lease] {
        self.stack.leases()
    }

    /// Lets the DHCP server forget its leases and hand out other addresses from now on.
    pub fn move_dhcp_pool(&mut self) {
        self.stack.move_dhcp_pool();
    }

    pub fn dhcp_counters(&self) -> DhcpCounters {
        self.stack.dhcp_counters()
    }

    pub fn counters(&self) -> HostCounters {
        self.counters
    }

    /// Whether a datagram or ping answer arrived, or a TCP connection moved, since the last call.
    pub fn take_pause_request(&mut self) -> bool {
        std::mem::take(&mut self.pause)
    }

    fn check_room(&self, to: Ipv4Addr) -> Result<(), SendError> {
        let mask = u32::MAX
            .checked_shl(32 - u32::from(self.config.prefix_len))
            .unwrap_or(0);
        let on_link = (u32::from(to) ^ u32::from(self.config.address)) & mask == 0;
        if !on_link && !to.is_broadcast() && !to.is_multicast() {
            return Err(SendError::Unreachable(to));
        }
        if self.backlog >= self.config.transmit_queue {
            return Err(SendError::QueueFull);
        }
        Ok(())
    }

    /// Looks how many frames wait for the wire.
    pub(super) fn look_at(&mut self, wire: &Wire) {
        self.backlog = wire.queued(Direction::ToBoard);
    }

    /// Puts on the wire what was sent since the last call.
    pub(super) fn flush(&mut self, now: Instant, wire: &mut Wire, schedule: &mut Schedule) {
        self.stack.transmit(now, wire, schedule);
        self.look_at(wire);
        self.schedule_next(now, schedule);
    }

    /// Takes the frames that arrived at `now`.
    pub(super) fn on_arrival(&mut self, now: Instant, wire: &mut Wire, schedule: &mut Schedule) {
        while let Some(frame) = wire.receive(Direction::ToHost, now, schedule) {
            self.counters.received += 1;
            if !frame::is_intact(&frame) {
                self.counters.fcs_errors += 1;
                wire.recycle(frame);
            } else if self.config.latency == Span::ZERO {
                self.handle(now, frame, wire, schedule);
            } else {
                self.latent.push_back((now + self.config.latency, frame));
            }
        }
        self.schedule_next(now, schedule);
    }

    /// Does what is due at `now`: frames whose latency is over, timers of the stack.
    pub(super) fn on_due(&mut self, now: Instant, wire: &mut Wire, schedule: &mut Schedule) {
        while self.latent.front().is_some_and(|(due, _)| *due <= now) {
            if let Some((_, frame)) = self.latent.pop_front() {
                self.handle(now, frame, wire, schedule);
            }
        }
        self.stack.transmit(now, wire, schedule);
        self.schedule_next(now, schedule);
    }

    fn handle(&mut self, now: Instant, frame: Vec<u8>, wire: &mut Wire, schedule: &mut Schedule) {
        let content = &frame[..frame.len() - frame::FCS_LEN];
        self.pause |= self.stack.receive(now, content, wire, schedule);
        wire.recycle(frame);
    }

    fn schedule_next(&mut self, now: Instant, schedule: &mut Schedule) {
        let latent = self.latent.front().map_or(Instant::NEVER, |(due, _)| *due);
        schedule.set(Event::Host, latent.min(self.stack.next_poll(now)));
    }
}

#[cfg(test)]
pub(super) mod tests;
