//! A booted device under test, as a measurement uses it.

use bench::{Action, Endpoint, Nanos, SendOutcome, Targets, Workload};

use crate::adapter::{DriveEnd, EchoTarget, drive};

/// A device that is ready, and who watches it.
pub struct Device<'a> {
    pub target: &'a mut dyn EchoTarget,
    /// Where it listens.
    pub targets: Targets,
    /// Sees the virtual time since reset and may say to stop.
    pub go_on: &'a mut dyn FnMut(Nanos) -> bool,
}

impl Device<'_> {
    /// Runs a workload to its end; `None` when `go_on` said to stop.
    ///
    /// # Errors
    /// When the device cannot go on.
    pub fn run<W: Workload>(&mut self, mut workload: W) -> anyhow::Result<Option<W>> {
        let end = drive(&mut workload, self.target, &mut *self.go_on)?;
        Ok((end == DriveEnd::Done).then_some(workload))
    }
}

/// Sends nothing until an instant.
pub struct Silence {
    pub until: Nanos,
}

impl Workload for Silence {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        if now < self.until {
            Action::WaitUntil(self.until)
        } else {
            Action::Done
        }
    }

    fn sent(&mut self, _now: Nanos, _outcome: SendOutcome) {}

    fn received(&mut self, _now: Nanos, _from: Endpoint, _payload: &[u8]) {}
}
