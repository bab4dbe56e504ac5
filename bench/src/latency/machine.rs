//! The latency workload as a state machine: one datagram at a time, each until its reply.

use super::probe::ProbeFormat;
use super::{LatencyOptions, LatencyOptionsError, LatencyResult, SizeLatency};
use crate::datagram::{MAX_PAYLOAD_BYTES, derive_seed};
use crate::ledger::Ledger;
use crate::{Action, Classification, Counts, Endpoint, Nanos, SendOutcome, Workload};

/// Stop and wait: a datagram, its reply, the next datagram; size after size.
///
/// A datagram whose reply does not come within the timeout is left behind. When the reply comes
/// after all it is late, whichever size is then asked: replies carry their numbers, or are told
/// apart as [`probe`](super::TINY_NUMBERS) says. A corrupt reply does not end the wait.
///
/// The warm-up's datagrams of each size carry the numbers from 0, the measured ones those after.
#[derive(Clone, Debug)]
pub struct Latency {
    options: LatencyOptions,
    echo: Endpoint,
    sizes: Vec<Size>,
    /// The index of the size under way.
    current: usize,
    payload: Vec<u8>,
    wait: Wait,
    /// Datagrams in a row without a reply in time.
    unanswered: u64,
}

/// One size.
#[derive(Clone, Debug)]
struct Size {
    format: ProbeFormat,
    warm_up: Ledger,
    measured: Ledger,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// Nothing is under way.
    No,
    /// This datagram is, until then.
    Reply { sequence: u64, until: Nanos },
    /// The size is over; stragglers are waited for.
    Drain { until: Nanos },
}

impl Size {
    fn next_sequence(&self) -> Option<u64> {
        let warm_up = self.warm_up.next_sequence();
        warm_up.or_else(|| self.measured.next_sequence())
    }

    /// The last number tried.
    fn latest(&self) -> Option<u64> {
        (self.warm_up.tried() + self.measured.tried()).checked_sub(1)
    }

    /// The ledger that a number belongs to; what carries none belongs to the one in use.
    fn ledger(&mut self, sequence: Option<u64>) -> &mut Ledger {
        let first = self.warm_up.planned();
        let sequence = sequence.or(self.latest()).unwrap_or(0);
        if sequence < first {
            &mut self.warm_up
        } else {
            &mut self.measured
        }
    }
}

impl Latency {
    /// A latency workload with these options on this echo server.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: LatencyOptions, echo: Endpoint) -> Result<Self, LatencyOptionsError> {
        options.validate()?;
        let size = |(index, &bytes): (usize, &u64)| {
            let seed = derive_seed(options.seed, index as u64);
            let first = options.warm_up_packets;
            let ledger =
                |sequences: std::ops::Range<u64>| Ledger::new(sequences, 0, options.timeout_ns);
            Size {
                format: ProbeFormat::new(seed, bytes as usize),
                warm_up: ledger(0..first),
                measured: ledger(first..first + options.samples),
            }
        };
        Ok(Self {
            echo,
            sizes: options.payload_bytes.iter().enumerate().map(size).collect(),
            current: 0,
            payload: Vec::with_capacity(MAX_PAYLOAD_BYTES),
            wait: Wait::No,
            unanswered: 0,
            options,
        })
    }

    /// The counters of the measured datagrams of one size as of now; one under way counts as
    /// missing.
    ///
    /// # Panics
    /// When there is no size of this index.
    pub fn counts(&self, size: usize) -> Counts {
        self.sizes[size].measured.counts()
    }

    /// The memory of the workload in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        let size = |size: &Size| size.warm_up.memory_bytes() + size.measured.memory_bytes();
        size_of::<Self>() + self.payload.capacity() + self.sizes.iter().map(size).sum::<usize>()
    }

    /// Closes the workload.
    pub fn into_result(self) -> LatencyResult {
        let sizes = self.sizes.into_iter().map(|mut size| {
            size.measured.stop();
            let measured = size.measured.close();
            SizeLatency {
                payload_bytes: size.format.payload_bytes() as u64,
                warm_up: {
                    size.warm_up.stop();
                    size.warm_up.counts()
                },
                counts: measured.counts,
                rtt: measured.rtt,
                rtt_unknown: measured.rtt_unknown,
                first_corruption: measured.first_corruption,
            }
        });
        LatencyResult {
            sizes: sizes.collect(),
            options: self.options,
        }
    }

    /// The wait for a reply is over: the datagram under way is left behind.
    fn left_behind(&mut self) {
        self.unanswered += 1;
        if self.unanswered == self.options.give_up_after {
            let size = &mut self.sizes[self.current];
            size.warm_up.stop();
            size.measured.stop();
        }
    }

    /// The index of the size a payload belongs to, and what it is to it.
    fn owner(&self, payload: &[u8]) -> (usize, Classification) {
        let classify = |index: usize| {
            let size = &self.sizes[index];
            match size.latest() {
                Some(latest) => size.format.classify(payload, latest),
                None => Classification::Foreign,
            }
        };
        let newest_first = (0..=self.current).rev();
        let claimed = newest_first
            .map(|index| (index, classify(index)))
            .find(|(index, class)| self.sizes[*index].format.claims(payload, class));
        claimed.unwrap_or_else(|| (self.current, classify(self.current)))
    }
}

impl Workload for Latency {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        loop {
            match self.wait {
                Wait::Reply { until, .. } | Wait::Drain { until } if now < until => {
                    return Action::WaitUntil(until);
                }
                Wait::Reply { .. } => {
                    self.left_behind();
                    self.wait = Wait::No;
                }
                Wait::Drain { .. } if self.current + 1 == self.sizes.len() => return Action::Done,
                Wait::Drain { .. } => {
                    self.current += 1;
                    self.unanswered = 0;
                    self.wait = Wait::No;
                }
                Wait::No => {
                    let size = &self.sizes[self.current];
                    let Some(sequence) = size.next_sequence() else {
                        let until = now + self.options.drain_ns;
                        self.wait = Wait::Drain { until };
                        continue;
                    };
                    self.payload.resize(size.format.payload_bytes(), 0);
                    size.format.encode(sequence, &mut self.payload);
                    return Action::Send {
                        to: self.echo,
                        payload: &self.payload,
                    };
                }
            }
        }
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        let size = &mut self.sizes[self.current];
        let sequence = size
            .next_sequence()
            .expect("a send is reported once, after it was asked for");
        size.ledger(Some(sequence)).sent(now, outcome);
        let until = now + self.options.timeout_ns;
        self.wait = Wait::Reply { sequence, until };
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        if from != self.echo {
            let from_device = from.ip() == self.echo.ip();
            let ledger = self.sizes[self.current].ledger(None);
            return ledger.stranger(from_device);
        }
        let (index, class) = self.owner(payload);
        let size = &mut self.sizes[index];
        let number = class.sequence();
        let copy = size.ledger(number).received(now, class);
        let awaited = match self.wait {
            Wait::Reply { sequence, .. } => index == self.current && number == Some(sequence),
            _ => false,
        };
        if copy.is_some() && awaited {
            self.wait = Wait::No;
            self.unanswered = 0;
        }
    }
}
