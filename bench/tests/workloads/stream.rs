//! Each counter of a stream changes by exactly what the script does.

use bench::{Counts, Nanos, StreamOptions};

use crate::scripted_echo::*;

const PACKETS: u64 = 100;

/// The counts of an undisturbed run.
fn clean() -> Counts {
    Counts {
        planned: PACKETS,
        sent: PACKETS,
        valid: PACKETS,
        ..Counts::default()
    }
}

#[test]
fn an_undisturbed_stream_counts_nothing_else() {
    let result = run_stream(short_stream(PACKETS), |_, payload| faithful(payload));
    assert_eq!(result.counts, clean());
    assert_eq!((result.rtt.min(), result.rtt.max()), (Some(RTT), Some(RTT)));
    assert_eq!(result.rtt.sum_ns(), u128::from(PACKETS * RTT.0));
    assert_eq!(result.pacing_error.max(), Some(Nanos::ZERO));
    assert_eq!(result.largest_burst, 1);
    assert_eq!(result.send_window(), Some(Nanos::from_millis(PACKETS)));
    assert_eq!(result.offered_rate_hz().unwrap().scaled(1_000), 1_000_000);
    assert_eq!(
        result.goodput_bits_per_s().unwrap().scaled(1),
        1_000 * 100 * 8
    );
    assert_eq!((result.first_missing, result.last_missing), (None, None));
    assert!(result.is_clean() && result.findings().is_empty());
}

#[test]
fn lost_datagrams_are_missing_and_located() {
    let options = StreamOptions {
        interval_ns: Nanos::from_millis(10),
        ..short_stream(PACKETS)
    };
    let result = run_stream(options, |sequence, payload| match sequence {
        3 | 71 | 79 | 80 => Reaction::lost(),
        _ => faithful(payload),
    });
    assert_eq!(
        result.counts,
        Counts {
            valid: PACKETS - 4,
            missing: 4,
            ..clean()
        }
    );
    assert_eq!(
        (result.first_missing, result.last_missing),
        (Some(3), Some(80))
    );
    let by_interval = Vec::from_iter(result.missing_by_interval.clone());
    assert_eq!(by_interval, [(0, 1), (7, 2), (8, 1)]);
    assert_eq!(result.worst_interval(), Some((7, 2)));
    assert_eq!(result.counts.error_events(), 4);
}

#[test]
fn equally_bad_intervals_name_the_first() {
    let options = StreamOptions {
        interval_ns: Nanos::from_millis(10),
        ..short_stream(PACKETS)
    };
    let result = run_stream(options, |sequence, payload| match sequence {
        15 | 95 => Reaction::lost(),
        _ => faithful(payload),
    });
    assert_eq!(result.worst_interval(), Some((1, 1)));
}

#[test]
fn a_reply_above_the_threshold_is_valid_and_late() {
    let threshold = Nanos::from_millis(50);
    let result = run_stream(short_stream(PACKETS), |sequence, payload| match sequence {
        98 => reply_after(threshold, payload),
        99 => reply_after(threshold + Nanos(1), payload),
        _ => faithful(payload),
    });
    assert_eq!(result.counts, Counts { late: 1, ..clean() });
    assert_eq!(result.rtt.max(), Some(threshold + Nanos(1)));
}

#[test]
fn lateness_is_measured_from_the_actual_send() {
    // Every send takes 1.7 periods, so the last one leaves 69 ms after it was due.
    let sender = Sender {
        send_cost: Nanos::from_micros(1_700),
        ..Sender::default()
    };
    let result = run_stream_with(short_stream(PACKETS), sender, faithful);
    assert_eq!(result.counts, clean());
    let behind = Nanos(99 * 700_000);
    assert_eq!(result.pacing_error.max(), Some(behind));
    assert_eq!(result.rtt.max(), Some(RTT));
    assert_eq!(result.rtt_from_schedule.max(), Some(behind + RTT));
}

#[test]
fn extra_right_copies_are_duplicates() {
    let result = run_stream(short_stream(PACKETS), |sequence, payload| match sequence {
        10 => faithful(payload).and_reply(RTT, echo_server(), payload.to_vec()),
        20 => faithful(payload)
            .and_reply(Nanos::from_millis(60), echo_server(), payload.to_vec())
            .and_reply(Nanos::from_millis(70), echo_server(), payload.to_vec()),
        _ => faithful(payload),
    });
    assert_eq!(
        result.counts,
        Counts {
            duplicate: 3,
            ..clean()
        }
    );
    assert_eq!(result.rtt.count(), PACKETS);
}

#[test]
fn overtaken_first_copies_are_reordered() {
    // 40 comes after 41 and 42; 50 and 51 both come after 52; 51 is not overtaken by 50.
    let result = run_stream(short_stream(PACKETS), |sequence, payload| match sequence {
        40 => reply_after(Nanos::from_micros(2_500), payload),
        50 => reply_after(Nanos::from_micros(2_500), payload),
        51 => reply_after(Nanos::from_micros(1_600), payload),
        _ => faithful(payload),
    });
    assert_eq!(
        result.counts,
        Counts {
            reordered: 3,
            ..clean()
        }
    );
}

#[test]
fn damaged_replies_are_corrupt_and_leave_their_sequence_missing() {
    let result = run_stream(short_stream(PACKETS), |sequence, payload| {
        let mut damaged = payload.to_vec();
        match sequence {
            7 => damaged[99] ^= 0x01,
            // The sequence field itself.
            8 => damaged[15] ^= 0x80,
            _ => return faithful(payload),
        }
        reply_after(RTT, &damaged)
    });
    assert_eq!(
        result.counts,
        Counts {
            valid: 98,
            missing: 2,
            corrupt: 2,
            // The other one carries the number of none that was sent.
            damaged: 1,
            ..clean()
        }
    );
    let first = result.first_corruption.unwrap();
    assert_eq!(
        (first.sequence, first.offset, first.length),
        (Some(7), 99, 1)
    );
}

