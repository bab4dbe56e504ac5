//! Datagrams that wait for their replies.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hasher};

use crate::datagram::{HEADER_BYTES, MAGIC};
use crate::{Nanos, SendOutcome};

/// The most datagrams that wait.
pub const WINDOW_PACKETS: usize = 1 << 18;

/// What became of one datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketRecord {
    /// The number of its stream in the order of sending, from 0: a sweep sends one stream a rate.
    pub stream: u64,
    /// Its sequence number.
    pub sequence: u64,
    /// The instant just before it was handed to the network, since the driver started.
    pub sent_ns: Nanos,
    /// Whether it came back.
    pub state: PacketState,
    /// From `sent_ns` to the first right copy.
    pub rtt_ns: Option<Nanos>,
    /// Right copies that came.
    pub copies: u64,
    /// Wrong copies that came.
    pub corrupt: u64,
}

/// Whether a datagram came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketState {
    /// A whole, right copy came.
    Valid,
    /// Nothing came.
    Missing,
    /// Only wrong copies came.
    Damaged,
    /// The network stack refused it.
    SendError,
}

impl PacketState {
    /// The state in one word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Missing => "missing",
            Self::Damaged => "damaged",
            Self::SendError => "send-error",
        }
    }
}

/// Who a datagram of the bench says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    stream_id: u32,
    pub(super) sequence: u64,
    digest: u64,
}

