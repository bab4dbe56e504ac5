//! The packet ledger: what became of every single datagram of a flow.
//!
//! Memory is three bits a datagram (was it sent, has it come back whole, has it come back corrupt)
//! and a ring of recent send instants, from which RTT is measured. A reply older than the ring is
//! still found by its bit and is valid and late; only its RTT is unknown, and that is counted.
//!
//! A million datagrams under way take 375 kB of bits and, since the ring ends at 262,144 instants,
//! 2 MiB of those: 2.5 MB, and no more memory with each packet.

use std::ops::Range;

use crate::bitset::BitSet;
use crate::datagram::{Classification, Corruption};
use crate::tail::Tail;
use crate::{Counts, LatencyHistogram, Nanos, SendOutcome};

/// The most and the fewest entries of the ring: 2 MiB and 8 KiB.
const RING_ENTRIES: (u64, u64) = (1 << 10, 1 << 18);

/// The exact record of one flow of datagrams with consecutive sequence numbers.
#[derive(Clone, Debug)]
pub struct Ledger {
    first_sequence: u64,
    late_threshold: Nanos,
    /// Every counter except `missing` and `damaged`, which are counted from the sets.
    counts: Counts,
    /// How many datagrams were tried; the index of the next one.
    tried: u64,
    sent: BitSet,
    returned: BitSet,
    damaged: BitSet,
    send_instants: Box<[Nanos]>,
    highest_valid: Option<u64>,
    highest_replied: Option<u64>,
    last_reply: Option<Nanos>,
    heard_after: u64,
    rtt: LatencyHistogram,
    rtt_unknown: u64,
    first_corruption: Option<Corruption>,
}

/// The first right copy of a datagram came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstCopy {
    /// The place of the datagram in its flow, counted from 0.
    pub index: u64,
    /// From its actual send; `None` when that instant is no longer kept.
    pub rtt: Option<Nanos>,
}

/// What a ledger holds when its flow is over.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerSummary {
    /// Every counter.
    pub counts: Counts,
    /// RTT from the actual send.
    pub rtt: LatencyHistogram,
    /// Valid datagrams whose send instant was no longer kept.
    pub rtt_unknown: u64,
    /// The end of the flow, its instant as it was told.
    pub tail: Tail,
    /// The first corrupt reply.
    pub first_corruption: Option<Corruption>,
}

impl Ledger {
    /// An empty ledger for the datagrams with these sequence numbers. The instants of the last
    /// `kept_sends` sends are kept at least, as far as the ring allows.
    pub fn new(sequences: Range<u64>, kept_sends: u64, late_threshold: Nanos) -> Self {
        let (fewest, most) = RING_ENTRIES;
        let kept = kept_sends.clamp(fewest, most).next_power_of_two();
        let packets = sequences.end - sequences.start;
        Self {
            first_sequence: sequences.start,
            late_threshold,
            counts: Counts {
                planned: packets,
                ..Counts::default()
            },
            tried: 0,
            sent: BitSet::new(packets),
            returned: BitSet::new(packets),
            damaged: BitSet::new(packets),
            send_instants: vec![Nanos::ZERO; kept as usize].into_boxed_slice(),
            highest_valid: None,
            highest_replied: None,
            last_reply: None,
            heard_after: 0,
            rtt: LatencyHistogram::new(),
            rtt_unknown: 0,
            first_corruption: None,
        }
    }

    /// How many datagrams the flow holds.
    pub fn planned(&self) -> u64 {
        self.counts.planned
    }

    /// Ends the flow early: the datagrams not yet tried are no longer planned.
    pub fn stop(&mut self) {
        self.counts.planned = self.tried;
    }

    /// Every counter as of now but `missing` and `damaged`, which are 0: those are counted from
    /// the sets, which takes as long as the flow is.
    pub fn tally(&self) -> Counts {
        self.counts
    }

    /// How many datagrams were tried; the index of the next one.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// The sequence number of the next datagram; `None` when all were tried.
    pub fn next_sequence(&self) -> Option<u64> {
        (self.tried < self.counts.planned).then_some(self.first_sequence + self.tried)
    }

