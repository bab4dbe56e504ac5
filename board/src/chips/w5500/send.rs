//! SEND: one after the other leaves a socket's buffer, and how each ends.

use std::collections::VecDeque;
use std::net::Ipv4Addr;

use super::arp::Resolution;
use super::deadlines::Deadline;
use super::parameters::SendBeyondSpace;
use super::registers::{Command, socket as register};
use super::tcp;
use super::{ChipContext, W5500};
use crate::net::frame;
use crate::net::wire::{self, Direction};
use crate::time::Instant;

/// One SEND, from the command to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Send {
    pub command: Command,
    /// Its bytes in the transmit buffer.
    pub from: u16,
    pub end: u16,
    /// Sn_DIPR and Sn_DPORT at the command: a driver may write the next destination before this SEND has
    /// left (assumed that the chip keeps its own copy).
    pub destination: Ipv4Addr,
    pub port: u16,
}

impl Send {
    pub fn len(&self) -> usize {
        usize::from(self.end.wrapping_sub(self.from))
    }
}

/// What became of the SEND at the head of the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing under way.
    #[default]
    Idle,
    /// Somebody is asked for the destination's hardware address.
    Resolving(Resolution),
    /// Its last bit leaves at the socket's deadline.
    OnWire,
}

/// A socket's SENDs that are not complete.
#[derive(Clone, Debug, Default)]
pub(super) struct Sends {
    pub queue: VecDeque<Send>,
    pub stage: Stage,
}

impl W5500 {
    /// SEND: TX_WR counts from now on; its bytes leave when those before have left.
    pub(super) fn send(&mut self, n: u8, command: Command, ctx: &mut ChipContext) {
        let space = self.tx.block(n).len();
        let socket = &mut self.sockets[usize::from(n)];
        let takes = match socket.status {
            register::STATUS_UDP => true,
            register::STATUS_MACRAW => command == Command::Send,
            _ => command == Command::Send && socket.tcp.state().can_send(),
        };
        if !takes {
            self.counters.refused_commands += 1;
            return;
        }
        let send = Send {
            command,
            from: socket.tx_wr.value,
            end: socket.tx_wr.written,
            destination: Ipv4Addr::from(socket.array::<4>(register::DIPR)),
            port: socket.half(register::DPORT),
        };
        if send.len() == 0 {
            self.counters.zero_length_sends += 1;
            return;
        }
        if send.len() > usize::from(socket.tx_free(space)) {
            self.counters.sends_beyond_space += 1;
            if self.parameters.send_beyond_space == SendBeyondSpace::Ignored || space == 0 {
                return;
            }
        }
        socket.tx_wr.value = send.end;
        if socket.tcp.state().can_send() {
            self.command_tcp(n, tcp::Command::Send(send.len() as u16), ctx);
            return;
        }
        socket.sends.queue.push_back(send);
        if socket.sends.stage == Stage::Idle {
            self.start_send(n, ctx);
        } else {
            self.counters.sends_queued += 1;
        }
    }

    /// Begins with the SEND at the head of the queue.
    fn start_send(&mut self, n: u8, ctx: &mut ChipContext) {
        let socket = &mut self.sockets[usize::from(n)];
        let Some(send) = socket.sends.queue.front().copied() else {
            socket.sends.stage = Stage::Idle;
            return;
        };
        match socket.status {
            register::STATUS_UDP => self.send_udp(n, send, ctx),
            _ => self.send_macraw(n, send, ctx),
        }
    }

    /// The socket's last bit leaves at `end`.
    pub(super) fn on_wire_until(&mut self, n: u8, end: Instant, ctx: &mut ChipContext) {
        self.sockets[usize::from(n)].sends.stage = Stage::OnWire;
        self.arm(Deadline::Send(n), end, ctx);
    }

    /// The socket's deadline has come.
    pub(super) fn continue_send(&mut self, n: u8, ctx: &mut ChipContext) {
        match self.sockets[usize::from(n)].sends.stage {
            Stage::Idle => self.tcp_due(n, ctx),
            Stage::Resolving(resolution) => self.resolution_due(n, resolution, ctx),
            Stage::OnWire => self.finish_send(n, register::IR_SENDOK, ctx),
        }
    }

    /// The SEND at the head of the queue is over, and the next begins.
    pub(super) fn finish_send(&mut self, n: u8, interrupt: u8, ctx: &mut ChipContext) {
        let socket = &mut self.sockets[usize::from(n)];
        if let Some(send) = socket.sends.queue.pop_front() {
            socket.tx_rd = send.end;
        }
        self.raise_socket(n, interrupt, ctx);
        self.start_send(n, ctx);
    }

    /// Forgets the socket's SENDs; a frame that is on the wire stays there.
    pub(super) fn drop_sends(&mut self, n: u8, ctx: &mut ChipContext) {
        self.sockets[usize::from(n)].sends = Sends::default();
        self.arm(Deadline::Send(n), Instant::NEVER, ctx);
    }

    /// Pads `frame`, appends its check sequence and puts it on the wire; tells when its last bit has
    /// left.
    pub(super) fn transmit(&mut self, frame: &mut Vec<u8>, ctx: &mut ChipContext) -> Instant {
        frame::pad(frame);
        frame::append_fcs(frame);
        self.counters.frames_sent += 1;
        let ready = ctx.now + self.parameters.send_to_wire;
        if self.link.cable() {
            ctx.wire
                .send(Direction::ToHost, frame, ready, ctx.schedule)
                .end
        } else {
            ready + wire::serialization(wire::PREAMBLE_LEN + frame.len())
        }
    }
}
