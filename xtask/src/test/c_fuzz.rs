//! Whether the variant in C finds nothing wrong in itself when it is built for the host with
//! sanitizers and lwIP's own checks, and fed malformed frames; and whether the same run finds bugs
//! that are put in.

mod plants;
mod program;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, bail, ensure};

use crate::metadata::Study;
use crate::{files, output, paths};
use plants::PLANTS;
use program::{Program, SANITIZERS};

/// How many frames are fed unless an option says otherwise: a quarter of a minute.
pub const INPUTS: u64 = 300_000;

/// Enough frames for a bug that is put in to show.
const INPUTS_FOR_PLANTS: u64 = 20_000;

/// How the program ends after a finding.
const STATUS_OF_FINDING: i32 = 1;

/// What the frames follow from.
const SEED: u64 = 1;

/// Builds the variant with its harness, checks its counters, feeds it `inputs` frames, and does so
/// again with each bug put in. Passed over where the host's GCC lacks the sanitizers.
///
/// # Errors
///
/// When a counter is off, when a frame leads to a finding, and when a bug that is put in is not found.
pub fn check(study: &Study, inputs: u64) -> anyhow::Result<()> {
    let folder = paths::root().join("target/c-fuzz");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    if !has_sanitizers(&folder)? {
        output::note("skipped: this machine's gcc lacks the address sanitizer");
        return Ok(());
    }
    let program = Program::of(study, &folder)?;
    program.compile()?;
    let fuzz = program.link()?;
    run(&fuzz, &["check"]).context("counters")?;
    // Any bytes are a script.
    let text = paths::root().join("README.md").display().to_string();
    run(&fuzz, &["play", &text]).context("a script of arbitrary bytes")?;
    run(&fuzz, &feed(&folder, inputs)).context("malformed frames")?;
    for plant in &PLANTS {
        let planted = program.with(plant)?;
        let output = output_of(&planted, &feed(&folder, INPUTS_FOR_PLANTS))?;
        let found = output.status.code() == Some(STATUS_OF_FINDING);
        ensure!(found, "{} is not found", plant.what);
        output::note(&format!("with {}: {}", plant.what, finding(&output)));
    }
    Ok(())
}

fn feed(folder: &Path, inputs: u64) -> Vec<String> {
    let folder = folder.display().to_string();
    vec!["run".into(), inputs.to_string(), SEED.to_string(), folder]
}

/// What the sanitizer, or the harness's own check, says in one line.
fn finding(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let is_summary = |line: &&str| line.starts_with("SUMMARY: ");
    let line = text.lines().find(is_summary).or(text.lines().next());
    line.unwrap_or_default().replace("SUMMARY: ", "")
}

fn run(program: &Path, arguments: &[impl AsRef<str>]) -> anyhow::Result<()> {
    let output = output_of(program, arguments)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    if !output.status.success() {
        bail!("{}", text(&output.stderr));
    }
    if !output.stdout.is_empty() {
        output::note(&text(&output.stdout));
    }
    Ok(())
}

fn output_of(program: &Path, arguments: &[impl AsRef<str>]) -> anyhow::Result<Output> {
    Command::new(program)
        .args(arguments.iter().map(AsRef::as_ref))
        .env("UBSAN_OPTIONS", "print_stacktrace=1")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", program.display()))
}

/// Whether GCC links a program with sanitizers that then runs.
fn has_sanitizers(folder: &Path) -> anyhow::Result<bool> {
    let source = folder.join("empty.c");
    let program = folder.join("empty");
    files::write(&source, b"int main(void) { return 0; }\n")?;
    let built = Command::new(program::GCC)
        .args(SANITIZERS)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output();
    let is_built = built.is_ok_and(|output| output.status.success());
    Ok(is_built && output_of(&program, &[""; 0])?.status.success())
}
