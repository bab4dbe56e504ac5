//! The host's network port: what smoltcp sees of the wire.

use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant as StackInstant;

use crate::net::frame::{self, MAX_LEN};
use crate::net::wire::{Direction, Wire};
use crate::schedule::Schedule;
use crate::time::Instant;

/// The port during one poll of the stack.
pub struct Port<'a> {
    pub wire: &'a mut Wire,
    pub schedule: &'a mut Schedule,
    pub now: Instant,
    /// The frame to hand to the stack, without its check sequence.
    pub incoming: Option<&'a [u8]>,
    /// Where a frame to send is built.
    pub scratch: &'a mut Vec<u8>,
}

impl Device for Port<'_> {
    type RxToken<'t>
        = Incoming<'t>
    where
        Self: 't;
    type TxToken<'t>
        = Outgoing<'t>
    where
        Self: 't;

    fn receive(&mut self, _: StackInstant) -> Option<(Incoming<'_>, Outgoing<'_>)> {
        let frame = self.incoming.take()?;
        Some((Incoming(frame), self.outgoing()))
    }

    fn transmit(&mut self, _: StackInstant) -> Option<Outgoing<'_>> {
        Some(self.outgoing())
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = MAX_LEN;
        capabilities
    }
}

impl Port<'_> {
    fn outgoing(&mut self) -> Outgoing<'_> {
        Outgoing {
            wire: self.wire,
            schedule: self.schedule,
            now: self.now,
            frame: self.scratch,
        }
    }
}

/// A received frame.
pub struct Incoming<'a>(&'a [u8]);

impl RxToken for Incoming<'_> {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(self.0)
    }
}

/// Room for a frame that goes on the wire as soon as it is built.
pub struct Outgoing<'a> {
    wire: &'a mut Wire,
    schedule: &'a mut Schedule,
    now: Instant,
    frame: &'a mut Vec<u8>,
}

impl TxToken for Outgoing<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, build: F) -> R {
        self.frame.clear();
        self.frame.resize(len, 0);
        let result = build(self.frame);
        frame::pad(self.frame);
        frame::append_fcs(self.frame);
        self.wire
            .send(Direction::ToBoard, self.frame, self.now, self.schedule);
        result
    }
}
