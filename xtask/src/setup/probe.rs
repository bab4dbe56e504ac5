//! What a machine has of the things the firmware is built and tested with.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::toolchain::{CToolchain, RustVersion};

/// Everything the decisions of [`super::plan`] rest on.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The rustup toolchains, the active one first.
    pub rustup: Vec<RustupToolchain>,
    /// The compiler of the distribution, where there is one.
    pub distribution: Option<Compiler>,
    /// The first line of `arm-none-eabi-ld --version`.
    pub gnu_linker: Option<String>,
    /// The first line of `arm-none-eabi-gcc --version`.
    pub arm_gcc: Option<String>,
    /// The version of the newlib whose headers `arm-none-eabi-gcc` finds.
    pub newlib: Option<String>,
    /// Whether `arm-none-eabi-size` is there; tests compare with it.
    pub arm_size: bool,
    /// Whether tshark is there; tests read captures with it.
    pub tshark: bool,
    /// The packages of Debian and Ubuntu with programs that are not there; a test uses them to talk to the
    /// emulated board over the network.
    pub missing_network_tools: Vec<&'static str>,
    /// Whether apt-get is there.
    pub apt: bool,
    /// Whether this user may install packages.
    pub privilege: Privilege,
}

/// A compiler and the cargo beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The folder of `rustc` and `cargo`.
    pub bin: PathBuf,
    /// What `rustc --print sysroot` gives.
    pub sysroot: PathBuf,
    /// Which compiler it is.
    pub version: RustVersion,
    /// Whether `cargo` is there.
    pub has_cargo: bool,
    /// Whether clippy is there; tests lint with it.
    pub has_clippy: bool,
    /// Whether the sysroot has a core library for the target.
    pub has_target: bool,
    /// Whether the sysroot has the sources of core.
    pub has_sources: bool,
}

/// A toolchain that rustup manages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustupToolchain {
    /// Its full name.
    pub name: String,
    /// What it has.
    pub compiler: Compiler,
}

/// How packages can be installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Privilege {
    /// The user is root.
    Root,
    /// sudo asks for no password.
    Sudo,
    /// Not without asking someone.
    #[default]
    None,
}

impl Facts {
    /// Looks at this machine; what cannot be asked counts as absent.
    pub fn probe(target: &str) -> Self {
        Self {
            rustup: rustup_toolchains(target),
            distribution: Compiler::probe(Path::new("/usr/bin"), target),
            gnu_linker: first_line("arm-none-eabi-ld", &["--version"]),
            arm_gcc: first_line(CToolchain::GCC, &["--version"]),
            newlib: newlib_version(),
            arm_size: read("arm-none-eabi-size", &["--version"]).is_some(),
            tshark: read("tshark", &["--version"]).is_some(),
            missing_network_tools: missing_network_tools(),
            apt: Path::new("/etc/debian_version").exists()
                && Path::new("/usr/bin/apt-get").exists(),
            privilege: Privilege::probe(),
        }
    }
}

/// Programs that show their version for this argument, and the packages that they are in.
const NETWORK_TOOLS: [(&str, &str, &str); 4] = [
    ("ip", "-V", "iproute2"),
    ("ping", "-V", "iputils-ping"),
    ("arping", "-V", "iputils-arping"),
    ("unshare", "--version", "util-linux"),
];

fn missing_network_tools() -> Vec<&'static str> {
    let tools = NETWORK_TOOLS.iter();
    let missing = tools.filter(|(program, argument, _)| read(program, &[argument]).is_none());
    missing.map(|(_, _, package)| *package).collect()
}

impl Compiler {
    fn probe(bin: &Path, target: &str) -> Option<Self> {
        let rustc = bin.join("rustc");
        let rustc = rustc.to_str()?;
        let version = RustVersion::parse(&read(rustc, &["-vV"])?)?;
        let sysroot = PathBuf::from(read(rustc, &["--print", "sysroot"])?.trim());
        let library = sysroot.join("lib/rustlib");
        Some(Self {
            bin: bin.to_path_buf(),
            version,
            has_cargo: bin.join("cargo").exists(),
            has_clippy: bin.join("clippy-driver").exists(),
            has_target: has_core(&library.join(target).join("lib")),
            has_sources: library.join("src/rust/library/core/src/lib.rs").exists(),
            sysroot,
        })
    }
}

impl Privilege {
    fn probe() -> Self {
        if read("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
            Self::Root
        } else if read("sudo", &["-n", "true"]).is_some() {
            Self::Sudo
        } else {
            Self::None
        }
    }
}

/// The preprocessor tells, which needs the headers; the library comes with them.
fn newlib_version() -> Option<String> {
    let arguments = [
        "-E",
        "-dM",
        "-include",
        "_newlib_version.h",
        "-xc",
        "/dev/null",
    ];
    let macros = read(CToolchain::GCC, &arguments)?;
    let prefix = "#define _NEWLIB_VERSION ";
    let version = macros.lines().find_map(|line| line.strip_prefix(prefix))?;
    Some(version.trim_matches('"').to_string())
}

fn has_core(library: &Path) -> bool {
    let Ok(entries) = library.read_dir() else {
        return false;
    };
    let mut names = entries.flatten().map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().starts_with("libcore-"))
}

fn rustup_toolchains(target: &str) -> Vec<RustupToolchain> {
    let list = read("rustup", &["toolchain", "list"]).unwrap_or_default();
    let toolchain = |name: String| {
        let rustc = read("rustup", &["which", "--toolchain", &name, "rustc"])?;
        let bin = Path::new(rustc.trim()).parent()?;
        let compiler = Compiler::probe(bin, target)?;
        Some(RustupToolchain { name, compiler })
    };
    toolchain_names(&list)
        .into_iter()
        .filter_map(toolchain)
        .collect()
}

/// The names in the output of `rustup toolchain list`, the active one first.
fn toolchain_names(list: &str) -> Vec<String> {
    let named = |line: &str| {
        let (name, notes) = line.split_once(' ').unwrap_or((line, ""));
        (!notes.contains("active"), name.to_string())
    };
    let lines = list.lines().map(str::trim);
    let mut names: Vec<_> = lines
        .filter(|line| !line.is_empty() && !line.starts_with("no installed"))
        .map(named)
        .collect();
    names.sort_by_key(|(is_other, _)| *is_other);
    names.into_iter().map(|(_, name)| name).collect()
}

/// The standard output of a command that succeeds, without its complaints.
fn read(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .env_remove("RUSTUP_TOOLCHAIN")
        .env("RUSTUP_AUTO_INSTALL", "0")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let success = output.status.success();
    success.then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    Some(read(program, arguments)?.lines().next()?.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_active_toolchain_comes_first() {
        let list = "nightly-x86_64\n1.95.0-x86_64 (active, default)\nstable-x86_64\n";
        assert_eq!(
            toolchain_names(list),
            ["1.95.0-x86_64", "nightly-x86_64", "stable-x86_64"]
        );
        assert!(toolchain_names("no installed toolchains\n").is_empty());
    }

    #[test]
    fn a_program_that_is_not_there_is_absent() {
        assert_eq!(read("a-program-that-nobody-has", &[]), None);
        assert_eq!(read("false", &[]), None);
        assert_eq!(first_line("echo", &["one"]).as_deref(), Some("one"));
    }
}
