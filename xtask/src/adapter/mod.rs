//! Where a workload meets a board: sends at the exact virtual instant, deliveries at theirs.
//!
//! Neither side knows the other. A workload says what to do next; a [`EchoTarget`] is a device under
//! test with a virtual clock and one UDP socket of its host.

pub mod emulated;
#[cfg(test)]
pub mod fake;
pub mod parameters;

use std::net::Ipv4Addr;

use bench::{Action, DisturbOutcome, Disturbance, Endpoint, Nanos, SendOutcome, Workload};

use crate::results::{LinkMode, SpiTraffic};

/// A device under test on the far end of an emulated wire, and the host socket that talks to it.
pub trait EchoTarget {
    /// Virtual time since the device's reset.
    fn now(&self) -> Nanos;

    /// Runs the device until `instant`, or until a datagram reaches the host's socket before that.
    ///
    /// # Errors
    /// When the device cannot go on; one line says why.
    fn run_until(&mut self, instant: Nanos) -> anyhow::Result<()>;

    /// Hands a datagram to the host's network stack now.
    fn send(&mut self, to: Endpoint, payload: &[u8]) -> SendOutcome;

    /// Takes the next datagram that reached the socket.
    fn receive(&mut self) -> Option<Arrival>;

    /// What the device's link runs at, if it is up.
    fn link_mode(&self) -> Option<LinkMode>;

    /// The address that the host's DHCP server gave the device.
    fn lease(&mut self) -> Option<Ipv4Addr>;

    /// Begins to disturb the device, or says that it cannot.
    fn disturb(&mut self, disturbance: Disturbance) -> DisturbOutcome;

    /// What its network device has been asked for since reset, when that is on SPI.
    fn spi_traffic(&self) -> Option<SpiTraffic>;
}

/// A datagram that reached the host's socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When it did.
    pub at: Nanos,
    pub from: Endpoint,
    pub payload: Vec<u8>,
}

/// How a drive ended that met no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriveEnd {
    /// The workload is over.
    Done,
    /// The observer said to stop.
    Stopped,
}

/// The longest time the target runs before the observer is asked again.
const OBSERVE_EVERY: Nanos = Nanos::from_millis(10);

/// Runs `workload` against `target` to its end.
///
/// `go_on` sees virtual time pass, at least once in [`OBSERVE_EVERY`], and may stop the run.
///
/// # Errors
/// What [`EchoTarget::run_until`] gives.
pub fn drive(
    workload: &mut dyn Workload,
    target: &mut dyn EchoTarget,
    mut go_on: impl FnMut(Nanos) -> bool,
) -> anyhow::Result<DriveEnd> {
    let mut disturbed = false;
    loop {
        let now = target.now();
        match workload.next(now) {
            Action::Send { to, payload } => {
                let outcome = target.send(to, payload);
                workload.sent(now, outcome);
            }
            Action::WaitUntil(instant) => {
                if !go_on(now) {
                    return Ok(DriveEnd::Stopped);
                }
                target.run_until(instant.min(now + OBSERVE_EVERY))?;
                while let Some(arrival) = target.receive() {
                    workload.received(arrival.at, arrival.from, &arrival.payload);
                }
                if let Some(address) = disturbed.then(|| target.lease()).flatten() {
                    workload.target_changed(target.now(), address);
                }
            }
            Action::Disturb(disturbance) => {
                let outcome = target.disturb(disturbance);
                disturbed |= outcome == DisturbOutcome::Begun;
                workload.disturbed(now, outcome);
            }
            Action::Done => return Ok(DriveEnd::Done),
        }
    }
}
