//! The soak as a state machine: warm-up, measured schedule, drain.

use super::intervals::IntervalRecorder;
use super::mixture::Mixture;
use super::{SizeClass, SoakOptions, SoakOptionsError, SoakResult};
use crate::datagram::MAX_PAYLOAD_BYTES;
use crate::pacing::Pacing;
use crate::rtt_series::RttRecorder;
use crate::schedule::Schedule;
use crate::stream::Flow;
use crate::{Action, Counts, Endpoint, Nanos, SendOutcome, Workload};

/// An open-loop stream of datagrams of mixed sizes.
///
/// The warm-up's datagrams carry the sequence numbers from 0, the measured ones those after.
#[derive(Clone, Debug)]
pub struct Soak {
    options: SoakOptions,
    echo: Endpoint,
    mixture: Mixture,
    payload: Box<[u8]>,
    phase: Phase,
    warm_up: Flow,
    measured: Flow,
    pacing: Pacing,
    rtt_over_time: RttRecorder,
    intervals: IntervalRecorder,
    classes: Box<[SizeClass]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    NotStarted,
    WarmUp,
    WarmUpDrain { until: Nanos },
    Measured,
    Drain { until: Nanos },
}

impl Soak {
    /// A soak with these options to this echo server.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: SoakOptions, echo: Endpoint) -> Result<Self, SoakOptionsError> {
        options.validate()?;
        let flow = |first_sequence, packets| {
            let schedule = Schedule {
                start: Nanos::ZERO,
                first_sequence,
                packets,
                rate_hz: options.rate_hz,
            };
            Flow::new(schedule, options.late_threshold_ns)
        };
        let class = |size: &super::SizeWeight| SizeClass::new(size.payload_bytes);
        Ok(Self {
            echo,
            mixture: Mixture::new(options.seed, &options.sizes),
            payload: vec![0; MAX_PAYLOAD_BYTES].into_boxed_slice(),
            phase: Phase::NotStarted,
            warm_up: flow(0, options.warm_up_packets),
            measured: flow(options.warm_up_packets, options.planned_packets()),
            pacing: Pacing::default(),
            rtt_over_time: RttRecorder::default(),
            intervals: IntervalRecorder::new(options.intervals(), options.interval_ns),
            classes: options.sizes.iter().map(class).collect(),
            options,
        })
    }

    /// The counters of the measured datagrams as of now; one under way counts as missing.
    pub fn counts(&self) -> Counts {
        self.measured.counts()
    }

    /// The memory of the soak in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        let rtt = self.classes.iter().map(|class| class.rtt.heap_bytes());
        size_of::<Self>()
            + self.payload.len()
            + self.warm_up.memory_bytes()
            + self.measured.memory_bytes()
            + self.pacing.error.heap_bytes()
            + self.rtt_over_time.heap_bytes()
            + self.intervals.heap_bytes()
            + size_of_val(&*self.classes)
            + rtt.sum::<usize>()
    }

    /// Closes the soak.
    pub fn into_result(mut self) -> SoakResult {
        let schedule = *self.measured.schedule();
        for index in self.measured.missing() {
            let due = schedule.instant(index).since(schedule.start);
            self.intervals.at(due).missing += 1;
            let size = self.mixture.size_index(schedule.first_sequence + index);
            self.classes[size].missing += 1;
        }
        let measured = self.measured.close(self.options.interval_ns);
        SoakResult {
            warm_up: self.warm_up.counts(),
            counts: measured.ledger.counts,
            sizes: self.classes.into_vec(),
            intervals: self.intervals.finish(),
            rtt_over_time: self.rtt_over_time.finish(),
            rtt_unknown: measured.ledger.rtt_unknown,
            pacing: self.pacing.record(schedule.start),
            tail: measured.ledger.tail.since(schedule.start),
            first_missing: measured.first_missing,
            last_missing: measured.last_missing,
            first_corruption: measured.ledger.first_corruption,
            options: self.options,
        }
    }

    /// The datagram that is due at `now`, or the instant of the next; `None` when all were sent.
    fn due(&mut self, now: Nanos) -> Option<Due> {
        let measured = self.phase == Phase::Measured;
        let flow = if measured {
            &self.measured
        } else {
            &self.warm_up
        };
        let (sequence, due) = flow.next_due()?;
        if now < due {
            if measured {
                self.pacing.waited();
            }
            return Some(Due::At(due));
        }
        Some(Due::Now(sequence))
    }

    fn measured_sent(&mut self, now: Nanos, outcome: SendOutcome) {
        let (sequence, due) = self
            .measured
            .next_due()
            .expect("a send is reported once, after it was asked for");
        self.pacing.sent(due, now);
        let since_start = due.since(self.measured.schedule().start);
        let interval = self.intervals.at(since_start);
        let class = &mut self.classes[self.mixture.size_index(sequence)];
        match outcome {
            SendOutcome::Sent => {
                interval.sent += 1;
                class.sent += 1;
            }
            SendOutcome::Failed => {
                interval.send_errors += 1;
                class.send_errors += 1;
            }
        }
        self.measured.sent(now, outcome);
    }

    /// Whether a sequence number is a measured one; what carries none belongs to the flow under
    /// way.
    fn is_measured(&self, sequence: Option<u64>) -> bool {
        match sequence {
            Some(sequence) => sequence >= self.options.warm_up_packets,
            None => matches!(self.phase, Phase::Measured | Phase::Drain { .. }),
        }
    }

    /// Something that concerns the measured flow arrived.
    fn measured_received(&mut self, now: Nanos, arrival: Arrival) {
        let start = self.measured.schedule().start;
        let before = self.measured.tally();
        let copy = match arrival {
            Arrival::Stranger { from_device } => {
                self.measured.stranger(from_device);
                None
            }
            Arrival::Echo(class) => self.measured.received(now, class),
        };
        let after = self.measured.tally();
        let rtt = copy.and_then(|copy| copy.rtt);
        let elapsed = now.since(start);
        self.intervals.arrived(elapsed, &before, &after, rtt);
        let Some(copy) = copy else { return };
        let late = after.late - before.late;
        let schedule = *self.measured.schedule();
        let interval = self.intervals.at(schedule.instant(copy.index).since(start));
        interval.valid += 1;
        interval.late += late;
        let size = self
            .mixture
            .size_index(schedule.first_sequence + copy.index);
        self.classes[size].answered(late, rtt);
        if let Some(rtt) = rtt {
            self.rtt_over_time
                .record(elapsed.0, self.options.duration_ns.0, rtt);
        }
    }
}

