//! The burst workload as a state machine: one datagram to warm up, then burst and quiet in turn.

use super::{BurstOptions, BurstOptionsError, BurstResult};
use crate::datagram::DatagramFormat;
use crate::ledger::{FirstCopy, Ledger};
use crate::rtt_series::RttRecorder;
use crate::{Action, Counts, Endpoint, LatencyHistogram, Nanos, SendOutcome, Workload};

/// Datagrams sent before the measured ones, a burst of their own.
const WARM_UP_PACKETS: u64 = 1;

/// Bursts of datagrams to an echo server.
///
/// The datagrams of a burst are handed to the network at one instant; the wire spaces them. The
/// warm-up datagram carries sequence number 0, the measured ones those after, over all bursts. A
/// reply belongs to the burst whose datagram it answers, however late it comes.
#[derive(Clone, Debug)]
pub struct Burst {
    options: BurstOptions,
    echo: Endpoint,
    format: DatagramFormat,
    payload: Box<[u8]>,
    warm_up: Ledger,
    measured: Ledger,
    bursts: Box<[Progress]>,
    rtt_over_time: RttRecorder,
    /// Since the last datagram of a burst, until the next begins.
    pause: Option<Pause>,
    last_send: Option<Nanos>,
}

/// What one burst has come to.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    first_send: Nanos,
    last_valid: Nanos,
    valid: u64,
}

/// The time after the last send of a burst.
#[derive(Clone, Copy, Debug)]
struct Pause {
    last_send: Nanos,
    last_arrival: Nanos,
}

impl Burst {
    /// Bursts with these options to this echo server.
    ///
    /// # Errors
    /// The first option that is out of range.
    pub fn new(options: BurstOptions, echo: Endpoint) -> Result<Self, BurstOptionsError> {
        options.validate()?;
        let planned = options.planned_packets();
        let format = DatagramFormat::new(options.seed, options.payload_bytes as usize);
        let ledger = |first: u64, packets| {
            Ledger::new(first..first + packets, packets, options.late_threshold_ns)
        };
        Ok(Self {
            echo,
            format,
            payload: vec![0; format.payload_bytes()].into_boxed_slice(),
            warm_up: ledger(0, WARM_UP_PACKETS),
            measured: ledger(WARM_UP_PACKETS, planned),
            bursts: vec![Progress::default(); options.repeats as usize].into_boxed_slice(),
            rtt_over_time: RttRecorder::default(),
            pause: None,
            last_send: None,
            options,
        })
    }

    /// The counters of the measured datagrams as of now; one under way counts as missing.
    pub fn counts(&self) -> Counts {
        self.measured.counts()
    }

    /// The memory of the workload in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.payload.len()
            + self.warm_up.memory_bytes()
            + self.measured.memory_bytes()
            + size_of_val(&*self.bursts)
            + self.rtt_over_time.heap_bytes()
    }

    /// Closes the workload.
    pub fn into_result(self) -> BurstResult {
        let packets = self.options.packets;
        let start = self.bursts[0].first_send;
        let measured = self.measured.close();
        let mut answered = vec![0; packets as usize + 1];
        let mut absorb_time = LatencyHistogram::new();
        for burst in &self.bursts {
            answered[burst.valid as usize] += 1;
            if burst.valid == packets {
                absorb_time.record(burst.last_valid.since(burst.first_send));
            }
        }
        let valid = || self.bursts.iter().map(|burst| burst.valid);
        BurstResult {
            warm_up: self.warm_up.counts(),
            counts: measured.counts,
            whole_bursts: absorb_time.count(),
            answered_min: valid().min().unwrap_or(0),
            answered_max: valid().max().unwrap_or(0),
            answered,
            rtt: measured.rtt,
            rtt_over_time: self.rtt_over_time.finish(),
            absorb_time,
            last_send_ns: self.last_send.map(|instant| instant.since(start)),
            tail: measured.tail.since(start),
            first_corruption: measured.first_corruption,
            options: self.options,
        }
    }

    /// When the pause is over; `None` outside a pause. The one after the last burst is as long as
    /// a pause can be, so that its late replies are counted like those of any other.
    fn pause_end(&self) -> Option<Nanos> {
        let Pause {
            last_send,
            last_arrival,
        } = self.pause?;
        let limit = last_send + self.options.settle_limit_ns;
        let quiet = last_send.max(last_arrival) + self.options.quiet_ns;
        Some(match self.next_sequence() {
            Some(_) => quiet.min(limit),
            None => limit,
        })
    }

    /// The number of the datagram to be sent next: the warm-up's first.
    fn next_sequence(&self) -> Option<u64> {
        let warm_up = self.warm_up.next_sequence();
        warm_up.or_else(|| self.measured.next_sequence())
    }

    /// The ledger a sequence number belongs to; what carries none belongs to the one in use.
    fn ledger(&mut self, sequence: Option<u64>) -> &mut Ledger {
        let is_measured = match sequence {
            Some(sequence) => sequence >= WARM_UP_PACKETS,
            None => self.measured.tried() > 0,
        };
        if is_measured {
            &mut self.measured
        } else {
            &mut self.warm_up
        }
    }

    /// A measured datagram was tried: a burst begins with its first and ends with its last.
    fn measured_sent(&mut self, now: Nanos, outcome: SendOutcome) {
        let (index, packets) = (self.measured.tried(), self.options.packets);
        if index % packets == 0 {
            self.bursts[(index / packets) as usize].first_send = now;
        }
        if (index + 1) % packets == 0 {
            self.pause_from(now);
        }
        if outcome == SendOutcome::Sent {
            self.last_send = Some(now);
        }
        self.measured.sent(now, outcome);
    }

    fn pause_from(&mut self, now: Nanos) {
        self.pause = Some(Pause {
            last_send: now,
            last_arrival: now,
        });
    }

    /// The first right copy of a measured datagram came.
    fn answered(&mut self, now: Nanos, copy: FirstCopy) {
        let burst = &mut self.bursts[(copy.index / self.options.packets) as usize];
        burst.valid += 1;
        burst.last_valid = now;
        let rtt = copy.rtt.expect("every send instant is kept");
        let begun = self.measured.tried().div_ceil(self.options.packets);
        self.rtt_over_time
            .record(begun - 1, self.options.repeats, rtt);
    }
}

impl Workload for Burst {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        if let Some(end) = self.pause_end().filter(|&end| now < end) {
            return Action::WaitUntil(end);
        }
        self.pause = None;
        let Some(sequence) = self.next_sequence() else {
            return Action::Done;
        };
        self.format.encode(sequence, &mut self.payload);
        Action::Send {
            to: self.echo,
            payload: &self.payload,
        }
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        if self.warm_up.next_sequence().is_some() {
            self.warm_up.sent(now, outcome);
            self.pause_from(now);
        } else {
            self.measured_sent(now, outcome);
        }
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        if from != self.echo {
            let from_device = from.ip() == self.echo.ip();
            return self.ledger(None).stranger(from_device);
        }
        if let Some(pause) = &mut self.pause {
            pause.last_arrival = now;
        }
        let class = self.format.classify(payload);
        let is_measured = class
            .sequence()
            .is_none_or(|sequence| sequence >= WARM_UP_PACKETS);
        let copy = self.ledger(class.sequence()).received(now, class);
        if let Some(copy) = copy.filter(|_| is_measured) {
            self.answered(now, copy);
        }
    }
}
