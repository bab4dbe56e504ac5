//! What each step of the test run does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, ensure};
use board::NetworkDevice;
use xshell::{Shell, cmd};

use crate::build::{BuiltFirmware, build, build_state, elf_path};
use crate::metadata::{Build, Study, Variant};
use crate::results::{ResultSet, SetName};
use crate::size::Part;
use crate::toolchain::Toolchain;
use crate::{files, output, paths};

use super::elsewhere::Elsewhere;
use super::reproducible::{self, CHEAP_VARIANTS};
use super::tap::{self, Programs};
use super::{
    Step, c_fuzz, datagrams, debug_probe, determinism, loopback, measured, published_states,
    scenarios, sizes, stale_line, tail_pointer, wire, workloads,
};

/// Where the small study is made once more.
const STUDY_AGAIN: &str = "target/study-smoke-again";

/// What clients on loopback talk to.
const SERVED_VARIANT: &str = "w5500-offload";

/// What the steps work with.
pub struct Context {
    study: Study,
    toolchain: Toolchain,
    fuzz_inputs: u64,
    shell: Shell,
    xtask: PathBuf,
}

impl Context {
    /// Commands run in the root folder of the checkout; `fuzz_inputs` frames are fed.
    pub fn new(study: Study, toolchain: Toolchain, fuzz_inputs: u64) -> anyhow::Result<Self> {
        let shell = Shell::new()?;
        shell.change_dir(paths::root());
        Ok(Self {
            study,
            toolchain,
            fuzz_inputs,
            shell,
            xtask: std::env::current_exe().context("cannot find this program itself")?,
        })
    }

    /// Runs one step; what it prints goes to the terminal.
    pub fn run(&self, step: Step) -> anyhow::Result<()> {
        match step {
            Step::Fmt => self.fmt(),
            Step::Clippy => self.clippy(),
            Step::FirmwareClippy => self.firmware_clippy(),
            Step::Firmware => {
                self.xtask(&["build", "--no-install"])?;
                self.xtask(&["size", "--no-install"])?;
                self.sizes()?;
                self.xtask(&["ncloc", "--no-install"])
            }
            Step::Reproducible => {
                let release = |variant| self.study.select(Some(variant), Some("release"));
                let cheap = CHEAP_VARIANTS.into_iter().map(release);
                self.reproducible(&cheap.collect::<anyhow::Result<Vec<_>>>()?.concat())
            }
            Step::ReproducibleAll => self.reproducible(&self.study.select(None, None)?),
            Step::HostTests => self.host_tests(),
            Step::FirmwareTests => self.firmware_tests(),
            Step::CFuzz => c_fuzz::check(&self.study, self.fuzz_inputs),
            Step::Study => self.xtask(&["study", "--smoke", "--fresh", "--no-install"]),
            Step::Determinism => self.determinism(),
            Step::Wire => self.wire(),
            Step::Scenarios => self.scenarios(),
            Step::PublishedStates => self.published_states(),
            Step::StaleLine => self.stale_line(),
            Step::TailPointer => self.tail_pointer(),
            Step::Datagrams => self.datagrams(),
            Step::DebugProbe => self.debug_probe(),
            Step::Workloads => self.workloads(),
            Step::Serve => self.serve(),
            Step::Tap => self.tap(),
            Step::Oracle => self.oracle(),
            Step::Render => self.xtask(&["render", "--check"]),
            Step::Audit => self.xtask(&["audit"]),
        }
    }

    fn fmt(&self) -> anyhow::Result<()> {
        let firmware = paths::firmware_manifest();
        cmd!(self.shell, "cargo fmt --all --check").run()?;
        let arguments = ["--all", "--check"];
        cmd!(
            self.shell,
            "cargo fmt --manifest-path {firmware} {arguments...}"
        )
        .run()?;
        Ok(())
    }

    fn clippy(&self) -> anyhow::Result<()> {
        let lints = ["--", "-D", "warnings"];
        cmd!(
            self.shell,
            "cargo clippy --locked --workspace --all-targets {lints...}"
        )
        .run()?;
        Ok(())
    }

    fn host_tests(&self) -> anyhow::Result<()> {
        cmd!(self.shell, "cargo test --locked --workspace").run()?;
        Ok(())
    }

    /// Lints the variants in Rust, and those in published states, with the first-party packages they depend on, once for each set of
    /// features; GCC lints C as it compiles it.
    fn firmware_clippy(&self) -> anyhow::Result<()> {
        let states = self.study.published_states.iter();
        let states = states.map(|state| (&state.variant, &state.build));
        let selected = self.study.select(None, None)?.into_iter().chain(states);
        let in_rust = selected.filter(|(variant, _)| variant.c.is_none());
        let mut packages = BTreeSet::new();
        let mut sets = BTreeMap::<_, BTreeSet<_>>::new();
        for (Variant { package, .. }, Build { features, .. }) in in_rust {
            packages.insert(package.as_str());
            let features_of_package = features.iter().map(|name| format!("{package}/{name}"));
            sets.entry(features)
                .or_default()
                .extend(features_of_package);
        }
        for features in sets.into_values() {
            let features = Vec::from_iter(features).join(",");
            self.lint(&packages, &features)
                .with_context(|| format!("clippy with features {features:?}"))?;
        }
        Ok(())
    }

