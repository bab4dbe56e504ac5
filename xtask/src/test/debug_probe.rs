//! What a study on hardware asks of the firmware, found out without hardware.

use anyhow::{Context, ensure};
use board::BoardConfig;

use crate::adapter::EchoTarget;
use crate::adapter::emulated::EmulatedBoard;
use crate::hardware::{self, Event};
use crate::metadata::{Study, Variant};
use crate::output;
use crate::trial::boot;

/// Checks that a debug probe could write every one of the images.
///
/// # Errors
/// The first image that does not fit.
pub fn check_fit(study: &Study, images: &[(String, Vec<u8>)]) -> anyhow::Result<()> {
    for (name, elf) in images {
        hardware::check_image(study, elf).with_context(|| name.clone())?;
    }
    let count = images.len();
    output::note(&format!(
        "{count} images fit the chip's flash as a debug probe knows it"
    ));
    Ok(())
}

/// Checks that the log of an image, when it has one, says link and address the way that a study on
/// hardware understands.
///
/// # Errors
/// A log that says something else of the network than what happened.
pub fn check_log(study: &Study, variant: &Variant, elf: &[u8]) -> anyhow::Result<()> {
    if !hardware::has_log(elf)? {
        output::note(&format!("{}: no log, so it needs --board", variant.id));
        return Ok(());
    }
    let config = BoardConfig {
        jack: variant.network_device,
        ..BoardConfig::default()
    };
    let mut target = EmulatedBoard::new(elf, config)?;
    boot(&mut target, study.echo_port, |_| true)?.context("the boot was stopped")?;
    let address = target.lease().context("no lease")?;
    let lines = target.board().log().lines().iter();
    let said: Vec<_> = lines.filter_map(|line| Event::of(&line.message)).collect();
    ensure!(
        said == [Event::LinkUp, Event::Lease(address)],
        "its address is {address}, and its log said {said:?}"
    );
    output::note(&format!("{}: the log says {address}", variant.id));
    Ok(())
}
