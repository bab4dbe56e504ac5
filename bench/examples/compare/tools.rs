//! Processes: the bench, its server, and the other tools.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// What the comparison ends in.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// Builds the program and gives its path: it lies beside the folder of this example.
pub fn build_bench() -> Outcome<PathBuf> {
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--release",
            "-p",
            "bench",
            "--bin",
            "bench",
        ])
        .status()?;
    if !built.success() {
        return Err("the bench does not build".into());
    }
    let example = std::env::current_exe()?;
    let folder = example.ancestors().nth(2).ok_or("no target folder")?;
    Ok(folder.join("bench"))
}

/// The processor and kernel this runs on.
pub fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let model = read("/proc/cpuinfo");
    let model = model
        .lines()
        .find_map(|line| line.strip_prefix("model name\t: "));
    let cores = std::thread::available_parallelism().map_or(0, |cores| cores.get());
    let kernel = read("/proc/sys/kernel/osrelease");
    let load = read("/proc/loadavg");
    format!(
        "{cores} cores ({}), Linux {}, load {} at the start",
        model.unwrap_or("unknown"),
        kernel.trim(),
        load.split(' ').next().unwrap_or("unknown")
    )
}

/// Whether a tool is installed; tells when it is not.
pub fn is_installed(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        println!("{tool} is not installed and left out\n");
    }
    found
}

/// A process that is killed when dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// `bench serve` with further arguments.
    pub fn bench(bench: &Path, arguments: &[&str]) -> Outcome<Self> {
        let mut command = Command::new(bench);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        Self::announced(command.args(arguments))
    }

    /// A server that prints its address first.
    pub fn announced(command: &mut Command) -> Outcome<Self> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let mut address = String::new();
        BufReader::new(stdout).read_line(&mut address)?;
        let address = address.trim().parse()?;
        Ok(Self { child, address })
    }

    /// Another tool that listens on a free port; `arguments` makes its arguments from the port.
    pub fn other(tool: &str, arguments: impl Fn(&str) -> Vec<String>) -> Outcome<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let child = Command::new(tool)
            .args(arguments(&address.port().to_string()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        std::thread::sleep(std::time::Duration::from_millis(500));
        Ok(Self { child, address })
    }

    /// Interrupts the process and waits for its end, so that it writes what it has to.
    pub fn end(mut self) -> Outcome<()> {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tool that runs on one core only.
pub fn pinned(core: &str, tool: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", core]).arg(tool);
    command
}

/// Runs a tool to its end, whatever its exit status.
pub fn output(command: &mut Command) -> Outcome<String> {
    let Output { stdout, stderr, .. } = command.output()?;
    let text = String::from_utf8_lossy(&stdout).into_owned();
    Ok(text + &String::from_utf8_lossy(&stderr))
}

/// Runs the bench and reads its report.
pub fn report(command: &mut Command) -> Outcome<Value> {
    let output = command.arg("--json").output()?;
    if output.stdout.is_empty() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The middle one of an odd number of values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
