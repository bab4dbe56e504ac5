//! The words of a verdict, and the rule that tells a stall from a loss.

use bench::verdict::{STALL_SILENCE_MIN, STALL_UNANSWERED_MIN};
use bench::{BurstOptions, Fault, Nanos, Stall, StreamOptions, StreamResult};

use crate::scripted_echo::*;

/// A stream of two seconds at 100/s that is answered up to `answered` and then by nobody.
fn answered_before(answered: u64, rate_hz: u64) -> StreamResult {
    let options = StreamOptions {
        rate_hz,
        duration_ns: Nanos::from_secs(2),
        ..short_stream(1)
    };
    run_stream(options, |sequence, payload| match sequence {
        _ if sequence < answered => faithful(payload),
        _ => Reaction::lost(),
    })
}

fn words(result: &StreamResult) -> String {
    result.verdict().to_string()
}

#[test]
fn each_fault_has_its_word() {
    let with = |react: fn(&[u8]) -> Reaction| {
        let result = run_stream(short_stream(100), |sequence, payload| match sequence {
            50 => react(payload),
            _ => faithful(payload),
        });
        words(&result)
    };
    assert_eq!(with(faithful), "clean");
    assert_eq!(with(|_| Reaction::lost()), "lost");
    assert_eq!(with(|payload| reply_after(RTT, &payload[..99])), "corrupt");
    assert_eq!(with(|_| Reaction::send_failure()), "unsent");
    let twice = |payload: &[u8]| faithful(payload).and_reply(RTT, echo_server(), payload.to_vec());
    assert_eq!(with(twice), "duplicated");
    let overtaken = |payload: &[u8]| reply_after(Nanos::from_micros(1_400), payload);
    assert_eq!(with(overtaken), "reordered");
    let overtaken_and_late = |payload: &[u8]| reply_after(Nanos::from_millis(60), payload);
    assert_eq!(with(overtaken_and_late), "reordered, late");
    let stranger = |payload: &[u8]| {
        faithful(payload).and_reply(RTT, "10.0.0.1:7".parse().unwrap(), payload.to_vec())
    };
    assert_eq!(with(stranger), "foreign");
}

#[test]
fn the_gravest_fault_comes_first_with_its_figures() {
    let result = run_stream(short_stream(100), |sequence, payload| match sequence {
        10 => Reaction::lost(),
        20 => reply_after(Nanos::from_millis(60), payload),
        30 => reply_after(RTT, &payload[..90]),
        31 => reply_after(RTT, &payload[..80]),
        _ => faithful(payload),
    });
    let verdict = result.verdict();
    assert_eq!(verdict.to_string(), "corrupt, lost, reordered, late");
    assert!(!verdict.is_clean() && verdict.stall().is_none());
    let expected = [
        Fault::Corrupt {
            replies: 2,
            first: result.first_corruption.unwrap(),
        },
        Fault::Lost { datagrams: 1 },
        Fault::Reordered { datagrams: 1 },
        Fault::Late { datagrams: 1 },
    ];
    assert_eq!(verdict.faults, expected);
}

#[test]
fn a_stall_is_no_loss() {
    let result = answered_before(50, 100);
    assert_eq!(result.counts.missing, 150);
    let stall = Stall {
        last_reply_ns: Some(Nanos::from_millis(490) + RTT),
        unanswered: 150,
        transmit_alive: false,
    };
    assert_eq!(result.verdict().faults, [Fault::Stalled(stall)]);
    assert_eq!(words(&result), "stalled");
}

#[test]
fn losses_before_a_stall_are_losses() {
    let options = StreamOptions {
        duration_ns: Nanos::from_secs(2),
        ..short_stream(1)
    };
    let result = run_stream(options, |sequence, payload| match sequence {
        3 | 4 => Reaction::lost(),
        0..1_000 => faithful(payload),
        _ => Reaction::lost(),
    });
    let verdict = result.verdict();
    assert_eq!(verdict.stall().unwrap().unanswered, 1_000);
    assert_eq!(verdict.faults[1..], [Fault::Lost { datagrams: 2 }]);
}

#[test]
fn a_device_that_never_answers_is_stalled_from_the_start() {
    let result = answered_before(0, 100);
    let stall = result.verdict().stall().unwrap();
    assert_eq!((stall.last_reply_ns, stall.unanswered), (None, 200));
}

