//! Builds a C variant with GCC: its own sources, those of the libraries it names, one link.

mod compile;
pub mod libraries;
mod plan;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::{Linked, Sources};
use crate::metadata::{Build, CSources, Study, Variant};
use crate::toolchain::{CToolchain, Toolchain};
use crate::{dependencies, files, paths};
pub use plan::definitions;
use plan::{Places, Plan};

/// What is built.
pub struct Image<'a> {
    pub study: &'a Study,
    pub variant: &'a Variant,
    pub build: &'a Build,
    /// What of the variant is compiled.
    pub sources: &'a CSources,
    /// The folder of the variant's package in the checkout.
    pub folder: PathBuf,
}

/// Compiles what changed in a checkout and links it.
pub fn link(checkout: &Path, toolchain: &Toolchain, image: &Image) -> anyhow::Result<Linked> {
    let gcc = toolchain.c.as_ref().with_context(|| {
        let gcc = CToolchain::GCC;
        format!("{gcc} or its library is missing; cargo xtask setup installs them")
    })?;
    let places = Places {
        checkout: checkout.to_path_buf(),
        objects: paths::firmware_target_of(checkout).join("c"),
    };
    let libraries = libraries::locate(image.sources)?;
    let own = own_sources(&image.folder, image.build)?;
    let plan = Plan::new(&places, gcc, image, &own, &libraries);
    compile::bring_up_to_date(checkout, &plan.units)?;
    run_linker(&plan)?;
    let mut sources = Sources::default();
    for unit in &plan.units {
        let read = compile::files_read(unit)?;
        sources.add_compiled(checkout, &image.folder, read);
    }
    let linked = dependencies::parse_linker(&files::read_text(&plan.linker_dependencies)?)?;
    sources.add_used(checkout, linked);
    Ok(Linked {
        executable: plan.executable,
        toolchain: gcc.description.clone(),
        sources,
    })
}

/// The `.c` files below `src`, in the order of their paths. Those in `src/profiling` are for builds
/// with telemetry only.
fn own_sources(folder: &Path, build: &Build) -> anyhow::Result<Vec<PathBuf>> {
    let root = folder.join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(next) = folders.pop() {
        if next == root.join("profiling") && !build.has_telemetry() {
            continue;
        }
        let cannot_list = || format!("cannot list {}", next.display());
        for entry in next.read_dir().with_context(cannot_list)? {
            let path = entry.with_context(cannot_list)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn run_linker(plan: &Plan) -> anyhow::Result<()> {
    let folder = plan
        .executable
        .parent()
        .context("an executable without a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let status = Command::new(CToolchain::GCC)
        .args(&plan.link)
        .status()
        .with_context(|| format!("cannot run {}", CToolchain::GCC))?;
    if !status.success() {
        bail!("{} cannot link, as said above", CToolchain::GCC);
    }
    Ok(())
}
