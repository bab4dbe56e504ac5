//! What a driver and a workload say to each other.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddrV4};

use schemars::JsonSchema;
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
    /// Begin this disturbance of the device or of its network now, report through
    /// [`Workload::disturbed`] whether it has begun, and ask again. Its end is not waited for:
    /// the workload goes on sending meanwhile.
    Disturb(Disturbance),
    /// The workload is over.
    Done,
}

/// What became of a datagram the driver was asked to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SendOutcome {
    /// The network stack took the whole datagram.
    Sent,
    /// The network stack refused it; nothing was sent.
    Failed,
}

/// Something done to the device under test, or to its network, while a workload looks on.
///
/// None of them is an error of the driver: one that cannot do it answers
/// [`DisturbOutcome::Refused`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Disturbance {
    /// The device is reset and its firmware starts anew; nothing of its state is kept.
    Reset,
    /// The device's link is lost, as by a pulled cable, and comes back after this time.
    LinkLoss(Nanos),
    /// From now on the DHCP server gives the device another address, and it is made to ask: its
    /// link is lost for a moment. A driver that knows the new address tells it through
    /// [`Workload::target_changed`].
    DhcpChange,
    /// A person does something, at an instant of their own choice. The driver does nothing, and
    /// tells the person that it is time where it can.
    Manual,
}

impl fmt::Display for Disturbance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reset => formatter.write_str("reset"),
            Self::LinkLoss(span) => write!(formatter, "link lost for {} ms", span.0 / 1_000_000),
            Self::DhcpChange => formatter.write_str("DHCP change"),
            Self::Manual => formatter.write_str("manual"),
        }
    }
}

/// What a driver did about an [`Action::Disturb`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DisturbOutcome {
    /// The disturbance has begun.
    Begun,
    /// The driver has no means to do it; nothing happened.
    Refused,
}

/// A workload: a state machine without I/O and without a clock.
///
/// The driver owns one UDP socket and a clock that never runs backwards. It asks
/// [`next`](Self::next) what to do, does it, and reports each send and each arrival. The first
/// call of `next` fixes the start of the schedule. No method allocates memory per packet.
///
/// Until the driver has reported the outcome of a [`Action::Send`] or [`Action::Disturb`], `next`
/// asks for the same again; before the instant of an [`Action::WaitUntil`] it gives the same instant again, unless
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

    /// The disturbance asked for by the last [`next`](Self::next) was begun, or refused, at `now`.
    /// A workload that asks for none need not care.
    fn disturbed(&mut self, now: Nanos, outcome: DisturbOutcome) {
        let _ = (now, outcome);
    }

    /// The driver learnt at `now` which address the device has, on the same port: what is sent
    /// from now on goes there. Only a driver that can know calls this, after a disturbance, and as
    /// often as it likes; a workload that asks for none need not care.
    fn target_changed(&mut self, now: Nanos, address: Ipv4Addr) {
        let _ = (now, address);
    }
}
