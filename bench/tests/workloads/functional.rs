//! The functional gate, driven against a scripted echo.

use bench::functional::FunctionalOptionsError;
use bench::{EmptyDatagrams, FunctionalGate, FunctionalOptions, FunctionalResult, Nanos};

use crate::scripted_echo::*;

/// Runs a gate; `react` gets the number of each attempt, from 0, and its payload.
fn run_gate(
    options: FunctionalOptions,
    mut react: impl FnMut(u64, &[u8]) -> Reaction,
) -> FunctionalResult {
    let mut gate = FunctionalGate::new(options, echo_server()).unwrap();
    let mut attempt = 0;
    drive(&mut gate, Sender::default(), |_, _, payload| {
        attempt += 1;
        react(attempt - 1, payload)
    });
    let result = gate.into_result();
    result.check().unwrap();
    result
}

/// Two rounds of the published sizes: attempts 0 to 9 when nothing is retried.
fn two_rounds() -> FunctionalOptions {
    FunctionalOptions {
        rounds: 2,
        seed: 5,
        ..FunctionalOptions::default()
    }
}

#[test]
fn a_faithful_echo_passes_every_size() {
    let mut sizes = Vec::new();
    let result = run_gate(two_rounds(), |_, payload| {
        sizes.push(payload.len());
        faithful(payload)
    });
    assert_eq!(sizes, [0, 1, 32, 256, 1472, 0, 1, 32, 256, 1472]);
    assert!(result.passed());
    for size in &result.sizes {
        assert_eq!(
            (size.planned, size.intact, size.sent, size.retries),
            (2, 2, 2, 0)
        );
        assert_eq!(
            (size.corrupt, size.stale, size.foreign, size.unanswered),
            (0, 0, 0, 0)
        );
    }
    assert_eq!(result.first_corruption, None);
}

#[test]
fn no_two_large_payloads_are_alike() {
    let mut payloads = std::collections::BTreeSet::new();
    run_gate(FunctionalOptions::default(), |_, payload| {
        assert!(payload.len() < 8 || payloads.insert(payload.to_vec()));
        faithful(payload)
    });
    assert_eq!(payloads.len(), 60);
}

#[test]
fn a_lost_reply_is_retried_and_the_retry_is_counted() {
    let result = run_gate(two_rounds(), |attempt, payload| match attempt {
        2 => Reaction::lost(),
        _ => faithful(payload),
    });
    let size = result.sizes[2];
    assert_eq!(
        (size.intact, size.unanswered, size.sent, size.retries),
        (2, 0, 3, 1)
    );
    assert!(result.passed());
}

#[test]
fn a_refused_send_is_retried_and_counted() {
    let result = run_gate(two_rounds(), |attempt, payload| match attempt {
        2 => Reaction::send_failure(),
        _ => faithful(payload),
    });
    let size = result.sizes[2];
    assert_eq!(
        (size.sent, size.send_errors, size.retries, size.intact),
        (2, 1, 1, 2)
    );
}

#[test]
fn a_datagram_without_any_reply_is_unanswered() {
    let result = run_gate(two_rounds(), |_, payload| match payload.len() {
        1472 => Reaction::lost(),
        _ => faithful(payload),
    });
    let size = result.sizes[4];
    assert_eq!(
        (size.intact, size.unanswered, size.sent, size.retries),
        (0, 2, 6, 4)
    );
    assert!(!result.passed());
    let mut others = result.sizes[..4].iter();
    assert!(others.all(|size| result.size_passed(size)));
}

#[test]
fn a_wrong_byte_fails_the_gate_even_if_a_retry_is_right() {
    let result = run_gate(two_rounds(), |attempt, payload| {
        let mut reply = payload.to_vec();
        if attempt == 4 {
            reply[1471] ^= 0x20;
        }
        reply_after(RTT, &reply)
    });
    let size = result.sizes[4];
    assert_eq!((size.intact, size.corrupt, size.retries), (2, 1, 1));
    assert!(!result.passed());
    let corruption = result.first_corruption.unwrap();
    assert_eq!(
        (corruption.sequence, corruption.offset, corruption.length),
        (Some(4), 1471, 1)
    );
}

#[test]
fn an_empty_datagram_answered_with_padding_is_corrupt() {
    let result = run_gate(two_rounds(), |_, payload| match payload.len() {
        0 => reply_after(RTT, &[0; 18]),
        _ => faithful(payload),
    });
    assert_eq!((result.sizes[0].intact, result.sizes[0].corrupt), (0, 6));
    assert!(!result.passed());
}

fn dropping() -> FunctionalOptions {
    FunctionalOptions {
        empty_datagrams: EmptyDatagrams::Dropped,
        ..two_rounds()
    }
}

#[test]
fn empty_datagrams_that_are_dropped_by_design_pass_after_one_attempt() {
    let result = run_gate(dropping(), |_, payload| match payload.len() {
        0 => Reaction::lost(),
        _ => faithful(payload),
    });
    let size = result.sizes[0];
    assert_eq!(
        (size.planned, size.unanswered, size.sent, size.retries),
        (2, 2, 2, 0)
    );
    assert!(result.passed());
    let undeclared = FunctionalResult {
        options: two_rounds(),
        ..result
    };
    assert!(!undeclared.passed());
}

