//! ELF images that real linkers make.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A linker for the part.
#[derive(Clone, Debug)]
pub enum Linker {
    /// GNU ld of the Arm binutils.
    Gnu,
    /// LLVM's lld: the one that comes with Rust, or the system's.
    Lld(PathBuf),
}

impl Linker {
    /// Both linkers where the machine has them; a line on standard error for one that it lacks.
    pub fn installed() -> Vec<Self> {
        if !runs(Command::new("arm-none-eabi-as").arg("--version")) {
            eprintln!("skipped: arm-none-eabi-as is not installed");
            return Vec::new();
        }
        let mut found = Vec::new();
        if runs(Command::new("arm-none-eabi-ld").arg("--version")) {
            found.push(Self::Gnu);
        } else {
            eprintln!("skipped for GNU ld: arm-none-eabi-ld is not installed");
        }
        match lld() {
            Some(path) => found.push(Self::Lld(path)),
            None => eprintln!("skipped for lld: neither Rust's rust-lld nor ld.lld is installed"),
        }
        found
    }

    /// Assembles and links a source with a script; `None` when the linker says no.
    pub fn link(&self, assembly: &str, script: &str) -> Option<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("image.s"), assembly).unwrap();
        std::fs::write(path("image.ld"), script).unwrap();
        let mut assembler = Command::new("arm-none-eabi-as");
        assembler.args(["-mcpu=cortex-m7", "-mthumb", "-o"]);
        let assembled = assembler.arg(path("image.o")).arg(path("image.s")).status();
        assert!(assembled.unwrap().success());
        let mut linker = match self {
            Self::Gnu => Command::new("arm-none-eabi-ld"),
            Self::Lld(path) => Command::new(path),
        };
        if matches!(self, Self::Lld(path) if path.ends_with("rust-lld")) {
            linker.args(["-flavor", "gnu"]);
        }
        linker.arg("-T").arg(path("image.ld"));
        linker.arg("-o").arg(path("image.elf")).arg(path("image.o"));
        let linked = linker.output().unwrap();
        let is_linked = linked.status.success();
        is_linked.then(|| std::fs::read(path("image.elf")).unwrap())
    }
}

fn lld() -> Option<PathBuf> {
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    let rustlib = Path::new(sysroot.trim()).join("lib/rustlib");
    let hosts = rustlib.read_dir().into_iter().flatten().flatten();
    let bundled = hosts.map(|host| host.path().join("bin/rust-lld"));
    let bundled =
        bundled.filter(|path| runs(Command::new(path).args(["-flavor", "gnu", "--version"])));
    let system = Path::new("ld.lld");
    let system = runs(Command::new(system).arg("--version")).then(|| system.to_path_buf());
    bundled.last().or(system)
}

fn runs(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
