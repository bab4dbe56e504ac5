//! The WIZnet W5500 on the Ethernet shield: an Ethernet controller with a TCP/IP engine behind SPI.
//!
//! By the data sheet 1.0.9 (DS1.0.9) and what drivers rely on. What these leave open is in
//! [`Parameters`]; `NOT_EMULATED.md` says what is left out, register by register.
//!
//! A master drives [`W5500::select`], [`W5500::exchange`] and [`W5500::deselect`]; the board hands over
//! events. `spi` turns bytes into accesses of the register blocks (`common`, `socket`) and the buffer
//! memories (`buffer`). A SEND leaves through `send` in the way of the socket's mode (`macraw`, `udp`,
//! `resolve` asks for hardware addresses); frames come in through `receive`, and what is not for MACRAW
//! alone goes on to `ip`; `interrupt` makes INTn of all of it.

mod arp;
mod buffer;
mod common;
mod counters;
mod deadlines;
mod icmp;
mod interrupt;
mod ip;
mod link;
mod macraw;
mod packet;
mod parameters;
mod receive;
mod registers;
mod resolve;
mod retry;
mod send;
mod socket;
mod spi;
mod tcp;
mod tcp_socket;
mod traffic;
mod udp;

use std::collections::VecDeque;

pub use counters::Counters;
pub use parameters::{
    Parameters, PointerReadback, PrefixFault, RecvPastData, SendBeyondSpace, SocketMask,
};
pub use traffic::{SpiBlock, Traffic, TrafficEntry};

use crate::chips::LinkMode;
use crate::net::wire::Wire;
use crate::schedule::{Event, Schedule};
use crate::time::Instant;
use buffer::Buffer;
use common::Common;
use deadlines::{Deadline, Deadlines};
use interrupt::Pin;
use link::Link;
use registers::socket::SIZE_RESET_KB;
use socket::Socket;
use spi::Framing;

/// What the chip sees of the board during one call.
#[derive(Debug)]
pub struct ChipContext<'a> {
    pub now: Instant,
    pub schedule: &'a mut Schedule,
    pub wire: &'a mut Wire,
}

/// The chip.
#[derive(Debug)]
pub struct W5500 {
    parameters: Parameters,
    spi: Framing,
    common: Common,
    sockets: [Socket; 8],
    tx: Buffer,
    rx: Buffer,
    link: Link,
    /// SIR.
    sir: u8,
    pin: Pin,
    deadlines: Deadlines,
    /// When the chip answers on SPI.
    awake_at: Instant,
    /// When MR.RST reads zero again.
    reset_until: Instant,
    /// Frames that arrived and are not visible yet.
    incoming: VecDeque<(Instant, Vec<u8>)>,
    /// Room to build a frame in.
    frame: Vec<u8>,
    /// Room for what a datagram carries.
    payload: Vec<u8>,
    /// Of the next IPv4 packet.
    identification: u16,
    /// TCP sockets opened so far: no two get the same sequence numbers.
    tcp_opened: u64,
    counters: Counters,
    traffic: Traffic,
}

impl W5500 {
    /// A chip at power-on. `cable`: whether the wire is plugged into the shield's jack; without it there
    /// is never a link, and the chip leaves the wire alone.
    pub fn new(parameters: Parameters, cable: bool, schedule: &mut Schedule) -> Self {
        let chip = Self::powered_on(parameters, cable, Instant::ZERO);
        schedule.set(Event::W5500, chip.link.due());
        chip
    }

    fn powered_on(parameters: Parameters, cable: bool, now: Instant) -> Self {
        let awake_at = now + parameters.power_up;
        let link = Link::new(cable, parameters.link_up, now);
        Self {
            parameters,
            spi: Framing::default(),
            common: Common::default(),
            sockets: Default::default(),
            tx: Buffer::new([SIZE_RESET_KB; 8]),
            rx: Buffer::new([SIZE_RESET_KB; 8]),
            link,
            sir: 0,
            pin: Pin::default(),
            deadlines: Deadlines::starting(link.due()),
            awake_at,
            reset_until: awake_at,
            incoming: VecDeque::new(),
            frame: Vec::new(),
            payload: Vec::new(),
            identification: 0,
            tcp_opened: 0,
            counters: Counters::default(),
            traffic: Traffic::default(),
        }
    }

    /// RSTn went low and high again: everything is as at power-on but what was counted.
    pub fn reset(&mut self, ctx: &mut ChipContext) {
        let cable = self.link.cable();
        let fresh = Self::powered_on(self.parameters, cable, ctx.now);
        let (counters, traffic) = (self.counters, std::mem::take(&mut self.traffic));
        *self = Self {
            counters,
            traffic,
            ..fresh
        };
        self.follow_link(ctx);
        self.schedule_next(ctx);
    }

    /// The cable of the shield's jack is plugged in or pulled.
    pub fn set_cable(&mut self, plugged: bool, ctx: &mut ChipContext) {
        self.link.set_cable(plugged, ctx.now);
        ctx.wire.set_carrier(self.link.carries_frames());
        self.arm(Deadline::Link, self.link.due(), ctx);
        self.schedule_next(ctx);
    }

    /// MR.RST: registers have their reset values at once; the memories keep their content.
    fn software_reset(&mut self, ctx: &mut ChipContext) {
        self.common = Common::default();
        self.sockets = Default::default();
        self.divide_buffers();
        self.sir = 0;
        self.pin = Pin::default();
        self.deadlines = Deadlines::starting(self.link.due());
        self.reset_until = ctx.now + self.parameters.software_reset;
        self.incoming.clear();
        if self.parameters.software_reset_restarts_link {
            self.link = Link::new(self.link.cable(), self.parameters.link_up, ctx.now);
        }
        self.follow_link(ctx);
        self.schedule_next(ctx);
    }

    /// Handles [`Event::W5500`], and [`Event::WireToBoard`] when the cable is in the shield's jack.
    pub fn on_event(&mut self, event: Event, ctx: &mut ChipContext) {
        if event == Event::WireToBoard {
            self.take_arrivals(ctx);
        } else {
            while let Some(deadline) = self.deadlines.take(ctx.now) {
                self.on_deadline(deadline, ctx);
            }
        }
        self.schedule_next(ctx);
    }

    fn on_deadline(&mut self, deadline: Deadline, ctx: &mut ChipContext) {
        match deadline {
            Deadline::Link => {
                self.link.advance(ctx.now);
                self.follow_link(ctx);
            }
            Deadline::Interrupt => self.refresh_interrupt(ctx),
            Deadline::Receive => self.receive_due(ctx),
            Deadline::Send(n) => self.continue_send(n, ctx),
        }
    }

    /// The link came, went or comes at another time.
    fn follow_link(&mut self, ctx: &mut ChipContext) {
        if self.link.cable() {
            ctx.wire.set_carrier(self.link.carries_frames());
        }
        self.arm(Deadline::Link, self.link.due(), ctx);
    }

    /// Whether INTn is low.
    pub fn interrupt_asserted(&self) -> bool {
        self.pin.asserted
    }

    /// Whether there is a link, as PHYCFGR.LNK.
    pub fn link_up(&self) -> bool {
        self.link_mode().is_some()
    }

    /// What the link runs at, as PHYCFGR says, if it is up.
    pub fn link_mode(&self) -> Option<LinkMode> {
        self.link.resolved_mode()
    }

    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// SPI traffic since power-on.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }
}

#[cfg(test)]
mod tests;
