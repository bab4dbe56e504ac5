//! Each figure of a burst workload changes by exactly what the script does.

use bench::{Burst, BurstOptions, Counts, Nanos, Tail};

use crate::scripted_echo::*;

const PACKETS: u64 = 8;
const REPEATS: u64 = 10;

fn options() -> BurstOptions {
    BurstOptions {
        packets: PACKETS,
        repeats: REPEATS,
        seed: 1,
        ..BurstOptions::default()
    }
}

/// The counts of an undisturbed run.
fn clean() -> Counts {
    let packets = PACKETS * REPEATS;
    Counts {
        planned: packets,
        sent: packets,
        valid: packets,
        ..Counts::default()
    }
}

/// `answered` with these numbers of bursts at these numbers of replies.
fn answered(bursts: &[(usize, u64)]) -> Vec<u64> {
    let mut answered = vec![0; PACKETS as usize + 1];
    for &(replies, count) in bursts {
        answered[replies] = count;
    }
    answered
}

#[test]
fn undisturbed_bursts_are_whole() {
    let (result, end) = run_burst(options(), |_, place, payload| in_turn(place, payload));
    assert_eq!(result.counts, clean());
    let warm_up = Counts {
        planned: 1,
        sent: 1,
        valid: 1,
        ..Counts::default()
    };
    assert_eq!(result.warm_up, warm_up);
    assert_eq!(result.whole_bursts, REPEATS);
    assert_eq!((result.answered_min, result.answered_max), (8, 8));
    assert_eq!(result.answered, answered(&[(8, 10)]));
    let absorb = &result.absorb_time;
    assert_eq!((absorb.count(), absorb.min()), (10, absorb.max()));
    assert_eq!(absorb.max(), Some(Nanos::from_micros(800)));
    assert_eq!(result.rtt.min(), Some(Nanos::from_micros(100)));
    // Each burst starts the quiet after the last reply of the one before: so does the warm-up's.
    let period = Nanos::from_micros(200_800);
    assert_eq!(result.last_send_ns, Some(Nanos(9 * period.0)));
    let tail = Tail {
        last_reply_ns: Some(Nanos(9 * period.0 + 800_000)),
        ..Tail::default()
    };
    assert_eq!(result.tail, tail);
    assert_eq!(end, Nanos(200_300_000 + 9 * period.0 + 2_000_000_000));
}

#[test]
fn a_burst_leaves_at_one_instant() {
    let mut instants = Vec::new();
    let mut burst = Burst::new(options(), echo_server()).unwrap();
    drive(&mut burst, Sender::default(), |now, to, payload| {
        assert_eq!((to, payload.len()), (echo_server(), 64));
        instants.push((sequence_of(payload), now));
        Reaction::lost()
    });
    let quiet = 200_000_000;
    let expected = (0..=80).map(|sequence: u64| {
        let bursts_before = sequence.div_ceil(PACKETS);
        (sequence, Nanos(bursts_before * quiet))
    });
    assert_eq!(instants, Vec::from_iter(expected));
}

#[test]
fn a_short_queue_shows_in_every_burst() {
    let (result, _) = run_burst(options(), |burst, place, payload| match (burst, place) {
        (3, 2..) => Reaction::lost(),
        (_, 4..) => Reaction::lost(),
        _ => in_turn(place, payload),
    });
    let valid = 9 * 4 + 2;
    let expected = Counts {
        valid,
        missing: 80 - valid,
        ..clean()
    };
    assert_eq!(result.counts, expected);
    assert_eq!((result.answered_min, result.answered_max), (2, 4));
    assert_eq!(result.answered, answered(&[(2, 1), (4, 9)]));
    assert_eq!((result.whole_bursts, result.absorb_time.count()), (0, 0));
    assert_eq!(result.tail.unanswered, 4);
}

#[test]
fn one_burst_of_each_kind_of_fault() {
    let (result, _) = run_burst(options(), |burst, place, payload| match (burst, place) {
        (1, 7) => Reaction::lost(),
        (2, 0) => in_turn(0, payload).and_reply(RTT, echo_server(), payload.to_vec()),
        (3, 0) => in_turn(4, payload),
        (4, 7) => reply_after(Nanos::from_millis(51), payload),
        (5, 3) => {
            let mut damaged = payload.to_vec();
            damaged[40] ^= 1;
            reply_after(RTT, &damaged)
        }
        (6, 3) => reply_after(RTT, &payload[..20]),
        (7, 0) => in_turn(0, payload).and_reply(RTT, "192.168.1.9:7".parse().unwrap(), vec![1]),
        (8, 0) => Reaction::send_failure(),
        _ => in_turn(place, payload),
    });
    let expected = Counts {
        sent: 79,
        send_errors: 1,
        valid: 76,
        missing: 3,
        duplicate: 1,
        // The reply to place 0 comes with that to place 4, after those to places 1 to 3.
        reordered: 1,
        late: 1,
        corrupt: 2,
        truncated: 1,
        damaged: 2,
        foreign: 1,
        ..clean()
    };
    assert_eq!(result.counts, expected);
    assert_eq!(result.answered, answered(&[(7, 4), (8, 6)]));
    assert_eq!(result.absorb_time.max(), Some(Nanos::from_millis(51)));
    let corruption = result.first_corruption.unwrap();
    assert_eq!(corruption.sequence, Some(1 + 5 * PACKETS + 3));
    assert_eq!((corruption.offset, corruption.length), (40, 1));
}

