//! The program as a process.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use bench::Endpoint;
use bench::realtime::echo::EchoCounts;
use serde_json::Value;

/// Runs `bench` with these arguments, split at spaces, to its end.
pub fn bench(line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.args(line.split_whitespace()).output().unwrap()
}

/// The exit status of a process.
pub fn status(output: &Output) -> Option<i32> {
    output.status.code()
}

/// What a process printed.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a process complained of.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Interrupts a process as Ctrl-C does.
pub fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(sent.success());
}

/// A `bench serve` that is running; dropped, it is killed.
pub struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub endpoint: Endpoint,
}

impl Server {
    pub fn start(faults: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bench"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(faults.split_whitespace())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut address = String::new();
        stdout.read_line(&mut address).unwrap();
        Self {
            child,
            stdout,
            endpoint: address.trim().parse().unwrap(),
        }
    }

    /// Interrupts the server and reads what it says it did.
    pub fn end(mut self) -> (Value, EchoCounts) {
        interrupt(&self.child);
        let mut json = String::new();
        self.stdout.read_to_string(&mut json).unwrap();
        assert!(self.child.wait().unwrap().success());
        let served: Value = serde_json::from_str(&json).unwrap();
        let counts = serde_json::from_value(served["counts"].clone()).unwrap();
        (served, counts)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended is not there any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
