//! Replies that leave later than their turn.

use std::collections::VecDeque;

use crate::{Endpoint, Nanos};

/// A reply kept back.
#[derive(Debug)]
pub(super) struct HeldReply {
    pub(super) index: u64,
    pub(super) to: Endpoint,
    pub(super) payload: Box<[u8]>,
}

/// The replies kept back, by what they wait for.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// Until an instant; the delay is one for all, so they come due in the order they came.
    delayed: VecDeque<(Nanos, HeldReply)>,
    /// Until a datagram of this number was answered, or an instant, should none come.
    reordered: Vec<(u64, Nanos, HeldReply)>,
}

impl Held {
    pub(super) fn until(&mut self, instant: Nanos, reply: HeldReply) {
        self.delayed.push_back((instant, reply));
    }

    pub(super) fn until_answered(&mut self, index: u64, or_at: Nanos, reply: HeldReply) {
        self.reordered.push((index, or_at, reply));
    }

    /// A reply whose time has come at `now`, when datagrams below `answered` have had their turn.
    pub(super) fn due(&mut self, now: Nanos, answered: u64) -> Option<HeldReply> {
        let is_due = |&(index, at, _): &(u64, Nanos, HeldReply)| index < answered || at <= now;
        if let Some(place) = self.reordered.iter().position(is_due) {
            return Some(self.reordered.remove(place).2);
        }
        let (_, reply) = self.delayed.pop_front_if(|(at, _)| *at <= now)?;
        Some(reply)
    }

    /// The next instant at which one is due whatever comes.
    pub(super) fn next_instant(&self) -> Option<Nanos> {
        let reordered = self.reordered.iter().map(|&(_, at, _)| at);
        let delayed = self.delayed.front().map(|&(at, _)| at);
        reordered.chain(delayed).min()
    }
}
