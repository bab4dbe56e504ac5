//! TCP sockets: a connection (`tcp`) between the registers, the buffers and the wire.

use std::net::Ipv4Addr;

use super::arp::{NextHop, next_hop};
use super::deadlines::Deadline;
use super::packet::{self, Ipv4Header, Mac, Ports, TcpHeader};
use super::registers::socket as register;
use super::send::Stage;
use super::socket::Socket;
use super::tcp::{Command, Outcome, Outgoing, State, Surroundings, Tcp, refusal};
use super::{ChipContext, W5500};

/// A TCP segment that came for the chip's address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<'a> {
    pub source_mac: Mac,
    pub source: Ipv4Addr,
    pub ports: Ports,
    pub header: TcpHeader,
    pub data: &'a [u8],
}

impl Arrival<'_> {
    /// Whether it asks for a new connection.
    fn is_call(&self) -> bool {
        self.header.syn && !self.header.rst && self.header.acknowledgement.is_none()
    }

    /// Whether it is from the peer of `socket`'s connection.
    fn is_from_peer_of(&self, socket: &Socket) -> bool {
        let connected = !matches!(
            socket.tcp.state(),
            State::Closed | State::Init | State::Listen
        );
        connected
            && socket.half(register::PORT) == self.ports.destination
            && socket.half(register::DPORT) == self.ports.source
            && socket.array(register::DIPR) == self.source.octets()
    }

    /// Whether it calls `socket`, which listens.
    fn calls(&self, socket: &Socket) -> bool {
        self.is_call()
            && socket.tcp.state() == State::Listen
            && socket.half(register::PORT) == self.ports.destination
    }
}

impl W5500 {
    /// OPEN of a TCP socket: its connections get new sequence numbers.
    pub(super) fn open_tcp(&mut self, n: u8) {
        let seed = self.parameters.tcp_seed.wrapping_add(self.tcp_opened);
        self.tcp_opened += 1;
        let socket = &mut self.sockets[usize::from(n)];
        socket.tcp = Tcp::new(seed);
        socket.tcp.open();
    }

    /// LISTEN, DISCON, SEND_KEEP, the part of SEND and RECV that concerns the peer; CONNECT asks for
    /// the peer's hardware address first.
    pub(super) fn command_tcp(&mut self, n: u8, command: Command, ctx: &mut ChipContext) {
        let around = self.tcp_surroundings(n, ctx);
        let socket = &mut self.sockets[usize::from(n)];
        let Some(outcome) = socket.tcp.on_command(command, &around) else {
            self.counters.refused_commands += 1;
            return;
        };
        if socket.tcp.state() == State::Closed {
            self.drop_sends(n, ctx);
        }
        self.apply(n, outcome, &[], ctx);
        if command == Command::Connect {
            let peer = self.tcp_peer(n);
            let target = match next_hop(&self.common.addresses(), peer) {
                NextHop::Resolve(target) => target,
                // Nobody is everybody: the question stays without an answer.
                NextHop::Broadcast => peer,
            };
            self.resolve(n, target, ctx);
        }
    }

    /// The peer's hardware address is in Sn_DHAR: the SYN leaves.
    pub(super) fn start_tcp(&mut self, n: u8, ctx: &mut ChipContext) {
        let around = self.tcp_surroundings(n, ctx);
        let socket = &mut self.sockets[usize::from(n)];
        socket.sends.stage = Stage::Idle;
        let outcome = socket.tcp.start(&around);
        self.apply(n, outcome, &[], ctx);
    }

    /// Nobody has the peer's address.
    pub(super) fn give_up_tcp(&mut self, n: u8, ctx: &mut ChipContext) {
        let socket = &mut self.sockets[usize::from(n)];
        socket.sends.stage = Stage::Idle;
        let outcome = socket.tcp.give_up();
        self.apply(n, outcome, &[], ctx);
    }

    /// A deadline of the connection has come.
    pub(super) fn tcp_due(&mut self, n: u8, ctx: &mut ChipContext) {
        if self.sockets[usize::from(n)].tcp.state() == State::Closed {
            return;
        }
        let around = self.tcp_surroundings(n, ctx);
        let outcome = self.sockets[usize::from(n)].tcp.on_timer(&around);
        self.apply(n, outcome, &[], ctx);
    }

