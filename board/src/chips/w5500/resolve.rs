//! A socket asks for the hardware address that its SEND or CONNECT goes to.

use std::net::Ipv4Addr;

use super::arp::{self, Overdue, Resolution};
use super::deadlines::Deadline;
use super::packet::{self, ArpMessage, Mac};
use super::registers::socket as register;
use super::send::Stage;
use super::socket::Resolved;
use super::{ChipContext, W5500};

impl W5500 {
    /// The hardware address in Sn_DHAR, if an answer for `destination` brought it and still counts.
    pub(super) fn resolved(&self, n: u8, destination: Ipv4Addr, ctx: &ChipContext) -> Option<Mac> {
        let socket = &self.sockets[usize::from(n)];
        let answer = socket.resolved?;
        let expired = self
            .parameters
            .arp_lifetime
            .is_some_and(|lifetime| ctx.now >= answer.at + lifetime);
        let counts = answer.destination == destination && !expired && !self.common.forces_arp();
        counts.then(|| socket.array(register::DHAR))
    }

    /// Asks who has `target`; the SEND at the head of the queue waits for the answer, or CONNECT where
    /// there is none.
    pub(super) fn resolve(&mut self, n: u8, target: Ipv4Addr, ctx: &mut ChipContext) {
        let resolution = Resolution::start(target, self.common.retry(), ctx.now);
        self.ask(n, resolution, ctx);
    }

    fn ask(&mut self, n: u8, resolution: Resolution, ctx: &mut ChipContext) {
        let request = resolution.request(&self.common.addresses());
        self.send_arp(&request, ctx);
        self.counters.arp_requests += 1;
        self.sockets[usize::from(n)].sends.stage = Stage::Resolving(resolution);
        self.arm(Deadline::Send(n), resolution.deadline(), ctx);
    }

    /// Nobody answered in time.
    pub(super) fn resolution_due(
        &mut self,
        n: u8,
        mut resolution: Resolution,
        ctx: &mut ChipContext,
    ) {
        match resolution.on_timer(ctx.now) {
            Some(Overdue::AskAgain) => self.ask(n, resolution, ctx),
            Some(Overdue::GiveUp) => {
                self.counters.arp_timeouts += 1;
                if self.sockets[usize::from(n)].sends.queue.is_empty() {
                    self.give_up_tcp(n, ctx);
                } else {
                    self.finish_send(n, register::IR_TIMEOUT, ctx);
                }
            }
            None => {}
        }
    }

    /// Lets the sockets that wait for this answer go on.
    pub(super) fn receive_arp_answer(&mut self, message: &ArpMessage, ctx: &mut ChipContext) {
        for n in 0..8 {
            let socket = &mut self.sockets[usize::from(n)];
            let Stage::Resolving(resolution) = socket.sends.stage else {
                continue;
            };
            let Some(mac) = resolution.answer(message) else {
                continue;
            };
            socket.set(register::DHAR, &mac);
            let Some(send) = socket.sends.queue.front().copied() else {
                self.start_tcp(n, ctx);
                continue;
            };
            socket.resolved = Some(Resolved {
                destination: send.destination,
                at: ctx.now,
            });
            self.send_datagrams(n, send, mac, ctx);
        }
    }

    /// Puts an ARP message on the wire.
    pub(super) fn send_arp(&mut self, message: &ArpMessage, ctx: &mut ChipContext) {
        let mut frame = std::mem::take(&mut self.frame);
        packet::arp(&mut frame, arp::destination(message), message);
        self.transmit(&mut frame, ctx);
        self.frame = frame;
    }
}
