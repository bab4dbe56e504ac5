//! What can build the firmware, and how cargo is called with it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths;

/// Separates flags in `CARGO_ENCODED_RUSTFLAGS`, so that a path may hold a space.
const FLAG_SEPARATOR: &str = "\u{1f}";

/// A toolchain that is complete for the firmware's target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// Where core comes from and what links.
    pub route: Route,
    /// Its `rustc`.
    pub rustc: PathBuf,
    /// Its `cargo`.
    pub cargo: PathBuf,
    /// What `rustc --print sysroot` gives.
    pub sysroot: PathBuf,
    /// The release and commit of the compiler, as `rustc -vV` gives them.
    pub version: RustVersion,
    /// Compiler, core and linker in one line, for results.
    pub description: String,
    /// What builds variants in C, where it is there.
    pub c: Option<CToolchain>,
}

/// The C compiler with its library and linker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CToolchain {
    /// Compiler, library and linker in one line, for results.
    pub description: String,
}

impl CToolchain {
    /// The compiler's program.
    pub const GCC: &str = "arm-none-eabi-gcc";
}

/// Where the target's core library comes from and what links the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Precompiled with the rustup toolchain; the bundled lld links.
    Rustup,
    /// Compiled from the distribution's sources; GNU ld links.
    BuildStd,
}

/// The identity of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustVersion {
    /// The line `rustc --version` prints.
    pub line: String,
    /// Major, minor and patch number.
    pub release: (u32, u32, u32),
    /// The commit it was built from, where it knows it.
    pub commit: Option<String>,
}

impl RustVersion {
    /// Reads what `rustc -vV` prints.
    pub fn parse(verbose: &str) -> Option<Self> {
        let field = |name: &str| {
            let line = verbose.lines().find_map(|line| line.strip_prefix(name));
            line.map(str::trim)
        };
        let release = field("release:")?;
        let numbers = release.split('-').next()?;
        let mut numbers = numbers.split('.').map(|number| number.parse().ok());
        let release = (numbers.next()??, numbers.next()??, numbers.next()??);
        let commit = field("commit-hash:").filter(|hash| *hash != "unknown");
        Some(Self {
            line: verbose.lines().next()?.trim().to_string(),
            release,
            commit: commit.map(String::from),
        })
    }
}

impl Toolchain {
    /// A cargo command for the firmware workspace of the checkout at `checkout` in which nothing of
    /// the calling cargo is left.
    ///
    /// The caller's `RUSTFLAGS`, `RUSTUP_TOOLCHAIN`, `DEFMT_LOG` and the like would change the
    /// image, so that of their kind only variables about the network and the homes are passed on.
    pub fn cargo(&self, checkout: &Path, subcommand: &str) -> Command {
        let mut command = Command::new(&self.cargo);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(changes_the_build) {
                command.env_remove(name);
            }
        }
        let first = self.cargo.parent().unwrap_or(Path::new("/"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(
            [first.to_path_buf()]
                .into_iter()
                .chain(std::env::split_paths(&path)),
        );
        command
            .arg(subcommand)
            .current_dir(checkout.join("firmware"))
            .env("RUSTC", &self.rustc)
            .env(
                "CARGO_ENCODED_RUSTFLAGS",
                self.rust_flags(checkout).join(FLAG_SEPARATOR),
            );
        if let Ok(path) = path {
            command.env("PATH", path);
        }
        if self.route == Route::BuildStd {
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        command
    }

    /// The arguments that make the target's core library available.
    pub fn core_arguments(&self) -> &'static [&'static str] {
        match self.route {
            Route::Rustup => &[],
            Route::BuildStd => &["-Zbuild-std=core"],
        }
    }

    fn rust_flags(&self, checkout: &Path) -> Vec<String> {
        let mut flags = Vec::new();
        if self.route == Route::BuildStd {
            flags.push("-Clinker=arm-none-eabi-ld".to_string());
            flags.push("-Clinker-flavor=ld".to_string());
        }
        // The later of two matching prefixes wins, so the outermost folder comes first.
        flags.push(remap(checkout, "/study"));
        flags.push(remap(&paths::cargo_home(), "/cargo"));
        for folder in self.core_source_folders() {
            flags.push(remap(&folder, &self.core_source_name()));
        }
        flags
    }

    /// The sources of core as the sysroot names them and where links lead to.
    fn core_source_folders(&self) -> Vec<PathBuf> {
        let named = self.sysroot.join("lib/rustlib/src/rust");
        let mut folders = vec![named.clone()];
        folders.extend(named.canonicalize().ok().filter(|real| *real != named));
        folders
    }

    /// The folder that precompiled libraries name for their sources.
    fn core_source_name(&self) -> String {
        let (major, minor, patch) = self.version.release;
        let release = format!("{major}.{minor}.{patch}");
        format!(
            "/rustc/{}",
            self.version.commit.as_ref().unwrap_or(&release)
        )
    }
}

/// Whether a variable of the caller's environment would change what cargo builds.
fn changes_the_build(name: &str) -> bool {
    const KEPT: [&str; 7] = [
        "CARGO_HOME",
        "CARGO_HTTP_",
        "CARGO_NET_",
        "CARGO_REGISTRIES_",
        "CARGO_REGISTRY_",
        "CARGO_TERM_",
        "RUSTUP_HOME",
    ];
    const READ_BY_THE_BUILD: [&str; 5] = ["CARGO", "RUST", "DEFMT_", "EMBASSY_", "SMOLTCP_"];
    let is_read = READ_BY_THE_BUILD.iter().any(|tool| name.starts_with(tool));
    is_read && !KEPT.iter().any(|kept| name.starts_with(kept))
}

fn remap(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERBOSE: &str = "rustc 1.96.0 (ac68faa20 2026-05-25)\nbinary: rustc\n\
        commit-hash: ac68faa20c58\nrelease: 1.96.0\nLLVM version: 22.1.8\n";

    #[test]
    fn the_version_is_read_from_verbose_output() {
        let version = RustVersion::parse(VERBOSE).unwrap();
        assert_eq!(version.line, "rustc 1.96.0 (ac68faa20 2026-05-25)");
        assert_eq!(version.release, (1, 96, 0));
        assert_eq!(version.commit.as_deref(), Some("ac68faa20c58"));
    }

    #[test]
    fn a_nightly_has_a_release_and_an_unknown_commit_is_none() {
        let verbose = VERBOSE
            .replace("release: 1.96.0", "release: 1.97.0-nightly")
            .replace("ac68faa20c58", "unknown");
        let version = RustVersion::parse(&verbose).unwrap();
        assert_eq!((version.release, version.commit), ((1, 97, 0), None));
        assert_eq!(RustVersion::parse("rustc: not found"), None);
    }

    #[test]
    fn what_changes_the_build_is_not_passed_on() {
        for name in [
            "CARGO",
            "CARGO_TARGET_DIR",
            "CARGO_PROFILE_RELEASE_LTO",
            "RUSTFLAGS",
            "RUSTC_WRAPPER",
            "RUSTUP_TOOLCHAIN",
            "CARGO_ENCODED_RUSTFLAGS",
            "DEFMT_LOG",
            "SMOLTCP_IFACE_MAX_ADDR_COUNT",
        ] {
            assert!(changes_the_build(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "CARGO_HOME",
            "CARGO_NET_OFFLINE",
            "RUSTUP_HOME",
        ] {
            assert!(!changes_the_build(name), "{name}");
        }
    }
}
