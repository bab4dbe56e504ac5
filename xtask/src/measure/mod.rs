//! `cargo xtask measure`: one workload on one firmware on the emulated board, in virtual time.

mod report;

use std::path::PathBuf;

use anyhow::{Context, bail};
use bench::cli::arguments::{
    BurstArgs, FunctionalArgs, LatencyArgs, Ledgered, RecoveryArgs, SoakArgs, StreamArgs,
    SweepArgs, ThroughputArgs,
};
use bench::cli::summary::Summary;
use bench::{
    BurstOptions, BurstResult, FunctionalOptions, FunctionalResult, LatencyOptions, LatencyResult,
    Nanos, RecoveryOptions, RecoveryResult, SoakOptions, SoakResult, StreamOptions, StreamResult,
    SweepOptions, SweepResult, ThroughputOptions, ThroughputResult,
};
use board::BoardConfig;
use clap::Subcommand;

use crate::adapter::EchoTarget;
use crate::adapter::emulated::EmulatedBoard;
use crate::cli::Outcome;
use crate::files;
use crate::hash::sha256_hex;
use crate::interrupt::Interrupt;
use crate::metadata::{Build, Study, Variant};
use crate::output;
use crate::results::{Measured, Trial};
use crate::run::image;
use crate::setup::InstallArgs;
use crate::trial::{self, Ports, Runnable};
use report::Report;

/// Measure one firmware on the emulated board with one workload.
///
/// The workloads and their options are those of the bench. The emulated board can be reset, its cable
/// pulled, and its DHCP server made to give another address; nobody is there for a manual disturbance.
///
/// Exit status: 0 the run is clean, 1 it is not or it is void, 2 the firmware could not go on or could
/// not be run.
#[derive(clap::Args)]
pub struct MeasureArgs {
    /// The variant to measure.
    variant: String,
    #[command(subcommand)]
    workload: Workload,
    /// Which of its builds.
    #[arg(long, value_name = "NAME", default_value = "release", global = true)]
    build: String,
    /// A state of the published study in place of a build.
    #[arg(long, value_name = "NAME", conflicts_with = "build", global = true)]
    state: Option<String>,
    /// Run this ELF file in place of building one.
    #[arg(long, value_name = "FILE", global = true)]
    elf: Option<PathBuf>,
    /// Print the result as JSON instead of a summary.
    #[arg(long, global = true)]
    json: bool,
    /// Write the result as JSON into this file.
    #[arg(long, value_name = "FILE", global = true)]
    output: Option<PathBuf>,
    #[command(flatten)]
    install: InstallArgs,
}

/// What is asked of the firmware.
#[derive(Subcommand)]
enum Workload {
    Functional(FunctionalArgs),
    Latency(LatencyArgs),
    Throughput(ThroughputArgs),
    Burst(BurstArgs),
    Stream(StreamArgs),
    Sweep(SweepArgs),
    Soak(SoakArgs),
    Recovery(RecoveryArgs),
}

/// A firmware on a board, and what became of it.
struct Job<'a> {
    name: &'static str,
    variant: &'a str,
    build: &'a str,
    elf: Vec<u8>,
    path: PathBuf,
    board: BoardConfig,
    ports: Ports,
    json: bool,
    output: Option<PathBuf>,
}

impl MeasureArgs {
    /// Makes the measurement, prints it, and writes it where it is asked for.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let study = Study::load()?;
        let (variant, of) = self.firmware(&study)?;
        let workload = self.workload.validated()?;
        let (elf, path) = image(&study, variant, of, self.elf.as_deref(), self.install)?;
        let job = Job {
            name: workload.name(),
            variant: &variant.id,
            build: &of.name,
            elf,
            path,
            board: BoardConfig {
                jack: variant.network_device,
                ..BoardConfig::default()
            },
            ports: Ports::of(&study, of),
            json: self.json,
            output: self.output,
        };
        workload.measure(job)
    }

    fn firmware<'a>(&self, study: &'a Study) -> anyhow::Result<(&'a Variant, &'a Build)> {
        if let Some(name) = &self.state {
            let state = study.published_state(&self.variant, name)?;
            return Ok((&state.variant, &state.build));
        }
        let selected = study.select(Some(&self.variant), Some(&self.build))?;
        let first = selected.first().copied();
        first.context("the variant has no such build")
    }
}

