//! Any interleaving of sends and replies keeps the identities, and the counts equal those of an
//! independent, naive model.

use std::collections::{BTreeMap, BTreeSet};

use bench::datagram::DatagramFormat;
use bench::schedule::Schedule;
use bench::stream::Flow;
use bench::{Counts, Nanos, SendOutcome, Tail};
use proptest::prelude::*;

const PACKETS: u64 = 40;
const FIRST: u64 = 1_000;
const LATE: Nanos = Nanos::from_micros(50);
const PAYLOAD: usize = 37;

#[derive(Clone, Copy, Debug)]
enum Event {
    Send {
        refused: bool,
    },
    Good {
        sequence: u64,
    },
    Damaged {
        sequence: u64,
        byte: usize,
        flip: u8,
    },
    Cut {
        sequence: u64,
        length: usize,
    },
    Stranger {
        from_device: bool,
    },
    Pass {
        nanos: u64,
    },
}

fn event() -> impl Strategy<Value = Event> {
    let sequence = || FIRST - 2..FIRST + PACKETS + 2;
    prop_oneof![
        6 => proptest::bool::weighted(0.1).prop_map(|refused| Event::Send { refused }),
        6 => sequence().prop_map(|sequence| Event::Good { sequence }),
        1 => (sequence(), 8..PAYLOAD, 1..=255u8)
            .prop_map(|(sequence, byte, flip)| Event::Damaged { sequence, byte, flip }),
        1 => (sequence(), 0..PAYLOAD).prop_map(|(sequence, length)| Event::Cut { sequence, length }),
        1 => any::<bool>().prop_map(|from_device| Event::Stranger { from_device }),
        4 => (0..40_000u64).prop_map(|nanos| Event::Pass { nanos }),
    ]
}

/// Keeps every send and every reply, and counts at the end.
#[derive(Default)]
struct Model {
    tried: u64,
    refused: u64,
    sent: BTreeMap<u64, Nanos>,
    good: Vec<(u64, Nanos)>,
    corrupt: u64,
    /// The datagrams sent whose numbers corrupt replies carried.
    damaged: BTreeSet<u64>,
    /// Everything the device sent, and what it was a reply to.
    heard: Vec<(Nanos, Heard)>,
    truncated: u64,
    foreign: u64,
}

impl Model {
    fn counts(&self) -> Counts {
        let mut first_copies: Vec<(u64, Nanos)> = Vec::new();
        let mut returned = BTreeSet::new();
        for &(sequence, at) in &self.good {
            if returned.insert(sequence) {
                first_copies.push((sequence, at));
            }
        }
        let overtaken = |place: usize| {
            let (sequence, _) = first_copies[place];
            first_copies[..place]
                .iter()
                .any(|&(earlier, _)| earlier > sequence)
        };
        let late = |&&(sequence, at): &&(u64, Nanos)| at.0 - self.sent[&sequence].0 > LATE.0;
        Counts {
            planned: PACKETS,
            sent: self.sent.len() as u64,
            send_errors: self.refused,
            valid: returned.len() as u64,
            missing: self
                .sent
                .keys()
                .filter(|sequence| !returned.contains(sequence))
                .count() as u64,
            late: first_copies.iter().filter(late).count() as u64,
            duplicate: (self.good.len() - first_copies.len()) as u64,
            reordered: (0..first_copies.len())
                .filter(|&place| overtaken(place))
                .count() as u64,
            corrupt: self.corrupt,
            truncated: self.truncated,
            damaged: self
                .damaged
                .iter()
                .filter(|sequence| !returned.contains(sequence))
                .count() as u64,
            foreign: self.foreign,
        }
    }

    fn tail(&self) -> Tail {
        let last_reply = self
            .heard
            .iter()
            .rposition(|&(_, heard)| heard != Heard::NoReply);
        let highest = self.heard.iter().filter_map(|&(_, heard)| match heard {
            Heard::ReplyTo(sequence) => Some(sequence),
            _ => None,
        });
        let highest = highest.max();
        let unanswered = self
            .sent
            .keys()
            .filter(|&&sequence| Some(sequence) > highest);
        Tail {
            last_reply_ns: last_reply.map(|place| self.heard[place].0),
            unanswered: unanswered.count() as u64,
            heard_after: match last_reply {
                Some(place) => self.heard.len() - place - 1,
                None => self.heard.len(),
            } as u64,
        }
    }

