//! Whether a firmware of the part's own Ethernet block keeps DMA and data cache apart, and what it does
//! with a frame of which the cache still holds one line of the frame before.
//!
//! The part's checksum engine looks at a frame before it is in memory, so that a firmware which relies
//! on it answers with 32 bytes of another datagram (STM32CubeH7 issue 244). One that checks sums
//! itself drops the frame.

use std::path::Path;

use anyhow::{Context, ensure};
use bench::{Burst, BurstOptions, BurstResult, Endpoint, Fault, Nanos};
use board::soc::eth::StaleLine;
use board::{BoardConfig, CacheHazards, CacheModel};

use crate::adapter::drive;
use crate::adapter::emulated::EmulatedBoard;
use crate::metadata::{Study, Variant};
use crate::trial::boot;
use crate::{files, output};

const PAYLOAD_BYTES: u64 = 255;
const DATAGRAMS: u64 = 20;
const LINE_BYTES: u64 = 32;
/// A line that has none of a frame's headers in it, wherever its buffer begins, of the datagram after
/// the one that a burst begins with to warm up.
const STALE: StaleLine = StaleLine { line: 3, after: 1 };

/// Runs an image on a board whose data cache has contents, then on one with a single stale line, and
/// checks what becomes of datagrams.
///
/// # Errors
/// When on the first a line can be stale, or something is used before its clock; when on the second
/// anything but one corrupt reply comes, or one loss where the firmware checks sums itself.
pub fn check(study: &Study, variant: &Variant, elf: &Path) -> anyhow::Result<()> {
    let elf = files::read(elf)?;
    let (mut target, _) = answering_all(study, variant, &elf, CacheModel::Stale)?;
    let stats = target.board().stats();
    ensure!(
        stats.unclocked_accesses == 0,
        "{} accesses go where no clock is, the first to {:#010x?}",
        stats.unclocked_accesses,
        stats.first_unclocked_address
    );
    let hazards = stats.cache_hazards;
    ensure!(
        hazards == CacheHazards::default(),
        "data cache and DMA share lines: {hazards:?}"
    );
    let (mut target, echo) = answering_all(study, variant, &elf, CacheModel::Coherent)?;
    target.board().soc().leave_stale_line(STALE);
    let verdict = datagrams(&mut target, echo, 2)?.verdict();
    // smoltcp verifies what lwIP leaves to the checksum engine.
    let is_right = match verdict.faults[..] {
        [Fault::Corrupt { replies: 1, first }] => {
            let is_line = first.expected_bytes == PAYLOAD_BYTES
                && first.received_bytes == PAYLOAD_BYTES
                && first.length <= LINE_BYTES;
            variant.c.is_some() && is_line
        }
        [Fault::Lost { datagrams: 1 }] => variant.c.is_none(),
        _ => false,
    };
    ensure!(is_right, "a datagram with a stale line is {verdict}");
    output::note(&format!("{}: a stale line is {verdict}", variant.id));
    Ok(())
}

/// A board that has answered a burst's every datagram, and its echo server.
fn answering_all(
    study: &Study,
    variant: &Variant,
    elf: &[u8],
    data_cache: CacheModel,
) -> anyhow::Result<(EmulatedBoard, Endpoint)> {
    let config = BoardConfig {
        jack: variant.network_device,
        data_cache,
        ..BoardConfig::default()
    };
    let mut target = EmulatedBoard::new(elf, config)?;
    let ready = boot(&mut target, study.echo_port, |_| true)?.context("the boot was stopped")?;
    let verdict = datagrams(&mut target, ready.echo, 1)?.verdict();
    ensure!(
        verdict.faults.is_empty(),
        "with cache contents {data_cache:?}, datagrams are {verdict}"
    );
    Ok((target, ready.echo))
}

fn datagrams(target: &mut EmulatedBoard, echo: Endpoint, seed: u64) -> anyhow::Result<BurstResult> {
    let options = BurstOptions {
        seed,
        packets: 1,
        payload_bytes: PAYLOAD_BYTES,
        repeats: DATAGRAMS,
        quiet_ns: Nanos::from_millis(10),
        ..BurstOptions::default()
    };
    let mut burst = Burst::new(options, echo)?;
    drive(&mut burst, target, |_| true)?;
    let result = burst.into_result();
    result.check()?;
    Ok(result)
}
