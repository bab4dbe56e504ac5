//! Whether real programs reach a firmware on the emulated board over a TAP device, and whether everybody
//! who counts counts the same.
//!
//! In a network namespace of the test's own: `cargo xtask serve --tap`, dumpcap on the device, ping,
//! arping and the bench. No firmware of the study has a TCP server, so that there is nothing for curl.

mod counts;
mod dumpcap;
mod namespace;
mod talk;

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::served::Served;
use crate::metadata::{Study, Variant};
use crate::output;
use dumpcap::Dumpcap;
use namespace::Namespace;
use talk::{Talk, is_last_answer};

const DEVICE: &str = "board0";
/// The device's address, and the one the first client leases in its network.
const ADDRESS: &str = "192.168.7.1/24";
const BOARD: &str = "192.168.7.50";
/// What the step needs besides `ip`, with an argument that makes each end at once.
const PROGRAMS: [(&str, &str); 7] = [
    ("unshare", "--version"),
    ("nsenter", "--version"),
    ("ip", "-V"),
    ("ping", "-V"),
    ("arping", "-V"),
    ("dumpcap", "--version"),
    ("tshark", "--version"),
];
/// What the step runs.
pub struct Programs<'a> {
    pub xtask: &'a Path,
    pub bench: &'a Path,
}

/// Why the step cannot run on this machine, if it cannot.
pub fn obstacle() -> Option<String> {
    let is_missing = |(program, argument): &(&str, &str)| {
        let mut command = Command::new(program);
        let command = command.arg(argument).stdin(Stdio::null());
        command.output().is_err()
    };
    let missing: Vec<&str> = PROGRAMS
        .iter()
        .filter(|p| is_missing(p))
        .map(|p| p.0)
        .collect();
    if !missing.is_empty() {
        return Some(format!("{} not installed", missing.join(", ")));
    }
    let namespace = match Namespace::new() {
        Ok(namespace) => namespace,
        Err(reason) => return Some(format!("no network namespace: {reason}")),
    };
    let tried = make_device(&namespace).and_then(|()| namespace.run("dumpcap --version"));
    tried
        .err()
        .map(|error| format!("no TAP device in a namespace: {error:#}"))
}

fn make_device(namespace: &Namespace) -> anyhow::Result<()> {
    for command in [
        "ip link set lo up".to_owned(),
        format!("ip tuntap add dev {DEVICE} mode tap"),
        format!("ip addr add {ADDRESS} dev {DEVICE}"),
        format!("ip link set {DEVICE} up"),
    ] {
        namespace.run(&command).context(command)?;
    }
    Ok(())
}

/// Runs an image on a TAP device and talks to it, with the device captured into `path`.
///
/// # Errors
/// An answer that does not come, a frame that tshark finds fault with, or counts that differ.
pub fn check(
    programs: &Programs,
    study: &Study,
    variant: &Variant,
    elf: &Path,
    path: &Path,
) -> anyhow::Result<()> {
    let namespace = Namespace::new().map_err(anyhow::Error::msg)?;
    make_device(&namespace)?;
    let dumpcap = Dumpcap::start(&namespace, DEVICE, path)?;
    let wire = path.with_extension("wire.pcapng");
    let mut command = namespace.command(programs.xtask);
    command
        .args(["serve", &variant.id, "--no-install", "--elf"])
        .arg(elf);
    command
        .args(["--tap", DEVICE, "--address", ADDRESS, "--pcap"])
        .arg(&wire);
    let mut served = Served::start(command)?;
    let lease = served.wait_for("lease ")?;
    ensure!(lease == BOARD, "the board leased {lease}, not {BOARD}");
    let talk = Talk {
        namespace: &namespace,
        bench: programs.bench,
        study,
        variant,
    };
    let streams = talk.all()?;
    Dumpcap::wait_for(path, is_last_answer)?;
    let summary = served.stop()?;
    dumpcap.stop()?;
    counts::compare(study, variant, &streams, &summary, path)?;
    let frames = counts::check_wire(&summary, &wire)?;
    output::note(&format!(
        "{}: {frames} frames on the wire, tshark, the board and the bench count the same",
        variant.id
    ));
    Ok(())
}