    /// The datagram of [`next_sequence`](Self::next_sequence) was tried at `now`.
    pub fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        let index = self.tried;
        self.tried += 1;
        match outcome {
            SendOutcome::Sent => {
                self.counts.sent += 1;
                self.sent.insert(index);
                let slot = self.slot(index);
                self.send_instants[slot] = now;
            }
            SendOutcome::Failed => self.counts.send_errors += 1,
        }
    }

    /// A datagram from the echo server arrived at `now`; `class` says what it is to this flow.
    /// Tells whether it was the first right copy of one that was sent.
    pub fn received(&mut self, now: Nanos, class: Classification) -> Option<FirstCopy> {
        self.heard();
        match class {
            Classification::Good { sequence } => return self.good(now, sequence),
            Classification::Corrupt(corruption) => self.corrupt(now, corruption),
            Classification::Foreign => self.foreign(),
        }
        None
    }

    /// A datagram from another address or port than the echo server's arrived.
    pub fn stranger(&mut self, from_device: bool) {
        self.foreign();
        if from_device {
            self.heard();
        }
    }

    /// The device sent something that is no matter of this flow.
    pub fn heard(&mut self) {
        self.heard_after += 1;
    }

    fn foreign(&mut self) {
        self.counts.foreign += 1;
    }

    fn corrupt(&mut self, now: Nanos, corruption: Corruption) {
        self.counts.corrupt += 1;
        self.counts.truncated += u64::from(corruption.is_truncated());
        let index = corruption
            .sequence
            .and_then(|sequence| self.sent_index(sequence));
        if let Some(index) = index {
            self.damaged.insert(index);
        }
        self.replied(now, index);
        self.first_corruption.get_or_insert(corruption);
    }

    fn good(&mut self, now: Nanos, sequence: u64) -> Option<FirstCopy> {
        let Some(index) = self.sent_index(sequence) else {
            self.foreign();
            return None;
        };
        if self.returned.contains(index) {
            self.counts.duplicate += 1;
            return None;
        }
        self.returned.insert(index);
        self.counts.valid += 1;
        self.counts.reordered += u64::from(self.highest_valid > Some(index));
        self.highest_valid = self.highest_valid.max(Some(index));
        self.replied(now, Some(index));
        let rtt = self.record_rtt(now, index);
        Some(FirstCopy { index, rtt })
    }

    /// The index of a datagram of this flow that was sent.
    fn sent_index(&self, sequence: u64) -> Option<u64> {
        let index = sequence.checked_sub(self.first_sequence)?;
        (index < self.counts.planned && self.sent.contains(index)).then_some(index)
    }

    /// A reply came, to this datagram if that is known.
    fn replied(&mut self, now: Nanos, index: Option<u64>) {
        self.highest_replied = self.highest_replied.max(index);
        self.last_reply = Some(now);
        self.heard_after = 0;
    }

    /// Records the RTT of a first right copy and decides whether it is late.
    fn record_rtt(&mut self, now: Nanos, index: u64) -> Option<Nanos> {
        let kept = self.tried - index <= self.send_instants.len() as u64;
        if !kept {
            self.rtt_unknown += 1;
            self.counts.late += 1;
            return None;
        }
        let rtt = now.since(self.send_instants[self.slot(index)]);
        self.rtt.record(rtt);
        self.counts.late += u64::from(rtt > self.late_threshold);
        Some(rtt)
    }

    fn slot(&self, index: u64) -> usize {
        index as usize & (self.send_instants.len() - 1)
    }

    /// The indices of the datagrams sent of which no right copy has come, rising.
    pub fn missing(&self) -> impl Iterator<Item = u64> + '_ {
        self.sent.difference(&self.returned)
    }

    /// Every counter as of now: a datagram still under way counts as missing. Missing datagrams
    /// are counted in the sets rather than by subtraction, so that the identities say something.
    pub fn counts(&self) -> Counts {
        let (mut missing, mut damaged) = (0, 0);
        for index in self.missing() {
            missing += 1;
            damaged += u64::from(self.damaged.contains(index));
        }
        Counts {
            missing,
            damaged,
            ..self.counts
        }
    }

    /// The end of the flow as of now.
    fn tail(&self) -> Tail {
        let after_highest = |&index: &u64| Some(index) > self.highest_replied;
        Tail {
            last_reply_ns: self.last_reply,
            unanswered: self.missing().filter(after_highest).count() as u64,
            heard_after: self.heard_after,
        }
    }

    /// Closes the ledger.
    pub fn close(self) -> LedgerSummary {
        LedgerSummary {
            counts: self.counts(),
            tail: self.tail(),
            rtt: self.rtt,
            rtt_unknown: self.rtt_unknown,
            first_corruption: self.first_corruption,
        }
    }

    /// The memory of the ledger in bytes, computed from its structures.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.sent.heap_bytes()
            + self.returned.heap_bytes()
            + self.damaged.heap_bytes()
            + size_of_val(&*self.send_instants)
            + self.rtt.heap_bytes()
    }
}
