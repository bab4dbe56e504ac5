//! The real-time driver: runs a [`Workload`] on a UDP socket against the clock.
//!
//! ```no_run
//! use bench::realtime::{DriverOptions, Run, StopSignal, run};
//! use bench::{Nanos, Stream, StreamOptions, Targets};
//!
//! let echo = "192.168.1.50:7".parse()?;
//! let options = StreamOptions { duration_ns: Nanos::from_secs(10), ..StreamOptions::default() };
//! let mut stream = Stream::new(options, Targets { echo, telemetry: None })?;
//! let Run { end, conditions } = run(&mut stream, &DriverOptions::default(), &StopSignal::new())?;
//! let result = stream.into_result();
//! println!("{} valid, {:?} dropped here", result.counts.valid, conditions.dropped_by_kernel);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deadlines are absolute: a send that was late does not move the next. What is due is sent one
//! datagram at a time, each with an instant of its own, so that a burst shows in the pacing record.
//! The driver sleeps while the next deadline is far, and spins through the rest and for the reply
//! to what it just sent; arrivals are read
//! in between, in batches, and count from the kernel's timestamp where there is one.

mod arrivals;
mod clock;
mod conditions;
mod driver;
pub mod echo;
#[cfg(test)]
mod portable_tests;
mod priority;
mod sleeper;
mod socket;

use std::io::{self, ErrorKind};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

pub use conditions::{ArrivalClock, ArrivalClocks, BufferSize, Conditions, Scheduling};
pub use driver::End;

use crate::{DisturbOutcome, Disturbance, Endpoint, Nanos, Workload};
use driver::Driver;

/// What the driver asks of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverOptions {
    /// The address and port to send from; port 0 for any that is free.
    pub local: Endpoint,
    /// The receive and the send buffer to ask for.
    pub buffer_bytes: u64,
    /// Sleep only to deadlines farther than this, and wake this long before them; after a send,
    /// look this long for its reply before sleeping.
    pub spin_ns: Nanos,
    /// Ask to run before every thread that is not real-time.
    pub real_time: bool,
    /// Whose clock arrivals are to count from; the kernel's tells only where the system has it.
    pub arrival_clock: ArrivalClock,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self {
            local: Endpoint::new(Ipv4Addr::UNSPECIFIED, 0),
            buffer_bytes: 8 << 20,
            spin_ns: Nanos::from_micros(150),
            real_time: true,
            arrival_clock: ArrivalClock::Kernel,
        }
    }
}

/// A request to stop that a running driver sees; clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// One that nobody has given yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the driver to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A run that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Why it ended.
    pub end: End,
    /// What it was like.
    pub conditions: Conditions,
}

/// A run that could not be.
#[derive(Debug, thiserror::Error)]
pub enum RealtimeError {
    /// The socket could not be bound, or tokio's reactor did not start.
    #[error("cannot open a UDP socket on {local}: {error}")]
    Open {
        /// The address and port that were asked for.
        local: Endpoint,
        /// What the system said.
        error: io::Error,
    },
    /// The socket failed while the workload ran.
    #[error("the UDP socket failed: {0}")]
    Socket(io::Error),
}

/// What can be done to the device or its network while a workload runs. It is called on the
/// driver's thread, so it has to return at once and do on another thread what takes longer.
pub type Disturber<'a> = dyn FnMut(Disturbance) -> DisturbOutcome + Send + 'a;

/// Runs `workload` to its end, or until `stop` is given, on a thread of its own. Nothing is done to
/// the device: a workload that asks for it is refused, unless somebody is to do it by hand.
///
/// # Errors
/// When the socket cannot be opened or fails; a datagram the network stack refuses is no such
/// failure but a send error of the workload.
pub fn run(
    workload: &mut (impl Workload + Send),
    options: &DriverOptions,
    stop: &StopSignal,
) -> Result<Run, RealtimeError> {
    let mut by_hand = |disturbance| match disturbance {
        Disturbance::Manual => DisturbOutcome::Begun,
        _ => DisturbOutcome::Refused,
    };
    run_disturbing(workload, options, stop, &mut by_hand)
}

/// The same with a way to disturb the device.
///
/// # Errors
/// As [`run`].
pub fn run_disturbing(
    workload: &mut (impl Workload + Send),
    options: &DriverOptions,
    stop: &StopSignal,
    disturb: &mut Disturber<'_>,
) -> Result<Run, RealtimeError> {
    thread::scope(|scope| {
        let driver = scope.spawn(|| drive(workload, options, stop, disturb));
        driver
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn drive<'a>(
    workload: &mut impl Workload,
    options: &DriverOptions,
    stop: &'a StopSignal,
    disturb: &'a mut Disturber<'a>,
) -> Result<Run, RealtimeError> {
    let open = |error| RealtimeError::Open {
        local: options.local,
        error,
    };
    runtime().map_err(open)?.block_on(async {
        let mut driver = Driver::new(options, stop, disturb).map_err(open)?;
        let end = driver.run(workload).await.map_err(RealtimeError::Socket)?;
        let conditions = driver.conditions();
        Ok(Run { end, conditions })
    })
}

/// A tokio runtime for the calling thread alone.
fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

/// Whether reading a socket failed because the network reported an error about a datagram that
/// left it earlier; the socket itself is well.
fn is_about_an_earlier_datagram(error: &io::Error) -> bool {
    use ErrorKind::{
        ConnectionRefused, ConnectionReset, HostUnreachable, Interrupted, NetworkUnreachable,
    };
    matches!(
        error.kind(),
        ConnectionRefused | ConnectionReset | HostUnreachable | Interrupted | NetworkUnreachable
    )
}