#[test]
fn any_reply_to_a_datagram_that_is_to_be_dropped_fails_the_gate() {
    let echoed = run_gate(dropping(), |_, payload| faithful(payload));
    assert_eq!(echoed.sizes[0].intact, 2);
    let padded = run_gate(dropping(), |_, payload| match payload.len() {
        0 => reply_after(RTT, &[0; 18]),
        _ => faithful(payload),
    });
    assert_eq!(padded.sizes[0].corrupt, 2);
    for result in [echoed, padded] {
        assert!(!result.passed());
        assert!(!result.size_passed(&result.sizes[0]));
        assert!(result.size_passed(&result.sizes[1]));
    }
}

#[test]
fn only_empty_datagrams_may_be_dropped() {
    let result = run_gate(dropping(), |_, payload| match payload.len() {
        0 | 1 => Reaction::lost(),
        _ => faithful(payload),
    });
    assert_eq!(
        (result.sizes[1].unanswered, result.sizes[1].retries),
        (2, 4)
    );
    assert!(!result.passed());
}

#[test]
fn a_second_copy_is_stale_and_fails_the_gate_unless_a_retry_explains_it() {
    let twice = run_gate(two_rounds(), |attempt, payload| match attempt {
        2 => faithful(payload).and_reply(RTT, echo_server(), payload.to_vec()),
        _ => faithful(payload),
    });
    // The copy is there before the next datagram is asked for.
    assert_eq!((twice.sizes[2].stale, twice.sizes[2].retries), (1, 0));
    assert!(!twice.passed());

    let timeout = two_rounds().timeout_ns;
    let slow = run_gate(two_rounds(), |attempt, payload| match attempt {
        // The first reply comes just after the retry left; the retry's own is the second copy,
        // and comes while the next size is asked.
        2 => reply_after(timeout + Nanos(10), payload),
        3 => reply_after(RTT, payload),
        _ => reply_after(RTT + RTT, payload),
    });
    assert_eq!((slow.sizes[2].intact, slow.sizes[2].retries), (2, 1));
    assert_eq!((slow.sizes[3].stale, slow.sizes[3].corrupt), (1, 0));
}

#[test]
fn a_reply_to_a_datagram_long_given_up_is_stale() {
    let options = FunctionalOptions {
        attempts: 1,
        ..two_rounds()
    };
    let result = run_gate(options, |attempt, payload| match attempt {
        2 => reply_after(Nanos::from_millis(1_000 + 1), payload),
        3..=4 => reply_after(Nanos::from_millis(900), payload),
        _ => faithful(payload),
    });
    assert_eq!((result.sizes[2].unanswered, result.sizes[3].stale), (1, 1));
}

#[test]
fn another_address_is_foreign() {
    let stranger = "192.168.1.50:9".parse().unwrap();
    let result = run_gate(two_rounds(), |attempt, payload| match attempt {
        3 => faithful(payload).and_reply(Nanos(1), stranger, payload.to_vec()),
        _ => faithful(payload),
    });
    assert_eq!((result.sizes[3].foreign, result.sizes[3].intact), (1, 2));
    assert!(result.passed());
}

#[test]
fn identities_of_a_size_are_checked() {
    let good = run_gate(two_rounds(), |_, payload| faithful(payload));
    let broken = |breaks: &dyn Fn(&mut FunctionalResult)| {
        let mut result = good.clone();
        breaks(&mut result);
        result.check().unwrap_err().identity
    };
    assert_eq!(
        broken(&|r| r.sizes[1].intact = 1),
        "planned = intact + unanswered"
    );
    assert_eq!(
        broken(&|r| r.sizes[1].retries = 1),
        "planned + retries = sent + send_errors"
    );
    assert_eq!(broken(&|r| r.sizes[1].planned = 3), "planned = rounds");
    assert_eq!(broken(&|r| _ = r.sizes.pop()), "one count a size");
    assert_eq!(
        broken(&|r| r.sizes.swap(0, 1)),
        "counts in the order of the sizes"
    );
    let refused = broken(&|r| {
        r.sizes[1].sent = 1;
        r.sizes[1].send_errors = 1;
    });
    assert_eq!(refused, "intact <= sent");
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |options| FunctionalGate::new(options, echo_server()).unwrap_err();
    let too_long = FunctionalOptions {
        payload_bytes: vec![1473],
        ..two_rounds()
    };
    assert_eq!(refused(too_long), FunctionalOptionsError::Payload(1473));
    for empty in [
        FunctionalOptions {
            payload_bytes: vec![],
            ..two_rounds()
        },
        FunctionalOptions {
            rounds: 0,
            ..two_rounds()
        },
        FunctionalOptions {
            attempts: 0,
            ..two_rounds()
        },
    ] {
        assert_eq!(refused(empty), FunctionalOptionsError::Empty);
    }
}

#[test]
fn a_result_survives_json() {
    let result = run_gate(two_rounds(), |_, payload| {
        reply_after(RTT, &payload[payload.len() / 2..])
    });
    let json = serde_json::to_string(&result).unwrap();
    assert_eq!(
        serde_json::from_str::<FunctionalResult>(&json).unwrap(),
        result
    );
}
