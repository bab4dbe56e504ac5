//! The throughput workload: one stream after another, at the rates the search asks for.

use super::search::{Purpose, RateSearch};
use super::{
    SizeThroughput, ThroughputOptions, ThroughputOptionsError, ThroughputResult, ThroughputTrial,
};
use crate::{Action, Endpoint, Nanos, SendOutcome, Stream, Targets, Workload};

/// Searches, size after size, for the highest rate without loss and the peak goodput.
///
/// Each trial has a stream id of its own, and begins when the one before has drained.
#[derive(Clone, Debug)]
pub struct Throughput {
    options: ThroughputOptions,
    echo: Endpoint,
    finished: Vec<SizeThroughput>,
    search: RateSearch,
    trials: Vec<ThroughputTrial>,
    /// The trial under way; `None` when the workload is over.
    current: Option<(Purpose, Stream)>,
}

impl Throughput {
    /// A throughput workload with these options on this echo server.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: ThroughputOptions, echo: Endpoint) -> Result<Self, ThroughputOptionsError> {
        options.validate()?;
        let mut throughput = Self {
            search: options.search(0),
            options,
            echo,
            finished: Vec::new(),
            trials: Vec::new(),
            current: None,
        };
        throughput.begin_trial();
        Ok(throughput)
    }

    /// What is tried now: payload in bytes, rate in datagrams a second, and why; `None` when the
    /// workload is over.
    pub fn trial(&self) -> Option<(u64, u64, Purpose)> {
        let (purpose, stream) = self.current.as_ref()?;
        let options = stream.options();
        Some((options.payload_bytes, options.rate_hz, *purpose))
    }

    /// Closes the workload. Trials that are not over, and sizes not begun, are left out.
    pub fn into_result(mut self) -> ThroughputResult {
        if self.finished.len() < self.options.payload_bytes.len() {
            self.finish_size();
        }
        ThroughputResult {
            options: self.options,
            sizes: self.finished,
        }
    }

    /// Begins the trial the search asks for, or the next size when it asks for none.
    fn begin_trial(&mut self) {
        loop {
            let size = self.finished.len();
            if size == self.options.payload_bytes.len() {
                self.current = None;
                return;
            }
            if let Some((purpose, rate_hz)) = self.search.next() {
                let verify = purpose == Purpose::Verify;
                let number = self.trials.len();
                let options = self.options.trial(size, number, rate_hz, verify);
                let targets = Targets {
                    echo: self.echo,
                    telemetry: None,
                };
                let stream = Stream::new(options, targets)
                    .expect("the lowest and the highest rate were validated at the start");
                self.current = Some((purpose, stream));
                return;
            }
            self.finish_size();
        }
    }

    fn finish_size(&mut self) {
        self.finished.push(SizeThroughput {
            payload_bytes: self.options.payload_bytes[self.finished.len()],
            trials: std::mem::take(&mut self.trials),
        });
        if self.finished.len() < self.options.payload_bytes.len() {
            self.search = self.options.search(self.finished.len());
        }
    }

    fn end_trial(&mut self) {
        if let Some((purpose, stream)) = self.current.take() {
            let trial = ThroughputTrial::new(purpose, stream.into_result());
            self.search.record(trial.finding());
            self.trials.push(trial);
        }
        self.begin_trial();
    }
}

impl Workload for Throughput {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        let step = loop {
            match &mut self.current {
                None => return Action::Done,
                Some((_, stream)) => {
                    let step = stream.advance(now);
                    if !step.is_done() {
                        break step;
                    }
                }
            }
            self.end_trial();
        };
        match &mut self.current {
            Some((_, stream)) => stream.action(step),
            None => Action::Done,
        }
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        if let Some((_, stream)) = &mut self.current {
            stream.sent(now, outcome);
        }
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        if let Some((_, stream)) = &mut self.current {
            stream.received(now, from, payload);
        }
    }
}
