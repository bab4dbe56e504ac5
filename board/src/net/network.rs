//! The wire and the host together, as the board owns them.

use crate::net::host::{Host, HostConfig};
use crate::net::wire::{Wire, WireConfig};
use crate::schedule::{Event, Schedule};
use crate::time::Instant;

/// Everything beyond the board's Ethernet socket.
#[derive(Debug)]
pub struct Network {
    pub wire: Wire,
    host: Host,
}

impl Network {
    pub fn new(wire: WireConfig, host: HostConfig) -> Self {
        Self {
            wire: Wire::new(wire),
            host: Host::new(host),
        }
    }

    /// The host, for use at the present instant. What it is told to send goes on the wire with
    /// [`Network::flush`].
    pub fn host(&mut self) -> &mut Host {
        self.host.look_at(&self.wire);
        &mut self.host
    }

    /// Puts on the wire what the host was told to send; call before time goes on.
    pub fn flush(&mut self, now: Instant, schedule: &mut Schedule) {
        self.host.flush(now, &mut self.wire, schedule);
    }

    /// Handles [`Event::WireToHost`] and [`Event::Host`].
    pub fn on_event(&mut self, event: Event, now: Instant, schedule: &mut Schedule) {
        match event {
            Event::WireToHost => self.host.on_arrival(now, &mut self.wire, schedule),
            _ => self.host.on_due(now, &mut self.wire, schedule),
        }
    }

    /// Whether a datagram or ping answer reached the host since the last call.
    pub fn take_pause_request(&mut self) -> bool {
        self.host.take_pause_request()
    }
}
