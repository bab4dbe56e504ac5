//! The host's network: runs workloads against a board's address.

use std::net::SocketAddrV4;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use bench::realtime::{self, Conditions, DriverOptions, End, Run, StopSignal};
use bench::{DisturbOutcome, Disturbance, Nanos, Workload};

use super::failure::Failure;
use super::host;
use crate::results::hardware::NetworkPath;

/// What runs workloads.
pub trait Network {
    /// The host's end of the path to `board`.
    ///
    /// # Errors
    /// When there is no route to it.
    fn path_to(&self, board: SocketAddrV4) -> anyhow::Result<NetworkPath>;

    /// Runs `workload` to its end; `None` when its watcher said to stop.
    ///
    /// # Errors
    /// When the network of the host fails, or the board cannot be reset.
    fn drive<W: Workload + Send>(
        &mut self,
        workload: &mut W,
        watcher: &mut Watcher<'_>,
    ) -> anyhow::Result<Option<Conditions>>;
}

/// Who looks on while a workload runs.
pub struct Watcher<'a> {
    /// Sees the time since the workload began and may say to stop.
    pub go_on: &'a mut dyn FnMut(Nanos) -> bool,
    /// Resets the board. It is all that can be done to one from here: no program pulls a cable, or has
    /// a DHCP server that is not its own give another address.
    pub reset: &'a mut dyn FnMut() -> Result<(), Failure>,
}

/// How often whoever watches a run is asked whether to go on.
const OBSERVE_EVERY: Duration = Duration::from_millis(50);

/// The network stack of this host, in real time.
#[derive(Debug, Default)]
pub struct HostNetwork;

impl Network for HostNetwork {
    fn path_to(&self, board: SocketAddrV4) -> anyhow::Result<NetworkPath> {
        host::path_to(board)
    }

    fn drive<W: Workload + Send>(
        &mut self,
        workload: &mut W,
        watcher: &mut Watcher<'_>,
    ) -> anyhow::Result<Option<Conditions>> {
        let stop = StopSignal::new();
        let options = DriverOptions::default();
        let started = Instant::now();
        let reset_asked = AtomicBool::new(false);
        let watching = thread::current();
        // The driver's thread must not wait for the probe; the one that watches does.
        let mut disturb = |disturbance| match disturbance {
            Disturbance::Reset => {
                reset_asked.store(true, Ordering::Relaxed);
                watching.unpark();
                DisturbOutcome::Begun
            }
            _ => DisturbOutcome::Refused,
        };
        let mut reset = Ok(());
        let run = thread::scope(|scope| {
            let run =
                scope.spawn(|| realtime::run_disturbing(workload, &options, &stop, &mut disturb));
            while !run.is_finished() {
                if reset_asked.swap(false, Ordering::Relaxed) {
                    reset = (watcher.reset)();
                }
                let elapsed = started.elapsed().as_nanos();
                let elapsed = Nanos(u64::try_from(elapsed).unwrap_or(u64::MAX));
                if reset.is_err() || !(watcher.go_on)(elapsed) {
                    stop.request();
                }
                thread::park_timeout(OBSERVE_EVERY);
            }
            let run = run.join();
            run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        reset?;
        let Run { end, conditions } = run.context("the host's network failed")?;
        Ok((end == End::Done).then_some(conditions))
    }
}
