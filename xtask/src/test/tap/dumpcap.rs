//! A capture of the TAP device that is under way.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::namespace::Namespace;
use crate::test::served::terminate;
use crate::test::tshark::{Capture, Frame};

/// A limit for what hangs, not for what is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program that captures.
pub struct Dumpcap {
    child: Child,
}

impl Dumpcap {
    /// Starts it on a device and waits until it sees frames.
    ///
    /// # Errors
    /// When it cannot capture.
    pub fn start(namespace: &Namespace, device: &str, path: &Path) -> anyhow::Result<Self> {
        let folder = path.parent().context("the capture has no folder")?;
        fs::create_dir_all(folder)?;
        let mut command = namespace.command("dumpcap");
        command.args(["-q", "-i", device, "-w"]).arg(path);
        let command = command.stdin(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().context("cannot run dumpcap")?;
        let mut dumpcap = Self { child };
        let stderr = dumpcap.child.stderr.take().context("it has no output")?;
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let said: Vec<String> = lines
            .by_ref()
            .take_while(|line| !line.starts_with("File:"))
            .collect();
        ensure!(
            dumpcap.child.try_wait()?.is_none(),
            "dumpcap: {}",
            said.join(" ")
        );
        // What it says later is not read, but has to go somewhere.
        thread::spawn(move || lines.for_each(drop));
        Ok(dumpcap)
    }

    /// Waits until a frame is in the file, and so everything before it.
    ///
    /// # Errors
    /// When it does not come.
    pub fn wait_for(path: &Path, is_it: impl Fn(&Frame) -> bool) -> anyhow::Result<()> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            // A file that is being written may end in half a frame.
            if let Ok(Some(capture)) = Capture::read(path)
                && capture.frames()?.iter().any(&is_it)
            {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        bail!("the last frame is not in {}", path.display())
    }

    /// Ends the capture.
    ///
    /// # Errors
    /// When it ends with another status than 0.
    pub fn stop(mut self) -> anyhow::Result<()> {
        terminate(&self.child)?;
        let status = self.child.wait()?;
        ensure!(status.success(), "dumpcap ended with {status}");
        Ok(())
    }
}

impl Drop for Dumpcap {
    fn drop(&mut self) {
        // It has ended already unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
