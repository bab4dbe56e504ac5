//! What tshark says about captured frames.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// The fields tshark prints, and so those of [`Frame`], in their order.
const FIELDS: [&str; 14] = [
    "frame.number",
    "frame.len",
    "_ws.expert.severity",
    "eth.src",
    "eth.fcs.status",
    "arp.opcode",
    "ip.proto",
    "ip.checksum.status",
    "udp.checksum.status",
    "icmp.checksum.status",
    "udp.srcport",
    "udp.dstport",
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
pub const ARP_REQUEST: &str = "1";
pub const ARP_REPLY: &str = "2";
pub const ECHO_REPLY: &str = "0";
pub const UDP_HEADER_BYTES: u64 = 8;

/// Whether frames in a capture carry their check sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckSequence {
    /// All do, as on the board's own wire.
    Captured,
    /// None does, as on a network device.
    Absent,
}

/// A capture as tshark sees it.
pub struct Capture(String);

impl Capture {
    /// Has tshark read the capture; `None` when there is no tshark.
    ///
    /// # Errors
    /// When tshark complains about the file.
    pub fn read(path: &Path) -> anyhow::Result<Option<Self>> {
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
        Ok(Some(Self(String::from_utf8(output.stdout)?)))
    }

    /// Its frames, in order.
    ///
    /// # Errors
    /// When tshark printed something else.
    pub fn frames(&self) -> anyhow::Result<Vec<Frame<'_>>> {
        let frame = |line| frame(line).with_context(|| format!("tshark printed {line:?}"));
        self.0.lines().map(frame).collect()
    }
}

/// What tshark says to everybody who is root.
fn is_about_root(line: &str) -> bool {
    line.starts_with("Running as user \"root\"")
}

/// A frame as tshark sees it; a field that it does not have is empty.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    number: &'a str,
    pub len: &'a str,
    severity: &'a str,
    pub source: &'a str,
    fcs: &'a str,
    pub arp_opcode: &'a str,
    ip_protocol: &'a str,
    ip_checksum: &'a str,
    udp_checksum: &'a str,
    icmp_checksum: &'a str,
    pub udp_source: &'a str,
    pub udp_destination: &'a str,
    pub udp_length: &'a str,
    pub icmp_type: &'a str,
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let fields: Vec<&str> = line.split('\t').collect();
    let fields: [&str; FIELDS.len()] = fields.try_into().ok()?;
    let [number, len, severity, source, fcs, arp_opcode, rest @ ..] = fields;
    let [
        ip_protocol,
        ip_checksum,
        udp_checksum,
        icmp_checksum,
        rest @ ..,
    ] = rest;
    let [udp_source, udp_destination, udp_length, icmp_type] = rest;
    Some(Frame {
        number,
        len,
        severity,
        source,
        fcs,
        arp_opcode,
        ip_protocol,
        ip_checksum,
        udp_checksum,
        icmp_checksum,
        udp_source,
        udp_destination,
        udp_length,
        icmp_type,
    })
}

/// How many of the frames are as `is_counted` says.
pub fn count(frames: &[Frame], is_counted: impl Fn(&Frame) -> bool) -> u64 {
    frames.iter().filter(|frame| is_counted(frame)).count() as u64
}

/// Checks that every frame has every checksum right, and that tshark warns of none.
///
/// # Errors
/// The first frame of which that is not so.
pub fn ensure_all_good(frames: &[Frame], check_sequence: CheckSequence) -> anyhow::Result<()> {
    for frame in frames {
        let has_ip = !frame.ip_protocol.is_empty();
        let checks = [
            ("IP checksum", frame.ip_checksum, has_ip),
            ("UDP checksum", frame.udp_checksum, frame.ip_protocol == UDP),
            (
                "ICMP checksum",
                frame.icmp_checksum,
                frame.ip_protocol == ICMP,
            ),
        ];
        let fcs = match check_sequence {
            CheckSequence::Captured => Some(("FCS", frame.fcs, true)),
            CheckSequence::Absent => None,
        };
        for (name, status, is_needed) in fcs.into_iter().chain(checks) {
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

    /// Number, length, severity, source, FCS, ARP; IP, UDP and ICMP with their checksums; ports, length,
    /// type.
    const ARP: &str = "1\t60\t\taa\t1\t1\t\t\t\t\t\t\t\t";
    const ECHO: &str = "2\t146\t\taa\t1\t\t17\t1\t1\t\t7\t9\t108\t";
    const PING: &str = "3\t98\t2097152\taa\t1\t\t1\t1\t\t1\t\t\t\t0";

    fn verdict(line: &str, check_sequence: CheckSequence) -> Result<(), String> {
        let capture = Capture(line.to_owned());
        let frames = capture.frames().unwrap();
        ensure_all_good(&frames, check_sequence).map_err(|error| error.to_string())
    }

    fn on_the_wire(line: &str) -> Result<(), String> {
        verdict(line, CheckSequence::Captured)
    }

    #[test]
    fn frames_with_every_checksum_right_pass() {
        for line in [ARP, ECHO, PING] {
            assert_eq!(on_the_wire(line), Ok(()));
        }
    }

    #[test]
    fn a_wrong_absent_or_unchecked_checksum_fails() {
        for (line, name) in [
            (ARP.replace("\taa\t1", "\taa\t0"), "FCS"),
            (ARP.replace("\taa\t1", "\taa\t"), "FCS"),
            (ECHO.replace("\t17\t1\t1", "\t17\t0\t1"), "IP checksum"),
            (ECHO.replace("\t17\t1\t1", "\t17\t1\t2"), "UDP checksum"),
            (ECHO.replace("\t17\t1\t1", "\t17\t1\t3"), "UDP checksum"),
            (PING.replace("\t1\t1\t\t1", "\t1\t1\t\t0"), "ICMP checksum"),
        ] {
            let error = on_the_wire(&line).unwrap_err();
            assert!(error.contains(&format!("no right {name}:")), "{error}");
        }
    }

    #[test]
    fn a_check_sequence_that_no_device_captures_is_not_asked_for() {
        let line = ARP.replace("\taa\t1", "\taa\t");
        assert_eq!(verdict(&line, CheckSequence::Absent), Ok(()));
        let line = ECHO.replace("\t17\t1\t1", "\t17\t0\t1");
        assert!(verdict(&line, CheckSequence::Absent).is_err());
    }

    #[test]
    fn a_warning_fails_and_a_remark_does_not() {
        let remarked = |severity| PING.replace("2097152", severity);
        assert!(on_the_wire(&remarked("2097152,6291456")).is_err());
        assert!(on_the_wire(&remarked("8388608")).is_err());
        assert!(on_the_wire(&remarked("4194304")).is_ok());
    }

    #[test]
    fn a_line_of_another_form_is_an_error() {
        assert!(Capture("1\t2".to_owned()).frames().is_err());
    }
}
