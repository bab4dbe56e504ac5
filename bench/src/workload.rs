//! What a driver and a workload say to each other.

use std::net::SocketAddrV4;

use serde::{Deserialize, Serialize};

use crate::Nanos;

/// The address and UDP port of one end of a conversation.
pub type Endpoint = SocketAddrV4;

/// Where the device under test listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets {
    /// The UDP echo server.
    pub echo: Endpoint,
    /// The telemetry server of a profiling build; `None` for a build without one.
    pub telemetry: Option<Endpoint>,
}

/// What a workload wants its driver to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// Send one UDP datagram now and report it through [`Workload::sent`].
    Send {
        /// The destination.
        to: Endpoint,
        /// The UDP payload, up to 1472 bytes.
        payload: &'a [u8],
    },
    /// Nothing to send before this instant. Deliver what arrives until then, and ask again at
    /// that instant or after each delivery.
    WaitUntil(Nanos),
    /// The workload is over.
    Done,
}

/// What became of a datagram the driver was asked to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SendOutcome {
    /// The network stack took the whole datagram.
    Sent,
    /// The network stack refused it; nothing was sent.
    Failed,
}

/// A workload: a state machine without I/O and without a clock.
///
/// The driver owns one UDP socket and a clock that never runs backwards. It asks
/// [`next`](Self::next) what to do, does it, and reports each send and each arrival. The first
/// call of `next` fixes the start of the schedule. No method allocates memory per packet.
///
/// Until the driver has reported the outcome of a [`Action::Send`], `next` asks for the same send
/// again; before the instant of an [`Action::WaitUntil`] it gives the same instant again, unless
/// an arrival changed it. Asking twice is harmless.
pub trait Workload {
    /// What to do at `now`.
    fn next(&mut self, now: Nanos) -> Action<'_>;

    /// The send asked for by the last [`next`](Self::next) was tried. `now` is the instant just
    /// before the datagram was handed to the network.
    fn sent(&mut self, now: Nanos, outcome: SendOutcome);

    /// A datagram reached the driver's socket at `now`. Every datagram is reported, whoever sent
    /// it.
    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]);
}
