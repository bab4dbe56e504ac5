//! A running `cargo xtask serve`, as a test watches it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail, ensure};

/// How long a line is waited for that comes within seconds: a limit for what hangs, not for what is slow.
const PATIENCE: Duration = Duration::from_secs(120);
/// Where in a line of the summary its text begins, behind the subject.
const SUBJECT_WIDTH: usize = 14;

/// A program that prints lines until it is told to end.
pub struct Served {
    child: Child,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl Served {
    /// Starts it; what it prints on standard error goes to the terminal.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(mut command: Command) -> anyhow::Result<Self> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot start cargo xtask serve")?;
        let stdout = child.stdout.take().context("it has no output")?;
        let (send, lines) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            lines.map(|line| send.send(line)).all(|sent| sent.is_ok())
        });
        Ok(Self {
            child,
            lines,
            said: Vec::new(),
        })
    }

    /// Waits for a line that begins with `start` and gives the rest of it.
    ///
    /// # Errors
    /// When it ends before, or hangs.
    pub fn wait_for(&mut self, start: &str) -> anyhow::Result<String> {
        self.wait(start, |line| line.strip_prefix(start).map(str::to_owned))
    }

    /// Waits for a line with `text` in it.
    ///
    /// # Errors
    /// As [`Served::wait_for`].
    pub fn wait_for_text(&mut self, text: &str) -> anyhow::Result<()> {
        self.wait(text, |line| line.contains(text).then_some(()))
    }

    fn wait<T>(&mut self, what: &str, find: impl Fn(&str) -> Option<T>) -> anyhow::Result<T> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.with_context(|| format!("no line {what:?} after {:?}", self.said))?;
            let found = find(&line);
            self.said.push(line);
            if let Some(found) = found {
                return Ok(found);
            }
        }
    }

    /// Has it end, and gives its summary.
    ///
    /// # Errors
    /// When it ends with another status than 0.
    pub fn stop(mut self) -> anyhow::Result<Summary> {
        terminate(&self.child)?;
        let status = self.child.wait()?;
        ensure!(status.success(), "serve ended with {status}");
        self.said.extend(self.lines.iter());
        Ok(Summary(std::mem::take(&mut self.said)))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It has ended already unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks a process to end, as Ctrl-C would: not by that signal, which is ignored by what a shell started in
/// the background and by all that this starts.
///
/// # Errors
/// When there is no such process any more.
pub fn terminate(child: &Child) -> anyhow::Result<()> {
    let mut kill = Command::new("sh");
    kill.args(["-c", "kill -TERM \"$0\"", &child.id().to_string()]);
    ensure!(kill.status()?.success(), "it ended by itself");
    Ok(())
}

/// What it printed from start to end.
pub struct Summary(Vec<String>);

impl Summary {
    /// The numbers in the line of a subject, in order.
    ///
    /// # Errors
    /// When there is no such line, or not `N` numbers in it.
    pub fn figures<const N: usize>(&self, subject: &str) -> anyhow::Result<[u64; N]> {
        let mut lines = self
            .0
            .iter()
            .filter_map(|line| line.split_at_checked(SUBJECT_WIDTH));
        let Some((_, text)) = lines.find(|(name, _)| name.trim_end() == subject) else {
            bail!("no line about {subject} in {:?}", self.0);
        };
        let numbers: Vec<u64> = text
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .collect();
        let numbers = numbers.try_into();
        numbers
            .map_err(|numbers| anyhow::anyhow!("{subject}: {N} numbers expected, not {numbers:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Served {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Served::start(command).unwrap()
    }

    #[test]
    fn lines_are_waited_for_and_the_end_is_a_summary() {
        let mut served = shell(
            "trap 'echo \"wire          24 to, 17 from\"; exit 0' TERM; echo lease 1.2.3.4; while :; do sleep 0.01; done",
        );
        assert_eq!(served.wait_for("lease ").unwrap(), "1.2.3.4");
        let summary = served.stop().unwrap();
        assert_eq!(summary.figures::<2>("wire").unwrap(), [24, 17]);
        assert!(summary.figures::<3>("wire").is_err());
        assert!(summary.figures::<2>("wir").is_err());
    }

    #[test]
    fn one_that_ends_too_early_or_badly_is_an_error() {
        let error = shell("echo other").wait_for("lease ").unwrap_err();
        assert!(format!("{error:#}").starts_with("no line \"lease \" after [\"other\"]"));
        let mut served = shell("trap 'exit 3' TERM; echo up; while :; do sleep 0.01; done");
        served.wait_for("up").unwrap();
        assert!(served.stop().is_err());
    }
}
