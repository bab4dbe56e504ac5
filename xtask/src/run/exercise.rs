//! Boots a firmware, pings it, streams datagrams through its echo server, and notes what that took.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use bench::{Endpoint, Nanos, Stream, StreamOptions, StreamResult, Targets};
use board::{BoardConfig, BoardStats};

use super::watched::{Marks, Say, Watched};
use crate::adapter::emulated::EmulatedBoard;
use crate::adapter::{DriveEnd, EchoTarget, drive};
use crate::results::Boot;
use crate::trial::{Ports, Ready, boot};

const PING_PAYLOAD: &[u8] = b"are you there?";
const PING_TIMEOUT: Nanos = Nanos::SECOND;

/// What a firmware is to do, and on what board.
pub struct Exercise {
    pub ports: Ports,
    pub stream: StreamOptions,
    pub board: BoardConfig,
}

/// What it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub boot: Boot,
    pub address: Ipv4Addr,
    /// From the ping's send to its answer; absent when none came in time.
    pub ping_rtt: Option<Nanos>,
    pub stream: StreamResult,
    /// Counters at the ends of the stream.
    pub marks: Marks,
    /// The frequency on the SCK pin in Hz, for a network device on SPI.
    pub sck_hz: Option<u64>,
    /// Counters at the end of the run.
    pub stats: BoardStats,
    /// Virtual time of the whole run.
    pub virtual_time: Nanos,
    /// Wall time of the whole run: for the terminal alone.
    pub wall_time: Duration,
}

/// Runs the firmware of an ELF file; `say` gets its log as it comes, `go_on` sees virtual time pass.
///
/// A capture of the wire is complete when this returns, whatever it returns.
///
/// # Errors
/// A file that no board takes, a firmware that cannot go on or does not answer, a capture that cannot
/// be written, or `go_on` said to stop.
pub fn exercise<'a>(
    elf: &[u8],
    options: Exercise,
    say: &'a mut Say<'a>,
    mut go_on: impl FnMut(Nanos) -> bool,
) -> anyhow::Result<Report> {
    let started = Instant::now();
    let Exercise {
        ports,
        stream,
        board,
    } = options;
    let target = EmulatedBoard::new(elf, board)?;
    let mut target = Watched::new(target, ports, say);
    let report = converse(&mut target, ports, stream, &mut go_on);
    target.board().finish_capture()?;
    Ok(Report {
        wall_time: started.elapsed(),
        ..report?
    })
}

/// The whole run but the time it takes.
fn converse(
    target: &mut Watched,
    ports: Ports,
    stream: StreamOptions,
    mut go_on: impl FnMut(Nanos) -> bool,
) -> anyhow::Result<Report> {
    let Some(Ready { boot, echo }) = boot(target, ports.echo, &mut go_on)? else {
        bail!(interrupted(target));
    };
    let address = *echo.ip();
    let ping_rtt = ping(target, address)?;
    let telemetry = ports.telemetry.map(|port| Endpoint::new(address, port));
    let mut stream = Stream::new(stream, Targets { echo, telemetry })?;
    target.take_marks();
    if drive(&mut stream, target, go_on)? == DriveEnd::Stopped {
        bail!(interrupted(target));
    }
    let stream = stream.into_result();
    stream.check()?;
    Ok(Report {
        boot,
        address,
        ping_rtt,
        stream,
        marks: target.take_marks(),
        sck_hz: target.spi_traffic().and_then(|traffic| traffic.sck_hz),
        stats: target.board().stats(),
        virtual_time: target.now(),
        wall_time: Duration::ZERO,
    })
}

/// Pings the device once and gives the time until its answer, if it comes within [`PING_TIMEOUT`].
fn ping(target: &mut Watched, address: Ipv4Addr) -> anyhow::Result<Option<Nanos>> {
    let sent = target.now();
    target.board().host().ping(address, 1, PING_PAYLOAD)?;
    while target.now() < sent + PING_TIMEOUT {
        target.run_until(sent + PING_TIMEOUT)?;
        if let Some(reply) = target.board().host().recv_ping() {
            let is_right = reply.from == address && reply.payload == PING_PAYLOAD;
            ensure!(is_right, "{address} answered a ping with something else");
            return Ok(Some(Nanos(reply.at.as_ns()).since(sent)));
        }
    }
    Ok(None)
}

fn interrupted(target: &Watched) -> String {
    let seconds = target.now().0 as f64 / 1e9;
    format!("interrupted after {seconds:.3} s of virtual time")
}
