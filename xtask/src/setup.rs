//! `cargo xtask setup`: makes a machine able to build the firmware.
//!
//! [`probe`] looks at the machine, [`plan`] decides from what was found, [`install`] acts.

mod install;
mod plan;
mod probe;
mod report;

use anyhow::{Context, bail};

use crate::cli::Outcome;
use crate::metadata::{Build, Study, Variant};
use crate::output;
use crate::toolchain::Toolchain;
use plan::Scope;
use probe::Facts;

/// Make this machine able to build the firmware, and say what was found and installed.
///
/// Exit status: 0 ready, 1 something is missing (--check), 2 it could not be installed.
#[derive(clap::Args)]
pub struct SetupArgs {
    /// Only report what is there and what is missing.
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    install: InstallArgs,
}

/// The flag of every subcommand that may install what it needs.
#[derive(clap::Args, Clone, Copy)]
pub struct InstallArgs {
    /// Fail instead of installing what is missing.
    #[arg(long)]
    pub no_install: bool,
}

impl SetupArgs {
    /// Reports, and installs unless told not to.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let study = Study::load()?;
        let mut facts = Facts::probe(&study.target);
        if !self.check && !self.install.no_install {
            install_missing(&mut facts, &study.target, Scope::BuildAndTest);
        }
        output::print(&report::text(&facts, &study.target))?;
        match plan::toolchain(&facts) {
            Some(toolchain) if toolchain.c.is_some() => Ok(Outcome::Done),
            Some(_) if self.check => Ok(Outcome::CheckFailed),
            Some(_) => bail!(missing_c(self.install)),
            None if self.check => Ok(Outcome::CheckFailed),
            None => bail!(missing(&facts, &study.target, self.install)),
        }
    }
}

/// A toolchain for the selected firmware, installed first when there is none and it may be.
///
/// # Errors
///
/// When there is none; the message gives the commands to type.
pub fn toolchain(
    study: &Study,
    selected: &[(&Variant, &Build)],
    install: InstallArgs,
) -> anyhow::Result<Toolchain> {
    let has_c = selected.iter().any(|(variant, _)| variant.c.is_some());
    let scope = if has_c { Scope::BuildC } else { Scope::Build };
    ready(study, install, scope)
}

/// As [`toolchain`], and tries to install the tools that only tests use.
pub fn toolchain_and_test_tools(study: &Study, install: InstallArgs) -> anyhow::Result<Toolchain> {
    ready(study, install, Scope::BuildAndTest)
}

fn ready(study: &Study, install: InstallArgs, scope: Scope) -> anyhow::Result<Toolchain> {
    let mut facts = Facts::probe(&study.target);
    if !install.no_install {
        install_missing(&mut facts, &study.target, scope);
    }
    let toolchain = plan::toolchain(&facts);
    let toolchain = toolchain.with_context(|| missing(&facts, &study.target, install))?;
    if scope != Scope::Build && toolchain.c.is_none() {
        bail!(missing_c(install));
    }
    Ok(toolchain)
}

/// Takes one step after another until nothing is missing; one that fails gives way to the next.
fn install_missing(facts: &mut Facts, target: &str, scope: Scope) {
    let mut tried = Vec::new();
    while let Some(step) = plan::next_step(facts, target, scope, &tried) {
        output::note(&format!("setup: {step}"));
        match install::take(&step) {
            Ok(()) => *facts = Facts::probe(target),
            Err(error) => output::note(&format!("setup: that failed: {error:#}")),
        }
        tried.push(step);
    }
}

fn missing_c(install: InstallArgs) -> String {
    let command = plan::manual_c_command();
    format!(
        "no compiler here can build firmware in C{}; type: {command}",
        refusal(install)
    )
}

fn refusal(install: InstallArgs) -> &'static str {
    if install.no_install {
        ", and --no-install forbids installing one"
    } else {
        ""
    }
}

fn missing(facts: &Facts, target: &str, install: InstallArgs) -> String {
    let reason = refusal(install);
    let commands = plan::manual_commands(facts, target).join(" or: ");
    format!("no toolchain here can build for {target}{reason}; type: {commands}")
}
