//! Ctrl-C: a request to stop that every worker sees at its next step.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// Whether the user asked to stop; clones share the answer.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// One that Ctrl-C (SIGINT) and SIGTERM set, instead of ending the process.
    ///
    /// Errors when the process already has such a handler.
    pub fn on_ctrl_c() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        ctrlc::set_handler(move || flag.request()).context("cannot listen for Ctrl-C")?;
        Ok(interrupt)
    }

    /// Asks everybody to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
