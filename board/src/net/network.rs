//! The wire and what is on its far end together, as the board owns them.

use crate::net::external::{ExternalConfig, ExternalPort};
use crate::net::host::{Host, HostConfig, Lease};
use crate::net::wire::{Wire, WireConfig};
use crate::schedule::{Event, Schedule};
use crate::time::Instant;

/// Everything beyond the board's Ethernet socket.
#[derive(Debug)]
pub struct Network {
    pub wire: Wire,
    host: Host,
    /// Where the cable ends instead of in the host.
    external: Option<ExternalPort>,
}

impl Network {
    pub fn new(wire: WireConfig, host: HostConfig) -> Self {
        Self {
            wire: Wire::new(wire),
            host: Host::new(host),
            external: None,
        }
    }

    /// Takes the cable out of the host and plugs it into a port to outside the emulation.
    pub fn plug_into_external(&mut self, config: ExternalConfig) {
        self.external = Some(ExternalPort::new(config));
    }

    /// The host, for use at the present instant. What it is told to send goes on the wire with
    /// [`Network::flush`].
    pub fn host(&mut self) -> &mut Host {
        self.host.look_at(&self.wire);
        &mut self.host
    }

    /// The port to outside the emulation, if the cable is plugged into one; as with the host, what it is
    /// told to send goes on the wire with [`Network::flush`].
    pub fn external(&mut self) -> Option<&mut ExternalPort> {
        let port = self.external.as_mut()?;
        port.look_at(&self.wire);
        Some(port)
    }

    /// The leases of the far end's DHCP server, oldest first.
    pub fn leases(&self) -> &[Lease] {
        match &self.external {
            Some(port) => port.leases(),
            None => self.host.leases(),
        }
    }

    /// Puts on the wire what the far end was told to send; call before time goes on.
    pub fn flush(&mut self, now: Instant, schedule: &mut Schedule) {
        match &mut self.external {
            Some(port) => port.flush(now, &mut self.wire, schedule),
            None => self.host.flush(now, &mut self.wire, schedule),
        }
    }

    /// Handles [`Event::WireToHost`] and [`Event::Host`].
    pub fn on_event(&mut self, event: Event, now: Instant, schedule: &mut Schedule) {
        match (event, &mut self.external) {
            (Event::WireToHost, Some(port)) => port.on_arrival(now, &mut self.wire, schedule),
            (Event::WireToHost, None) => self.host.on_arrival(now, &mut self.wire, schedule),
            _ => self.host.on_due(now, &mut self.wire, schedule),
        }
    }

    /// Whether a datagram or ping answer reached the host, or a frame the port in its place, since the
    /// last call.
    pub fn take_pause_request(&mut self) -> bool {
        match &mut self.external {
            Some(port) => port.take_pause_request(),
            None => self.host.take_pause_request(),
        }
    }
}
