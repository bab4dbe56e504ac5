//! Whether the wire is right: tshark reads what a run captured.

use std::path::Path;

use anyhow::ensure;
use bench::{Nanos, StreamOptions};
use board::BoardConfig;

use crate::files::{self, Staged};
use crate::metadata::{Build, Study, Variant};
use crate::output;
use crate::run::{Exercise, capture_into, exercise};
use crate::trial::Ports;

use super::tshark::{Capture, CheckSequence, ECHO_REPLY, UDP_HEADER_BYTES, count, ensure_all_good};

/// Runs an image with its wire captured into `path`, and has tshark judge the capture.
///
/// # Errors
/// A frame that is not as it must be, or echoes that are not in the capture.
pub fn check(
    study: &Study,
    variant: &Variant,
    build: &Build,
    elf: &Path,
    path: &Path,
) -> anyhow::Result<()> {
    let elf = files::read(elf)?;
    let staged = Staged::new(path)?;
    let stream = StreamOptions {
        duration_ns: Nanos::from_millis(200),
        warm_up_packets: 0,
        drain_ns: Nanos::from_millis(100),
        ..StreamOptions::default()
    };
    let payload_bytes = stream.payload_bytes;
    let options = Exercise {
        ports: Ports::of(study, build),
        stream,
        board: BoardConfig {
            jack: variant.network_device,
            capture: Some(capture_into(&staged)?),
            ..BoardConfig::default()
        },
    };
    let report = exercise(&elf, options, &mut |_| Ok(()), |_| true)?;
    staged.commit()?;
    let Some(capture) = Capture::read(path)? else {
        output::note("tshark is not installed; nobody read the capture");
        return Ok(());
    };
    let frames = capture.frames()?;
    ensure_all_good(&frames, CheckSequence::Captured)?;
    let echo_port = study.echo_port.to_string();
    let length = (payload_bytes + UDP_HEADER_BYTES).to_string();
    let echoes = count(&frames, |f| {
        f.udp_source == echo_port && f.udp_length == length
    });
    ensure!(
        report.sck_hz == build.spi_hz.map(u64::from),
        "SCK is {:?} Hz on the pin, but the build declares spi_hz = {:?}",
        report.sck_hz,
        build.spi_hz
    );
    let valid = report.stream.counts.valid;
    ensure!(
        echoes == valid,
        "the capture has {echoes} echoes, the ledger {valid}"
    );
    let pings = count(&frames, |frame| frame.icmp_type == ECHO_REPLY);
    ensure!(pings == 1, "the capture has {pings} answers to one ping");
    let (total, path) = (frames.len(), path.display());
    output::note(&format!(
        "{path}: {total} frames, {echoes} echoes, every checksum right"
    ));
    Ok(())
}
