//! From the arguments of each workload to its state machine and result.

use std::fmt::Display;

use super::CliError;
use super::arguments::{
    BurstArgs, FunctionalArgs, LatencyArgs, Ledgered, RecoveryArgs, SoakArgs, StreamArgs,
    SweepArgs, ThroughputArgs,
};
use super::measure::{Outlook, Runnable};
use crate::{
    Burst, BurstResult, Disturbance, FunctionalGate, FunctionalOptions, FunctionalResult, Latency,
    LatencyResult, Nanos, Recovery, RecoveryResult, Soak, SoakResult, Stream, StreamResult, Sweep,
    SweepResult, Targets, Throughput, ThroughputResult,
};

/// A burst workload sends one datagram to warm up.
const BURST_FIRST_MEASURED: u64 = 1;

/// What an exchange is taken to last for, to tell how far a run is.
const USUAL_RTT: Nanos = Nanos::from_micros(500);

/// Implements [`Runnable`] for the arguments of one workload: its state machine, its result, how
/// it is made from options and targets, and its outlook.
macro_rules! runnable {
    ($args:ty, $machine:ty, $result:ty, $name:literal,
     |$options:ident, $targets:ident| $start:expr, $span:expr, $first_measured:expr) => {
        impl Runnable for $args {
            type Machine = $machine;
            type Result = $result;
            const NAME: &'static str = $name;

            fn start(self, $targets: Targets) -> Result<(Self::Machine, Outlook), CliError> {
                let $options = self.into_options();
                $options.validate().map_err(refused)?;
                $options.check_memory().map_err(refused)?;
                let machine = {
                    let $options = $options.clone();
                    $start.map_err(refused)?
                };
                let outlook = Outlook {
                    span: $span,
                    first_measured: $first_measured,
                };
                Ok((machine, outlook))
            }

            fn finish(machine: Self::Machine) -> Self::Result {
                machine.into_result()
            }
        }
    };
}

runnable!(
    FunctionalArgs,
    FunctionalGate,
    FunctionalResult,
    "functional",
    |options, targets| FunctionalGate::new(options, targets.echo),
    gate_span(&options),
    None
);
runnable!(
    LatencyArgs,
    Latency,
    LatencyResult,
    "latency",
    |options, targets| Latency::new(options, targets.echo),
    options.nominal_span(USUAL_RTT),
    None
);
runnable!(
    ThroughputArgs,
    Throughput,
    ThroughputResult,
    "throughput",
    |options, targets| Throughput::new(options, targets.echo),
    options.nominal_span(),
    Some(options.stream.warm_up_packets)
);
runnable!(
    BurstArgs,
    Burst,
    BurstResult,
    "burst",
    |options, targets| Burst::new(options, targets.echo),
    options.nominal_span(),
    Some(BURST_FIRST_MEASURED)
);
runnable!(
    StreamArgs,
    Stream,
    StreamResult,
    "stream",
    |options, targets| Stream::new(options, targets),
    options.nominal_span(),
    Some(options.warm_up_packets)
);
runnable!(
    SweepArgs,
    Sweep,
    SweepResult,
    "sweep",
    |options, targets| Sweep::new(options, targets),
    options.nominal_span(),
    Some(options.stream.warm_up_packets)
);
runnable!(
    SoakArgs,
    Soak,
    SoakResult,
    "soak",
    |options, targets| Soak::new(options, targets.echo),
    options.nominal_span(),
    Some(options.warm_up_packets)
);
runnable!(
    RecoveryArgs,
    Recovery,
    RecoveryResult,
    "recovery",
    |options, targets| {
        by_hand(options.disturbance)?;
        Recovery::new(options, targets.echo)
    },
    options.nominal_span(),
    Some(options.warm_up_packets)
);

fn gate_span(options: &FunctionalOptions) -> Nanos {
    let datagrams = options
        .rounds
        .saturating_mul(options.payload_bytes.len() as u64);
    Nanos(datagrams.saturating_mul(USUAL_RTT.0))
}

/// A network alone gives no hold on the device.
fn by_hand(disturbance: Disturbance) -> Result<(), CliError> {
    match disturbance {
        Disturbance::Manual => Ok(()),
        _ => Err(CliError::Options(
            "over a network alone nothing can be done to the device: give --disturbance manual \
             and do it by hand when told"
                .to_owned(),
        )),
    }
}

fn refused(error: impl Display) -> CliError {
    CliError::Options(error.to_string())
}
