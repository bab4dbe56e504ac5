//! The recovery workload as a state machine.

use std::net::Ipv4Addr;

use super::outage::{Good, OutageWatch};
use super::{Disturbed, RecoveryOptions, RecoveryOptionsError, RecoveryResult};
use crate::datagram::DatagramFormat;
use crate::paced::{PacedFlows, PacedStep, Plan};
use crate::{
    Action, Classification, Counts, DisturbOutcome, Endpoint, Nanos, SendOutcome, Workload,
};

/// A stream in which the driver is asked for a disturbance once.
///
/// The stream is open loop and goes on through the outage. Datagrams go to the address that the
/// driver knows last; a reply is good from any address the device had.
#[derive(Clone, Debug)]
pub struct Recovery {
    options: RecoveryOptions,
    /// Where the device listened, in the order it did: the last is where datagrams go.
    addresses: Vec<Endpoint>,
    format: DatagramFormat,
    payload: Box<[u8]>,
    flows: PacedFlows,
    disturbed: Option<Disturbed>,
    target_changed: Option<Nanos>,
    watch: OutageWatch,
}

impl Recovery {
    /// A recovery workload with these options on this echo server.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: RecoveryOptions, echo: Endpoint) -> Result<Self, RecoveryOptionsError> {
        options.validate()?;
        let plan = Plan {
            rate_hz: options.rate_hz,
            warm_up_packets: options.warm_up_packets,
            packets: options.planned_packets(),
            drain: options.drain_ns,
            late_threshold: options.late_threshold_ns,
        };
        let format = DatagramFormat::new(options.seed, options.payload_bytes as usize);
        Ok(Self {
            addresses: vec![echo],
            format,
            payload: vec![0; format.payload_bytes()].into_boxed_slice(),
            flows: PacedFlows::new(plan),
            disturbed: None,
            target_changed: None,
            watch: OutageWatch::new(options.gap_min_ns),
            options,
        })
    }

    /// The counters of the measured datagrams as of now; one under way counts as missing.
    pub fn counts(&self) -> Counts {
        self.flows.measured.counts()
    }

    /// The memory of the workload in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.payload.len()
            + self.flows.heap_bytes()
            + self.addresses.capacity() * size_of::<Endpoint>()
    }

    /// Closes the workload.
    pub fn into_result(self) -> RecoveryResult {
        let flow = self.flows.measured;
        let schedule = *flow.schedule();
        let end = schedule.end().since(schedule.start);
        let due = |index| (index, schedule.instant(index).since(schedule.start));
        let outage = self.watch.finish(end, flow.missing().map(due));
        let measured = flow.close(Nanos::SECOND);
        RecoveryResult {
            warm_up: self.flows.warm_up.counts(),
            counts: measured.ledger.counts,
            rtt: measured.ledger.rtt,
            rtt_unknown: measured.ledger.rtt_unknown,
            echo: self.addresses[0],
            disturbed: self.disturbed,
            target_changed_ns: self.target_changed,
            outage,
            pacing: self.flows.pacing.record(schedule.start),
            first_missing: measured.first_missing,
            last_missing: measured.last_missing,
            first_corruption: measured.ledger.first_corruption,
            options: self.options,
        }
    }

    /// Whether the disturbance is to be asked for at `now`; if not yet, when.
    fn disturbance_due(&self, now: Nanos) -> Option<Due> {
        if self.disturbed.is_some() || !self.flows.is_measuring() {
            return None;
        }
        let due = self.flows.start() + self.options.before_ns;
        Some(if now < due { Due::At(due) } else { Due::Now })
    }

    /// Where datagrams go.
    fn echo(&self) -> Endpoint {
        self.addresses[self.addresses.len() - 1]
    }

    fn is_device(&self, from: Endpoint) -> bool {
        let ip = from.ip();
        self.addresses.iter().any(|address| address.ip() == ip)
    }

    /// A reply to a measured datagram, or something that belongs to no other flow, arrived.
    fn measured_received(&mut self, now: Nanos, from: Endpoint, class: Classification) {
        if let Some(copy) = self.flows.measured.received(now, class) {
            let at = now.since(self.flows.start());
            let index = copy.index;
            self.watch.good(Good { at, index, from });
        }
    }
}

enum Due {
    Now,
    At(Nanos),
}

impl Workload for Recovery {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        let step = self.flows.next(now);
        match (step, self.disturbance_due(now)) {
            (_, Some(Due::Now)) => Action::Disturb(self.options.disturbance),
            (PacedStep::WaitUntil(instant), Some(Due::At(due))) => {
                Action::WaitUntil(instant.min(due))
            }
            (PacedStep::WaitUntil(instant), None) => Action::WaitUntil(instant),
            (PacedStep::Send { sequence }, _) => {
                self.format.encode(sequence, &mut self.payload);
                Action::Send {
                    to: self.echo(),
                    payload: &self.payload,
                }
            }
            (PacedStep::Done, _) => Action::Done,
        }
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        self.flows.sent(now, outcome);
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        let class = self
            .addresses
            .contains(&from)
            .then(|| self.format.classify(payload));
        let sequence = class.and_then(|class| class.sequence());
        let is_measured = self.flows.is_measured(sequence);
        match class {
            Some(class) if is_measured => self.measured_received(now, from, class),
            Some(class) => {
                self.flows.warm_up.received(now, class);
            }
            None => {
                let from_device = self.is_device(from);
                let flow = match is_measured {
                    true => &mut self.flows.measured,
                    false => &mut self.flows.warm_up,
                };
                flow.stranger(from_device);
            }
        }
    }

    fn disturbed(&mut self, now: Nanos, outcome: DisturbOutcome) {
        let at_ns = now.since(self.flows.start());
        self.disturbed = Some(Disturbed { at_ns, outcome });
        match outcome {
            DisturbOutcome::Begun => self.watch.disturbed(),
            DisturbOutcome::Refused => self.flows.stop(now),
        }
    }

    fn target_changed(&mut self, now: Nanos, address: Ipv4Addr) {
        let echo = Endpoint::new(address, self.echo().port());
        if self.echo() != echo {
            self.addresses.retain(|address| *address != echo);
            self.addresses.push(echo);
            self.target_changed = Some(now.since(self.flows.start()));
        }
    }
}
