//! Each figure of a soak changes by exactly what the script does.

use bench::soak::{Mixture, SizeWeight};
use bench::{Counts, Nanos, Outcome, Soak, SoakOptions, SoakResult};

use crate::scripted_echo::*;

const WARM_UP: u64 = 10;

/// 4,000 datagrams in four intervals of a second.
fn options() -> SoakOptions {
    SoakOptions {
        seed: 5,
        rate_hz: 1_000,
        duration_ns: Nanos::from_secs(4),
        warm_up_packets: WARM_UP,
        interval_ns: Nanos::SECOND,
        ..SoakOptions::default()
    }
}

fn clean() -> Counts {
    Counts {
        planned: 4_000,
        sent: 4_000,
        valid: 4_000,
        ..Counts::default()
    }
}

/// Runs a soak whose measured datagrams meet what `react` says by number from 0.
fn run(options: SoakOptions, mut react: impl FnMut(u64, &[u8]) -> Reaction) -> SoakResult {
    let warm_up = options.warm_up_packets;
    let mut soak = Soak::new(options, echo_server()).unwrap();
    drive(
        &mut soak,
        Sender::default(),
        |_, _, payload| match sequence_of(payload).checked_sub(warm_up) {
            Some(number) => react(number, payload),
            None => faithful(payload),
        },
    );
    let result = soak.into_result();
    result.check().unwrap();
    result
}

#[test]
fn an_undisturbed_soak_is_clean_in_every_interval_and_size() {
    let result = run(options(), |_, payload| faithful(payload));
    assert!(result.is_clean());
    assert_eq!(result.counts, clean());
    assert_eq!(result.warm_up.valid, WARM_UP);
    for interval in &result.intervals {
        assert_eq!(
            (interval.sent, interval.valid, interval.replies),
            (1_000, 1_000, 1_000)
        );
        assert_eq!(interval.rtt_p50_ns, Some(RTT));
        assert_eq!(interval.rtt_max_ns, Some(RTT));
    }
    // The sizes are those that the seed draws.
    let mixture = Mixture::new(5, &options().sizes);
    for (index, size) in result.sizes.iter().enumerate() {
        let drawn =
            (WARM_UP..WARM_UP + 4_000).filter(|&number| mixture.size_index(number) == index);
        assert_eq!(size.sent, drawn.count() as u64);
        assert!(size.sent > 700, "{size:?}");
        assert_eq!((size.valid, size.rtt.count()), (size.sent, size.sent));
    }
    assert_eq!(result.verdict().to_string(), "clean");
}

#[test]
fn each_fault_is_in_its_interval_and_its_size() {
    let mixture = Mixture::new(5, &options().sizes);
    let result = run(options(), |number, payload| {
        let mut damaged = payload.to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        let stranger = "192.168.1.9:7".parse().unwrap();
        match number {
            100 => Reaction::lost(),
            1_100 => reply_after(RTT, &damaged),
            1_200 => reply_after(RTT, &payload[..20]),
            1_300 => faithful(payload).and_reply(RTT, echo_server(), payload.to_vec()),
            2_100 => Reaction::send_failure(),
            2_200 => faithful(payload).and_reply(RTT, stranger, payload.to_vec()),
            // Sent in the third interval, answered in the fourth.
            2_900 => reply_after(Nanos::from_millis(300), payload),
            // Answered after the end of the schedule.
            3_999 => reply_after(Nanos::from_millis(900), payload),
            _ => faithful(payload),
        }
    });
    let expected = Counts {
        sent: 3_999,
        send_errors: 1,
        valid: 3_996,
        missing: 3,
        late: 2,
        duplicate: 1,
        reordered: 1,
        corrupt: 2,
        truncated: 1,
        damaged: 2,
        foreign: 1,
        ..clean()
    };
    assert_eq!(result.counts, expected);
    let [first, second, third, fourth] = result.intervals[..] else {
        panic!("four intervals")
    };
    assert_eq!((first.sent, first.valid, first.missing), (1_000, 999, 1));
    assert_eq!((second.valid, second.missing, second.corrupt), (998, 2, 2));
    assert_eq!((second.duplicate, second.replies), (1, 998));
    assert_eq!((third.sent, third.send_errors, third.valid), (999, 1, 999));
    assert_eq!((third.foreign, third.late, third.replies), (1, 1, 998));
    assert_eq!(
        (fourth.valid, fourth.late, fourth.replies),
        (1_000, 1, 1_001)
    );
    assert_eq!((fourth.reordered, fourth.missing), (1, 0));
    assert_eq!(fourth.rtt_max_ns, Some(Nanos::from_millis(900)));
    // The highest RTT of its bucket.
    assert_eq!(fourth.rtt_p50_ns, Some(Nanos(300_031)));
    assert_eq!(
        (result.first_missing, result.last_missing),
        (Some(100), Some(1_200))
    );
    assert_eq!(result.intervals_with_loss(), 2);
    for (index, size) in result.sizes.iter().enumerate() {
        let of_size = |numbers: &[u64]| {
            let numbers = numbers.iter();
            let drawn = numbers.filter(|&&number| mixture.size_index(WARM_UP + number) == index);
            drawn.count() as u64
        };
        assert_eq!(size.missing, of_size(&[100, 1_100, 1_200]));
        assert_eq!(size.late, of_size(&[2_900, 3_999]));
        assert_eq!(size.send_errors, of_size(&[2_100]));
    }
    let corruption = result.first_corruption.unwrap();
    let bytes = mixture.payload_bytes(WARM_UP + 1_100) as u64;
    assert_eq!(
        (corruption.sequence, corruption.offset),
        (Some(WARM_UP + 1_100), bytes - 1)
    );
}

