//! One run of one workload on one freshly reset board behind a debug probe.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::{SystemTime, UNIX_EPOCH};

use bench::{
    Burst, BurstResult, Endpoint, FunctionalGate, FunctionalResult, Latency, LatencyResult, Nanos,
    Recovery, RecoveryResult, Soak, SoakResult, Stream, StreamResult, Targets, Throughput,
    ThroughputResult, Workload,
};

use super::clock::Clock;
use super::failure::{Failure, FailureKind};
use super::network::{Network, Watcher};
use super::probe::seconds;
use super::rig::{Started, within};
use crate::results::LinkMode;
use crate::results::hardware::{HardwareBoot, HardwareTrial, NetworkPath};
use crate::show::Headline;
use crate::trial::{FirstEcho, Ports, Runnable};

/// A result that a workload gives when it is driven over a network.
pub trait OnNetwork: Runnable + Headline {
    /// The workload.
    type Machine: Workload + Send;

    /// The workload that these options describe.
    ///
    /// # Errors
    /// Options that are out of range.
    fn machine(options: &Self::Options, targets: Targets) -> anyhow::Result<Self::Machine>;

    /// The result of a workload that ran to its end.
    fn of(machine: Self::Machine) -> Self;
}

/// Results of workloads that talk to the echo server alone.
macro_rules! on_network {
    ($($result:ty: $machine:ty,)*) => {$(
        impl OnNetwork for $result {
            type Machine = $machine;

            fn machine(options: &Self::Options, targets: Targets) -> anyhow::Result<$machine> {
                Ok(<$machine>::new(options.clone(), targets.echo)?)
            }

            fn of(machine: $machine) -> Self {
                machine.into_result()
            }
        }
    )*};
}

on_network! {
    FunctionalResult: FunctionalGate,
    BurstResult: Burst,
    LatencyResult: Latency,
    ThroughputResult: Throughput,
    SoakResult: Soak,
    RecoveryResult: Recovery,
}

impl OnNetwork for StreamResult {
    type Machine = Stream;

    fn machine(options: &Self::Options, targets: Targets) -> anyhow::Result<Stream> {
        Ok(Stream::new(options.clone(), targets)?)
    }

    fn of(machine: Stream) -> Self {
        machine.into_result()
    }
}

/// Waits for the first echo of a started board, then runs the workload; `None` when its watcher said
/// to stop.
pub fn run<M: OnNetwork>(
    network: &mut impl Network,
    clock: &impl Clock,
    started: &Started,
    ports: Ports,
    options: &M::Options,
    watcher: &mut Watcher<'_>,
) -> Result<Option<HardwareTrial<M>>, Failure> {
    let echo = SocketAddrV4::new(started.address, ports.echo);
    let path = path_to(network, echo)?;
    let mut waiter = Watcher {
        go_on: &mut |_| (watcher.go_on)(Nanos::ZERO),
        reset: &mut *watcher.reset,
    };
    let Some(first_echo_ns) = first_echo(network, clock, started, echo, &mut waiter)? else {
        return Ok(None);
    };
    let targets = Targets {
        echo,
        telemetry: ports.telemetry.map(|port| at(started.address, port)),
    };
    let started_unix_s = unix_s();
    let mut machine = M::machine(options, targets).map_err(trial_failed)?;
    let driven = network.drive(&mut machine, watcher).map_err(trial_failed)?;
    let Some(conditions) = driven else {
        return Ok(None);
    };
    let result = M::of(machine);
    result
        .check()
        .map_err(|broken| trial_failed(broken.into()))?;
    Ok(Some(HardwareTrial {
        started_unix_s,
        address: started.address,
        boot: HardwareBoot {
            link_up_ns: started.link_up_ns,
            lease_ns: started.lease_ns,
            first_echo_ns,
        },
        path,
        conditions,
        void: result.void_reason(),
        result,
    }))
}

/// The path to the board, whose end at the host has to be fast enough.
fn path_to(network: &impl Network, echo: SocketAddrV4) -> Result<NetworkPath, Failure> {
    let no_link = |message: String| Failure::new(FailureKind::NoLink, message);
    let path = network.path_to(echo);
    let path = path.map_err(|error| no_link(format!("no link: {error:#}")))?;
    let required = LinkMode::REQUIRED;
    match path.link_mode {
        Some(mode) if mode.speed_mbit_per_s < required.speed_mbit_per_s || !mode.full_duplex => {
            let interface = path.interface.as_deref().unwrap_or("the interface");
            Err(no_link(format!(
                "no link at {required}: {interface} of this host runs at {mode}; check the cable and the other end"
            )))
        }
        _ => Ok(path),
    }
}

/// The time from reset to the first echo.
fn first_echo(
    network: &mut impl Network,
    clock: &impl Clock,
    started: &Started,
    echo: Endpoint,
    watcher: &mut Watcher<'_>,
) -> Result<Option<Nanos>, Failure> {
    // A board whose log was not waited for has yet to get its link and its lease.
    let within = match started.lease_ns {
        Some(_) => within::ECHO,
        None => Nanos(within::LINK.0 + within::LEASE.0 + within::ECHO.0),
    };
    let deadline = clock.now() + within;
    while clock.now() < deadline {
        let asked_at = clock.now();
        let mut first_echo = FirstEcho::new(echo);
        let driven = network.drive(&mut first_echo, watcher);
        if driven.map_err(trial_failed)?.is_none() {
            return Ok(None);
        }
        if let Some(answered) = first_echo.answered() {
            let since_reset = asked_at.since(started.reset_at);
            return Ok(Some(since_reset + answered));
        }
    }
    let message = format!(
        "no echo: {echo} did not answer within {} s; check that this host reaches that address and that no firewall drops UDP",
        seconds(within)
    );
    Err(Failure::new(FailureKind::NoEcho, message))
}

/// The failure of the board that `error` is, or else one of the trial.
fn trial_failed(error: anyhow::Error) -> Failure {
    error.downcast().unwrap_or_else(|error| {
        Failure::new(FailureKind::TrialFailed, format!("trial failed: {error:#}"))
    })
}

fn at(address: Ipv4Addr, port: u16) -> Endpoint {
    Endpoint::new(address, port)
}

fn unix_s() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