/// When the next datagram leaves.
enum Due {
    Now(u64),
    At(Nanos),
}

/// What arrived.
enum Arrival {
    Stranger { from_device: bool },
    Echo(crate::Classification),
}

impl Workload for Soak {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        loop {
            match self.phase {
                Phase::NotStarted => {
                    self.warm_up.begin(now);
                    self.phase = Phase::WarmUp;
                }
                Phase::WarmUp | Phase::Measured => match self.due(now) {
                    Some(Due::At(instant)) => return Action::WaitUntil(instant),
                    Some(Due::Now(sequence)) => {
                        let payload = self.mixture.encode(sequence, &mut self.payload);
                        return Action::Send {
                            to: self.echo,
                            payload,
                        };
                    }
                    None if self.phase == Phase::Measured => {
                        let end = now.max(self.measured.schedule().end());
                        let until = end + self.options.drain_ns;
                        self.phase = Phase::Drain { until };
                    }
                    None => {
                        let end = now.max(self.warm_up.schedule().end());
                        let drain = match self.options.warm_up_packets {
                            0 => Nanos::ZERO,
                            _ => self.options.drain_ns,
                        };
                        self.phase = Phase::WarmUpDrain { until: end + drain };
                    }
                },
                Phase::WarmUpDrain { until } | Phase::Drain { until } if now < until => {
                    return Action::WaitUntil(until);
                }
                Phase::WarmUpDrain { .. } => {
                    self.measured.begin(now);
                    self.phase = Phase::Measured;
                }
                Phase::Drain { .. } => return Action::Done,
            }
        }
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        match self.phase {
            Phase::Measured => self.measured_sent(now, outcome),
            _ => self.warm_up.sent(now, outcome),
        }
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        let arrival = if from == self.echo {
            Arrival::Echo(self.mixture.classify(payload))
        } else {
            let from_device = from.ip() == self.echo.ip();
            Arrival::Stranger { from_device }
        };
        let sequence = match &arrival {
            Arrival::Echo(class) => class.sequence(),
            Arrival::Stranger { .. } => None,
        };
        if self.is_measured(sequence) {
            return self.measured_received(now, arrival);
        }
        match arrival {
            Arrival::Echo(class) => {
                self.warm_up.received(now, class);
            }
            Arrival::Stranger { from_device } => self.warm_up.stranger(from_device),
        }
    }
}
