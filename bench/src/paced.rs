//! Warm-up, measured schedule and their drains: the course that paced workloads have in common.

use crate::pacing::Pacing;
use crate::schedule::Schedule;
use crate::stream::Flow;
use crate::{Nanos, SendOutcome};

/// The datagrams of a warm-up, which carry the sequence numbers from 0, and the measured ones,
/// which carry those after, each on a schedule of their own.
#[derive(Clone, Debug)]
pub(crate) struct PacedFlows {
    phase: Phase,
    drain: Nanos,
    warm_up_packets: u64,
    pub(crate) warm_up: Flow,
    pub(crate) measured: Flow,
    pub(crate) pacing: Pacing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    NotStarted,
    WarmUp,
    WarmUpDrain { until: Nanos },
    Measured,
    Drain { until: Nanos },
}

/// How a paced workload is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) rate_hz: u64,
    pub(crate) warm_up_packets: u64,
    pub(crate) packets: u64,
    pub(crate) drain: Nanos,
    pub(crate) late_threshold: Nanos,
}

/// What a paced workload does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PacedStep {
    Send { sequence: u64 },
    WaitUntil(Nanos),
    Done,
}

/// A measured datagram that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tried {
    pub(crate) sequence: u64,
    /// When it was due, from the start of the measured schedule.
    pub(crate) due: Nanos,
}

impl PacedFlows {
    pub(crate) fn new(plan: Plan) -> Self {
        let flow = |first_sequence, packets| {
            let schedule = Schedule {
                start: Nanos::ZERO,
                first_sequence,
                packets,
                rate_hz: plan.rate_hz,
            };
            Flow::new(schedule, plan.late_threshold)
        };
        Self {
            phase: Phase::NotStarted,
            drain: plan.drain,
            warm_up_packets: plan.warm_up_packets,
            warm_up: flow(0, plan.warm_up_packets),
            measured: flow(plan.warm_up_packets, plan.packets),
            pacing: Pacing::default(),
        }
    }

    /// The start of the measured schedule.
    pub(crate) fn start(&self) -> Nanos {
        self.measured.schedule().start
    }

    /// Whether the measured schedule is under way.
    pub(crate) fn is_measuring(&self) -> bool {
        self.phase == Phase::Measured
    }

    /// Moves through the phases to what is to be done at `now`.
    pub(crate) fn next(&mut self, now: Nanos) -> PacedStep {
        loop {
            match self.phase {
                Phase::NotStarted => {
                    self.warm_up.begin(now);
                    self.phase = Phase::WarmUp;
                }
                Phase::WarmUp => match step(&self.warm_up, now) {
                    Some(step) => return step,
                    None => self.drain_warm_up(now),
                },
                Phase::WarmUpDrain { until } | Phase::Drain { until } if now < until => {
                    return PacedStep::WaitUntil(until);
                }
                Phase::WarmUpDrain { .. } => {
                    self.measured.begin(now);
                    self.phase = Phase::Measured;
                }
                Phase::Measured => match step(&self.measured, now) {
                    Some(step) => {
                        if matches!(step, PacedStep::WaitUntil(_)) {
                            self.pacing.waited();
                        }
                        return step;
                    }
                    None => self.drain_measured(now),
                },
                Phase::Drain { .. } => return PacedStep::Done,
            }
        }
    }

    fn drain_warm_up(&mut self, now: Nanos) {
        let drain = match self.warm_up_packets {
            0 => Nanos::ZERO,
            _ => self.drain,
        };
        let until = now.max(self.warm_up.schedule().end()) + drain;
        self.phase = Phase::WarmUpDrain { until };
    }

    fn drain_measured(&mut self, now: Nanos) {
        let until = now.max(self.measured.schedule().end()) + self.drain;
        self.phase = Phase::Drain { until };
    }

    /// The datagram of the last [`next`](Self::next) was tried; tells which if it is a measured
    /// one.
    pub(crate) fn sent(&mut self, now: Nanos, outcome: SendOutcome) -> Option<Tried> {
        if self.phase != Phase::Measured {
            self.warm_up.sent(now, outcome);
            return None;
        }
        let (sequence, due) = self
            .measured
            .next_due()
            .expect("a send is reported once, after it was asked for");
        self.pacing.sent(due, now);
        self.measured.sent(now, outcome);
        let due = due.since(self.start());
        Some(Tried { sequence, due })
    }

    /// Ends the measured schedule before its time: nothing more is sent, and nothing waited for.
    pub(crate) fn stop(&mut self, now: Nanos) {
        self.measured.stop();
        self.phase = Phase::Drain { until: now };
    }

    /// Whether a sequence number is a measured one; what carries none belongs to the flow under
    /// way.
    pub(crate) fn is_measured(&self, sequence: Option<u64>) -> bool {
        match sequence {
            Some(sequence) => sequence >= self.warm_up_packets,
            None => matches!(self.phase, Phase::Measured | Phase::Drain { .. }),
        }
    }

    /// The memory in bytes without that of `Self`.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.warm_up.memory_bytes() + self.measured.memory_bytes() + self.pacing.error.heap_bytes()
    }
}

/// The datagram that is due at `now`, or the wait for the next; `None` when all were tried.
fn step(flow: &Flow, now: Nanos) -> Option<PacedStep> {
    let (sequence, due) = flow.next_due()?;
    Some(if now < due {
        PacedStep::WaitUntil(due)
    } else {
        PacedStep::Send { sequence }
    })
}
