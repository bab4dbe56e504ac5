//! What the firmware of an SPI device does with datagrams in pairs so close that both arrive within
//! one interrupt, and how fast it clocks the device.
//!
//! The released driver for the W5500's MACRAW mode reads one frame an interrupt (embassy issue
//! 6456), which the study keeps as a build of its own. Each pair leaves a frame more in the chip, so
//! that RTT grows until the chip's buffer is full. Then a larger datagram finds no room, raises no
//! interrupt, and is never answered: the device stalled.

use std::path::Path;

use anyhow::{Context, ensure};
use bench::{Burst, BurstOptions, BurstResult, Endpoint, Fault, Nanos};
use board::BoardConfig;

use crate::adapter::drive;
use crate::adapter::emulated::EmulatedBoard;
use crate::metadata::{Build, Study, Variant};
use crate::trial::boot;
use crate::{files, output};

/// The feature of a firmware whose driver leaves all but the first frame of an interrupt.
const AS_RELEASED: &str = "as-released";
const PAIRS: u64 = 200;
/// How many frames the boot may have left in the chip, which are read before those of the pairs.
const LEFT_BY_THE_BOOT: u64 = 20;
const QUIET: Nanos = Nanos::from_millis(50);

/// Runs an image through the pairs and the larger datagrams, and checks what it was expected to do.
///
/// # Errors
/// What it did otherwise.
pub fn check(study: &Study, variant: &Variant, build: &Build, elf: &Path) -> anyhow::Result<()> {
    let elf = files::read(elf)?;
    let config = BoardConfig {
        jack: variant.network_device,
        ..BoardConfig::default()
    };
    let mut target = EmulatedBoard::new(&elf, config)?;
    let ready = boot(&mut target, study.echo_port, |_| true)?.context("the boot was stopped")?;
    let pairs = bursts(&mut target, ready.echo, pairs())?;
    let larger = bursts(&mut target, ready.echo, larger())?;
    if build.features.iter().any(|feature| feature == AS_RELEASED) {
        ensure_stalls(&pairs, &larger)?;
    } else {
        ensure_answers_all(&pairs)?;
        ensure_answers_all(&larger)?;
    }
    let on_the_pin = target.board().sck_hz();
    let expected = build.spi_hz.map(u64::from);
    ensure!(
        on_the_pin == expected,
        "SCK is {on_the_pin:?} Hz on the pin, and {expected:?} in the metadata"
    );
    output::note(&format!(
        "{} {}: {} of {} pairs whole, {}",
        variant.id,
        build.name,
        pairs.whole_bursts,
        PAIRS,
        pairs.verdict()
    ));
    Ok(())
}

fn pairs() -> BurstOptions {
    BurstOptions {
        packets: 2,
        payload_bytes: 100,
        repeats: PAIRS,
        quiet_ns: QUIET,
        ..BurstOptions::default()
    }
}

/// Single datagrams that need more room than any remainder of the pairs.
fn larger() -> BurstOptions {
    BurstOptions {
        packets: 1,
        payload_bytes: 1472,
        repeats: 20,
        quiet_ns: QUIET,
        ..BurstOptions::default()
    }
}

fn bursts(
    target: &mut EmulatedBoard,
    echo: Endpoint,
    options: BurstOptions,
) -> anyhow::Result<BurstResult> {
    let mut burst = Burst::new(options, echo)?;
    drive(&mut burst, target, |_| true)?;
    let result = burst.into_result();
    result.check()?;
    Ok(result)
}

fn ensure_answers_all(result: &BurstResult) -> anyhow::Result<()> {
    let verdict = result.verdict();
    ensure!(
        verdict.faults.is_empty(),
        "{} datagrams of {} bytes in bursts of {} are {verdict}",
        result.counts.sent,
        result.options.payload_bytes,
        result.options.packets
    );
    Ok(())
}

fn ensure_stalls(pairs: &BurstResult, larger: &BurstResult) -> anyhow::Result<()> {
    let answered = PAIRS - LEFT_BY_THE_BOOT..=PAIRS;
    ensure!(
        answered.contains(&pairs.counts.valid),
        "{} datagrams of {PAIRS} pairs were answered, and not one a pair",
        pairs.counts.valid
    );
    ensure!(
        pairs.verdict().rtt_growth.is_some(),
        "RTT does not grow over the pairs"
    );
    let verdict = larger.verdict();
    ensure!(
        matches!(verdict.faults.first(), Some(Fault::Stalled(_))),
        "datagrams that find no room are {verdict}, and not stalled"
    );
    Ok(())
}