    /// Gives a segment to the connection it belongs to, or else to the first socket that listens on its
    /// port; refuses it if there is neither. Tells whether it was for the chip's address.
    pub(super) fn receive_tcp(
        &mut self,
        destination: Ipv4Addr,
        arrival: &Arrival,
        ctx: &mut ChipContext,
    ) -> bool {
        let own = self.common.addresses().ip;
        if destination != own || own.is_unspecified() {
            return false;
        }
        let mut sockets = self.sockets.iter();
        let found = sockets
            .position(|socket| arrival.is_from_peer_of(socket))
            .or_else(|| self.sockets.iter().position(|socket| arrival.calls(socket)));
        let Some(n) = found else {
            self.refuse(arrival, ctx);
            return true;
        };
        self.counters.segments_received += 1;
        let around = self.tcp_surroundings(n as u8, ctx);
        let socket = &mut self.sockets[n];
        if socket.tcp.state() == State::Listen {
            socket.set(register::DHAR, &arrival.source_mac);
            socket.set(register::DIPR, &arrival.source.octets());
            socket.set(register::DPORT, &arrival.ports.source.to_be_bytes());
        }
        let data = arrival.data;
        let outcome = socket.tcp.on_segment(&arrival.header, data.len(), &around);
        self.apply(n as u8, outcome, data, ctx);
        true
    }

    /// Answers a segment of no connection with a reset.
    fn refuse(&mut self, arrival: &Arrival, ctx: &mut ChipContext) {
        self.counters.segments_refused += 1;
        let Some(reset) = refusal(&arrival.header, arrival.data.len()) else {
            return;
        };
        let own = self.common.addresses();
        let header = Ipv4Header {
            source_mac: own.mac,
            destination_mac: arrival.source_mac,
            source: own.ip,
            destination: arrival.source,
            tos: 0,
            ttl: register::TTL_RESET,
            fragment: register::FRAG_RESET,
            identification: self.next_identification(),
        };
        let ports = Ports {
            source: arrival.ports.destination,
            destination: arrival.ports.source,
        };
        let mut frame = std::mem::take(&mut self.frame);
        packet::tcp(&mut frame, &header, ports, &reset.header, &[]);
        self.transmit(&mut frame, ctx);
        self.frame = frame;
    }

    /// Does what a connection asks for, in the order [`Outcome`] tells.
    fn apply(&mut self, n: u8, outcome: Outcome, data: &[u8], ctx: &mut ChipContext) {
        self.store(n, [&data[outcome.accepted], &[]]);
        let socket = &mut self.sockets[usize::from(n)];
        socket.tx_rd = socket.tx_rd.wrapping_add(outcome.acknowledged);
        socket.status = socket.tcp.state() as u8;
        if outcome.interrupts != 0 {
            self.raise_socket(n, outcome.interrupts, ctx);
        }
        for segment in &outcome.segments {
            self.send_segment(n, segment, ctx);
        }
        let socket = &self.sockets[usize::from(n)];
        if socket.sends.stage == Stage::Idle {
            let due = socket.tcp.deadline();
            self.arm(Deadline::Send(n), due, ctx);
        }
    }

    fn send_segment(&mut self, n: u8, segment: &Outgoing, ctx: &mut ChipContext) {
        let mac = self.sockets[usize::from(n)].array(register::DHAR);
        let header = self.socket_header(n, mac, self.tcp_peer(n));
        let socket = &self.sockets[usize::from(n)];
        let ports = Ports {
            source: socket.half(register::PORT),
            destination: socket.half(register::DPORT),
        };
        let from = socket.tx_rd.wrapping_add(segment.data_offset);
        let mut frame = std::mem::take(&mut self.frame);
        let mut data = std::mem::take(&mut self.payload);
        data.clear();
        let block = self.tx.block(n);
        self.tx
            .copy_out(block, from, segment.data_len.into(), &mut data);
        packet::tcp(&mut frame, &header, ports, &segment.header, &data);
        self.transmit(&mut frame, ctx);
        self.counters.segments_sent += 1;
        self.frame = frame;
        self.payload = data;
    }

    fn tcp_peer(&self, n: u8) -> Ipv4Addr {
        Ipv4Addr::from(self.sockets[usize::from(n)].array::<4>(register::DIPR))
    }

    fn tcp_surroundings(&self, n: u8, ctx: &ChipContext) -> Surroundings {
        let socket = &self.sockets[usize::from(n)];
        Surroundings {
            now: ctx.now,
            receive_space: socket.rx_free(self.rx.block(n).len()),
            retry: self.common.retry(),
            mss: socket.half(register::MSSR),
            no_delayed_ack: socket.has(register::MR_ND),
            keep_alive: socket.byte(register::KPALVTR),
            time_wait: self.parameters.tcp_time_wait,
        }
    }
}
