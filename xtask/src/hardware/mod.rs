//! `cargo xtask study --on hardware`: the study on a board behind a debug probe, over a real network.
//!
//! A board is a [`rig::Rig`]: it is programmed once for each image, and reset for each trial, which
//! begins with the debugger gone and the first echo there. Every step has a deadline, a message and an
//! exit status of its own ([`failure::FailureKind`]).

mod arguments;
mod campaign;
mod clock;
mod debug_probe;
mod failure;
mod host;
mod image;
mod log;
mod network;
mod prepare;
mod probe;
mod record;
mod rig;
mod summary;
mod trial;
mod worker;

#[cfg(test)]
mod fake;
#[cfg(test)]
mod fake_network;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

use std::net::Ipv4Addr;

use anyhow::{Context, bail};

use crate::cli::Outcome;
use crate::interrupt::Interrupt;
use crate::metadata::{Build, Study, Variant};
use crate::progress::Progress;
use crate::results::ResultSet;
use crate::setup::InstallArgs;
use crate::{output, render};
use campaign::{Campaign, Tally};
use clock::HostClock;
use debug_probe::DebugProbe;
use failure::{Failure, FailureKind};
use image::FlashImage;
use network::HostNetwork;
use record::Image;
use rig::Rig;

pub use arguments::HardwareArgs;
pub use failure::exit_statuses;
pub use log::Event;

/// The exit status of an error, when it is one of a board.
pub fn exit_status(error: &anyhow::Error) -> Option<u8> {
    let failure = error.downcast_ref::<Failure>()?;
    Some(failure.kind.exit_status())
}

/// Checks that an image fits the chip's flash, by the study's table of regions and by probe-rs's map.
///
/// # Errors
/// What does not fit.
pub fn check_image(study: &Study, elf: &[u8]) -> anyhow::Result<()> {
    FlashImage::read(elf)?.check(&study.regions, &debug_probe::flash_map()?)
}

/// Whether an image has a log that a debug probe can read.
///
/// # Errors
/// A damaged file.
pub fn has_log(elf: &[u8]) -> anyhow::Result<bool> {
    Ok(FlashImage::read(elf)?.control_block.is_some())
}

/// What a study on hardware is made of.
pub struct HardwareStudy<'a> {
    pub set: &'a ResultSet,
    pub study: &'a Study,
    pub selected: &'a [(&'a Variant, &'a Build)],
    pub arguments: &'a HardwareArgs,
    pub fresh: bool,
    pub install: InstallArgs,
    pub interrupt: &'a Interrupt,
}

impl HardwareStudy<'_> {
    /// Finds the probe, builds, and runs every trial.
    ///
    /// # Errors
    /// No toolchain, a build that fails, or a [`Failure`].
    pub fn run(self) -> anyhow::Result<Outcome> {
        let clock = HostClock::start();
        let progress = Progress::new();
        let selector = self.arguments.probe.as_ref();
        let rig = Rig::choose(
            DebugProbe::new(),
            selector,
            &clock,
            self.interrupt,
            &progress,
        )?;
        let images = prepare::images(&self, rig.info())?;
        if self.interrupt.requested() {
            bail!("interrupted before the first trial");
        }
        let images = addressed(images, self.arguments)?;
        let mut campaign = Campaign {
            rig,
            clock: &clock,
            network: HostNetwork,
            set: self.set,
            flash_kib: prepare::flash_kib(self.study)?,
            retries: self.arguments.retries,
            fresh: self.fresh,
            interrupt: self.interrupt,
            progress: &progress,
        };
        let ran = campaign.run(&images);
        // What was measured is shown, whatever ended the campaign.
        let shown = summary::write(self.set, &render::templates());
        let tally = ran?;
        shown?;
        conclude(self.set, tally)
    }
}

/// The images with the addresses that the user gave.
///
/// # Errors
/// An image that cannot say its address and has none given: found here, before anything is erased.
fn addressed(
    images: Vec<Image>,
    arguments: &HardwareArgs,
) -> Result<Vec<(Image, Option<Ipv4Addr>)>, Failure> {
    let with_address = |image: Image| {
        let address = arguments.address_of(&image.variant.id);
        if address.is_none() && image.flash.control_block.is_none() {
            let (id, name) = (&image.variant.id, image.name());
            let message = format!(
                "{name} has no log that could say its address; give it with `--board {id}=ADDRESS`, or choose another --variant"
            );
            return Err(Failure::new(FailureKind::NoAddress, message));
        }
        Ok((image, address))
    };
    images.into_iter().map(with_address).collect()
}

/// Says what came of a campaign.
fn conclude(set: &ResultSet, tally: Tally) -> anyhow::Result<Outcome> {
    let Tally {
        measured,
        void,
        reused,
        interrupted,
    } = tally;
    let document = set.document(summary::DOCUMENT);
    output::note(&format!(
        "{measured} trials measured, {reused} reused; rendered: {}",
        document.display()
    ));
    if interrupted {
        bail!(
            "interrupted: {measured} finished trials are kept; the same command without --fresh goes on from here"
        );
    }
    if void > 0 {
        let message = format!(
            "{void} trials are void, as their results say: this host did not offer what was asked of it"
        );
        return Err(Failure::new(FailureKind::TrialFailed, message)).context("study on hardware");
    }
    Ok(Outcome::Done)
}
