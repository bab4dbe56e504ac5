//! The far end of the cable as a port that leads out of the emulation: frames in, frames out.

mod dhcp;

use std::collections::VecDeque;

use dhcp::DhcpResponder;
pub use dhcp::DhcpService;

use crate::net::frame::{self, FCS_LEN, HEADER_LEN, MAX_LEN};
use crate::net::host::{DhcpCounters, Lease};
use crate::net::wire::{Direction, Wire};
use crate::schedule::Schedule;
use crate::time::Instant;

/// What the port is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalConfig {
    /// Frames that may wait for the wire before one is refused (Linux: txqueuelen 1000).
    pub transmit_queue: usize,
    /// A DHCP server in the port; without it the network behind the port has to have one.
    pub dhcp: Option<DhcpService>,
}

/// Why the port did not take a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    #[error("the port's transmit queue is full")]
    QueueFull,
    #[error("a frame of {0} bytes is no untagged Ethernet frame")]
    BadLength(usize),
}

/// Frames that passed the port.
///
/// Every frame that arrived from the board is in exactly one of `fcs_errors`, `dhcp_requests` and
/// `outward`; every frame to it was `inward` or one of the `dhcp_replies`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExternalCounters {
    /// Frames from the board whose check sequence was wrong; they end here.
    pub fcs_errors: u64,
    /// Frames from the board that the port's DHCP server took.
    pub dhcp_requests: u64,
    /// Frames of that server.
    pub dhcp_replies: u64,
    /// Frames from the board that went out of the port.
    pub outward: u64,
    /// Frames from outside that went on the wire.
    pub inward: u64,
}

/// The port.
#[derive(Debug)]
pub struct ExternalPort {
    transmit_queue: usize,
    dhcp: Option<DhcpResponder>,
    counters: ExternalCounters,
    received: VecDeque<Vec<u8>>,
    /// Frames from outside since the wire was last looked at, and how many waited for it then.
    to_send: Vec<Vec<u8>>,
    backlog: usize,
    pause: bool,
}

impl ExternalPort {
    pub fn new(config: ExternalConfig) -> Self {
        Self {
            transmit_queue: config.transmit_queue,
            dhcp: config.dhcp.map(DhcpResponder::new),
            counters: ExternalCounters::default(),
            received: VecDeque::new(),
            to_send: Vec::new(),
            backlog: 0,
            pause: false,
        }
    }

    /// Sends a frame without check sequence to the board at the present instant, or as soon as the wire
    /// is free; one shorter than the minimum is padded.
    ///
    /// # Errors
    /// [`FrameError`]; the frame is gone.
    pub fn send(&mut self, frame: &[u8]) -> Result<(), FrameError> {
        if !(HEADER_LEN..=MAX_LEN).contains(&frame.len()) {
            return Err(FrameError::BadLength(frame.len()));
        }
        if !self.has_room() {
            return Err(FrameError::QueueFull);
        }
        self.to_send.push(frame.to_vec());
        Ok(())
    }

    /// Whether the transmit queue takes another frame.
    pub fn has_room(&self) -> bool {
        self.backlog + self.to_send.len() < self.transmit_queue
    }

    /// Takes the next intact frame from the board, without its check sequence; the queue has no limit.
    pub fn receive(&mut self) -> Option<Vec<u8>> {
        self.received.pop_front()
    }

    pub fn counters(&self) -> ExternalCounters {
        self.counters
    }

    /// The leases of the port's DHCP server, oldest first.
    pub fn leases(&self) -> &[Lease] {
        self.dhcp.as_ref().map_or(&[], DhcpResponder::leases)
    }

    /// What the port's DHCP server did.
    pub fn dhcp_counters(&self) -> DhcpCounters {
        let counters = self.dhcp.as_ref().map(DhcpResponder::counters);
        counters.unwrap_or_default()
    }

    /// Whether a frame went out of the port, or a lease was given, since the last call.
    pub(super) fn take_pause_request(&mut self) -> bool {
        std::mem::take(&mut self.pause)
    }

    /// Looks how many frames wait for the wire.
    pub(super) fn look_at(&mut self, wire: &Wire) {
        self.backlog = wire.queued(Direction::ToBoard);
    }

    /// Puts on the wire what was sent since the last call.
    pub(super) fn flush(&mut self, now: Instant, wire: &mut Wire, schedule: &mut Schedule) {
        for frame in self.to_send.drain(..) {
            self.counters.inward += 1;
            transmit(frame, now, wire, schedule);
        }
        self.look_at(wire);
    }

    /// Takes the frames that arrived at `now`.
    pub(super) fn on_arrival(&mut self, now: Instant, wire: &mut Wire, schedule: &mut Schedule) {
        while let Some(mut frame) = wire.receive(Direction::ToHost, now, schedule) {
            if !frame::is_intact(&frame) {
                self.counters.fcs_errors += 1;
                wire.recycle(frame);
                continue;
            }
            frame.truncate(frame.len() - FCS_LEN);
            self.pause = true;
            match self.dhcp.as_mut().and_then(|dhcp| dhcp.take(&frame)) {
                Some(reply) => {
                    self.counters.dhcp_requests += 1;
                    if let Some(reply) = reply {
                        self.counters.dhcp_replies += 1;
                        transmit(reply, now, wire, schedule);
                    }
                }
                None => {
                    self.counters.outward += 1;
                    self.received.push_back(frame);
                }
            }
        }
    }
}

fn transmit(mut frame: Vec<u8>, now: Instant, wire: &mut Wire, schedule: &mut Schedule) {
    frame::pad(&mut frame);
    frame::append_fcs(&mut frame);
    wire.send(Direction::ToBoard, &frame, now, schedule);
    wire.recycle(frame);
}

#[cfg(test)]
mod tests;
