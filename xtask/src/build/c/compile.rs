//! Compiles the source files whose objects are missing or older than what they were made from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, bail};

use super::plan::Unit;
use crate::pool::run_jobs;
use crate::toolchain::CToolchain;
use crate::{dependencies, files, output};

/// Compiles what is not up to date, on all cores.
///
/// # Errors
///
/// Names a file that GCC refuses; its complaints are on standard error by then.
pub fn bring_up_to_date(checkout: &Path, units: &[Unit]) -> anyhow::Result<()> {
    let stale: Vec<&Unit> = units.iter().filter(|unit| !is_up_to_date(unit)).collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut failures = Vec::new();
    let compile = |unit: &Unit| Some(compile(checkout, unit));
    run_jobs(stale, workers, compile, |result: anyhow::Result<()>| {
        failures.extend(result.err());
    });
    failures.into_iter().next().map_or(Ok(()), Err)
}

/// The files that the unit's object was made from.
pub fn files_read(unit: &Unit) -> anyhow::Result<Vec<PathBuf>> {
    let path = unit.object.with_extension("d");
    dependencies::parse(&files::read_text(&path)?)
        .with_context(|| format!("cannot use {}", path.display()))
}

fn is_up_to_date(unit: &Unit) -> bool {
    let Some(made) = modified(&unit.object) else {
        return false;
    };
    let is_older = |path: &PathBuf| modified(path).is_some_and(|changed| changed < made);
    files_read(unit).is_ok_and(|files| !files.is_empty() && files.iter().all(is_older))
}

fn modified(path: &Path) -> Option<SystemTime> {
    let metadata = fs::metadata(path).ok()?;
    metadata.modified().ok()
}

/// The object appears when it is whole, behind its dependency file.
fn compile(checkout: &Path, unit: &Unit) -> anyhow::Result<()> {
    let folder = unit.object.parent().context("an object without a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let partial = unit.object.with_extension("partial.o");
    let output = Command::new(CToolchain::GCC)
        .args(&unit.arguments)
        .args(["-MD", "-MF"])
        .arg(unit.object.with_extension("d"))
        .arg("-c")
        .arg(&unit.source)
        .arg("-o")
        .arg(&partial)
        // Debug information names the folder that GCC runs in.
        .current_dir(checkout)
        .output()
        .with_context(|| format!("cannot run {}", CToolchain::GCC))?;
    if !output.stderr.is_empty() {
        output::note(String::from_utf8_lossy(&output.stderr).trim_end());
    }
    if !output.status.success() {
        bail!(
            "{} does not compile {}, as said above",
            CToolchain::GCC,
            unit.source.display()
        );
    }
    fs::rename(&partial, &unit.object)
        .with_context(|| format!("cannot write {}", unit.object.display()))
}