    /// Lints all packages at once, so that what they depend on is checked once and not once each; in
    /// the profile of most builds, which then use the same procedural macros and build scripts.
    fn lint(&self, packages: &BTreeSet<&str>, features: &str) -> anyhow::Result<()> {
        let mut command = self.toolchain.cargo(paths::root(), "clippy");
        command
            .args(["--locked", "--release", "--features", features])
            .args(packages.iter().flat_map(|package| ["--package", package]))
            .args(["--target", &self.study.target])
            .args(self.toolchain.core_arguments())
            .arg("--target-dir")
            .arg(paths::firmware_target())
            .args(["--", "-D", "warnings"])
            .stdin(Stdio::null());
        output::note(&format!("$ cargo clippy --features {features:?}"));
        let status = command.status().context("cannot run cargo")?;
        ensure!(status.success(), "cargo failed, as said above");
        Ok(())
    }

    fn reproducible(&self, selected: &[(&Variant, &Build)]) -> anyhow::Result<()> {
        let elsewhere = Elsewhere::new("another checkout")?;
        for (variant, of) in selected {
            reproducible::check(&elsewhere, &self.study, &self.toolchain, variant, of)?;
        }
        Ok(())
    }

    /// Lints and tests what of the firmware builds for the host.
    fn firmware_tests(&self) -> anyhow::Result<()> {
        let firmware = paths::firmware_manifest();
        let target = paths::root().join("target/firmware-host");
        let shared = self.study.shared.iter().filter(|shared| shared.host_tests);
        for package in shared.map(|shared| &shared.package) {
            let common = ["--locked", "--package", package, "--all-targets"];
            let paths = ["--manifest-path".as_ref(), firmware.as_os_str()];
            let target = ["--target-dir".as_ref(), target.as_os_str()];
            let lints = ["--", "-D", "warnings"];
            cmd!(
                self.shell,
                "cargo clippy {common...} {paths...} {target...} {lints...}"
            )
            .run()?;
            cmd!(self.shell, "cargo test {common...} {paths...} {target...}").run()?;
        }
        Ok(())
    }

    /// Compares the sizes of what is built with what binutils says.
    fn sizes(&self) -> anyhow::Result<()> {
        let part = Part::of(&self.study);
        for (variant, of) in self.study.select(None, None)? {
            let elf = elf_path(variant, of);
            sizes::check(&elf, &part).with_context(|| format!("{} {}", variant.id, of.name))?;
        }
        output::note("binutils says the same of every image");
        Ok(())
    }

    /// Makes the small study again with another number of trials at once, and that of release builds
    /// with every idle loop executed; the first one is reused where it is up to date.
    fn determinism(&self) -> anyhow::Result<()> {
        self.xtask(&["study", "--smoke", "--no-install"])?;
        let first = ResultSet::in_checkout(paths::root(), SetName::Smoke);
        let again = self.study_again(&["--jobs", "3"])?;
        let mut files = determinism::ensure_same(first.folder(), &again)?;
        let again = self.study_again(&["--build", "release", "--no-idle-skip"])?;
        for (variant, of) in self.study.select(None, Some("release"))? {
            let build = |folder: &Path| folder.join(&variant.id).join(&of.name);
            files += determinism::ensure_same(&build(first.folder()), &build(&again))?;
        }
        output::note(&format!("{files} files are the same byte for byte"));
        Ok(())
    }

    /// The folder of the small study, made from nothing.
    fn study_again(&self, otherwise: &[&str]) -> anyhow::Result<PathBuf> {
        self.shell.remove_path(STUDY_AGAIN)?;
        let again = [
            "study",
            "--smoke",
            "--fresh",
            "--no-install",
            "--results-dir",
        ];
        self.xtask(&[again.as_slice(), &[STUDY_AGAIN], otherwise].concat())?;
        Ok(paths::root().join(STUDY_AGAIN))
    }

    fn debug_probe(&self) -> anyhow::Result<()> {
        let mut images = Vec::new();
        for (variant, of) in self.study.select(None, None)? {
            let BuiltFirmware { elf, .. } = build(&self.study, &self.toolchain, variant, of)?;
            let elf = files::read(&elf)?;
            if of.name == "release" {
                debug_probe::check_log(&self.study, variant, &elf).context(variant.id.clone())?;
            }
            images.push((format!("{} {}", variant.id, of.name), elf));
        }
        debug_probe::check_fit(&self.study, &images)
    }

    fn wire(&self) -> anyhow::Result<()> {
        for (variant, of) in self.study.select(None, None)? {
            let BuiltFirmware { elf, .. } = build(&self.study, &self.toolchain, variant, of)?;
            let name = format!("{}-{}.pcapng", variant.id, of.name);
            let capture = paths::root().join("target/captures").join(name);
            wire::check(&self.study, variant, of, &elf, &capture)
                .with_context(|| format!("{} {}", variant.id, of.name))?;
        }
        Ok(())
    }

