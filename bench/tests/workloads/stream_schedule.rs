//! When a stream sends, and what it says of a sender that does not keep up.

use bench::stream::Finding;
use bench::{Action, Nanos, SendOutcome, Stream, StreamOptions, Workload};

use crate::scripted_echo::*;

const PACKETS: u64 = 100;

#[test]
fn every_datagram_leaves_at_its_exact_nanosecond() {
    let options = StreamOptions {
        rate_hz: 3_000,
        duration_ns: Nanos::SECOND,
        ..short_stream(1)
    };
    let mut stream = Stream::new(options, echo_only()).unwrap();
    let mut instants = Vec::new();
    let mut now = Nanos(12_345);
    loop {
        match stream.next(now) {
            Action::Send { .. } => {
                instants.push(now);
                stream.sent(now, SendOutcome::Sent);
            }
            Action::WaitUntil(instant) => now = instant,
            Action::Disturb(_) => unreachable!("a stream disturbs nothing"),
            Action::Done => break,
        }
    }
    let due = (0..3_000u64).map(|index| Nanos(12_345 + index * 1_000_000_000 / 3_000));
    assert_eq!(instants, Vec::from_iter(due));
}

#[test]
fn asking_twice_changes_nothing() {
    let mut stream = Stream::new(short_stream(2), echo_only()).unwrap();
    let first = match stream.next(Nanos(5)) {
        Action::Send { payload, .. } => payload.to_vec(),
        other => panic!("{other:?}"),
    };
    assert!(matches!(stream.next(Nanos(6)), Action::Send { payload, .. } if payload == first));
    stream.sent(Nanos(6), SendOutcome::Sent);
    let wait = Action::WaitUntil(Nanos(5) + Nanos::from_millis(1));
    assert_eq!(stream.next(Nanos(7)), wait);
    assert_eq!(stream.next(Nanos(8)), wait);
    assert_eq!(stream.counts().missing, 1);
}

#[test]
fn the_stream_lasts_as_long_as_it_says() {
    let options = StreamOptions {
        warm_up_packets: 10,
        ..short_stream(PACKETS)
    };
    let mut stream = Stream::new(options.clone(), echo_only()).unwrap();
    let end = drive(&mut stream, Sender::default(), |_, _, payload| {
        faithful(payload)
    });
    assert_eq!(end, options.nominal_span());
    assert_eq!(end, Nanos::from_millis(10 + 1_000 + 100 + 1_000));
}

#[test]
fn a_stalled_sender_is_found_out() {
    // One stall of 6 ms lets six datagrams pile up behind the one that was due.
    let mut stream = Stream::new(short_stream(PACKETS), echo_only()).unwrap();
    let mut now = Nanos::ZERO;
    loop {
        match stream.next(now) {
            Action::Send { .. } => {
                stream.sent(now, SendOutcome::Sent);
                now += Nanos(1_000);
            }
            Action::WaitUntil(instant) if instant == Nanos::from_millis(50) => {
                now = Nanos::from_millis(56);
            }
            Action::WaitUntil(instant) => now = instant,
            Action::Disturb(_) => unreachable!("a stream disturbs nothing"),
            Action::Done => break,
        }
    }
    let result = stream.into_result();
    result.check().unwrap();
    assert_eq!(result.largest_burst, 7);
    assert_eq!(result.findings(), [Finding::SentInBursts]);
    assert_eq!(result.pacing_error.max(), Some(Nanos::from_millis(6)));
}
