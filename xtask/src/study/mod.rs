//! `cargo xtask study`: builds, measures and renders, and keeps whatever is still true.

pub mod campaign;
mod lock;
pub mod plan;
pub mod prepare;
mod record;
pub mod sources;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use board::BoardConfig;

use crate::adapter::EchoTarget;
use crate::adapter::emulated::EmulatedBoard;
use crate::audit::digests;
use crate::build::SelectionArgs;
use crate::cli::Outcome;
use crate::hardware::{self, HardwareArgs, HardwareStudy};
use crate::interrupt::Interrupt;
use crate::metadata::{Build, Study, Variant};
use crate::progress::Progress;
use crate::results::{ResultSet, SetName};
use crate::setup::InstallArgs;
use crate::{output, paths, render};
use campaign::{Campaign, Image, Tally};
use lock::StudyLock;

/// What runs the firmware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum On {
    /// The emulated board, in virtual time.
    Emulated,
    /// A NUCLEO-H723ZG behind a debug probe, over a real network.
    Hardware,
}

/// Build the firmware, measure it on the emulated board, and render the study.
///
/// The full study streams for an hour and holds each rate for 10 s. Its results are in
/// results/emulated, its documents are TRADE_STUDY.md and W5500.md. Trials whose inputs are unchanged are reused.
///
/// With --on hardware a board runs the firmware. Its results are in results/hardware, of a provenance of
/// their own, and no documents are rendered from them.
///
/// Exit status: 0 all trials ran, 2 one failed, or the study was interrupted or could not start.
#[derive(clap::Args)]
#[command(after_long_help = hardware::exit_statuses())]
pub struct StudyArgs {
    /// What runs the firmware.
    #[arg(long, value_enum, default_value_t = On::Emulated)]
    on: On,
    /// Stream for 30 s and hold each rate for 3 s; results and documents are in results/emulated-quick.
    #[arg(long)]
    quick: bool,
    /// Stream for 1 s and hold three rates for 0.2 s, only to see that everything works; results and
    /// documents are in target/study-smoke.
    #[arg(long, conflicts_with = "quick")]
    smoke: bool,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Run trials again whose inputs are unchanged.
    #[arg(long)]
    fresh: bool,
    /// Trials at a time, each on a board of its own; by default one for each processor.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Execute every pass of loops that only wait, and replay nothing: slower, with the same results.
    #[arg(long)]
    no_idle_skip: bool,
    /// Put results and documents into this folder instead.
    #[arg(long, value_name = "FOLDER")]
    results_dir: Option<PathBuf>,
    #[command(flatten)]
    install: InstallArgs,
    #[command(flatten)]
    hardware: HardwareArgs,
}

impl StudyArgs {
    /// Runs the study.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let study = Study::load()?;
        let selected = self.select(&study)?;
        self.check(&study)?;
        let interrupt = Interrupt::on_ctrl_c()?;
        let _lock = StudyLock::take(&paths::root().join("target/study.lock"))?;
        let set = self.result_set();
        if self.on == On::Hardware {
            let on_hardware = HardwareStudy {
                set: &set,
                study: &study,
                selected: &selected,
                arguments: &self.hardware,
                fresh: self.fresh,
                install: self.install,
                interrupt: &interrupt,
            };
            return on_hardware.run();
        }
        let started = Instant::now();
        let images = match prepare::images(&set, &study, &selected, self.install) {
            _ if interrupt.requested() => bail!("interrupted before the first trial"),
            images => images?,
        };
        say_duration("building and sizing", started);
        let boot_board = |image: &Image| -> anyhow::Result<Box<dyn EchoTarget>> {
            let config = BoardConfig {
                jack: image.subject.variant.network_device,
                idle_skip: !self.no_idle_skip,
                ..BoardConfig::default()
            };
            Ok(Box::new(EmulatedBoard::new(&image.elf, config)?))
        };
        let campaign = Campaign {
            set: &set,
            boot_board: &boot_board,
            workers: self.workers(),
            fresh: self.fresh,
            interrupt: &interrupt,
            progress: &Progress::new(),
        };
        let started = Instant::now();
        let tally = campaign.run(&images)?;
        say_duration("running trials", started);
        conclude(&set, tally)
    }

    /// Refuses arguments that would have no effect.
    fn check(&self, study: &Study) -> anyhow::Result<()> {
        match self.on {
            On::Hardware if self.jobs.is_some() || self.no_idle_skip => {
                bail!("--jobs and --no-idle-skip are of use only without --on hardware")
            }
            On::Hardware => self.hardware.check(study),
            On::Emulated if self.hardware != HardwareArgs::default() => {
                bail!("--probe, --board and --retries are of use only with --on hardware")
            }
            On::Emulated => Ok(()),
        }
    }

    fn select<'a>(&self, study: &'a Study) -> anyhow::Result<Vec<(&'a Variant, &'a Build)>> {
        let SelectionArgs { variant, build } = &self.selection;
        study.select(variant.as_deref(), build.as_deref())
    }

    fn result_set(&self) -> ResultSet {
        let name = match (self.quick, self.smoke) {
            (true, _) => SetName::Quick,
            (_, true) => SetName::Smoke,
            _ => SetName::Full,
        };
        match (&self.results_dir, self.on) {
            (Some(folder), _) => ResultSet::in_folder(name, folder),
            (None, On::Emulated) => ResultSet::in_checkout(paths::root(), name),
            (None, On::Hardware) => ResultSet::on_hardware(paths::root(), name),
        }
    }

    fn workers(&self) -> usize {
        let processors = || std::thread::available_parallelism().ok();
        self.jobs.or_else(processors).map_or(1, NonZeroUsize::get)
    }
}

/// Says how long a part of the study took, for the terminal alone.
fn say_duration(what: &str, started: Instant) {
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    output::note(&format!("{what} took {minutes:.1} min"));
}

/// Renders the documents of a campaign that ran to its end, and says what came of it.
fn conclude(set: &ResultSet, tally: Tally) -> anyhow::Result<Outcome> {
    let Tally {
        measured,
        reused,
        failed,
        left,
    } = tally;
    if left > 0 {
        bail!(
            "interrupted: {measured} finished trials are kept, {left} were not run; the same command without --fresh goes on from here"
        );
    }
    digests::record_results(set)?;
    render::write_documents(set, &render::templates())?;
    let documents = render::names(set);
    output::note(&format!(
        "{measured} trials measured, {reused} reused; rendered: {documents}"
    ));
    if failed > 0 {
        bail!("{failed} trials failed, as their results and the documents say");
    }
    Ok(Outcome::Done)
}
