//! A network namespace of a test's own, with a TAP device in it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};

/// Ways to make a namespace: as anybody, where the system lets anybody, or as root.
const WAYS: [&[&str]; 2] = [&["--user", "--map-root-user", "--net"], &["--net"]];
/// What holds the namespace open until its input ends.
const HOLDER: &str = "echo ready && exec cat";

/// The namespace; it ends with this value.
pub struct Namespace {
    holder: Child,
    /// How a command gets in.
    enter: Vec<String>,
}

impl Namespace {
    /// Makes one; `Err` is a reason why this machine lets this user have none.
    pub fn new() -> Result<Self, String> {
        let mut reasons = Vec::new();
        for way in WAYS {
            match Self::by(way) {
                Ok(namespace) => return Ok(namespace),
                Err(error) => reasons.push(format!("{error:#}")),
            }
        }
        Err(reasons.join("; "))
    }

    fn by(way: &[&str]) -> anyhow::Result<Self> {
        let mut holder = Command::new("unshare")
            .args(way)
            .args(["sh", "-c", HOLDER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot run unshare")?;
        let mut line = String::new();
        let stdout = holder.stdout.take().context("unshare has no output")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let target = holder.id().to_string();
        let as_user = way.contains(&"--user");
        let user = as_user.then_some(["--user", "--preserve-credentials"]);
        let enter = ["--net", "--target", &target].into_iter();
        let namespace = Self {
            enter: enter
                .chain(user.into_iter().flatten())
                .map(str::to_owned)
                .collect(),
            holder,
        };
        ensure!(
            line == "ready\n",
            "unshare {} is not permitted",
            way.join(" ")
        );
        Ok(namespace)
    }

    /// A command in the namespace.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new("nsenter");
        command.args(&self.enter).arg("--").arg(program);
        command
    }

    /// Runs a command in the namespace, and gives what it printed.
    ///
    /// # Errors
    /// When it fails; the message is what it complained about.
    pub fn run(&self, words: &str) -> anyhow::Result<String> {
        let mut words = words.split(' ');
        let mut command = self.command(words.next().unwrap_or_default());
        let output = command.args(words).stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{said}{}", complaint.trim());
        Ok(said)
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // Without its input the holder ends.
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}
