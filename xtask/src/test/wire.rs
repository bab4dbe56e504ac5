//! Whether the wire is right: tshark reads what a run captured.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use bench::{Nanos, StreamOptions};
use board::BoardConfig;

use crate::files::{self, Staged};
use crate::metadata::{Build, Study, Variant};
use crate::output;
use crate::run::{Exercise, capture_into, exercise};
use crate::trial::Ports;

/// The fields tshark prints, and so those of [`Frame`], in their order.
const FIELDS: [&str; 10] = [
    "frame.number",
    "_ws.expert.severity",
    "eth.fcs.status",
    "ip.proto",
    "ip.checksum.status",
    "udp.checksum.status",
    "icmp.checksum.status",
    "udp.srcport",
    "udp.length",
    "icmp.type",
];
/// What makes tshark compute check sequence and checksums.
const CHECKS: [&str; 3] = [
    "eth.check_fcs:TRUE",
    "ip.check_checksum:TRUE",
    "udp.check_checksum:TRUE",
];
/// A checksum that was computed and is right (Wireshark's `proto_checksum_vals`).
const GOOD: &str = "1";
/// The least severity that is a complaint: a warning (Wireshark's `PI_WARN`).
const WARNING: u32 = 0x0060_0000;
const ICMP: &str = "1";
const UDP: &str = "17";
const ECHO_REPLY: &str = "0";
const UDP_HEADER_BYTES: u64 = 8;

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
    let Some(output) = tshark(path)? else {
        output::note("tshark is not installed; nobody read the capture");
        return Ok(());
    };
    let frames = frames(&output)?;
    ensure_all_good(&frames)?;
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

fn count(frames: &[Frame], is_counted: impl Fn(&Frame) -> bool) -> u64 {
    frames.iter().filter(|frame| is_counted(frame)).count() as u64
}

/// What tshark says about each frame, a line for each; `None` when there is no tshark.
fn tshark(path: &Path) -> anyhow::Result<Option<String>> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(path).args(["-T", "fields"]);
    command.args(CHECKS.iter().flat_map(|check| ["-o", check]));
    command.args(FIELDS.iter().flat_map(|field| ["-e", field]));
    let output = match command.stdin(Stdio::null()).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        output => output.context("cannot run tshark")?,
    };
    let complaints = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> = complaints
        .lines()
        .filter(|line| !is_about_root(line))
        .collect();
    ensure!(
        output.status.success() && complaints.is_empty(),
        "tshark complains about {}: {}",
        path.display(),
        complaints.join(" ")
    );
    Ok(Some(String::from_utf8(output.stdout)?))
}

/// What tshark says to everybody who is root.
fn is_about_root(line: &str) -> bool {
    line.starts_with("Running as user \"root\"")
}

/// A frame as tshark sees it; a field that it does not have is empty.
#[derive(Clone, Copy, Debug)]
struct Frame<'a> {
    number: &'a str,
    severity: &'a str,
    fcs: &'a str,
    ip_protocol: &'a str,
    ip_checksum: &'a str,
    udp_checksum: &'a str,
    icmp_checksum: &'a str,
    udp_source: &'a str,
    udp_length: &'a str,
    icmp_type: &'a str,
}

fn frames(output: &str) -> anyhow::Result<Vec<Frame<'_>>> {
    let frame = |line| frame(line).with_context(|| format!("tshark printed {line:?}"));
    output.lines().map(frame).collect()
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let fields: Vec<&str> = line.split('\t').collect();
    let fields: [&str; FIELDS.len()] = fields.try_into().ok()?;
    let [number, severity, fcs, ip_protocol, ip_checksum, rest @ ..] = fields;
    let [
        udp_checksum,
        icmp_checksum,
        udp_source,
        udp_length,
        icmp_type,
    ] = rest;
    Some(Frame {
        number,
        severity,
        fcs,
        ip_protocol,
        ip_checksum,
        udp_checksum,
        icmp_checksum,
        udp_source,
        udp_length,
        icmp_type,
    })
}

fn ensure_all_good(frames: &[Frame]) -> anyhow::Result<()> {
    for frame in frames {
        let checks = [
            ("FCS", frame.fcs, true),
            (
                "IP checksum",
                frame.ip_checksum,
                !frame.ip_protocol.is_empty(),
            ),
            ("UDP checksum", frame.udp_checksum, frame.ip_protocol == UDP),
            (
                "ICMP checksum",
                frame.icmp_checksum,
                frame.ip_protocol == ICMP,
            ),
        ];
        for (name, status, is_needed) in checks {
            ensure!(
                status == if is_needed { GOOD } else { "" },
                "frame {} has no right {name}: {frame:?}",
                frame.number
            );
        }
        ensure!(
            !is_complaint(frame.severity),
            "tshark warns of frame {}: {frame:?}",
            frame.number
        );
    }
    Ok(())
}

/// Whether one of the severities is a warning or worse.
fn is_complaint(severities: &str) -> bool {
    let mut severities = severities
        .split(',')
        .filter(|severity| !severity.is_empty());
    severities.any(|severity| {
        severity
            .parse()
            .map_or(true, |severity: u32| severity >= WARNING)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARP: &str = "1\t\t1\t\t\t\t\t\t\t";
    const ECHO: &str = "2\t\t1\t17\t1\t1\t\t7\t108\t";
    const PING: &str = "3\t2097152\t1\t1\t1\t\t1\t\t\t0";

    fn verdict(line: &str) -> Result<(), String> {
        ensure_all_good(&frames(line).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn frames_with_every_checksum_right_pass() {
        for line in [ARP, ECHO, PING] {
            assert_eq!(verdict(line), Ok(()));
        }
    }

    #[test]
    fn a_wrong_absent_or_unchecked_checksum_fails() {
        for (line, name) in [
            ("1\t\t0\t\t\t\t\t\t\t", "FCS"),
            ("1\t\t\t\t\t\t\t\t\t", "FCS"),
            ("2\t\t1\t17\t0\t1\t\t7\t108\t", "IP checksum"),
            ("2\t\t1\t17\t1\t2\t\t7\t108\t", "UDP checksum"),
            ("2\t\t1\t17\t1\t3\t\t7\t108\t", "UDP checksum"),
            ("3\t\t1\t1\t1\t\t0\t\t\t0", "ICMP checksum"),
        ] {
            let error = verdict(line).unwrap_err();
            assert!(error.contains(&format!("no right {name}:")), "{error}");
        }
    }

    #[test]
    fn a_warning_fails_and_a_remark_does_not() {
        assert!(verdict("2\t2097152,6291456\t1\t17\t1\t1\t\t7\t108\t").is_err());
        assert!(verdict("2\t8388608\t1\t17\t1\t1\t\t7\t108\t").is_err());
        assert!(verdict("2\t4194304\t1\t17\t1\t1\t\t7\t108\t").is_ok());
    }

    #[test]
    fn a_line_of_another_form_is_an_error() {
        assert!(frames("1\t2").is_err());
    }
}
