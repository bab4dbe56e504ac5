//! Reading what has come.

use std::io;

use super::one_by_one::OneByOne;
use super::{Arrival, Socket};
use crate::realtime::conditions::ArrivalClock;

/// Reads the arrivals of one socket.
pub(in crate::realtime) enum Receiver {
    /// With the kernel's timestamps.
    #[cfg(target_os = "linux")]
    Stamped(super::linux::Stamped),
    /// Without: the shorter call, on every system.
    OneByOne(OneByOne),
}

impl Receiver {
    /// One for a socket whose arrivals count from `clock`.
    pub(in crate::realtime) fn new(clock: ArrivalClock) -> Self {
        match clock {
            #[cfg(target_os = "linux")]
            ArrivalClock::Kernel => Self::Stamped(super::linux::Stamped::new()),
            #[cfg(not(target_os = "linux"))]
            ArrivalClock::Kernel => unreachable!("only Linux stamps arrivals"),
            ArrivalClock::User => Self::OneByOne(OneByOne::new()),
        }
    }

    /// Reads what has come, at most `limit` and [`BATCH`](super::BATCH) datagrams, and gives each
    /// to `deliver`.
    ///
    /// # Errors
    /// `WouldBlock` when nothing has come.
    pub(in crate::realtime) fn receive(
        &mut self,
        socket: &Socket,
        limit: usize,
        deliver: impl FnMut(Arrival<'_>),
    ) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Stamped(stamped) => stamped.receive(socket, limit, deliver),
            Self::OneByOne(one_by_one) => one_by_one.receive(socket, limit, deliver),
        }
    }
}
