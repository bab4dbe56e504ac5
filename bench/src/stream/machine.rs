//! The stream as a state machine: warm-up, telemetry reset, measured schedule, drain.

use super::background::Background;
use super::flow::Flow;
use super::telemetry_client::{ClientStep, TelemetryClient};
use super::{OptionsError, StreamOptions, StreamResult};
use crate::datagram::DatagramFormat;
use crate::pacing::Pacing;
use crate::rtt_series::RttRecorder;
use crate::schedule::Schedule;
use crate::telemetry::Command;
use crate::{Action, Counts, Endpoint, Nanos, SendOutcome, Targets, Workload};

/// An open-loop stream of datagrams to an echo server.
///
/// The warm-up's datagrams carry the sequence numbers from 0, the measured ones those after. With
/// a telemetry server the device's counters are reset between the two, and read at the end of the
/// schedule, while the last replies come in.
#[derive(Clone, Debug)]
pub struct Stream {
    options: StreamOptions,
    echo: Endpoint,
    format: DatagramFormat,
    payload: Box<[u8]>,
    phase: Phase,
    pending: Option<Pending>,
    warm_up: Flow,
    measured: Flow,
    pacing: Pacing,
    rtt_over_time: RttRecorder,
    background: Background,
    telemetry: Option<TelemetryClient>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    NotStarted,
    WarmUp,
    WarmUpDrain { until: Nanos },
    TelemetryReset,
    Measured,
    Drain { from: Nanos },
}

/// What a send still to be reported carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Datagram,
    Background,
    Telemetry,
}

/// An [`Action`] that borrows nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    SendDatagram { sequence: u64 },
    SendBackground,
    SendTelemetry,
    WaitUntil(Nanos),
    Done,
}

impl Step {
    pub(crate) fn is_done(self) -> bool {
        self == Self::Done
    }
}