impl Workload {
    const fn name(&self) -> &'static str {
        match self {
            Self::Functional(_) => "functional",
            Self::Latency(_) => "latency",
            Self::Throughput(_) => "throughput",
            Self::Burst(_) => "burst",
            Self::Stream(_) => "stream",
            Self::Sweep(_) => "sweep",
            Self::Soak(_) => "soak",
            Self::Recovery(_) => "recovery",
        }
    }

    /// Refuses options that are out of range before anything is built.
    fn validated(self) -> anyhow::Result<Self> {
        match &self {
            Self::Functional(args) => {
                check(args.clone().into_options(), FunctionalOptions::validate)?
            }
            Self::Latency(args) => check(args.clone().into_options(), LatencyOptions::validate)?,
            Self::Throughput(args) => {
                check(args.clone().into_options(), ThroughputOptions::validate)?
            }
            Self::Burst(args) => check(args.clone().into_options(), BurstOptions::validate)?,
            Self::Stream(args) => check(args.clone().into_options(), StreamOptions::validate)?,
            Self::Sweep(args) => check(args.clone().into_options(), SweepOptions::validate)?,
            Self::Soak(args) => check(args.clone().into_options(), SoakOptions::validate)?,
            Self::Recovery(args) => check(args.clone().into_options(), RecoveryOptions::validate)?,
        }
        Ok(self)
    }

    fn measure(self, job: Job) -> anyhow::Result<Outcome> {
        match self {
            Self::Functional(args) => job.measure::<FunctionalResult>(&args.into_options()),
            Self::Latency(args) => job.measure::<LatencyResult>(&args.into_options()),
            Self::Throughput(args) => job.measure::<ThroughputResult>(&args.into_options()),
            Self::Burst(args) => job.measure::<BurstResult>(&args.into_options()),
            Self::Stream(args) => job.measure::<StreamResult>(&args.into_options()),
            Self::Sweep(args) => job.measure::<SweepResult>(&args.into_options()),
            Self::Soak(args) => job.measure::<SoakResult>(&args.into_options()),
            Self::Recovery(args) => job.measure::<RecoveryResult>(&args.into_options()),
        }
    }
}

/// Refuses options that make no workload, or one that takes too much memory.
fn check<O: Ledgered, E>(options: O, validate: fn(&O) -> Result<(), E>) -> anyhow::Result<()>
where
    E: std::error::Error + Send + Sync + 'static,
{
    validate(&options)?;
    Ok(options.check_memory()?)
}

impl Job<'_> {
    fn measure<M: Runnable + Summary>(self, options: &M::Options) -> anyhow::Result<Outcome> {
        let interrupt = Interrupt::on_ctrl_c()?;
        let mut target = EmulatedBoard::new(&self.elf, self.board)?;
        let go_on = |_: Nanos| !interrupt.requested();
        let trial = trial::run::<M>(&mut target, self.ports, options, go_on);
        let measured = match trial {
            Some(Trial::Measured(measured)) => *measured,
            Some(Trial::Failed(failed)) => bail!(
                "{}: failed at {} ms of virtual time: {}",
                self.path.display(),
                failed.at_ns.0 / 1_000_000,
                failed.message
            ),
            None => bail!(
                "interrupted at {} ms of virtual time",
                target.now().0 / 1_000_000
            ),
        };
        let clean = measured.result.is_clean();
        let summary = measured.result.summary();
        let json = Report::new(
            self.name,
            self.variant,
            self.build,
            sha256_hex(&self.elf),
            measured,
        )
        .to_json()?;
        if let Some(path) = &self.output {
            files::write(path, json.as_bytes())?;
        }
        output::print(if self.json { &json } else { &summary })?;
        Ok(match clean {
            true => Outcome::Done,
            false => Outcome::CheckFailed,
        })
    }
}
