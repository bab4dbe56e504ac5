//! What results come to: clean, faulty, or void.

use bench::{
    Burst, BurstOptions, FunctionalGate, FunctionalOptions, Nanos, Outcome, StreamOptions, Sweep,
    SweepOptions,
};

use crate::scripted_echo::*;

const MISSED: &str = "971/s were offered in place of 1000/s, less than 98 %";

/// Thirty milliseconds late on the last of a thousand datagrams.
fn slow_sender() -> Sender {
    Sender {
        send_cost: Nanos(1_030_000),
        ..Sender::default()
    }
}

#[test]
fn a_stream_is_clean_without_events_and_void_when_its_rate_was_missed() {
    let clean = run_stream(short_stream(1_000), |_, payload| faithful(payload));
    assert!(Outcome::is_clean(&clean));
    assert_eq!(clean.void_reason(), None);
    let lossy = run_stream(short_stream(1_000), |sequence, payload| match sequence {
        5 => Reaction::lost(),
        _ => faithful(payload),
    });
    assert!(!Outcome::is_clean(&lossy));
    assert_eq!(lossy.void_reason(), None);
    let void = run_stream_with(short_stream(1_000), slow_sender(), faithful);
    assert!(!Outcome::is_clean(&void));
    assert_eq!(void.void_reason().as_deref(), Some(MISSED));
}

#[test]
fn a_sweep_is_what_its_worst_rate_is() {
    let sweep = |sender, lost: u64| {
        let options = SweepOptions {
            rates_hz: vec![500, 1_000],
            stream: StreamOptions {
                duration_ns: Nanos::SECOND,
                warm_up_packets: 0,
                ..StreamOptions::default()
            },
        };
        let mut sweep = Sweep::new(options, echo_only()).unwrap();
        drive(&mut sweep, sender, |_, _, payload| {
            match sequence_of(payload) < lost {
                true => Reaction::lost(),
                false => faithful(payload),
            }
        });
        sweep.into_result()
    };
    let clean = sweep(Sender::default(), 0);
    assert!(clean.is_clean() && clean.void_reason().is_none() && Outcome::check(&clean).is_ok());
    assert!(!sweep(Sender::default(), 1).is_clean());
    let void = sweep(slow_sender(), 0);
    assert_eq!(void.void_reason().as_deref(), Some(MISSED));
    assert!(!void.is_clean());
}

#[test]
fn bursts_are_clean_when_whole_and_void_when_none_was_sent() {
    let burst = |react: fn(&[u8]) -> Reaction| {
        let options = BurstOptions {
            repeats: 2,
            ..BurstOptions::default()
        };
        let mut burst = Burst::new(options, echo_server()).unwrap();
        drive(&mut burst, Sender::default(), |_, _, payload| {
            react(payload)
        });
        burst.into_result()
    };
    assert!(burst(faithful).is_clean());
    assert!(!burst(|_| Reaction::lost()).is_clean());
    let unsent = burst(|_| Reaction::send_failure());
    assert!(!unsent.is_clean());
    assert_eq!(
        unsent.void_reason().as_deref(),
        Some("no datagram was sent, the host refused 16")
    );
}

#[test]
fn the_gate_is_clean_when_it_is_passed() {
    let gate = |react: fn(&[u8]) -> Reaction| {
        let mut gate = FunctionalGate::new(FunctionalOptions::default(), echo_server()).unwrap();
        drive(&mut gate, Sender::default(), |_, _, payload| react(payload));
        gate.into_result()
    };
    let passed = gate(faithful);
    assert!(passed.is_clean() && passed.void_reason().is_none());
    assert!(!gate(|_| Reaction::lost()).is_clean());
    let unsent = gate(|_| Reaction::send_failure());
    assert_eq!(
        unsent.void_reason().as_deref(),
        Some("no datagram was sent, the host refused 300")
    );
}
