//! Whether a firmware in a published state is in the state that its metadata says: caches, SPI clock,
//! how it learns of datagrams, and how many of them wait.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use bench::{Burst, BurstOptions, Endpoint, Nanos};
use board::BoardConfig;

use crate::adapter::emulated::EmulatedBoard;
use crate::adapter::{EchoTarget, drive};
use crate::metadata::{PublishedState, Study};
use crate::trial::boot;
use crate::{files, output};

/// Bits of the core's CCR (ARMv7-M, B3.2.8).
const CCR_DC: u32 = 1 << 16;
const CCR_IC: u32 = 1 << 17;

const IDLE: Nanos = Nanos::SECOND;
/// Transactions that a look at the W5500 takes at most when nothing waits.
const PER_LOOK: u64 = 10;
/// What keeping link and lease takes in [`IDLE`], with room to spare.
const MAINTENANCE: u64 = 50;

/// A burst of full frames that a socket for four of them stores.
const FULL_FRAMES: u64 = 4;
const FULL_FRAME_BYTES: u64 = 1472;

/// Boots the firmware and looks.
///
/// # Errors
/// What is otherwise than the metadata says.
pub fn check(study: &Study, state: &PublishedState, elf: &Path) -> anyhow::Result<()> {
    let elf = files::read(elf)?;
    let config = BoardConfig {
        jack: state.variant.network_device,
        ..BoardConfig::default()
    };
    let mut target = EmulatedBoard::new(&elf, config)?;
    let ready = boot(&mut target, study.echo_port, |_| true)?.context("the boot was stopped")?;
    let ccr = logged_ccr(&mut target)?;
    let caches = (ccr & CCR_IC != 0, ccr & CCR_DC != 0);
    let declared = (state.build.icache, state.build.dcache);
    ensure!(
        caches == declared,
        "CCR is {ccr:#010x}: the caches (I, D) are {caches:?}, and {declared:?} in the metadata"
    );
    let (on_the_pin, declared) = (target.board().sck_hz(), state.build.spi_hz.map(u64::from));
    ensure!(
        on_the_pin == declared,
        "SCK is {on_the_pin:?} Hz on the pin, and {declared:?} in the metadata"
    );
    if declared.is_some() {
        ensure_looks(&mut target, state.poll_us)?;
    } else {
        ensure_stores(&mut target, ready.echo, state.udp_storage_bytes)?;
    }
    let name = format!("{} {}", state.variant.id, state.build.name);
    output::note(&format!("{name}: CCR {ccr:#010x}; {}", state.published));
    Ok(())
}

/// The register as the firmware logs it at boot.
fn logged_ccr(target: &mut EmulatedBoard) -> anyhow::Result<u32> {
    let lines = target.board().log().lines();
    let logged = lines
        .iter()
        .find_map(|line| line.message.strip_prefix("CCR 0x"));
    let logged = logged.context("the firmware did not log its CCR")?;
    u32::from_str_radix(logged, 16).with_context(|| format!("{logged:?} is no register"))
}

/// Whether the firmware looks at the W5500 as often as it says when nothing arrives.
fn ensure_looks(target: &mut EmulatedBoard, poll_us: Option<u32>) -> anyhow::Result<()> {
    let before = transactions(target);
    let until = target.now() + IDLE;
    target.run_until(until)?;
    let idle = transactions(target) - before;
    let expected = match poll_us.map(u64::from) {
        None => 0..=MAINTENANCE,
        Some(0) => bail!("poll_us is zero"),
        // A look takes time besides, and no more than half of the period.
        Some(poll_us) => {
            let looks = IDLE.0 / 1_000 / poll_us;
            looks / 2..=looks * PER_LOOK + MAINTENANCE
        }
    };
    ensure!(
        expected.contains(&idle),
        "{idle} transactions in an idle second; with poll_us = {poll_us:?} there are {expected:?}"
    );
    Ok(())
}

fn transactions(target: &EmulatedBoard) -> u64 {
    let traffic = target.spi_traffic();
    let rows = traffic.iter().flat_map(|traffic| &traffic.rows);
    rows.map(|row| row.transactions).sum()
}

/// Whether a burst of full frames comes back whole just when the socket stores all of it. Only behind
/// the MAC do frames reach the socket faster than the server empties it.
fn ensure_stores(
    target: &mut EmulatedBoard,
    echo: Endpoint,
    storage_bytes: Option<u32>,
) -> anyhow::Result<()> {
    let stored = storage_bytes.context("udp_storage_bytes is missing")?;
    let fits = u64::from(stored) >= FULL_FRAMES * FULL_FRAME_BYTES;
    let options = BurstOptions {
        packets: FULL_FRAMES,
        payload_bytes: FULL_FRAME_BYTES,
        repeats: 1,
        ..BurstOptions::default()
    };
    let mut burst = Burst::new(options, echo)?;
    drive(&mut burst, target, |_| true)?;
    let valid = burst.into_result().counts.valid;
    ensure!(
        valid > 0 && (valid == FULL_FRAMES) == fits,
        "{valid} of {FULL_FRAMES} full frames back to back came back, and the socket stores {stored} bytes"
    );
    Ok(())
}
