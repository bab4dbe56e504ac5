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
        for tool in ["arm-none-eabi-as", "arm-none-eabi-gcc"] {
            if !runs(Command::new(tool).arg("--version")) {
                eprintln!("skipped: {tool} is not installed");
                return Vec::new();
            }
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
        let mut assembler = Command::new("arm-none-eabi-as");
        assembler.args(["-mcpu=cortex-m7", "-mthumb"]);
        self.make(assembler, "image.s", assembly, script)
    }

    /// Compiles a source in C with debug information and links it with a script.
    pub fn compile(&self, source: &str, script: &str) -> Vec<u8> {
        let mut compiler = Command::new("arm-none-eabi-gcc");
        compiler.args(["-mcpu=cortex-m7", "-mthumb", "-O1", "-g", "-c"]);
        compiler.args(["-ffunction-sections", "-fdata-sections", "-fno-common"]);
        self.make(compiler, "image.c", source, script).unwrap()
    }

    fn make(
        &self,
        mut compiler: Command,
        name: &str,
        source: &str,
        script: &str,
    ) -> Option<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path(name), source).unwrap();
        std::fs::write(path("image.ld"), script).unwrap();
        let compiled = compiler
            .arg("-o")
            .arg(path("image.o"))
            .arg(path(name))
            .status();
        assert!(compiled.unwrap().success());
        let mut linker = match self {
            Self::Gnu => Command::new("arm-none-eabi-ld"),
            Self::Lld(path) => Command::new(path),
        };
        if matches!(self, Self::Lld(path) if path.ends_with("rust-lld")) {
            linker.args(["-flavor", "gnu"]);
        }
        linker.arg("--gc-sections").arg("-T").arg(path("image.ld"));
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
