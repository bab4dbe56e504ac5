//! Each figure of a latency workload changes by exactly what the script does.

use bench::{Counts, Latency, LatencyOptions, LatencyResult, Nanos, Outcome};

use crate::scripted_echo::*;

const SAMPLES: u64 = 50;
const WARM_UP: u64 = 5;
/// One of each kind: a byte, a few, just below the header, and two with one.
const SIZES: [u64; 5] = [1, 2, 15, 17, 1472];

fn options() -> LatencyOptions {
    LatencyOptions {
        seed: 1,
        payload_bytes: SIZES.to_vec(),
        samples: SAMPLES,
        warm_up_packets: WARM_UP,
        ..LatencyOptions::default()
    }
}

fn clean() -> Counts {
    Counts {
        planned: SAMPLES,
        sent: SAMPLES,
        valid: SAMPLES,
        ..Counts::default()
    }
}

/// Runs a workload whose datagrams meet what `react` says by size and number, warm-up first.
fn run(
    options: LatencyOptions,
    mut react: impl FnMut(usize, u64, &[u8]) -> Reaction,
) -> (LatencyResult, Nanos) {
    let sizes = options.payload_bytes.clone();
    let mut latency = Latency::new(options, echo_server()).unwrap();
    let mut sent = vec![0; sizes.len()];
    let end = drive(&mut latency, Sender::default(), |_, _, payload| {
        let is_of_size = |&bytes: &u64| bytes == payload.len() as u64;
        let size = sizes.iter().position(is_of_size).unwrap();
        sent[size] += 1;
        react(size, sent[size] - 1, payload)
    });
    let result = latency.into_result();
    result.check().unwrap();
    (result, end)
}

#[test]
fn an_undisturbed_echo_has_its_rtt_at_every_size() {
    let (result, end) = run(options(), |_, _, payload| faithful(payload));
    assert!(result.is_clean());
    assert_eq!(result.void_reason(), None);
    for (size, bytes) in result.sizes.iter().zip(SIZES) {
        assert_eq!(size.payload_bytes, bytes);
        assert_eq!(size.counts, clean());
        assert_eq!(size.warm_up.valid, WARM_UP);
        assert_eq!(size.rtt.count(), SAMPLES);
        assert_eq!((size.rtt.min(), size.rtt.max()), (Some(RTT), Some(RTT)));
    }
    assert_eq!(end, options().nominal_span(RTT));
}

#[test]
fn each_fault_changes_its_counter_at_every_size() {
    let (result, _) = run(options(), |_, number, payload| {
        let mut damaged = payload.to_vec();
        *damaged.last_mut().unwrap() ^= 4;
        let longer = [payload, &[0]].concat();
        let stranger = "192.168.1.9:7".parse().unwrap();
        match number.checked_sub(WARM_UP) {
            Some(10) => Reaction::lost(),
            // After the timeout, and after the reply to the datagram after.
            Some(12) => reply_after(Nanos::from_micros(250_400), payload),
            Some(14) => faithful(payload).and_reply(RTT, echo_server(), payload.to_vec()),
            Some(16) => reply_after(RTT, &damaged),
            Some(18) => reply_after(RTT, &payload[..payload.len() - 1]),
            Some(20) => reply_after(RTT, &longer),
            Some(22) => faithful(payload).and_reply(RTT, stranger, payload.to_vec()),
            Some(24) => Reaction::send_failure(),
            // A copy ahead of a right reply: the wait does not end with it.
            Some(26) => {
                reply_after(Nanos(1), &damaged).and_reply(RTT, echo_server(), payload.to_vec())
            }
            _ => faithful(payload),
        }
    });
    let expected = Counts {
        sent: SAMPLES - 1,
        send_errors: 1,
        valid: SAMPLES - 5,
        missing: 4,
        late: 1,
        duplicate: 1,
        reordered: 1,
        corrupt: 4,
        truncated: 1,
        damaged: 3,
        foreign: 1,
        ..clean()
    };
    for size in &result.sizes {
        assert_eq!(size.counts, expected, "{} bytes", size.payload_bytes);
        assert_eq!(size.timeouts(), 5);
        assert_eq!(size.rtt.max(), Some(Nanos::from_micros(250_400)));
        let corruption = size.first_corruption.unwrap();
        assert_eq!(corruption.sequence, Some(WARM_UP + 16));
        assert_eq!(corruption.offset, size.payload_bytes - 1);
    }
    assert!(!result.is_clean());
}