#[test]
fn a_reply_during_a_later_burst_belongs_to_its_own() {
    // Nothing else comes of burst 0, so burst 1 starts 200 ms after it.
    let (result, _) = run_burst(options(), |burst, place, payload| match (burst, place) {
        (0, 0) => reply_after(Nanos::from_millis(250), payload),
        (0, _) => Reaction::lost(),
        _ => in_turn(place, payload),
    });
    let expected = Counts {
        valid: 73,
        missing: 7,
        late: 1,
        // It comes after the replies of burst 1.
        reordered: 1,
        ..clean()
    };
    assert_eq!(result.counts, expected);
    assert_eq!(result.answered, answered(&[(1, 1), (8, 9)]));
    // Its arrival puts off burst 2.
    let last = 200_000_000 + 250_000_000 + 7 * 200_800_000;
    assert_eq!(result.last_send_ns, Some(Nanos(last)));
}

#[test]
fn endless_replies_do_not_hold_up_the_next_burst() {
    let options = BurstOptions {
        repeats: 2,
        settle_limit_ns: Nanos::from_millis(500),
        ..options()
    };
    let (result, _) = run_burst(options, |_, place, payload| {
        let mut reaction = in_turn(place, payload);
        for copy in 1..60 {
            let delay = Nanos::from_millis(10 * copy);
            reaction = reaction.and_reply(delay, echo_server(), payload.to_vec());
        }
        reaction
    });
    assert_eq!(result.last_send_ns, Some(Nanos::from_millis(500)));
    assert_eq!(result.counts.valid, 16);
}

#[test]
fn the_last_burst_is_waited_for_like_any_other() {
    let last_came_after = |delay: Nanos| {
        let (result, _) = run_burst(options(), |burst, place, payload| match (burst, place) {
            (9, 7) => reply_after(delay, payload),
            _ => in_turn(place, payload),
        });
        result.counts
    };
    let late = Counts { late: 1, ..clean() };
    assert_eq!(last_came_after(Nanos::from_secs(2)), late);
    let missing = Counts {
        valid: 79,
        missing: 1,
        ..clean()
    };
    assert_eq!(last_came_after(Nanos::from_secs(2) + Nanos(1)), missing);
}

#[test]
fn the_workload_lasts_as_long_as_it_says() {
    let (_, end) = run_burst(options(), |_, _, _| Reaction::lost());
    let reply_of_the_warm_up = RTT;
    assert_eq!(end, options().nominal_span() + reply_of_the_warm_up);
}

#[test]
fn the_warm_up_is_part_of_no_figure() {
    let mut burst = Burst::new(options(), echo_server()).unwrap();
    drive(
        &mut burst,
        Sender::default(),
        |_, _, payload| match sequence_of(payload) {
            0 => reply_after(Nanos::from_millis(201), payload),
            _ => faithful(payload),
        },
    );
    let result = burst.into_result();
    result.check().unwrap();
    assert_eq!(result.counts, clean());
    assert_eq!((result.warm_up.valid, result.warm_up.late), (1, 1));
    assert_eq!(result.rtt.max(), Some(RTT));
}

#[test]
fn rtt_is_kept_by_twentieths_of_the_bursts() {
    let options = BurstOptions {
        repeats: 40,
        packets: 2,
        ..options()
    };
    let (result, _) = run_burst(options, |burst, place, payload| {
        reply_after(Nanos::from_micros(100 * (burst / 2 + 1) + place), payload)
    });
    let slices = Vec::from_iter(result.rtt_over_time.slices());
    let numbers = slices.iter().map(|&(number, _)| number);
    assert_eq!(Vec::from_iter(numbers), Vec::from_iter(0..20));
    let (_, last) = slices[19];
    assert_eq!(last.count, 4);
    assert_eq!(
        (last.min_ns, last.max_ns),
        (Nanos(2_000_000), Nanos(2_001_000))
    );
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |options: BurstOptions| {
        let error = Burst::new(options, echo_server()).unwrap_err();
        error.to_string()
    };
    let empty = "a burst workload needs at least one datagram a burst and one burst";
    assert_eq!(
        refused(BurstOptions {
            packets: 0,
            ..options()
        }),
        empty
    );
    assert_eq!(
        refused(BurstOptions {
            repeats: 0,
            ..options()
        }),
        empty
    );
    assert_eq!(
        refused(BurstOptions {
            packets: 1 << 18,
            repeats: 2,
            ..options()
        }),
        "262144 datagrams 2 times are too many, at most 262144 in all"
    );
    assert_eq!(
        refused(BurstOptions {
            payload_bytes: 15,
            ..options()
        }),
        "the payload must have 16 to 1472 bytes, not 15"
    );
    for quiet_ns in [Nanos::ZERO, Nanos::from_secs(3)] {
        assert!(
            refused(BurstOptions {
                quiet_ns,
                ..options()
            })
            .starts_with("the quiet between")
        );
    }
}
