//! A sweep: the same stream at one rate after another.

mod result;

pub use result::{SweepOptions, SweepResult};

use crate::stream::{OptionsError, Stream, StreamResult};
use crate::{Action, Endpoint, Nanos, SendOutcome, Targets, Workload};

/// Streams at rising rates, each begun when the one before has drained.
///
/// Each rate has a stream id of its own: a reply so late that it comes during the next rate is
/// missing from its own and foreign to the next.
#[derive(Clone, Debug)]
pub struct Sweep {
    options: SweepOptions,
    targets: Targets,
    current: Stream,
    finished: Vec<StreamResult>,
}

impl Sweep {
    /// A sweep with these options over these targets.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: SweepOptions, targets: Targets) -> Result<Self, OptionsError> {
        options.validate()?;
        let current = Stream::new(options.step(0), targets)?;
        Ok(Self {
            options,
            targets,
            current,
            finished: Vec::new(),
        })
    }

    /// The rate under way, in datagrams a second.
    pub fn rate_hz(&self) -> u64 {
        self.options.rates_hz[self.finished.len()]
    }

    /// Closes the sweep.
    pub fn into_result(mut self) -> SweepResult {
        self.finished.push(self.current.into_result());
        SweepResult {
            options: self.options,
            steps: self.finished,
        }
    }

    /// Goes on to the next rate; false when this was the last.
    fn next_rate(&mut self) -> bool {
        let index = self.finished.len() + 1;
        if index == self.options.rates_hz.len() {
            return false;
        }
        let next = Stream::new(self.options.step(index), self.targets)
            .expect("every rate was validated at the start");
        self.finished
            .push(std::mem::replace(&mut self.current, next).into_result());
        true
    }
}

impl Workload for Sweep {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        let mut step = self.current.advance(now);
        while step.is_done() && self.next_rate() {
            step = self.current.advance(now);
        }
        self.current.action(step)
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        self.current.sent(now, outcome);
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        self.current.received(now, from, payload);
    }
}
