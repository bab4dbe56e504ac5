//! Whether `cargo xtask measure` says in its exit status and as JSON what became of real firmware.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::metadata::Variant;
use crate::output;

/// Seconds of virtual time.
const LATENCY: &str = "latency --payload-bytes 64 --samples 20 --drain 100ms";
/// More than twice what the wire carries: the host itself refuses some of it, whatever the firmware does.
const OVERLOAD: &str = "stream --payload-bytes 1472 --rate-hz 20000 --duration 200ms";

/// Measures an image twice: a run that must be clean, and one that cannot be.
///
/// # Errors
/// An exit status or a report that does not say so.
pub fn check(xtask: &Path, variant: &Variant, elf: &Path) -> anyhow::Result<()> {
    let (status, report) = measure(xtask, variant, elf, LATENCY)?;
    ensure!(status == Some(0), "a clean run ended with {status:?}");
    ensure!(
        report["variant"] == variant.id.as_str() && report["workload"] == "latency",
        "the report is of {} {}",
        report["variant"],
        report["workload"]
    );
    let counts = &report["result"]["sizes"][0]["counts"];
    ensure!(
        counts["sent"] == 20 && counts["valid"] == 20,
        "of 20 datagrams the report counts {counts}"
    );
    let (status, report) = measure(xtask, variant, elf, OVERLOAD)?;
    ensure!(status == Some(1), "an overload ended with {status:?}");
    ensure!(
        report["result"]["counts"]["send_errors"] != 0,
        "an overload of the wire left no send error"
    );
    output::note(&format!(
        "{}: measure ends with 0 after a clean run and with 1 after an overload",
        variant.id
    ));
    Ok(())
}

/// The exit status and the report of one run.
fn measure(
    xtask: &Path,
    variant: &Variant,
    elf: &Path,
    workload: &str,
) -> anyhow::Result<(Option<i32>, Value)> {
    let mut command = Command::new(xtask);
    command.args(["measure", "--no-install", &variant.id]);
    command.args(workload.split(' '));
    command.args(["--json", "--elf"]).arg(elf);
    let output = command.output().context("cannot run this program again")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout);
    let report = report.with_context(|| format!("measure {workload}: {}", complaint.trim()))?;
    Ok((output.status.code(), report))
}
