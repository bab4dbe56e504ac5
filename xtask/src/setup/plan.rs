//! Decides, from what a machine has, what builds the firmware and what to install.

use std::fmt;

use crate::toolchain::{CToolchain, Route, Toolchain};

use super::probe::{Compiler, Facts, Privilege};

/// The packages of Debian and Ubuntu that build firmware.
const BUILD_PACKAGES: [&str; 6] = [
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "gcc-arm-none-eabi",
    "libnewlib-arm-none-eabi",
    "binutils-arm-none-eabi",
];

/// Those of them that build firmware in C.
const C_PACKAGES: [&str; 3] = [
    "gcc-arm-none-eabi",
    "libnewlib-arm-none-eabi",
    "binutils-arm-none-eabi",
];

/// What the machine is to be made ready for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Building firmware in Rust.
    Build,
    /// Building firmware in Rust and in C.
    BuildC,
    /// Building all firmware and running every test.
    BuildAndTest,
}

/// One thing to install.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The target's core library, for a rustup toolchain.
    AddTarget { toolchain: String, target: String },
    /// Clippy, for a rustup toolchain.
    AddClippy { toolchain: String },
    /// Packages of the distribution.
    InstallPackages {
        privilege: Privilege,
        packages: Vec<&'static str>,
    },
}

impl Step {
    /// The program and its arguments.
    pub fn command(&self) -> Vec<&str> {
        match self {
            Self::AddTarget { toolchain, target } => {
                vec!["rustup", "target", "add", target, "--toolchain", toolchain]
            }
            Self::AddClippy { toolchain } => {
                vec![
                    "rustup",
                    "component",
                    "add",
                    "clippy",
                    "--toolchain",
                    toolchain,
                ]
            }
            Self::InstallPackages {
                privilege,
                packages,
            } => {
                let apt = ["apt-get", "install", "--yes", "--no-install-recommends"];
                let sudo = (*privilege == Privilege::Sudo).then_some(["sudo", "-n"]);
                let words = sudo.into_iter().flatten().chain(apt);
                words.chain(packages.iter().copied()).collect()
            }
        }
    }
}

/// As a user would type it.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.command().join(" "))
    }
}

/// What builds the firmware: a rustup toolchain that has the target, or else the distribution's.
pub fn toolchain(facts: &Facts) -> Option<Toolchain> {
    let mut rustup = facts.rustup.iter().map(|toolchain| &toolchain.compiler);
    let ready = rustup.find(|compiler| is_usable(compiler) && compiler.has_target);
    match ready {
        Some(compiler) => Some(toolchain_of(facts, compiler, Route::Rustup, "rust-lld")),
        None => distribution_toolchain(facts),
    }
}

fn distribution_toolchain(facts: &Facts) -> Option<Toolchain> {
    let compiler = facts.distribution.as_ref()?;
    let linker = facts.gnu_linker.as_ref()?;
    let has_gcc = facts.arm_gcc.is_some() && facts.newlib.is_some();
    let complete = is_usable(compiler) && compiler.has_sources && has_gcc;
    complete.then(|| toolchain_of(facts, compiler, Route::BuildStd, linker))
}

/// What builds firmware in C, when all of it is there.
fn c_toolchain(facts: &Facts) -> Option<CToolchain> {
    let gcc = facts.arm_gcc.as_ref()?;
    let newlib = facts.newlib.as_ref()?;
    let linker = facts.gnu_linker.as_ref()?;
    Some(CToolchain {
        description: format!("{gcc}, newlib {newlib}, {linker}"),
    })
}

fn toolchain_of(facts: &Facts, compiler: &Compiler, route: Route, linker: &str) -> Toolchain {
    let core = match route {
        Route::Rustup => "precompiled core",
        Route::BuildStd => "core built with -Zbuild-std",
    };
    Toolchain {
        route,
        rustc: compiler.bin.join("rustc"),
        cargo: compiler.bin.join("cargo"),
        sysroot: compiler.sysroot.clone(),
        version: compiler.version.clone(),
        description: format!("{}, {core}, {linker}", compiler.version.line),
        c: c_toolchain(facts),
    }
}

/// Whether the compiler has a cargo and is new enough for the firmware.
pub fn is_usable(compiler: &Compiler) -> bool {
    let (major, minor, _) = compiler.version.release;
    compiler.has_cargo && (major, minor) >= minimum_release()
}