    /// A corrupt datagram arrives that carries this number.
    fn hear_corrupt(&mut self, now: Nanos, carried: Option<u64>) {
        let known = carried.filter(|sequence| self.sent.contains_key(sequence));
        self.damaged.extend(known);
        self.heard
            .push((now, known.map_or(Heard::Reply, Heard::ReplyTo)));
    }
}

/// What a datagram of the device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heard {
    /// A duplicate, or no matter of this flow.
    NoReply,
    /// A first right copy, or a corrupt datagram that carries the number of this one, which was
    /// sent.
    ReplyTo(u64),
    /// A corrupt datagram that carries no number, or that of none that was sent.
    Reply,
}

/// Feeds one event to the flow, as bytes, and to the model, as what it is.
fn feed(event: Event, now: Nanos, flow: &mut Flow, format: &DatagramFormat, model: &mut Model) {
    let encoded = |sequence| {
        let mut payload = vec![0; PAYLOAD];
        format.encode(sequence, &mut payload);
        payload
    };
    match event {
        Event::Send { .. } if model.tried == PACKETS => {}
        Event::Send { refused: true } => {
            flow.sent(now, SendOutcome::Failed);
            model.refused += 1;
            model.tried += 1;
        }
        Event::Send { refused: false } => {
            flow.sent(now, SendOutcome::Sent);
            model.sent.insert(FIRST + model.tried, now);
            model.tried += 1;
        }
        Event::Good { sequence } => {
            flow.received(now, format.classify(&encoded(sequence)));
            let is_first = model.good.iter().all(|&(good, _)| good != sequence);
            if !model.sent.contains_key(&sequence) {
                model.foreign += 1;
                return model.heard.push((now, Heard::NoReply));
            }
            model.good.push((sequence, now));
            model.heard.push(match is_first {
                true => (now, Heard::ReplyTo(sequence)),
                false => (now, Heard::NoReply),
            });
        }
        Event::Damaged {
            sequence,
            byte,
            flip,
        } => {
            let mut payload = encoded(sequence);
            payload[byte] ^= flip;
            flow.received(now, format.classify(&payload));
            model.corrupt += 1;
            let carried = u64::from_le_bytes(payload[8..16].try_into().unwrap());
            model.hear_corrupt(now, Some(carried));
        }
        Event::Cut { sequence, length } => {
            flow.received(now, format.classify(&encoded(sequence)[..length]));
            model.corrupt += 1;
            model.truncated += 1;
            let carried = Some(sequence).filter(|_| length >= 16);
            model.hear_corrupt(now, carried);
        }
        Event::Stranger { from_device } => {
            flow.stranger(from_device);
            model.foreign += 1;
            if from_device {
                model.heard.push((now, Heard::NoReply));
            }
        }
        Event::Pass { .. } => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_interleaving_agrees_with_the_naive_model(
        events in proptest::collection::vec(event(), 0..200),
    ) {
        let schedule =
            Schedule { start: Nanos::ZERO, first_sequence: FIRST, packets: PACKETS, rate_hz: 1_000 };
        let mut flow = Flow::new(schedule, LATE);
        let format = DatagramFormat::new(77, PAYLOAD);
        let mut model = Model::default();
        let mut now = Nanos(1);
        for event in events {
            feed(event, now, &mut flow, &format, &mut model);
            now += match event {
                Event::Pass { nanos } => Nanos(nanos),
                _ => Nanos(1),
            };
        }
        while flow.next_due().is_some() {
            feed(Event::Send { refused: false }, now, &mut flow, &format, &mut model);
        }
        prop_assert_eq!(flow.counts(), model.counts());
        let summary = flow.close(Nanos::from_millis(3));
        prop_assert_eq!(summary.ledger.counts, model.counts());
        prop_assert_eq!(summary.ledger.tail, model.tail());
        prop_assert!(summary.ledger.counts.check().is_ok());
        prop_assert_eq!(summary.ledger.rtt.count(), summary.ledger.counts.valid);
        prop_assert_eq!(summary.missing_by_interval.values().sum::<u64>(), summary.ledger.counts.missing);
    }
}