#[test]
fn an_interval_without_a_reply_has_no_rtt() {
    let result = run(options(), |number, payload| match number {
        1_000..2_000 => Reaction::lost(),
        _ => faithful(payload),
    });
    let silent = result.intervals[1];
    assert_eq!(
        (silent.sent, silent.missing, silent.replies),
        (1_000, 1_000, 0)
    );
    assert_eq!((silent.rtt_p50_ns, silent.rtt_max_ns), (None, None));
    assert_eq!(result.intervals[2].rtt_p99_ns, Some(RTT));
}

#[test]
fn a_sender_that_is_late_makes_a_soak_void() {
    let mut soak = Soak::new(options(), echo_server()).unwrap();
    let sender = Sender {
        send_cost: Nanos(1_030_000),
        ..Sender::default()
    };
    drive(&mut soak, sender, |_, _, payload| faithful(payload));
    let result = soak.into_result();
    result.check().unwrap();
    let reason = result.void_reason().unwrap();
    assert_eq!(
        reason,
        "971/s were offered in place of 1000/s, less than 98 %"
    );
    assert!(!result.is_clean());
}

#[test]
fn a_result_that_contradicts_itself_is_refused() {
    let result = run(options(), |_, payload| faithful(payload));
    let broken = |change: fn(&mut SoakResult)| {
        let mut result = result.clone();
        change(&mut result);
        result.check().unwrap_err().identity
    };
    assert_eq!(
        broken(|it| it.intervals[0].valid -= 1),
        "interval: sent = valid + missing"
    );
    assert_eq!(
        broken(|it| it.intervals[0].replies -= 1),
        "valid = sum(intervals.replies)"
    );
    assert_eq!(
        broken(|it| it.intervals[3].foreign += 1),
        "foreign = sum(intervals.foreign)"
    );
    assert_eq!(
        broken(|it| it.sizes[0].missing += 1),
        "size: sent = valid + missing"
    );
    assert_eq!(
        broken(|it| {
            it.sizes[0].send_errors += 1;
        }),
        "send_errors = sum(sizes.send_errors)"
    );
    assert_eq!(broken(|it| it.pacing.tries -= 1), "planned = pacing.tries");
    assert_eq!(
        broken(|it| it.intervals.truncate(3)),
        "one entry an interval"
    );
}

#[test]
fn a_result_survives_its_file_and_nothing_unknown_is_read() {
    let result = run(options(), |number, payload| match number {
        7 => Reaction::lost(),
        _ => faithful(payload),
    });
    let mut json = serde_json::to_value(&result).unwrap();
    let read: SoakResult = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(read, result);
    json["intervals"][0]["jitter"] = 1.into();
    assert!(serde_json::from_value::<SoakResult>(json).is_err());
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |change: fn(&mut SoakOptions)| {
        let mut options = options();
        change(&mut options);
        let error = Soak::new(options, echo_server()).unwrap_err();
        error.to_string()
    };
    assert!(refused(|it| it.rate_hz = 0).contains("not 0"));
    let none = "a soak needs at least one payload size, and one with a weight above 0";
    assert_eq!(refused(|it| it.sizes.clear()), none);
    assert_eq!(
        refused(|it| it.sizes.iter_mut().for_each(|size| size.weight = 0)),
        none
    );
    assert!(refused(|it| it.sizes[0].weight = 1 << 32).contains("at most 4294967295"));
    assert!(refused(|it| it.sizes[0].payload_bytes = 15).contains("not 15"));
    assert!(refused(|it| it.sizes[0].payload_bytes = 256).contains("256 bytes are listed twice"));
    assert!(refused(|it| it.duration_ns = Nanos(999_999)).contains("holds no datagram"));
    assert!(refused(|it| it.interval_ns = Nanos::ZERO).contains("not 0"));
    assert!(refused(|it| it.interval_ns = Nanos(1)).contains("1 to 100000 intervals"));
}

#[test]
fn the_mean_payload_converts_between_rates_and_loads() {
    let size = |payload_bytes, weight| SizeWeight {
        payload_bytes,
        weight,
    };
    let published = SoakOptions::default();
    // 1.75 Mbit/s of the published mixture is 328.65 datagrams a second.
    assert_eq!(published.mean_payload_bytes().unwrap().scaled(10), 6_656);
    let weighted = SoakOptions {
        sizes: vec![size(100, 3), size(200, 1)],
        ..published
    };
    assert_eq!(weighted.mean_payload_bytes().unwrap().scaled(1), 125);
}
