//! Builds a Rust variant with cargo.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail};
use cargo_metadata::{Artifact, Message};

use super::{Linked, Sources, dep_info};
use crate::metadata::{Build, Study, Variant};
use crate::toolchain::Toolchain;
use crate::{dependencies, files, paths};

/// Runs cargo and finds the executable among the artifacts it reports for the package in `folder`,
/// and the dependency files that the compiler wrote for it and the other packages of the checkout.
pub fn link(
    checkout: &Path,
    folder: &Path,
    study: &Study,
    toolchain: &Toolchain,
    variant: &Variant,
    build: &Build,
) -> anyhow::Result<Linked> {
    let mut cargo = toolchain
        .cargo(checkout, "build")
        .args(["--package", &variant.package, "--profile", &build.profile])
        .args(["--features", &build.features.join(",")])
        .args(["--target", &study.target])
        .args(toolchain.core_arguments())
        .args(["--locked", "--message-format", "json-render-diagnostics"])
        .arg("--target-dir")
        .arg(paths::firmware_target_of(checkout))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {}", toolchain.cargo.display()))?;
    let messages = cargo.stdout.take().context("cargo's output is not piped")?;
    let mut executable = None;
    let mut libraries = Vec::new();
    for message in Message::parse_stream(BufReader::new(messages)) {
        if let Message::CompilerArtifact(artifact) = message? {
            executable = executable_of(&artifact, folder).or(executable);
            if artifact.manifest_path.starts_with(checkout) {
                libraries.extend(dep_info::of_library(&artifact));
            }
        }
    }
    if !cargo.wait()?.success() {
        bail!("cargo failed, as said above");
    }
    let executable =
        executable.with_context(|| format!("package {} made no executable", variant.package))?;
    let own = dep_info::of_executable(&executable)?;
    // Where cargo runs the compiler.
    let workspace = checkout.join("firmware");
    let mut sources = Sources::default();
    for (package, file) in libraries.into_iter().chain([(folder.to_path_buf(), own)]) {
        let read = dependencies::parse(&files::read_text(&file)?)?.into_iter();
        let read = read.map(|path| workspace.join(path));
        sources.add_compiled(checkout, &package, read);
    }
    let all = dependencies::parse(&files::read_text(&executable.with_extension("d"))?)?;
    sources.add_used(checkout, all);
    Ok(Linked {
        executable,
        toolchain: toolchain.description.clone(),
        sources,
    })
}

/// The path of the executable, when the artifact is one and its package is in that folder.
fn executable_of(artifact: &Artifact, package_folder: &Path) -> Option<PathBuf> {
    let manifest = artifact.manifest_path.as_std_path();
    let is_ours = manifest.parent() == Some(package_folder);
    let executable = artifact.executable.as_ref().filter(|_| is_ours)?;
    Some(executable.clone().into())
}
