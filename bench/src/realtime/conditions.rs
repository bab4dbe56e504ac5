//! Under which conditions a trial ran: what was asked of the host, and what it gave.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Endpoint, Nanos};

/// What the driver's socket, clock and thread were like during a trial, and what the socket saw.
///
/// None of it is an outcome of the trial, but each of it can explain one: a receive buffer that
/// was granted smaller than asked drops datagrams which the device answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// The address and port the socket was bound to.
    pub local: Endpoint,
    /// The receive buffer of the socket.
    pub receive_buffer: BufferSize,
    /// The send buffer of the socket.
    pub send_buffer: BufferSize,
    /// What an instant of arrival is.
    pub arrival_clock: ArrivalClocks,
    /// Arrivals without a kernel timestamp, or with one of no use because the wall clock was set;
    /// the instant at which they were read counts instead.
    pub unusable_timestamps: u64,
    /// How the driver's thread ran.
    pub scheduling: Scheduling,
    /// The shortest time to the next deadline for which the driver sleeps; it spins through
    /// shorter ones, and through the last part of longer ones.
    pub spin_ns: Nanos,
    /// Processor cores the operating system let the process use; absent when it does not tell.
    pub available_cores: Option<u64>,
    /// From the start of the driver to the end of the workload.
    pub elapsed_ns: Nanos,
    /// Datagrams read from the socket.
    pub received: u64,
    /// Of those, the ones longer than any the study sends; they were read cut.
    pub received_oversized: u64,
    /// Datagrams the kernel dropped at the socket, because its buffer was full or a checksum was
    /// wrong; absent where the system does not tell.
    pub dropped_by_kernel: Option<u64>,
    /// How often the send buffer was full, so that a datagram had to wait.
    pub send_buffer_full: u64,
    /// The first error with which the network stack refused a datagram.
    pub first_send_error: Option<String>,
}

/// A socket buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BufferSize {
    /// What was asked for.
    pub requested_bytes: u64,
    /// What the system says it gave. Linux counts its own bookkeeping in: it doubles a request,
    /// and a short datagram takes some 800 bytes of it.
    pub granted_bytes: u64,
}

/// Whose clock arrivals count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrivalClocks {
    /// What was asked for.
    pub requested: ArrivalClock,
    /// What the system has: the driver's where the kernel stamps no arrivals.
    pub effective: ArrivalClock,
}

/// Whose clock an instant of arrival is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArrivalClock {
    /// The kernel's, when the datagram came out of the network interface.
    Kernel,
    /// The driver's, when it read the datagram.
    User,
}

/// How the driver's thread was scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scheduling {
    /// Whether real-time priority was asked for: to run before every thread that has none.
    pub real_time_requested: bool,
    /// Whether it was granted.
    pub real_time_granted: bool,
    /// Whether the thread goes first among ordinary threads while it is without that priority.
    pub first_of_ordinary: bool,
    /// How often it gave the priority up for a moment, so that the system did not take the
    /// processor from it: a thread that sleeps enough never does.
    pub real_time_yields: u64,
}
