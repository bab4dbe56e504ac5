//! What a firmware of the part's own Ethernet block does with a frame of which its data cache still
//! holds one line of the frame before.
//!
//! The part's checksum engine looks at a frame before it is in memory, so that a firmware which relies
//! on it answers with 32 bytes of another datagram (STM32CubeH7 issue 244). One that checks sums
//! itself drops the frame.

use std::path::Path;

use anyhow::{Context, ensure};
use bench::{Burst, BurstOptions, BurstResult, Endpoint, Fault, Nanos};
use board::BoardConfig;
use board::soc::eth::StaleLine;

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

/// Runs an image through datagrams, one of them with a stale line, and checks what became of it.
///
/// # Errors
/// When that is anything but one corrupt reply, or one loss where the firmware checks sums itself.
pub fn check(study: &Study, variant: &Variant, elf: &Path) -> anyhow::Result<()> {
    let elf = files::read(elf)?;
    let config = BoardConfig {
        jack: variant.network_device,
        ..BoardConfig::default()
    };
    let mut target = EmulatedBoard::new(&elf, config)?;
    let ready = boot(&mut target, study.echo_port, |_| true)?.context("the boot was stopped")?;
    let before = datagrams(&mut target, ready.echo, 1)?;
    ensure!(
        before.verdict().faults.is_empty(),
        "datagrams before the stale line are {}",
        before.verdict()
    );
    target.board().soc().leave_stale_line(STALE);
    let verdict = datagrams(&mut target, ready.echo, 2)?.verdict();
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
