//! What each step of the test run does.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context as _, ensure};
use xshell::{Shell, cmd};

use crate::metadata::{Build, Study, Variant};
use crate::output;
use crate::paths;
use crate::toolchain::Toolchain;

use super::Step;

/// What the steps work with.
pub struct Context {
    study: Study,
    toolchain: Toolchain,
    shell: Shell,
    xtask: PathBuf,
}

impl Context {
    /// Commands run in the root folder of the checkout.
    pub fn new(study: Study, toolchain: Toolchain) -> anyhow::Result<Self> {
        let shell = Shell::new()?;
        shell.change_dir(paths::root());
        Ok(Self {
            study,
            toolchain,
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
                self.xtask(&["size", "--no-install"])?;
                self.xtask(&["ncloc", "--no-install"])
            }
            Step::HostTests => self.host_tests(),
            Step::FirmwareTests => self.firmware_tests(),
            Step::Study => self.xtask(&["study", "--smoke", "--fresh", "--no-install"]),
            Step::Render => self.xtask(&["render", "--check"]),
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

    fn firmware_clippy(&self) -> anyhow::Result<()> {
        for (variant, build) in self.study.select(None, None)? {
            self.lint(variant, build)
                .with_context(|| format!("clippy of {} {}", variant.id, build.name))?;
        }
        Ok(())
    }

    /// Lints a variant with the first-party packages it depends on.
    fn lint(&self, variant: &Variant, build: &Build) -> anyhow::Result<()> {
        let mut command = self.toolchain.cargo("clippy");
        command
            .args(["--locked", "--package", &variant.package])
            .args(["--features", &build.features.join(",")])
            .args(["--target", &self.study.target])
            .args(self.toolchain.core_arguments())
            .arg("--target-dir")
            .arg(paths::firmware_target())
            .args(["--", "-D", "warnings"])
            .stdin(Stdio::null());
        output::note(&format!("$ cargo clippy ({} {})", variant.id, build.name));
        let status = command.status().context("cannot run cargo")?;
        ensure!(status.success(), "cargo failed, as said above");
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

    fn xtask(&self, arguments: &[&str]) -> anyhow::Result<()> {
        let xtask = &self.xtask;
        cmd!(self.shell, "{xtask} {arguments...}").run()?;
        Ok(())
    }
}
