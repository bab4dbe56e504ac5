//! The functional gate as a state machine: one datagram at a time, each until its reply.

use super::{FunctionalOptions, FunctionalOptionsError, FunctionalResult, SizeCounts};
use crate::datagram::{Corruption, MAX_PAYLOAD_BYTES, compare, fill};
use crate::{Action, Endpoint, Nanos, SendOutcome, Workload};

/// Sends datagrams of every size, one at a time, and compares each reply byte for byte.
///
/// A reply that equals an earlier datagram is stale rather than corrupt. Payloads of a few bytes
/// can be alike by chance; those of 8 bytes and more are not.
#[derive(Clone, Debug)]
pub struct FunctionalGate {
    options: FunctionalOptions,
    echo: Endpoint,
    sizes: Vec<SizeCounts>,
    first_corruption: Option<Corruption>,
    /// The number of the datagram under way.
    number: u64,
    payload: Vec<u8>,
    attempts: u64,
    answered: bool,
    /// When the last attempt is given up; `None` before the first.
    deadline: Option<Nanos>,
}

impl FunctionalGate {
    /// A gate with these options on this echo server.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: FunctionalOptions, echo: Endpoint) -> Result<Self, FunctionalOptionsError> {
        options.validate()?;
        let planned = options.rounds;
        let count = |&payload_bytes| SizeCounts {
            payload_bytes,
            planned,
            ..SizeCounts::default()
        };
        let mut gate = Self {
            sizes: options.payload_bytes.iter().map(count).collect(),
            options,
            echo,
            first_corruption: None,
            number: 0,
            payload: Vec::with_capacity(MAX_PAYLOAD_BYTES),
            attempts: 0,
            answered: false,
            deadline: None,
        };
        gate.begin(0);
        Ok(gate)
    }

    /// Closes the gate.
    pub fn into_result(self) -> FunctionalResult {
        let Self {
            options,
            sizes,
            first_corruption,
            ..
        } = self;
        FunctionalResult {
            options,
            sizes,
            first_corruption,
        }
    }

    /// Makes datagram `number` the one under way.
    fn begin(&mut self, number: u64) {
        self.number = number;
        self.payload.resize(self.payload_bytes(number), 0);
        fill(self.options.seed, number, &mut self.payload);
        self.attempts = 0;
        self.answered = false;
        self.deadline = None;
    }

    fn finished(&self) -> bool {
        self.number == self.options.rounds * self.sizes.len() as u64
    }

    fn size_index(&self, number: u64) -> usize {
        (number % self.sizes.len() as u64) as usize
    }

    fn payload_bytes(&self, number: u64) -> usize {
        self.options.payload_bytes[self.size_index(number)] as usize
    }

    /// The counts of the size under way; after the end, of the last.
    fn counts(&mut self) -> &mut SizeCounts {
        let last = self.sizes.len() - 1;
        let index = if self.finished() {
            last
        } else {
            self.size_index(self.number)
        };
        &mut self.sizes[index]
    }

    /// Whether `payload` equals a datagram before the one under way.
    fn is_earlier(&self, payload: &[u8]) -> bool {
        let mut earlier = [0; MAX_PAYLOAD_BYTES];
        (0..self.number).rev().any(|number| {
            let bytes = self.payload_bytes(number);
            bytes == payload.len() && {
                fill(self.options.seed, number, &mut earlier[..bytes]);
                earlier[..bytes] == *payload
            }
        })
    }
}

impl Workload for FunctionalGate {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        while !self.finished() {
            let waiting = self.deadline.filter(|&deadline| now < deadline);
            if self.answered {
                self.begin(self.number + 1);
            } else if let Some(deadline) = waiting {
                return Action::WaitUntil(deadline);
            } else if self.attempts == self.options.attempts_for(self.payload.len() as u64) {
                self.counts().unanswered += 1;
                self.begin(self.number + 1);
            } else {
                return Action::Send {
                    to: self.echo,
                    payload: &self.payload,
                };
            }
        }
        Action::Done
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        self.attempts += 1;
        self.deadline = Some(now + self.options.timeout_ns);
        let is_retry = self.attempts > 1;
        let counts = self.counts();
        counts.retries += u64::from(is_retry);
        match outcome {
            SendOutcome::Sent => counts.sent += 1,
            SendOutcome::Failed => counts.send_errors += 1,
        }
    }

    fn received(&mut self, _now: Nanos, from: Endpoint, payload: &[u8]) {
        let is_current = payload == self.payload;
        let awaited = self.attempts > 0 && !self.answered;
        if from != self.echo {
            self.counts().foreign += 1;
        } else if is_current && awaited {
            self.answered = true;
            self.counts().intact += 1;
        } else if is_current || self.is_earlier(payload) {
            self.counts().stale += 1;
        } else {
            self.counts().corrupt += 1;
            let corruption = compare(Some(self.number), &self.payload, payload);
            self.first_corruption.get_or_insert(corruption);
        }
    }
}
