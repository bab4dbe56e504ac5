//! The host's network: runs workloads against a board's address.

use std::net::SocketAddrV4;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use bench::realtime::{Conditions, DriverOptions, End, Run, StopSignal};
use bench::{Nanos, Workload};

use super::host;
use crate::results::hardware::NetworkPath;

/// What runs workloads.
pub trait Network {
    /// The host's end of the path to `board`.
    ///
    /// # Errors
    /// When there is no route to it.
    fn path_to(&self, board: SocketAddrV4) -> anyhow::Result<NetworkPath>;

    /// Runs `workload` to its end; `None` when `go_on`, which sees the time since it began, said to stop.
    ///
    /// # Errors
    /// When the network of the host fails.
    fn drive<W: Workload + Send>(
        &mut self,
        workload: &mut W,
        go_on: &mut dyn FnMut(Nanos) -> bool,
    ) -> anyhow::Result<Option<Conditions>>;
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
        go_on: &mut dyn FnMut(Nanos) -> bool,
    ) -> anyhow::Result<Option<Conditions>> {
        let stop = StopSignal::new();
        let options = DriverOptions::default();
        let started = Instant::now();
        let run = thread::scope(|scope| {
            let run = scope.spawn(|| bench::realtime::run(workload, &options, &stop));
            while !run.is_finished() {
                let elapsed = started.elapsed().as_nanos();
                if !go_on(Nanos(u64::try_from(elapsed).unwrap_or(u64::MAX))) {
                    stop.request();
                }
                thread::park_timeout(OBSERVE_EVERY);
            }
            let run = run.join();
            run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        let Run { end, conditions } = run.context("the host's network failed")?;
        Ok((end == End::Done).then_some(conditions))
    }
}
