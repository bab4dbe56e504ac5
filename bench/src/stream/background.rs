//! Multicast datagrams beside the stream, as a switch floods them to every port.

use super::StreamOptions;
use crate::datagram::{derive_seed, fill};
use crate::schedule::Schedule;
use crate::{Endpoint, Nanos, SendOutcome};

/// Names the filler of background datagrams apart from any stream's.
const SEED_INDEX: u64 = u64::MAX;

/// The background of one stream, on a schedule of its own over the same time.
#[derive(Clone, Debug)]
pub(super) struct Background {
    schedule: Schedule,
    group: Endpoint,
    seed: u64,
    payload: Box<[u8]>,
    tried: u64,
    pub(super) sent: u64,
    pub(super) send_errors: u64,
}

impl Background {
    pub(super) fn new(options: &StreamOptions) -> Self {
        Self {
            schedule: Schedule {
                start: Nanos::ZERO,
                first_sequence: 0,
                packets: options.background_packets(),
                rate_hz: options.background_hz,
            },
            group: options.background_group,
            seed: derive_seed(options.seed, SEED_INDEX),
            payload: vec![0; options.background_payload_bytes as usize].into_boxed_slice(),
            tried: 0,
            sent: 0,
            send_errors: 0,
        }
    }

    /// Moves the schedule to begin at `start`.
    pub(super) fn begin(&mut self, start: Nanos) {
        self.schedule.start = start;
    }

    /// When the next datagram is due; `None` when all were tried.
    pub(super) fn next_due(&self) -> Option<Nanos> {
        (self.tried < self.schedule.packets).then(|| self.schedule.instant(self.tried))
    }

    /// The heap memory in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.payload.len()
    }

    /// The next datagram.
    pub(super) fn datagram(&mut self) -> (Endpoint, &[u8]) {
        fill(self.seed, self.tried, &mut self.payload);
        (self.group, &self.payload)
    }

    /// The datagram of [`next_due`](Self::next_due) was tried.
    pub(super) fn sent(&mut self, outcome: SendOutcome) {
        self.tried += 1;
        match outcome {
            SendOutcome::Sent => self.sent += 1,
            SendOutcome::Failed => self.send_errors += 1,
        }
    }
}