#[test]
fn a_reply_in_the_time_of_a_later_size_belongs_to_its_own() {
    let options = LatencyOptions {
        timeout_ns: Nanos::from_millis(1),
        drain_ns: Nanos::from_millis(2),
        ..options()
    };
    let last = WARM_UP + SAMPLES - 1;
    let (result, _) = run(options, |size, number, payload| match (size, number) {
        // It comes while the last size is under way.
        (0..4, number) if number == last => {
            reply_after(Nanos::from_millis(69 - 19 * size as u64), payload)
        }
        _ => faithful(payload),
    });
    for size in &result.sizes {
        let late = u64::from(size.payload_bytes != 1472);
        assert_eq!(size.counts, Counts { late, ..clean() });
    }
}

#[test]
fn a_silent_device_is_given_up_size_by_size() {
    const THIRD_SAMPLE: u64 = WARM_UP + 2;
    let options = LatencyOptions {
        give_up_after: 7,
        ..options()
    };
    let (result, end) = run(options.clone(), |size, number, payload| {
        match (size, number) {
            // Silent from the warm-up on, from the third sample on, or not at all.
            (0, _) | (1, THIRD_SAMPLE..) => Reaction::lost(),
            // One short of seven in a row, then a reply, and so on.
            (2, number) if number % 7 != 6 => Reaction::lost(),
            _ => faithful(payload),
        }
    });
    let counts = |size: usize| {
        let Counts {
            planned,
            sent,
            valid,
            ..
        } = result.sizes[size].counts;
        (planned, sent, valid)
    };
    assert_eq!(result.sizes[0].warm_up.planned, WARM_UP);
    assert_eq!(counts(0), (2, 2, 0));
    assert_eq!(counts(1), (9, 9, 2));
    assert_eq!(counts(2), (SAMPLES, SAMPLES, 7));
    assert_eq!(counts(3), (SAMPLES, SAMPLES, SAMPLES));
    assert!(!result.is_clean());
    let timeouts = 7 + 7 + (WARM_UP + SAMPLES - 7);
    let replies = (WARM_UP + 2) + 7 + 2 * (WARM_UP + SAMPLES);
    let expected = options.timeout_ns.0 * timeouts + RTT.0 * replies + 5 * options.drain_ns.0;
    assert_eq!(end, Nanos(expected));
}

#[test]
fn nothing_sent_is_void() {
    let (result, _) = run(options(), |_, _, _| Reaction::send_failure());
    assert_eq!(
        result.void_reason().as_deref(),
        Some("no datagram was sent, the host refused 250")
    );
}

#[test]
fn a_result_that_contradicts_itself_is_refused() {
    let (result, _) = run(options(), |_, _, payload| faithful(payload));
    let broken = |change: fn(&mut LatencyResult)| {
        let mut result = result.clone();
        change(&mut result);
        result.check().unwrap_err().identity
    };
    assert_eq!(broken(|it| it.sizes.truncate(1)), "one entry a size");
    assert_eq!(
        broken(|it| it.sizes.swap(0, 1)),
        "entries in the order of the sizes"
    );
    assert_eq!(
        broken(|it| it.sizes[0].counts.valid -= 1),
        "sent = valid + missing"
    );
    assert_eq!(
        broken(|it| it.sizes[0].counts.late = 1),
        "late <= rtt above timeout"
    );
    assert_eq!(
        broken(|it| it.sizes[0].rtt_unknown = 1),
        "valid = count(rtt) + rtt_unknown"
    );
    assert_eq!(broken(|it| it.options.samples = 1), "planned <= samples");
}

#[test]
fn a_result_survives_its_file_and_nothing_unknown_is_read() {
    let (result, _) = run(options(), |_, number, payload| match number {
        20 => Reaction::lost(),
        _ => faithful(payload),
    });
    let mut json = serde_json::to_value(&result).unwrap();
    let read: LatencyResult = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(read, result);
    json["sizes"][0]["jitter"] = 1.into();
    assert!(serde_json::from_value::<LatencyResult>(json).is_err());
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |change: fn(&mut LatencyOptions)| {
        let mut options = options();
        change(&mut options);
        let error = Latency::new(options, echo_server()).unwrap_err();
        error.to_string()
    };
    let empty = "a latency workload needs at least one payload size and one datagram of each";
    assert_eq!(refused(|it| it.payload_bytes.clear()), empty);
    assert_eq!(refused(|it| it.samples = 0), empty);
    for bytes in [0, 1_473] {
        let error = refused(match bytes {
            0 => |it| it.payload_bytes[1] = 0,
            _ => |it| it.payload_bytes[1] = 1_473,
        });
        assert_eq!(
            error,
            format!("a payload must have 1 to 1472 bytes, not {bytes}")
        );
    }
    assert!(refused(|it| it.payload_bytes[1] = 1).contains("1 bytes are listed twice"));
    assert!(refused(|it| it.timeout_ns = Nanos::ZERO).contains("timeout"));
    assert!(refused(|it| it.give_up_after = 0).contains("not 0"));
}
