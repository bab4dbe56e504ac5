//! Multicast beside a stream: on its own schedule, counted, and in no other figure.

use bench::stream::OptionsError;
use bench::{Endpoint, Nanos, Stream, StreamOptions, StreamResult};

use crate::scripted_echo::*;

fn options() -> StreamOptions {
    StreamOptions {
        rate_hz: 100,
        background_hz: 500,
        duration_ns: Nanos::from_secs(2),
        warm_up_packets: 10,
        ..short_stream(1)
    }
}

/// Runs a stream; `background` meets each background datagram, with its instant.
fn run(
    options: StreamOptions,
    sender: Sender,
    mut background: impl FnMut(Nanos, &[u8]) -> Reaction,
) -> StreamResult {
    let group = options.background_group;
    let mut stream = Stream::new(options, echo_only()).unwrap();
    drive(&mut stream, sender, |now, to, payload| {
        if to == group {
            background(now, payload)
        } else {
            faithful(payload)
        }
    });
    let result = stream.into_result();
    result.check().unwrap();
    result
}

#[test]
fn the_background_is_recorded_and_mixed_into_nothing() {
    let with = run(options(), Sender::default(), |_, _| Reaction::lost());
    assert_eq!(
        (with.background_sent, with.background_send_errors),
        (1_000, 0)
    );
    let quiet = StreamOptions {
        background_hz: 0,
        ..options()
    };
    let without = run(quiet.clone(), Sender::default(), |_, _| unreachable!());
    let mut like_without = with.clone();
    like_without.options = quiet;
    like_without.background_sent = 0;
    assert_eq!(like_without, without);
    assert_eq!(with.options.background_hz, 500);
    assert!(with.is_clean() && with.verdict().is_clean());
}

#[test]
fn background_datagrams_keep_their_own_schedule() {
    let options = StreamOptions {
        background_hz: 300,
        background_payload_bytes: 33,
        background_group: "239.1.2.3:99".parse().unwrap(),
        ..options()
    };
    let mut instants = Vec::new();
    let mut payloads = Vec::new();
    let result = run(options, Sender::default(), |now, payload| {
        instants.push(now);
        payloads.push(payload.to_vec());
        Reaction::lost()
    });
    assert_eq!(result.background_sent, 600);
    // The warm-up takes 100 ms, its drain a second.
    let start = 1_100_000_000;
    let due = (0..600u64).map(|index| Nanos(start + index * 1_000_000_000 / 300));
    assert_eq!(instants, Vec::from_iter(due));
    assert!(payloads.iter().all(|payload| payload.len() == 33));
    payloads.dedup();
    assert_eq!(payloads.len(), 600);
}

#[test]
fn refused_background_datagrams_are_counted_apart() {
    let mut tried = 0;
    let result = run(options(), Sender::default(), |_, _| {
        tried += 1;
        match tried {
            1..=7 | 1_000 => Reaction::send_failure(),
            _ => Reaction::lost(),
        }
    });
    assert_eq!(
        (result.background_sent, result.background_send_errors),
        (992, 8)
    );
    assert_eq!(result.counts.send_errors, 0);
    assert!(result.verdict().is_clean());
}

#[test]
fn a_sender_that_falls_behind_still_sends_all_of_it() {
    let sender = Sender {
        send_cost: Nanos::from_millis(2),
        ..Sender::default()
    };
    let result = run(options(), sender, |_, _| Reaction::lost());
    assert_eq!((result.background_sent, result.counts.sent), (1_000, 200));
}

#[test]
fn an_answer_to_the_background_is_foreign() {
    let mut answered = 0;
    let result = run(options(), Sender::default(), |_, payload| {
        answered += 1;
        match answered {
            1..=3 => reply_after(RTT, payload),
            _ => Reaction::lost(),
        }
    });
    assert_eq!((result.counts.foreign, result.counts.valid), (3, 200));
}

#[test]
fn background_options_out_of_range_are_named() {
    let refused = |options: StreamOptions| Stream::new(options, echo_only()).unwrap_err();
    let group: Endpoint = "192.168.1.50:7".parse().unwrap();
    assert_eq!(
        refused(StreamOptions {
            background_group: group,
            ..options()
        }),
        OptionsError::BackgroundGroup(group)
    );
    assert_eq!(
        refused(StreamOptions {
            background_payload_bytes: 1_473,
            ..options()
        }),
        OptionsError::BackgroundPayload(1_473)
    );
    assert_eq!(
        refused(StreamOptions {
            background_hz: 1_000_000_001,
            ..options()
        }),
        OptionsError::BackgroundRate(1_000_000_001)
    );
}

#[test]
fn the_background_is_part_of_the_identities() {
    let mut result = run(options(), Sender::default(), |_, _| Reaction::lost());
    result.background_sent += 1;
    let identity = result.check().unwrap_err().identity;
    assert_eq!(identity, "background planned = sent + send errors");
}
