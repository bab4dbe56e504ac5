//! The soak as a state machine.

use super::intervals::IntervalRecorder;
use super::mixture::Mixture;
use super::{SizeClass, SizeWeight, SoakOptions, SoakOptionsError, SoakResult};
use crate::datagram::MAX_PAYLOAD_BYTES;
use crate::ledger::FirstCopy;
use crate::paced::{PacedFlows, PacedStep, Plan};
use crate::rtt_series::RttRecorder;
use crate::{Action, Classification, Counts, Endpoint, Nanos, SendOutcome, Workload};

/// An open-loop stream of datagrams of mixed sizes.
///
/// The warm-up's datagrams carry the sequence numbers from 0, the measured ones those after.
#[derive(Clone, Debug)]
pub struct Soak {
    options: SoakOptions,
    echo: Endpoint,
    mixture: Mixture,
    payload: Box<[u8]>,
    flows: PacedFlows,
    rtt_over_time: RttRecorder,
    intervals: IntervalRecorder,
    classes: Box<[SizeClass]>,
}

impl Soak {
    /// A soak with these options to this echo server.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: SoakOptions, echo: Endpoint) -> Result<Self, SoakOptionsError> {
        options.validate()?;
        let plan = Plan {
            rate_hz: options.rate_hz,
            warm_up_packets: options.warm_up_packets,
            packets: options.planned_packets(),
            drain: options.drain_ns,
            late_threshold: options.late_threshold_ns,
        };
        let class = |size: &SizeWeight| SizeClass::new(size.payload_bytes);
        Ok(Self {
            echo,
            mixture: Mixture::new(options.seed, &options.sizes),
            payload: vec![0; MAX_PAYLOAD_BYTES].into_boxed_slice(),
            flows: PacedFlows::new(plan),
            rtt_over_time: RttRecorder::default(),
            intervals: IntervalRecorder::new(options.intervals(), options.interval_ns),
            classes: options.sizes.iter().map(class).collect(),
            options,
        })
    }

    /// The counters of the measured datagrams as of now; one under way counts as missing.
    pub fn counts(&self) -> Counts {
        self.flows.measured.counts()
    }

    /// The memory of the soak in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        let rtt = self.classes.iter().map(|class| class.rtt.heap_bytes());
        size_of::<Self>()
            + self.payload.len()
            + self.flows.heap_bytes()
            + self.rtt_over_time.heap_bytes()
            + self.intervals.heap_bytes()
            + size_of_val(&*self.classes)
            + rtt.sum::<usize>()
    }

    /// Closes the soak.
    pub fn into_result(mut self) -> SoakResult {
        let schedule = *self.flows.measured.schedule();
        for index in self.flows.measured.missing() {
            let due = schedule.instant(index).since(schedule.start);
            self.intervals.at(due).missing += 1;
            let size = self.mixture.size_index(schedule.first_sequence + index);
            self.classes[size].missing += 1;
        }
        let measured = self.flows.measured.close(self.options.interval_ns);
        SoakResult {
            warm_up: self.flows.warm_up.counts(),
            counts: measured.ledger.counts,
            sizes: self.classes.into_vec(),
            intervals: self.intervals.finish(),
            rtt_over_time: self.rtt_over_time.finish(),
            rtt_unknown: measured.ledger.rtt_unknown,
            pacing: self.flows.pacing.record(schedule.start),
            tail: measured.ledger.tail.since(schedule.start),
            first_missing: measured.first_missing,
            last_missing: measured.last_missing,
            first_corruption: measured.ledger.first_corruption,
            options: self.options,
        }
    }

    /// Something that concerns the measured flow arrived; `class` is absent for a stranger's.
    fn measured_received(&mut self, now: Nanos, from_device: bool, class: Option<Classification>) {
        let flow = &mut self.flows.measured;
        let before = flow.tally();
        let copy = match class {
            Some(class) => flow.received(now, class),
            None => {
                flow.stranger(from_device);
                None
            }
        };
        let after = flow.tally();
        let rtt = copy.and_then(|copy| copy.rtt);
        let elapsed = now.since(self.flows.start());
        self.intervals.arrived(elapsed, &before, &after, rtt);
        if let Some(copy) = copy {
            self.answered(copy, after.late - before.late);
        }
        if let Some(rtt) = rtt {
            self.rtt_over_time
                .record(elapsed.0, self.options.duration_ns.0, rtt);
        }
    }

    /// The first right copy of a datagram came; `late` is 1 when it took too long.
    fn answered(&mut self, copy: FirstCopy, late: u64) {
        let schedule = *self.flows.measured.schedule();
        let due = schedule.instant(copy.index).since(schedule.start);
        let interval = self.intervals.at(due);
        interval.valid += 1;
        interval.late += late;
        let sequence = schedule.first_sequence + copy.index;
        self.classes[self.mixture.size_index(sequence)].answered(late, copy.rtt);
    }
}

impl Workload for Soak {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        match self.flows.next(now) {
            PacedStep::Send { sequence } => Action::Send {
                to: self.echo,
                payload: self.mixture.encode(sequence, &mut self.payload),
            },
            PacedStep::WaitUntil(instant) => Action::WaitUntil(instant),
            PacedStep::Done => Action::Done,
        }
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        let Some(tried) = self.flows.sent(now, outcome) else {
            return;
        };
        let interval = self.intervals.at(tried.due);
        let class = &mut self.classes[self.mixture.size_index(tried.sequence)];
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
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        let from_device = from.ip() == self.echo.ip();
        let class = (from == self.echo).then(|| self.mixture.classify(payload));
        let sequence = class.and_then(|class| class.sequence());
        if self.flows.is_measured(sequence) {
            return self.measured_received(now, from_device, class);
        }
        let flow = &mut self.flows.warm_up;
        match class {
            Some(class) => {
                flow.received(now, class);
            }
            None => flow.stranger(from_device),
        }
    }
}
