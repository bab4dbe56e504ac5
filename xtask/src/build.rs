//! `cargo xtask build`: builds firmware as the study's metadata says.

pub mod c;
mod cargo;
mod dep_info;
mod record;
mod sources;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;

use crate::cli::Outcome;
use crate::hash::sha256_hex;
use crate::metadata::{Build, PublishedState, Study, Variant};
use crate::setup::{self, InstallArgs};
use crate::toolchain::Toolchain;
use crate::{files, output, paths};
use record::{Record, current_sources};
pub use sources::Sources;

/// Build firmware, every build of every variant unless told otherwise.
#[derive(clap::Args)]
pub struct BuildArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    install: InstallArgs,
}

/// The flags that choose among the firmware builds.
#[derive(clap::Args)]
pub struct SelectionArgs {
    /// Only this variant.
    #[arg(long, value_name = "ID")]
    pub variant: Option<String>,
    /// Only builds of this name, such as release.
    #[arg(long, value_name = "NAME")]
    pub build: Option<String>,
}

/// An image that was built, and everything it was built from.
#[derive(Clone, Debug)]
pub struct BuiltFirmware {
    /// The variant's id.
    pub variant: String,
    /// The build's name.
    pub build: String,
    /// The ELF file.
    pub elf: PathBuf,
    /// SHA-256 of the ELF file.
    pub elf_sha256: String,
    /// The first-party files it was made from.
    pub sources: Sources,
    /// Compiler, library and linker.
    pub toolchain: String,
    /// SHA-256 of the firmware workspace's lock file.
    pub lock_sha256: String,
}

impl BuildArgs {
    /// Builds what is selected and prints a line for each image.
    pub fn run(self) -> anyhow::Result<Outcome> {
        for firmware in build_selected(&self.selection, self.install)? {
            let path = firmware.elf.strip_prefix(paths::root());
            let path = path.unwrap_or(&firmware.elf).display();
            output::print(&format!("{}  {path}\n", firmware.elf_sha256))?;
        }
        Ok(Outcome::Done)
    }
}

/// Builds what is selected, after making sure that something can.
pub fn build_selected(
    selection: &SelectionArgs,
    install: InstallArgs,
) -> anyhow::Result<Vec<BuiltFirmware>> {
    let study = Study::load()?;
    let selected = study.select(selection.variant.as_deref(), selection.build.as_deref())?;
    let toolchain = setup::toolchain(&study, &selected, install)?;
    let builds = selected.into_iter();
    builds
        .map(|(variant, of)| build(&study, &toolchain, variant, of))
        .collect()
}

/// Builds one image and copies it to `target/firmware/elf`.
///
/// # Errors
///
/// When cargo or GCC fails; its complaints are on standard error by then.
pub fn build(
    study: &Study,
    toolchain: &Toolchain,
    variant: &Variant,
    build: &Build,
) -> anyhow::Result<BuiltFirmware> {
    let _lock = lock_target()?;
    let began = SystemTime::now();
    let linked = compile(paths::root(), study, toolchain, variant, build)?;
    let elf = elf_path(variant, build);
    let bytes = copy(&linked.executable, &elf)?;
    Record::new(began, linked.sources.clone()).write(&record_path(variant, build))?;
    let lock = files::read(&paths::firmware_manifest().with_extension("lock"))?;
    Ok(BuiltFirmware {
        variant: variant.id.clone(),
        build: build.name.clone(),
        elf,
        elf_sha256: sha256_hex(&bytes),
        sources: linked.sources,
        toolchain: linked.toolchain,
        lock_sha256: sha256_hex(&lock),
    })
}

/// As [`build`], for a variant in a published state.
///
/// # Errors
///
/// As [`build`].
pub fn build_state(
    study: &Study,
    toolchain: &Toolchain,
    state: &PublishedState,
) -> anyhow::Result<BuiltFirmware> {
    build(study, toolchain, &state.variant, &state.build)
}

/// The sources of an image, built before or now.
pub struct ImageSources<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// The build.
    pub build: &'a Build,
    /// The first-party files it was made from.
    pub sources: Sources,
}

/// The sources of the selected images, which are built by then. One that was built since anything in
/// the firmware workspace changed is not built again.
///
/// # Errors
///
/// As [`build`], and when nothing can build what is missing.
pub fn sources_of_selected<'a>(
    study: &'a Study,
    selected: Vec<(&'a Variant, &'a Build)>,
    install: InstallArgs,
) -> anyhow::Result<Vec<ImageSources<'a>>> {
    let workspace = paths::firmware_manifest();
    let workspace = workspace.parent().context("the firmware has no folder")?;
    let program = std::env::current_exe().context("this program is nowhere")?;
    let mut toolchain = None;
    let mut images = Vec::new();
    for &(variant, of) in &selected {
        let record = record_path(variant, of);
        let current = current_sources(&record, workspace, &program);
        let sources = if let Some(sources) = current.filter(|_| elf_path(variant, of).is_file()) {
            sources
        } else {
            let ready = match toolchain.take() {
                Some(ready) => ready,
                None => setup::toolchain(study, &selected, install)?,
            };
            build(study, toolchain.insert(ready), variant, of)?.sources
        };
        images.push(ImageSources {
            variant,
            build: of,
            sources,
        });
    }
    Ok(images)
}

/// Where the image of a build is once it was built.
pub fn elf_path(variant: &Variant, build: &Build) -> PathBuf {
    let name = format!("{}-{}.elf", variant.id, build.name);
    paths::firmware_target().join("elf").join(name)
}

fn record_path(variant: &Variant, build: &Build) -> PathBuf {
    elf_path(variant, build).with_extension("json")
}

/// An executable and what it was made from.
pub struct Linked {
    /// The ELF file.
    pub executable: PathBuf,
    /// Compiler, library and linker.
    pub toolchain: String,
    /// The first-party files it was made from.
    pub sources: Sources,
}

/// Keeps other builds out until it is dropped: cargo gives every build of a package the same
/// file name, so that the next one would replace an image before it is copied.
fn lock_target() -> anyhow::Result<File> {
    let path = paths::firmware_target().join("build.lock");
    let lock = || {
        fs::create_dir_all(paths::firmware_target())?;
        let file = File::create(&path)?;
        file.lock()?;
        Ok::<_, std::io::Error>(file)
    };
    lock().with_context(|| format!("cannot lock {}", path.display()))
}

/// Compiles one image in a checkout, which need not be this program's own, into its target folder.
///
/// # Errors
///
/// When cargo or GCC fails; its complaints are on standard error by then.
pub fn compile(
    checkout: &Path,
    study: &Study,
    toolchain: &Toolchain,
    variant: &Variant,
    build: &Build,
) -> anyhow::Result<Linked> {
    let folder = checkout.join(variant.folder.strip_prefix(paths::root())?);
    let linked = match &variant.c {
        None => cargo::link(checkout, &folder, study, toolchain, variant, build),
        Some(sources) => {
            let image = c::Image {
                study,
                variant,
                build,
                sources,
                folder,
            };
            c::link(checkout, toolchain, &image)
        }
    };
    linked.with_context(|| format!("cannot build {}-{}", variant.id, build.name))
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = files::read(from)?;
    files::write(to, &bytes)?;
    Ok(bytes)
}
