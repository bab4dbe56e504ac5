//! Options and results of a stream: what is refused, stored and checked.

use bench::stream::OptionsError;
use bench::{Nanos, Stream, StreamOptions};

use crate::scripted_echo::*;

const PACKETS: u64 = 100;

#[test]
fn a_result_survives_json_and_refuses_unknown_keys() {
    let options = StreamOptions {
        seed: u64::MAX,
        ..short_stream(PACKETS)
    };
    let result = run_stream(options, |sequence, payload| match sequence {
        3 => Reaction::lost(),
        4 => reply_after(RTT, &payload[..20]),
        _ => reply_after(Nanos(1_000_000 + sequence * 7_001), payload),
    });
    let json = serde_json::to_string_pretty(&result).unwrap();
    assert_eq!(
        serde_json::from_str::<bench::StreamResult>(&json).unwrap(),
        result
    );
    let extended = json.replacen("\"warm_up\":", "\"mean\": 1, \"warm_up\":", 1);
    let error = serde_json::from_str::<bench::StreamResult>(&extended).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `mean`"),
        "{error}"
    );
}

#[test]
fn every_identity_of_a_result_is_checked() {
    let good = run_stream(short_stream(PACKETS), |sequence, payload| match sequence {
        3 => Reaction::lost(),
        4 => reply_after(Nanos::from_millis(60), payload),
        _ => faithful(payload),
    });
    let broken = |breaks: &dyn Fn(&mut bench::StreamResult)| {
        let mut result = good.clone();
        breaks(&mut result);
        result.check().unwrap_err().identity
    };
    assert_eq!(
        broken(&|r| r.counts.planned += 1),
        "planned = sent + send_errors"
    );
    assert_eq!(broken(&|r| r.counts.missing += 1), "sent = valid + missing");
    assert_eq!(broken(&|r| r.counts.late = 101), "late <= valid");
    assert_eq!(
        broken(&|r| r.counts.reordered = 99),
        "reordered < valid, or both 0"
    );
    assert_eq!(broken(&|r| r.counts.truncated = 1), "truncated <= corrupt");
    assert_eq!(
        broken(&|r| r.warm_up.sent = 1),
        "planned = sent + send_errors"
    );
    assert_eq!(
        broken(&|r| r.options.rate_hz = 999),
        "planned = rate * duration"
    );
    assert_eq!(
        broken(&|r| r.options.warm_up_packets = 1),
        "warm_up.planned = warm_up_packets"
    );
    assert_eq!(
        broken(&|r| r.rtt.record(RTT)),
        "valid = count(rtt) + rtt_unknown"
    );
    assert_eq!(
        broken(&|r| r.rtt_unknown = 1),
        "valid = count(rtt) + rtt_unknown"
    );
    assert_eq!(
        broken(&|r| r.rtt_from_schedule.record(RTT)),
        "valid = count(rtt_from_schedule)"
    );
    assert_eq!(
        broken(&|r| r.pacing_error.record(RTT)),
        "sent = count(pacing_error)"
    );
    assert_eq!(
        broken(&|r| r.counts.late = 0),
        "rtt above threshold <= late"
    );
    assert_eq!(
        broken(&|r| r.counts.late = 2),
        "late <= rtt above threshold"
    );
    assert_eq!(broken(&|r| r.largest_burst = 101), "largest_burst <= sent");
    let interval = "missing = sum(missing_by_interval)";
    assert_eq!(
        broken(&|r| _ = r.missing_by_interval.insert(9, 1)),
        interval
    );
    let ends = "first and last missing exist when some are missing";
    assert_eq!(broken(&|r| r.last_missing = None), ends);
    let sends = "first and last send exist when some were sent";
    assert_eq!(broken(&|r| r.first_send_ns = None), sends);
    let order = "first_send_ns <= last_send_ns";
    assert_eq!(broken(&|r| r.first_send_ns = Some(Nanos::SECOND)), order);
    assert_eq!(
        broken(&|r| r.last_missing = Some(PACKETS)),
        "last_missing < planned"
    );
    assert_eq!(
        broken(&|r| r.first_missing = Some(4)),
        "first_missing <= last_missing"
    );
}

#[test]
fn a_reply_of_unknown_rtt_is_among_the_late_ones() {
    let mut result = run_stream(short_stream(10_000), |sequence, payload| match sequence {
        0 => reply_after(Nanos::from_secs(9), payload),
        _ => faithful(payload),
    });
    assert_eq!((result.rtt_unknown, result.counts.late), (1, 1));
    result.counts.late = 0;
    let identity = result.check().unwrap_err().identity;
    assert_eq!(identity, "rtt above threshold <= late");
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |options: StreamOptions| Stream::new(options, echo_only()).unwrap_err();
    let good = short_stream(PACKETS);
    assert_eq!(
        refused(StreamOptions {
            rate_hz: 0,
            ..good.clone()
        }),
        OptionsError::Rate(0)
    );
    assert_eq!(
        refused(StreamOptions {
            payload_bytes: 15,
            ..good.clone()
        }),
        OptionsError::Payload(15)
    );
    assert_eq!(
        refused(StreamOptions {
            payload_bytes: 1473,
            ..good.clone()
        }),
        OptionsError::Payload(1473)
    );
    assert_eq!(
        refused(StreamOptions {
            duration_ns: Nanos(999_999),
            ..good.clone()
        }),
        OptionsError::Duration(Nanos(999_999))
    );
    assert_eq!(
        refused(StreamOptions {
            interval_ns: Nanos::ZERO,
            ..good
        }),
        OptionsError::Interval
    );
}

#[test]
fn the_default_is_the_published_hour() {
    let options = StreamOptions::default();
    assert_eq!((options.rate_hz, options.payload_bytes), (1_000, 100));
    assert_eq!(options.planned_packets(), 3_600_000);
    assert_eq!(options.late_threshold_ns, Nanos::from_millis(50));
}
