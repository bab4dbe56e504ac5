//! The workloads a trial can run.

use bench::{FunctionalGate, FunctionalResult, Nanos, Stream, StreamResult, Targets, Workload};

use crate::results::Measurement;

/// A measurement that a state machine of its own makes.
pub trait Runnable: Measurement {
    type Machine: Workload;

    /// The machine that measures this at `targets`.
    ///
    /// # Errors
    /// Options that are out of range.
    fn machine(options: Self::Options, targets: Targets) -> anyhow::Result<Self::Machine>;

    /// The result of a machine that is done.
    fn close(machine: Self::Machine) -> Self;

    /// About how long the workload takes, in virtual time.
    fn nominal_span(options: &Self::Options) -> Nanos;
}

impl Runnable for FunctionalResult {
    type Machine = FunctionalGate;

    fn machine(options: Self::Options, targets: Targets) -> anyhow::Result<Self::Machine> {
        Ok(FunctionalGate::new(options, targets.echo)?)
    }

    fn close(machine: Self::Machine) -> Self {
        machine.into_result()
    }

    /// A few milliseconds for each datagram.
    fn nominal_span(options: &Self::Options) -> Nanos {
        Nanos::from_millis(2 * options.rounds * options.payload_bytes.len() as u64)
    }
}

impl Runnable for StreamResult {
    type Machine = Stream;

    fn machine(options: Self::Options, targets: Targets) -> anyhow::Result<Self::Machine> {
        Ok(Stream::new(options, targets)?)
    }

    fn close(machine: Self::Machine) -> Self {
        machine.into_result()
    }

    fn nominal_span(options: &Self::Options) -> Nanos {
        options.nominal_span()
    }
}