impl Stream {
    /// A stream with these options to these targets.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: StreamOptions, targets: Targets) -> Result<Self, OptionsError> {
        options.validate()?;
        let format = DatagramFormat::new(options.seed, options.payload_bytes as usize);
        let flow = |first_sequence, packets| {
            let rate_hz = options.rate_hz;
            let schedule = Schedule {
                start: Nanos::ZERO,
                first_sequence,
                packets,
                rate_hz,
            };
            Flow::new(schedule, options.late_threshold_ns)
        };
        let telemetry = targets.telemetry.map(|server| {
            let StreamOptions {
                telemetry_timeout_ns,
                telemetry_attempts,
                ..
            } = options;
            TelemetryClient::new(server, telemetry_timeout_ns, telemetry_attempts)
        });
        Ok(Self {
            echo: targets.echo,
            format,
            payload: vec![0; format.payload_bytes()].into_boxed_slice(),
            phase: Phase::NotStarted,
            pending: None,
            warm_up: flow(0, options.warm_up_packets),
            measured: flow(options.warm_up_packets, options.planned_packets()),
            pacing: Pacing::default(),
            rtt_over_time: RttRecorder::default(),
            background: Background::new(&options),
            telemetry,
            options,
        })
    }

    /// The parameters.
    pub fn options(&self) -> &StreamOptions {
        &self.options
    }

    /// The counters of the measured datagrams as of now; one under way counts as missing.
    pub fn counts(&self) -> Counts {
        self.measured.counts()
    }

    /// The memory of the stream in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.payload.len()
            + self.warm_up.memory_bytes()
            + self.measured.memory_bytes()
            + self.pacing.error.heap_bytes()
            + self.rtt_over_time.heap_bytes()
            + self.background.heap_bytes()
    }

    /// Closes the stream.
    pub fn into_result(self) -> StreamResult {
        let start = self.measured.schedule().start;
        let interval = self.options.interval_ns;
        let measured = self.measured.close(interval);
        StreamResult {
            warm_up: self.warm_up.counts(),
            counts: measured.ledger.counts,
            rtt: measured.ledger.rtt,
            rtt_from_schedule: measured.rtt_from_schedule,
            rtt_over_time: self.rtt_over_time.finish(),
            rtt_unknown: measured.ledger.rtt_unknown,
            pacing_error: self.pacing.error,
            first_send_ns: self.pacing.sends.map(|(first, _)| first.since(start)),
            last_send_ns: self.pacing.sends.map(|(_, last)| last.since(start)),
            tail: measured.ledger.tail.since(start),
            largest_burst: self.pacing.largest_burst,
            missing_by_interval: measured.missing_by_interval,
            first_missing: measured.first_missing,
            last_missing: measured.last_missing,
            first_corruption: measured.ledger.first_corruption,
            background_sent: self.background.sent,
            background_send_errors: self.background.send_errors,
            telemetry: self.telemetry.map(TelemetryClient::into_record),
            options: self.options,
        }
    }

    /// Moves through the phases to what is to be done at `now`.
    pub(crate) fn advance(&mut self, now: Nanos) -> Step {
        loop {
            let step = match self.phase {
                Phase::NotStarted => {
                    self.warm_up.begin(now);
                    self.phase = Phase::WarmUp;
                    None
                }
                Phase::WarmUp => self.send_warm_up(now),
                Phase::WarmUpDrain { until } => self.drain_warm_up(now, until),
                Phase::TelemetryReset => self.reset_telemetry(now),
                Phase::Measured => self.send_measured(now),
                Phase::Drain { from } => Some(self.drain(now, from)),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    /// Turns a step into the action it stands for.
    pub(crate) fn action(&mut self, step: Step) -> Action<'_> {
        match step {
            Step::SendDatagram { sequence } => {
                self.pending = Some(Pending::Datagram);
                self.format.encode(sequence, &mut self.payload);
                Action::Send {
                    to: self.echo,
                    payload: &self.payload,
                }
            }
            Step::SendBackground => {
                self.pending = Some(Pending::Background);
                let (to, payload) = self.background.datagram();
                Action::Send { to, payload }
            }
            Step::SendTelemetry => {
                self.pending = Some(Pending::Telemetry);
                let client = self
                    .telemetry
                    .as_ref()
                    .expect("telemetry is asked of its client");
                let (to, payload) = client.request();
                Action::Send { to, payload }
            }
            Step::WaitUntil(instant) => Action::WaitUntil(instant),
            Step::Done => Action::Done,
        }
    }

    fn send_warm_up(&mut self, now: Nanos) -> Option<Step> {
        if let Some((sequence, due)) = self.warm_up.next_due() {
            return Some(send_when_due(sequence, due, now));
        }
        let end = now.max(self.warm_up.schedule().end());
        let quiet = self.options.warm_up_packets == 0;
        let until = if quiet {
            now
        } else {
            end + self.options.drain_ns
        };
        self.phase = Phase::WarmUpDrain { until };
        None
    }

    fn drain_warm_up(&mut self, now: Nanos, until: Nanos) -> Option<Step> {
        if now < until {
            return Some(Step::WaitUntil(until));
        }
        if let Some(client) = &mut self.telemetry {
            client.ask(Command::ResetThenRead);
        }
        self.phase = Phase::TelemetryReset;
        None
    }

    fn reset_telemetry(&mut self, now: Nanos) -> Option<Step> {
        let step = self.telemetry_step(now);
        if step.is_none() {
            self.measured.begin(now);
            self.background.begin(now);
            self.phase = Phase::Measured;
        }
        step
    }

    fn send_measured(&mut self, now: Nanos) -> Option<Step> {
        if let Some((sequence, due)) = self.measured.next_due() {
            if now < due {
                self.pacing.waited();
                return Some(self.background_until(now, due));
            }
            return Some(Step::SendDatagram { sequence });
        }
        if let Some(client) = &mut self.telemetry {
            client.ask(Command::Read);
        }
        self.phase = Phase::Drain {
            from: now.max(self.measured.schedule().end()),
        };
        None
    }

    fn drain(&mut self, now: Nanos, from: Nanos) -> Step {
        let until = from + self.options.drain_ns;
        if now < from || self.background.next_due().is_some() {
            return self.background_until(now, from);
        }
        match self.telemetry_step(now) {
            Some(step) => step,
            None if now < until => Step::WaitUntil(until),
            None => Step::Done,
        }
    }

    /// Before the stream has anything to do at `until`: the background datagram that is due, or
    /// the wait for it.
    fn background_until(&self, now: Nanos, until: Nanos) -> Step {
        match self.background.next_due() {
            Some(due) if due <= now => Step::SendBackground,
            Some(due) => Step::WaitUntil(due.min(until)),
            None => Step::WaitUntil(until),
        }
    }

    fn telemetry_step(&mut self, now: Nanos) -> Option<Step> {
        let step = self.telemetry.as_mut()?.next(now)?;
        Some(match step {
            ClientStep::Send => Step::SendTelemetry,
            ClientStep::WaitUntil(deadline) => Step::WaitUntil(deadline),
        })
    }

    fn datagram_sent(&mut self, now: Nanos, outcome: SendOutcome) {
        if self.phase == Phase::WarmUp {
            return self.warm_up.sent(now, outcome);
        }
        if let (SendOutcome::Sent, Some((_, due))) = (outcome, self.measured.next_due()) {
            self.pacing.sent(due, now);
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

    /// The flow a sequence number belongs to.
    fn flow(&mut self, sequence: Option<u64>) -> &mut Flow {
        if self.is_measured(sequence) {
            &mut self.measured
        } else {
            &mut self.warm_up
        }
    }
}

fn send_when_due(sequence: u64, due: Nanos, now: Nanos) -> Step {
    if now < due {
        Step::WaitUntil(due)
    } else {
        Step::SendDatagram { sequence }
    }
}

impl Workload for Stream {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        let step = self.advance(now);
        self.action(step)
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        match self
            .pending
            .take()
            .expect("a send is reported once, after it was asked for")
        {
            Pending::Datagram => self.datagram_sent(now, outcome),
            Pending::Background => self.background.sent(outcome),
            Pending::Telemetry => {
                let client = self
                    .telemetry
                    .as_mut()
                    .expect("its client asked for this send");
                client.sent(now, outcome);
            }
        }
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        if let Some(client) = self
            .telemetry
            .as_mut()
            .filter(|client| client.is_from(from))
        {
            client.received(payload);
            return self.flow(None).heard();
        }
        if from != self.echo {
            let from_device = from.ip() == self.echo.ip();
            return self.flow(None).stranger(from_device);
        }
        let class = self.format.classify(payload);
        let is_measured = self.is_measured(class.sequence());
        let copy = self.flow(class.sequence()).received(now, class);
        if let Some(rtt) = copy.filter(|_| is_measured).and_then(|copy| copy.rtt) {
            let elapsed = now.since(self.measured.schedule().start);
            self.rtt_over_time
                .record(elapsed.0, self.options.duration_ns.0, rtt);
        }
    }
}