#[test]
fn a_good_copy_after_a_corrupt_one_is_valid() {
    let result = run_stream(short_stream(PACKETS), |sequence, payload| {
        let mut damaged = payload.to_vec();
        damaged[50] ^= 0xff;
        match sequence {
            7 => {
                reply_after(Nanos(1_000), &damaged).and_reply(RTT, echo_server(), payload.to_vec())
            }
            _ => faithful(payload),
        }
    });
    assert_eq!(
        result.counts,
        Counts {
            corrupt: 1,
            ..clean()
        }
    );
}

#[test]
fn cut_replies_are_corrupt_and_truncated_and_long_ones_corrupt() {
    let result = run_stream(short_stream(PACKETS), |sequence, payload| match sequence {
        1 => reply_after(RTT, &payload[..99]),
        2 => reply_after(RTT, &payload[..16]),
        3 => reply_after(RTT, &payload[..15]),
        4 => reply_after(RTT, &payload[..7]),
        5 => reply_after(RTT, &[]),
        6 => reply_after(RTT, &[payload, &[0]].concat()),
        _ => faithful(payload),
    });
    let expected = Counts {
        valid: 94,
        missing: 6,
        corrupt: 6,
        truncated: 5,
        // The others are too short to carry a number.
        damaged: 3,
        ..clean()
    };
    assert_eq!(result.counts, expected);
}

#[test]
fn right_bytes_from_a_wrong_address_or_port_are_foreign() {
    let result = run_stream(short_stream(PACKETS), |sequence, payload| match sequence {
        1 => Reaction::lost().and_reply(RTT, "192.168.1.50:8".parse().unwrap(), payload.to_vec()),
        2 => Reaction::lost().and_reply(RTT, "192.168.1.51:7".parse().unwrap(), payload.to_vec()),
        _ => faithful(payload),
    });
    assert_eq!(
        result.counts,
        Counts {
            valid: 98,
            missing: 2,
            foreign: 2,
            ..clean()
        }
    );
}

#[test]
fn refused_sends_are_send_errors_and_no_loss() {
    let result = run_stream(short_stream(PACKETS), |sequence, payload| match sequence {
        1 | 2 | 99 => Reaction::send_failure(),
        _ => faithful(payload),
    });
    let expected = Counts {
        sent: 97,
        valid: 97,
        send_errors: 3,
        ..clean()
    };
    assert_eq!(result.counts, expected);
    assert!(!result.is_clean());
    assert_eq!(result.last_send_ns, Some(Nanos::from_millis(98)));
}

#[test]
fn a_reply_to_what_was_never_sent_is_foreign() {
    let stranger = bench::datagram::DatagramFormat::new(1, 100);
    let result = run_stream(short_stream(PACKETS), |sequence, payload| {
        let mut other = vec![0; 100];
        match sequence {
            // Right in itself, but beyond the schedule, not yet due, or refused by the stack.
            1 => stranger.encode(PACKETS, &mut other),
            2 => stranger.encode(u64::MAX, &mut other),
            3 => stranger.encode(50, &mut other),
            4 => {
                return Reaction {
                    send_fails: true,
                    ..faithful(payload)
                };
            }
            _ => return faithful(payload),
        }
        faithful(payload).and_reply(Nanos(1), echo_server(), other)
    });
    let expected = Counts {
        sent: 99,
        valid: 99,
        send_errors: 1,
        foreign: 4,
        ..clean()
    };
    assert_eq!(result.counts, expected);
}

#[test]
fn the_warm_up_is_counted_apart() {
    let options = StreamOptions {
        warm_up_packets: 10,
        interval_ns: Nanos::from_millis(50),
        ..short_stream(PACKETS)
    };
    let result = run_stream(options, |sequence, payload| match sequence {
        // Lost in the warm-up, and the first and the last of the measured ones.
        0 | 1 | 10 | 109 => Reaction::lost(),
        // So late that it comes during the measured schedule.
        9 => reply_after(Nanos::from_millis(1_020), payload),
        _ => faithful(payload),
    });
    let warm_up = Counts {
        planned: 10,
        sent: 10,
        valid: 8,
        missing: 2,
        late: 1,
        ..Counts::default()
    };
    assert_eq!(result.warm_up, warm_up);
    assert_eq!(
        result.counts,
        Counts {
            valid: 98,
            missing: 2,
            ..clean()
        }
    );
    assert_eq!(
        (result.first_missing, result.last_missing),
        (Some(0), Some(99))
    );
    assert_eq!(result.rtt.count(), 98);
    // Intervals count from the start of the measured schedule.
    assert_eq!(Vec::from_iter(result.missing_by_interval), [(0, 1), (1, 1)]);
    assert_eq!(result.first_send_ns, Some(Nanos::ZERO));
}

#[test]
fn strangers_count_where_they_come() {
    let stranger = "10.0.0.1:9".parse().unwrap();
    let options = StreamOptions {
        warm_up_packets: 10,
        ..short_stream(PACKETS)
    };
    let result = run_stream(options, |sequence, payload| match sequence {
        5 => faithful(payload).and_reply(RTT, stranger, vec![1, 2, 3]),
        15 | 16 => faithful(payload).and_reply(RTT, stranger, vec![1, 2, 3]),
        _ => faithful(payload),
    });
    assert_eq!((result.warm_up.foreign, result.counts.foreign), (1, 2));
}
