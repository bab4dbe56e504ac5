//! How well a sender kept its schedule.

use crate::{LatencyHistogram, Nanos};

/// Pacing error and bursts of a flow as it is sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Pacing {
    /// How far behind its schedule each datagram was sent.
    pub(super) error: LatencyHistogram,
    /// The actual instants of the first and the last send.
    pub(super) sends: Option<(Nanos, Nanos)>,
    /// The most datagrams sent without a wait between them.
    pub(super) largest_burst: u64,
    burst: u64,
}

impl Pacing {
    /// A datagram due at `due` was sent at `now`.
    pub(super) fn sent(&mut self, due: Nanos, now: Nanos) {
        self.error.record(now.since(due));
        self.sends = Some((self.sends.map_or(now, |(first, _)| first), now));
        self.burst += 1;
        self.largest_burst = self.largest_burst.max(self.burst);
    }

    /// The sender is ahead of its schedule and waits: the burst is over.
    pub(super) fn waited(&mut self) {
        self.burst = 0;
    }
}