    fn scenarios(&self) -> anyhow::Result<()> {
        let builds = self.study.select(None, None)?.into_iter();
        for (variant, of) in builds.filter(|(_, of)| of.spi_hz.is_some()) {
            let BuiltFirmware { elf, .. } = build(&self.study, &self.toolchain, variant, of)?;
            scenarios::check(&self.study, variant, of, &elf)
                .with_context(|| format!("{} {}", variant.id, of.name))?;
        }
        Ok(())
    }

    fn published_states(&self) -> anyhow::Result<()> {
        for state in &self.study.published_states {
            let BuiltFirmware { elf, .. } = build_state(&self.study, &self.toolchain, state)?;
            published_states::check(&self.study, state, &elf)
                .with_context(|| format!("{} {}", state.variant.id, state.build.name))?;
        }
        Ok(())
    }

    fn stale_line(&self) -> anyhow::Result<()> {
        let releases = self.study.select(None, Some("release"))?.into_iter();
        let native = |variant: &Variant| variant.network_device == NetworkDevice::Stm32Mac;
        for (variant, of) in releases.filter(|(variant, _)| native(variant)) {
            let BuiltFirmware { elf, .. } = build(&self.study, &self.toolchain, variant, of)?;
            stale_line::check(&self.study, variant, &elf).context(variant.id.clone())?;
        }
        Ok(())
    }

    /// Only in C: the fault is put into its driver.
    fn tail_pointer(&self) -> anyhow::Result<()> {
        let releases = self.study.select(None, Some("release"))?.into_iter();
        for (variant, of) in releases.filter(|(variant, _)| variant.c.is_some()) {
            tail_pointer::check(&self.study, &self.toolchain, variant, of)
                .context(variant.id.clone())?;
        }
        Ok(())
    }

    fn datagrams(&self) -> anyhow::Result<()> {
        for (variant, of) in self.study.select(None, Some("release"))? {
            let BuiltFirmware { elf, .. } = build(&self.study, &self.toolchain, variant, of)?;
            datagrams::check(&self.study, variant, &elf).context(variant.id.clone())?;
        }
        Ok(())
    }

    fn workloads(&self) -> anyhow::Result<()> {
        for (variant, of) in self.study.select(None, Some("release"))? {
            let BuiltFirmware { elf, .. } = build(&self.study, &self.toolchain, variant, of)?;
            workloads::check(&self.study, variant, of, &elf).context(variant.id.clone())?;
            if variant.c.is_some() {
                measured::check(&self.xtask, variant, &elf).context(variant.id.clone())?;
            }
        }
        Ok(())
    }

    fn serve(&self) -> anyhow::Result<()> {
        for (variant, of) in self.study.select(Some(SERVED_VARIANT), Some("release"))? {
            let BuiltFirmware { elf, .. } = build(&self.study, &self.toolchain, variant, of)?;
            loopback::check(&self.xtask, &self.study, variant, &elf).context(variant.id.clone())?;
        }
        Ok(())
    }

    fn tap(&self) -> anyhow::Result<()> {
        if let Some(obstacle) = tap::obstacle() {
            output::note(&format!("tap: skipped, {obstacle}"));
            return Ok(());
        }
        // The bench that its own tests run, with the features that all host tests are compiled with:
        // built alone it would be compiled once more, with all that it depends on.
        let target = paths::root().join("target");
        cmd!(
            self.shell,
            "cargo test --locked --workspace --no-run --target-dir {target}"
        )
        .run()?;
        let programs = Programs {
            xtask: &self.xtask,
            bench: &target.join("debug/bench"),
        };
        for (variant, of) in self.study.select(None, Some("release"))? {
            let BuiltFirmware { elf, .. } = build(&self.study, &self.toolchain, variant, of)?;
            let name = format!("{}-{}-tap.pcapng", variant.id, of.name);
            let capture = paths::root().join("target/captures").join(name);
            tap::check(&programs, &self.study, variant, &elf, &capture)
                .context(variant.id.clone())?;
        }
        Ok(())
    }

    /// Compares the core with another on release builds in Rust: others read a counter that the other
    /// core lacks, and C reads the geometry of its caches, which that has none of.
    fn oracle(&self) -> anyhow::Result<()> {
        let manifest = paths::root().join("board/oracle/Cargo.toml");
        let target = paths::root().join("target/oracle");
        let arguments = ["--locked", "--ignore-rust-version"];
        let releases = self.study.select(None, Some("release"))?.into_iter();
        for (variant, of) in releases.filter(|(variant, _)| variant.c.is_none()) {
            let firmware = build(&self.study, &self.toolchain, variant, of)?.elf;
            cmd!(
                self.shell,
                "cargo test {arguments...} --manifest-path {manifest} --target-dir {target}"
            )
            .env("ORACLE_FIRMWARE", firmware)
            .run()?;
        }
        Ok(())
    }

    fn xtask(&self, arguments: &[&str]) -> anyhow::Result<()> {
        let xtask = &self.xtask;
        cmd!(self.shell, "{xtask} {arguments...}").run()?;
        Ok(())
    }
}