/// The `rust-version` of the workspace.
pub fn minimum_release() -> (u32, u32) {
    let mut numbers = env!("CARGO_PKG_RUST_VERSION").split('.');
    let mut next = || numbers.next().and_then(|number| number.parse().ok());
    (next().unwrap_or(1), next().unwrap_or(0))
}

/// The next thing to install that was not tried yet; none when nothing is missing.
///
/// A toolchain that is complete is preferred to one that would have to be completed.
pub fn next_step(facts: &Facts, target: &str, scope: Scope, tried: &[Step]) -> Option<Step> {
    let mut steps = match toolchain(facts) {
        None => build_steps(facts, target),
        Some(_) if scope == Scope::Build => Vec::new(),
        Some(ready) => {
            let c = install(facts, if ready.c.is_none() { &C_PACKAGES } else { &[] });
            let tests = (scope == Scope::BuildAndTest).then(|| test_steps(facts, &ready));
            c.into_iter().chain(tests.into_iter().flatten()).collect()
        }
    };
    steps.retain(|step| !tried.contains(step));
    steps.into_iter().next()
}

fn build_steps(facts: &Facts, target: &str) -> Vec<Step> {
    let mut usable = facts.rustup.iter().filter(|t| is_usable(&t.compiler));
    let add_target = usable.next().map(|toolchain| Step::AddTarget {
        toolchain: toolchain.name.clone(),
        target: target.to_string(),
    });
    let packages = install(facts, &BUILD_PACKAGES);
    add_target.into_iter().chain(packages).collect()
}

/// Installs packages, where this user may.
fn install(facts: &Facts, packages: &[&'static str]) -> Vec<Step> {
    let privilege = package_privilege(facts).filter(|_| !packages.is_empty());
    let step = privilege.map(|privilege| Step::InstallPackages {
        privilege,
        packages: packages.to_vec(),
    });
    step.into_iter().collect()
}

fn test_steps(facts: &Facts, ready: &Toolchain) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut packages = Vec::new();
    if !has_clippy(facts, ready) {
        match rustup_name(facts, ready) {
            Some(toolchain) => steps.push(Step::AddClippy { toolchain }),
            None => packages.push("rust-web-clippy"),
        }
    }
    if !facts.arm_size {
        packages.push("binutils-arm-none-eabi");
    }
    if !facts.tshark {
        packages.push("tshark");
    }
    packages.extend(&facts.missing_network_tools);
    steps.extend(install(facts, &packages));
    steps
}

/// Whether the toolchain that builds the firmware can lint it.
pub fn has_clippy(facts: &Facts, ready: &Toolchain) -> bool {
    let rustup = facts.rustup.iter().map(|toolchain| &toolchain.compiler);
    let mut compilers = rustup.chain(&facts.distribution);
    compilers.any(|compiler| compiler.has_clippy && compiler.sysroot == ready.sysroot)
}

fn rustup_name(facts: &Facts, ready: &Toolchain) -> Option<String> {
    let mut rustup = facts.rustup.iter();
    let found = rustup.find(|toolchain| toolchain.compiler.sysroot == ready.sysroot);
    found.map(|toolchain| toolchain.name.clone())
}

fn package_privilege(facts: &Facts) -> Option<Privilege> {
    Some(facts.privilege).filter(|privilege| facts.apt && *privilege != Privilege::None)
}

/// What a user can type where nothing can be installed for them; one of the lines is enough.
pub fn manual_commands(facts: &Facts, target: &str) -> Vec<String> {
    let install_rustup = facts.rustup.iter().all(|t| !is_usable(&t.compiler));
    let rustup = if install_rustup {
        format!(
            "rustup toolchain install stable --target {target} (rustup is at https://rustup.rs)"
        )
    } else {
        format!("rustup target add {target}")
    };
    let mut commands = vec![rustup];
    if facts.apt {
        commands.push(format!("sudo apt-get install {}", BUILD_PACKAGES.join(" ")));
    }
    commands
}

/// What a user can type to build firmware in C.
pub fn manual_c_command() -> String {
    format!("sudo apt-get install {}", C_PACKAGES.join(" "))
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
