//! The loop that runs a workload in real time.

use std::io::{self, ErrorKind};

use super::arrivals::Arrivals;
use super::clock::Clock;
use super::conditions::Conditions;
use super::priority::Priority;
use super::sleeper::Sleeper;
use super::socket::{BATCH, Receiver, Socket};
use super::{Disturber, DriverOptions, StopSignal};
use crate::{Action, Nanos, SendOutcome, Workload};

/// The most datagrams sent in a row, when that many are due, before arrivals are looked for.
const SENDS_IN_A_ROW: u32 = 16;

/// Closer to a deadline than this, arrivals wait: reading even one takes about as long.
const GUARD: Nanos = Nanos(1_500);

/// About how long it takes to read one datagram of a batch and to enter it in the ledger.
const READ_COST: Nanos = Nanos(400);

/// A sleep shorter than this costs more than it saves.
const SLEEP_MIN: Nanos = Nanos::from_micros(5);

/// The longest sleep, so that a request to stop is seen soon.
const SLEEP_MAX: Nanos = Nanos::from_millis(50);

/// The socket, clock and counters of one run.
pub(super) struct Driver<'a> {
    clock: Clock,
    socket: Socket,
    sleeper: Sleeper,
    receiver: Receiver,
    arrivals: Arrivals,
    sends: Sends,
    spin: Nanos,
    last_send: Nanos,
    priority: Priority,
    stop: &'a StopSignal,
    disturb: &'a mut Disturber<'a>,
}

/// What became of the sends.
#[derive(Debug, Default)]
struct Sends {
    in_a_row: u32,
    buffer_full: u64,
    first_error: Option<String>,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Done,
    Stopped,
}

impl<'a> Driver<'a> {
    /// A driver on a socket of its own; runs inside a tokio runtime.
    pub(super) fn new(
        options: &DriverOptions,
        stop: &'a StopSignal,
        disturb: &'a mut Disturber<'a>,
    ) -> io::Result<Self> {
        let socket = Socket::bind(options.local, options.buffer_bytes, options.arrival_clock)?;
        Ok(Self {
            arrivals: Arrivals::new(socket.arrival_clock.effective),
            sleeper: Sleeper::on(&socket)?,
            receiver: Receiver::new(socket.arrival_clock.effective),
            socket,
            sends: Sends::default(),
            spin: options.spin_ns,
            last_send: Nanos::ZERO,
            priority: Priority::new(options.real_time),
            stop,
            disturb,
            clock: Clock::start(),
        })
    }

    /// Sleeps by the timer that every system has from now on.
    #[cfg(test)]
    pub(super) fn use_tokios_timer(&mut self) {
        self.sleeper.use_tokios_timer();
    }

    /// Runs `workload` until it is done or the run is to stop.
    pub(super) async fn run(&mut self, workload: &mut impl Workload) -> io::Result<End> {
        while !self.stop.requested() {
            let now = self.clock.now();
            self.priority.keep(now);
            match workload.next(now) {
                Action::Send { to, payload } => {
                    let now = self.clock.now();
                    self.last_send = now;
                    let outcome = self.sends.outcome(self.socket.send(to, payload));
                    match outcome {
                        Some(outcome) => workload.sent(now, outcome),
                        None => self.sleeper.until_writable().await?,
                    }
                    self.between_sends(workload)?;
                }
                Action::WaitUntil(deadline) => self.wait(workload, deadline).await?,
                Action::Disturb(disturbance) => {
                    let outcome = (self.disturb)(disturbance);
                    workload.disturbed(self.clock.now(), outcome);
                }
                Action::Done => return Ok(End::Done),
            }
        }
        Ok(End::Stopped)
    }

    /// What the run was like.
    pub(super) fn conditions(self) -> Conditions {
        Conditions {
            local: self.socket.local(),
            receive_buffer: self.socket.receive_buffer,
            send_buffer: self.socket.send_buffer,
            arrival_clock: self.socket.arrival_clock,
            unusable_timestamps: self.arrivals.unusable_timestamps,
            scheduling: self.priority.scheduling(),
            spin_ns: self.spin,
            available_cores: std::thread::available_parallelism()
                .ok()
                .map(|cores| cores.get() as u64),
            elapsed_ns: self.clock.now(),
            received: self.arrivals.received,
            received_oversized: self.arrivals.oversized,
            dropped_by_kernel: self.socket.dropped_by_kernel(),
            send_buffer_full: self.sends.buffer_full,
            first_send_error: self.sends.first_error,
        }
    }

    /// A sender far behind its schedule must not keep replies waiting, or they are dropped.
    fn between_sends(&mut self, workload: &mut impl Workload) -> io::Result<()> {
        self.sends.in_a_row += 1;
        if self.sends.in_a_row < SENDS_IN_A_ROW {
            return Ok(());
        }
        self.sends.in_a_row = 0;
        self.receive(workload, BATCH).map(drop)
    }

    /// Takes what arrives until `deadline`, at least once, and returns as soon as something came:
    /// it may have changed what the workload wants.
    async fn wait(&mut self, workload: &mut impl Workload, deadline: Nanos) -> io::Result<()> {
        self.sends.in_a_row = 0;
        loop {
            let now = self.clock.now();
            let left = deadline.since(now);
            if left < GUARD {
                std::hint::spin_loop();
            } else if self.receive(workload, batch_within(left))? > 0 {
                return Ok(());
            } else if let Some(span) = self.sleep_span(now, left) {
                return self.sleeper.sleep(span).await;
            }
            if left == Nanos::ZERO || self.stop.requested() {
                return Ok(());
            }
        }
    }

    /// How long to sleep when a deadline is `left` away; `None` to spin.
    fn sleep_span(&self, now: Nanos, left: Nanos) -> Option<Nanos> {
        let reply_is_near = now.since(self.last_send) < self.spin;
        let is_far = left >= self.spin + SLEEP_MIN;
        (is_far && !reply_is_near).then(|| left.since(self.spin).min(SLEEP_MAX))
    }

    /// Reads at most `limit` datagrams and tells the workload of each.
    fn receive(&mut self, workload: &mut impl Workload, limit: usize) -> io::Result<usize> {
        let Self {
            clock,
            socket,
            receiver,
            arrivals,
            ..
        } = self;
        let mut batch = None;
        let read = receiver.receive(socket, limit, |arrival| {
            let batch = batch.get_or_insert_with(|| arrivals.begin_batch(clock));
            let instant = arrivals.enter(batch, &arrival);
            workload.received(instant, arrival.from, arrival.payload);
        });
        match read {
            Ok(count) => Ok(count),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            // An error reported by the network about an earlier datagram: that one is missing.
            Err(error) if super::is_about_an_earlier_datagram(&error) => Ok(0),
            Err(error) => Err(error),
        }
    }
}

impl Sends {
    /// What became of a send; `None` when the send buffer was full, so that it is to be repeated.
    fn outcome(&mut self, sent: io::Result<()>) -> Option<SendOutcome> {
        let Err(error) = sent else {
            return Some(SendOutcome::Sent);
        };
        match error.kind() {
            ErrorKind::WouldBlock => self.buffer_full += 1,
            ErrorKind::Interrupted => {}
            _ => {
                self.first_error.get_or_insert_with(|| error.to_string());
                return Some(SendOutcome::Failed);
            }
        }
        None
    }
}

/// How many datagrams can be read before a deadline that is `left` away.
fn batch_within(left: Nanos) -> usize {
    ((left.0 / READ_COST.0) as usize).clamp(1, BATCH)
}