#[test]
fn a_stall_needs_enough_unanswered_datagrams() {
    // One datagram every 100 ms: the silence is long enough for seven already.
    let planned = 20;
    let few = answered_before(planned - (STALL_UNANSWERED_MIN - 1), 10);
    assert_eq!(words(&few), "lost");
    let enough = answered_before(planned - STALL_UNANSWERED_MIN, 10);
    assert_eq!(words(&enough), "stalled");
}

#[test]
fn a_stall_needs_a_long_enough_silence_before_the_last_send() {
    // 1000 datagrams a second: hundreds are unanswered either way. The last leaves at 1999 ms.
    let last_reply_at = |instant: Nanos| {
        let options = StreamOptions {
            duration_ns: Nanos::from_secs(2),
            ..short_stream(1)
        };
        let result = run_stream(options, |sequence, payload| match sequence {
            0 => reply_after(instant, payload),
            _ => Reaction::lost(),
        });
        assert_eq!(result.tail.last_reply_ns, Some(instant));
        result.verdict().stall().is_some()
    };
    let latest = Nanos::from_millis(1_999).since(STALL_SILENCE_MIN);
    assert!(last_reply_at(latest) && !last_reply_at(latest + Nanos(1)));
}

#[test]
fn a_reply_during_the_drain_ends_the_silence() {
    let options = StreamOptions {
        duration_ns: Nanos::from_secs(2),
        ..short_stream(1)
    };
    let result = run_stream(options, |sequence, payload| match sequence {
        0 => faithful(payload),
        // It comes 1 ms before the drain is over.
        1 => reply_after(Nanos::from_millis(2_998), payload),
        _ => Reaction::lost(),
    });
    assert_eq!(words(&result), "lost, late");
}

#[test]
fn corrupt_replies_are_no_stall() {
    for length in [99, 7] {
        let result = run_stream(short_stream(2_000), |sequence, payload| match sequence {
            0..1_000 => faithful(payload),
            _ => reply_after(RTT, &payload[..length]),
        });
        let verdict = result.verdict();
        assert!(verdict.stall().is_none());
        assert!(matches!(
            verdict.faults[0],
            Fault::Corrupt { replies: 1_000, .. }
        ));
    }
}

#[test]
fn what_else_the_device_sends_shows_that_it_transmits() {
    let stalled_with = |from: &str| {
        let from = from.parse().unwrap();
        let result = run_stream(short_stream(2_000), |sequence, payload| match sequence {
            0..1_000 => faithful(payload),
            1_500 => Reaction::lost().and_reply(RTT, from, vec![1, 2, 3]),
            _ => Reaction::lost(),
        });
        let stall = result.verdict().stall().unwrap();
        assert_eq!(stall.transmit_alive, result.tail.heard_after == 1);
        stall.transmit_alive
    };
    assert!(stalled_with("192.168.1.50:7"));
    assert!(stalled_with("192.168.1.50:68"));
    assert!(!stalled_with("192.168.1.51:7"));
}

#[test]
fn a_duplicate_after_the_stall_is_no_reply() {
    let result = run_stream(short_stream(2_000), |sequence, payload| match sequence {
        999 => {
            faithful(payload).and_reply(Nanos::from_millis(900), echo_server(), payload.to_vec())
        }
        0..999 => faithful(payload),
        _ => Reaction::lost(),
    });
    let stall = result.verdict().stall().unwrap();
    assert_eq!(stall.last_reply_ns, Some(Nanos::from_millis(999) + RTT));
    assert!(stall.transmit_alive);
    assert_eq!(words(&result), "receive stalled, duplicated");
}

#[test]
fn a_burst_workload_stalls_alike() {
    let options = BurstOptions {
        packets: 4,
        repeats: 10,
        seed: 1,
        ..BurstOptions::default()
    };
    let (result, _) = run_burst(options, |burst, place, payload| match (burst, place) {
        (0..6, _) | (6, 0) => in_turn(place, payload),
        // Somebody else is no sign of life.
        (8, 0) => Reaction::lost().and_reply(RTT, "10.0.0.1:7".parse().unwrap(), vec![1]),
        _ => Reaction::lost(),
    });
    let stall = result.verdict().stall().unwrap();
    assert_eq!((stall.unanswered, stall.transmit_alive), (15, false));
    assert_eq!(stall.last_reply_ns, result.tail.last_reply_ns);
    assert_eq!(result.verdict().to_string(), "stalled, foreign");
}
