//! `cargo xtask run`: one firmware on the emulated board, to look at.

mod exercise;
mod summary;
mod watched;

use std::path::{Path, PathBuf};

use anyhow::Context;
use bench::{Nanos, StreamOptions};
use board::BoardConfig;
use board::net::pcap::Capture;

use crate::build::build;
use crate::cli::Outcome;
use crate::files::{self, Staged};
use crate::interrupt::Interrupt;
use crate::metadata::{Build, Study, Variant};
use crate::output;
use crate::setup::{self, InstallArgs};
use crate::trial::Ports;

pub use exercise::{Exercise, exercise};
pub use watched::stamped;

/// Names the datagrams of a run.
const SEED: u64 = 0;
/// How long stragglers are waited for.
const DRAIN: Nanos = Nanos::from_millis(100);

/// Run one firmware on the emulated board: its log, a ping and some echoes.
///
/// Exit status: 0 the ping and every datagram came back whole, 1 one did not, 2 the firmware could not
/// go on or could not be run.
#[derive(clap::Args)]
pub struct RunArgs {
    /// The variant to run.
    variant: String,
    /// Which of its builds.
    #[arg(long, value_name = "NAME", default_value = "release")]
    build: String,
    /// Run this ELF file in place of building one.
    #[arg(long, value_name = "FILE")]
    elf: Option<PathBuf>,
    /// Datagrams to have echoed.
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    datagrams: u64,
    /// Datagrams a second.
    #[arg(long, value_name = "R", default_value_t = 1_000)]
    rate_hz: u64,
    /// UDP payload of each datagram, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 100)]
    payload: u64,
    /// Send datagrams for this long, in virtual time, instead of a number of them.
    #[arg(long = "for", value_name = "SECONDS", conflicts_with = "datagrams")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seconds: Option<u64>,
    /// Multicast datagrams a second beside them, which nobody answers.
    #[arg(long, value_name = "R", default_value_t = 0)]
    background_hz: u64,
    /// Write the frames on the wire into this file, in pcapng format.
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    /// Execute every pass of loops that only wait, and replay nothing: slower, with the same results.
    #[arg(long)]
    no_idle_skip: bool,
    #[command(flatten)]
    install: InstallArgs,
}

impl RunArgs {
    /// Runs the firmware and prints its log and a summary.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let study = Study::load()?;
        let selected = study.select(Some(&self.variant), Some(&self.build))?;
        let &(variant, of) = selected.first().context("the variant has no such build")?;
        let stream = self.stream();
        stream.validate()?;
        let staged = self.pcap.as_deref().map(Staged::new).transpose()?;
        let (elf, path) = image(&study, variant, of, self.elf.as_deref(), self.install)?;
        let interrupt = Interrupt::on_ctrl_c()?;
        let exercise_options = Exercise {
            ports: Ports::of(&study, of),
            stream,
            board: BoardConfig {
                jack: variant.network_device,
                idle_skip: !self.no_idle_skip,
                capture: staged.as_ref().map(capture_into).transpose()?,
                ..BoardConfig::default()
            },
        };
        let report = exercise(
            &elf,
            exercise_options,
            &mut |line| output::print(&format!("{line}\n")),
            |_| !interrupt.requested(),
        );
        // Whatever the firmware did, the capture shows it.
        staged.map(Staged::commit).transpose()?;
        let report = report.with_context(|| format!("{}", path.display()))?;
        output::print(&summary::text(&report))?;
        match (report.ping_rtt, report.stream.counts.error_events()) {
            (Some(_), 0) => Ok(Outcome::Done),
            _ => Ok(Outcome::CheckFailed),
        }
    }

    fn stream(&self) -> StreamOptions {
        let duration_ns = match self.seconds {
            Some(seconds) => Nanos::from_secs(seconds),
            None => duration_of(self.datagrams, self.rate_hz),
        };
        StreamOptions {
            seed: SEED,
            rate_hz: self.rate_hz,
            payload_bytes: self.payload,
            background_hz: self.background_hz,
            duration_ns,
            warm_up_packets: 0,
            drain_ns: DRAIN,
            ..StreamOptions::default()
        }
    }
}

/// The bytes of the ELF file to run, and where it is: the given one, or the one that is built now.
///
/// # Errors
/// When it cannot be built or read.
pub fn image(
    study: &Study,
    variant: &Variant,
    of: &Build,
    given: Option<&Path>,
    install: InstallArgs,
) -> anyhow::Result<(Vec<u8>, PathBuf)> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => {
            let toolchain = setup::toolchain(study, &[(variant, of)], install)?;
            build(study, &toolchain, variant, of)?.elf
        }
    };
    let elf = files::read(&path)?;
    Ok((elf, path))
}

/// The shortest schedule that holds so many datagrams.
fn duration_of(datagrams: u64, rate_hz: u64) -> Nanos {
    Nanos((datagrams * Nanos::SECOND.0).div_ceil(rate_hz.max(1)))
}

/// A capture that goes into the staged file.
pub fn capture_into(staged: &Staged) -> anyhow::Result<Capture> {
    Ok(Capture::new(staged.writer()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_holds_exactly_the_datagrams_asked_for() {
        for (datagrams, rate_hz) in [(1, 1), (10, 1_000), (7, 3), (1_000, 999), (13, 1_000_000)] {
            let options = StreamOptions {
                rate_hz,
                duration_ns: duration_of(datagrams, rate_hz),
                ..StreamOptions::default()
            };
            assert_eq!(options.planned_packets(), datagrams, "{rate_hz}");
        }
    }
}
