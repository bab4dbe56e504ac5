//! One run of one workload, from the arguments to the exit status.

use super::host::{HostArgs, OutputArgs};
use super::progress::Progress;
use super::record::Recording;
use super::report::{Report, Reported};
use super::{CliError, Ended, files, note, print};
use crate::realtime::{Conditions, DriverOptions, End, Run, StopSignal, run_disturbing};
use crate::{DisturbOutcome, Disturbance, Nanos, Outcome, Targets, Workload};

/// The arguments of a command that runs a workload.
#[derive(Clone, Debug, clap::Args)]
pub struct Measurement<A: clap::Args> {
    #[command(flatten)]
    workload: A,
    #[command(flatten)]
    host: HostArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Arguments from which a workload can be made.
pub trait Runnable {
    /// The state machine.
    type Machine: Workload + Send;
    /// What it ends in.
    type Result: Reported;
    /// The name of the workload.
    const NAME: &'static str;

    /// The state machine at its start, and what is known of it beforehand.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    fn start(self, targets: Targets) -> Result<(Self::Machine, Outlook), CliError>;

    /// The result of a state machine that is done.
    fn finish(machine: Self::Machine) -> Self::Result;
}

/// What is known of a workload beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// About how long it takes.
    pub span: Nanos,
    /// The sequence number of the first measured datagram; `None` when its datagrams carry none.
    pub first_measured: Option<u64>,
}

impl<A: clap::Args + Runnable> Measurement<A> {
    /// Runs the workload and tells what came of it.
    pub(super) fn run(self) -> Result<Ended, CliError> {
        let targets = self.host.targets()?;
        let (machine, outlook) = self.workload.start(targets)?;
        let stop = StopSignal::new();
        let asked = stop.clone();
        ctrlc::set_handler(move || asked.request())?;
        let recording = begin_recording(&self.output, A::NAME, outlook)?;
        let result_file = self.output.output.as_deref();
        let result_file = result_file.map(files::Staged::new).transpose()?;

        let shown = !self.output.quiet && !self.output.json;
        let progress = Progress::start(A::NAME, outlook.span, shown);
        let options = self.host.driver_options();
        let (machine, run) = drive(machine, recording.as_ref(), &options, &stop)?;
        drop(progress);
        if run.end == End::Stopped {
            note("interrupted: nothing was written");
            return Ok(Ended::Interrupted);
        }

        let result = A::finish(machine);
        result.check()?;
        let report = Report::new(A::NAME, targets.echo, &result, &run.conditions);
        if let Some(recording) = recording {
            recording.commit()?;
        }
        if let Some(file) = result_file {
            file.commit_with(report.json().as_bytes())?;
        }
        tell(&self.output, &report, &result, &targets, &run.conditions)?;
        Ok(match report.is_clean() {
            true => Ended::Clean,
            false => Ended::NotClean,
        })
    }
}

fn begin_recording(
    output: &OutputArgs,
    name: &'static str,
    outlook: Outlook,
) -> Result<Option<Recording>, CliError> {
    match outlook.first_measured {
        Some(first_measured) => Recording::begin(&output.recording_plan(first_measured)?),
        None if output.asks_for_recording() => Err(CliError::NotRecorded(name)),
        None => Ok(None),
    }
}

/// Runs the machine, through a tap when it is recorded.
fn drive<W: Workload + Send>(
    mut machine: W,
    recording: Option<&Recording>,
    options: &DriverOptions,
    stop: &StopSignal,
) -> Result<(W, Run), CliError> {
    let Some(recording) = recording else {
        let run = run_disturbing(&mut machine, options, stop, &mut ask_somebody)?;
        return Ok((machine, run));
    };
    let mut tap = recording.tap(machine);
    let run = run_disturbing(&mut tap, options, stop, &mut ask_somebody)?;
    Ok((tap.finish(), run))
}

/// The bench itself can do nothing to a device.
fn ask_somebody(disturbance: Disturbance) -> DisturbOutcome {
    match disturbance {
        Disturbance::Manual => {
            note("now: disturb the device");
            DisturbOutcome::Begun
        }
        _ => DisturbOutcome::Refused,
    }
}

fn tell<R: Reported>(
    output: &OutputArgs,
    report: &Report<'_, R>,
    result: &R,
    targets: &Targets,
    conditions: &Conditions,
) -> Result<(), CliError> {
    if output.json {
        return print(&report.json());
    }
    if output.quiet {
        return Ok(());
    }
    print(&result.summary())?;
    if let Some(dropped) = conditions.dropped_by_kernel.filter(|&dropped| dropped > 0) {
        note(&format!(
            "note: this host dropped {dropped} datagrams after they had come; \
             a larger receive buffer may hold them (--buffer-bytes, net.core.rmem_max)"
        ));
    }
    if conditions.received == 0 {
        note(&format!(
            "note: nothing came back; does a UDP echo server listen on {}?",
            targets.echo
        ));
    }
    Ok(())
}
