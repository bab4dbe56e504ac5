//! Any interleaving of sends and replies keeps the identities, and the counts equal those of an
//! independent, naive model.

use std::collections::{BTreeMap, BTreeSet};

use bench::datagram::DatagramFormat;
use bench::schedule::Schedule;
use bench::stream::Flow;
use bench::{Counts, Nanos, SendOutcome};
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
    Stranger,
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
        1 => Just(Event::Stranger),
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
            foreign: self.foreign,
        }
    }
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
            match model.sent.contains_key(&sequence) {
                true => model.good.push((sequence, now)),
                false => model.foreign += 1,
            }
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
        }
        Event::Cut { sequence, length } => {
            flow.received(now, format.classify(&encoded(sequence)[..length]));
            model.corrupt += 1;
            model.truncated += 1;
        }
        Event::Stranger => {
            flow.foreign();
            model.foreign += 1;
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
        prop_assert!(summary.ledger.counts.check().is_ok());
        prop_assert_eq!(summary.ledger.rtt.count(), summary.ledger.counts.valid);
        prop_assert_eq!(summary.missing_by_interval.values().sum::<u64>(), summary.ledger.counts.missing);
    }
}