impl Identity {
    /// Reads the header; `None` for a payload that has none.
    pub(super) fn of(payload: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER_BYTES] = payload.first_chunk()?;
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four"));
        let mut hasher = DefaultHasher::new();
        hasher.write(payload);
        (word(0) == MAGIC).then(|| Self {
            stream_id: word(4),
            sequence: u64::from_le_bytes(header[8..].try_into().expect("eight")),
            digest: hasher.finish(),
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    digest: u64,
    record: PacketRecord,
}

/// The datagrams of the stream under way, in the order of their sequence numbers.
#[derive(Debug)]
pub(super) struct Window {
    /// Datagrams with lower sequence numbers warm up and are left out.
    first_measured: u64,
    stream_id: Option<u32>,
    stream: u64,
    waiting: VecDeque<Waiting>,
}

impl Window {
    pub(super) fn new(first_measured: u64) -> Self {
        Self {
            first_measured,
            stream_id: None,
            stream: 0,
            waiting: VecDeque::with_capacity(WINDOW_PACKETS),
        }
    }

    /// A datagram was tried at `now`; gives the oldest when it has to make room, after all those
    /// of an earlier stream, to which no reply is expected any more.
    pub(super) fn sent(
        &mut self,
        packet: Identity,
        now: Nanos,
        outcome: SendOutcome,
        mut settled: impl FnMut(PacketRecord),
    ) {
        if self.stream_id != Some(packet.stream_id) {
            self.stream += u64::from(self.stream_id.is_some());
            self.stream_id = Some(packet.stream_id);
            self.drain(&mut settled);
        }
        if packet.sequence < self.first_measured {
            return;
        }
        if self.waiting.len() == WINDOW_PACKETS
            && let Some(oldest) = self.waiting.pop_front()
        {
            settled(oldest.record);
        }
        let state = match outcome {
            SendOutcome::Sent => PacketState::Missing,
            SendOutcome::Failed => PacketState::SendError,
        };
        self.waiting.push_back(Waiting {
            digest: packet.digest,
            record: PacketRecord {
                stream: self.stream,
                sequence: packet.sequence,
                sent_ns: now,
                state,
                rtt_ns: None,
                copies: 0,
                corrupt: 0,
            },
        });
    }

    /// A datagram came from the echo server.
    pub(super) fn received(&mut self, packet: Identity, now: Nanos) {
        let of_stream = self.stream_id == Some(packet.stream_id);
        let Some(waiting) = self.find(packet.sequence).filter(|_| of_stream) else {
            return;
        };
        let record = &mut waiting.record;
        if record.state == PacketState::SendError {
            return;
        }
        if waiting.digest != packet.digest {
            record.corrupt += 1;
            if record.state == PacketState::Missing {
                record.state = PacketState::Damaged;
            }
            return;
        }
        record.copies += 1;
        record.state = PacketState::Valid;
        record.rtt_ns.get_or_insert(now.since(record.sent_ns));
    }

    /// Gives all that still wait.
    pub(super) fn drain(&mut self, settled: &mut impl FnMut(PacketRecord)) {
        self.waiting
            .drain(..)
            .for_each(|waiting| settled(waiting.record));
    }

    fn find(&mut self, sequence: u64) -> Option<&mut Waiting> {
        let first = self.waiting.front()?.record.sequence;
        let index = usize::try_from(sequence.checked_sub(first)?).ok()?;
        self.waiting.get_mut(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagram::DatagramFormat;

    fn packet(seed: u64, sequence: u64) -> Vec<u8> {
        let mut payload = vec![0; 32];
        DatagramFormat::new(seed, 32).encode(sequence, &mut payload);
        payload
    }

    fn send(
        window: &mut Window,
        payload: &[u8],
        now: u64,
        outcome: SendOutcome,
    ) -> Vec<PacketRecord> {
        let mut settled = Vec::new();
        let identity = Identity::of(payload).unwrap();
        window.sent(identity, Nanos(now), outcome, |record| settled.push(record));
        settled
    }

    #[test]
    fn each_datagram_is_settled_by_what_came() {
        let mut window = Window::new(1);
        for sequence in 0..6 {
            let outcome = match sequence {
                5 => SendOutcome::Failed,
                _ => SendOutcome::Sent,
            };
            assert_eq!(
                send(&mut window, &packet(1, sequence), sequence * 10, outcome),
                []
            );
        }
        let mut receive = |payload: &[u8], now| {
            if let Some(identity) = Identity::of(payload) {
                window.received(identity, Nanos(now));
            }
        };
        receive(&packet(1, 0), 100);
        receive(&packet(1, 1), 100);
        receive(&packet(1, 1), 200);
        let mut damaged = packet(1, 2);
        damaged[20] ^= 1;
        receive(&damaged, 300);
        receive(&damaged[..15], 300);
        let mut later_right = packet(1, 4);
        later_right[31] ^= 1;
        receive(&later_right, 400);
        receive(&packet(1, 4), 410);
        receive(&packet(1, 5), 420);
        receive(&packet(2, 3), 430);
        receive(&packet(1, 6), 430);
        let settled = send(&mut window, &packet(2, 0), 500, SendOutcome::Sent);
        let told = settled.iter().map(|record| {
            let PacketRecord {
                sequence,
                state,
                rtt_ns,
                copies,
                corrupt,
                ..
            } = *record;
            (
                sequence,
                state.word(),
                rtt_ns.map(|rtt| rtt.0),
                copies,
                corrupt,
            )
        });
        let expected = [
            (1, "valid", Some(90), 2, 0),
            (2, "damaged", None, 0, 1),
            (3, "missing", None, 0, 0),
            (4, "valid", Some(370), 1, 1),
            (5, "send-error", None, 0, 0),
        ];
        assert_eq!(Vec::from_iter(told), expected);
        send(&mut window, &packet(2, 1), 510, SendOutcome::Sent);
        let mut left = Vec::new();
        window.drain(&mut |record| left.push((record.stream, record.sequence)));
        assert_eq!(left, [(1, 1)]);
    }

    #[test]
    fn the_oldest_makes_room() {
        let mut window = Window::new(0);
        let last = WINDOW_PACKETS as u64;
        let settled = Vec::from_iter((0..=last).flat_map(|sequence| {
            send(
                &mut window,
                &packet(1, sequence),
                sequence,
                SendOutcome::Sent,
            )
        }));
        assert_eq!(settled.len(), 1);
        assert_eq!(settled[0].sequence, 0);
        window.received(Identity::of(&packet(1, 0)).unwrap(), Nanos(last));
        window.received(Identity::of(&packet(1, 1)).unwrap(), Nanos(last));
        let mut left = Vec::new();
        window.drain(&mut |record| left.push(record));
        assert_eq!(left.len(), WINDOW_PACKETS);
        assert_eq!(left[0].rtt_ns, Some(Nanos(last - 1)));
    }
}
