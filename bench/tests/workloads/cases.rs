//! Inputs that public tools are known to have got wrong.

use bench::datagram::DatagramFormat;
use bench::stream::Finding;
use bench::{Counts, Fault, Nanos, StreamOptions};

use crate::scripted_echo::*;

/// Duplicates must not hide losses.
#[test]
fn duplicates_do_not_hide_losses() {
    let result = run_stream(short_stream(100), |sequence, payload| match sequence + 1 {
        10 | 20 | 30 | 40 | 50 => Reaction::lost(),
        60..=64 => faithful(payload).and_reply(RTT, echo_server(), payload.to_vec()),
        _ => faithful(payload),
    });
    let expected = Counts {
        planned: 100,
        sent: 100,
        valid: 95,
        missing: 5,
        duplicate: 5,
        ..Counts::default()
    };
    assert_eq!(result.counts, expected);
    assert_eq!(result.counts.loss().unwrap().scaled(10_000), 500);
}

/// The last datagrams of a run are missing like any other.
#[test]
fn a_lost_tail_is_missing() {
    let result = run_stream(short_stream(100), |sequence, payload| match sequence + 1 {
        96..=100 => Reaction::lost(),
        _ => faithful(payload),
    });
    assert_eq!(
        (
            result.counts.sent,
            result.counts.valid,
            result.counts.missing
        ),
        (100, 95, 5)
    );
    assert_eq!(
        (result.first_missing, result.last_missing),
        (Some(95), Some(99))
    );
}

/// A clean run of 100 is 100 sent and 100 received, even if the last reply comes at the very end.
#[test]
fn a_clean_run_counts_to_the_last() {
    let end_of_drain = Nanos::from_millis(1 + 1_000);
    let result = run_stream(short_stream(100), |sequence, payload| match sequence {
        99 => reply_after(end_of_drain, payload),
        _ => faithful(payload),
    });
    assert_eq!(
        (
            result.counts.sent,
            result.counts.valid,
            result.counts.missing
        ),
        (100, 100, 0)
    );
}

/// Nothing sent: counts are zero, and ratios are absent for a stated reason.
#[test]
fn an_empty_run_has_no_ratios() {
    let result = run_stream(short_stream(3), |_, _| Reaction::send_failure());
    assert_eq!(
        (
            result.counts.sent,
            result.counts.valid,
            result.counts.missing
        ),
        (0, 0, 0)
    );
    let reason = "no ratio: no datagram was sent";
    assert_eq!(result.counts.loss().unwrap_err().to_string(), reason);
    assert_eq!(result.offered_rate_hz().unwrap_err().to_string(), reason);
    assert_eq!(result.goodput_bits_per_s().unwrap_err().to_string(), reason);
    assert_eq!(
        result.rtt.mean_ns().unwrap_err().reason,
        "no span was recorded"
    );
    assert_eq!(result.rtt.percentile(1, 2), None);
    assert!(result.is_void());
    let json = serde_json::to_string(&result).unwrap();
    assert!(!json.contains("NaN") && serde_json::from_str::<bench::StreamResult>(&json).is_ok());
}

/// 1000 datagrams due in 1.000 s that left in 1.700 s were offered at 588/s: the trial is void.
#[test]
fn a_late_sender_voids_the_trial() {
    let sender = Sender {
        send_cost: Nanos(1_700_700),
        ..Sender::default()
    };
    let result = run_stream_with(short_stream(1_000), sender, faithful);
    assert_eq!((result.counts.sent, result.counts.valid), (1_000, 1_000));
    assert_eq!(result.last_send_ns, Some(Nanos(999 * 1_700_700)));
    let offered = result.offered_rate_hz().unwrap();
    assert_eq!(offered.numerator / offered.denominator, 588);
    assert!(result.is_void() && !result.is_clean());
    assert!(result.findings().contains(&Finding::OfferedRateMissed));
}

/// 98 % of the rate is the limit, and the limit itself passes.
#[test]
fn the_offered_rate_may_miss_its_target_by_two_percent() {
    let offered = |refused: u64| {
        run_stream(short_stream(100), |sequence, payload| match sequence {
            // The last one is sent, so the window is the full 100 ms.
            sequence if sequence < refused => Reaction::send_failure(),
            _ => faithful(payload),
        })
    };
    assert!(!offered(2).is_void());
    assert!(offered(3).is_void());
}

/// 2500/s sent as 250 every 100 ms to a receiver with a queue of 16: the bursts are reported.
#[test]
fn bursts_are_reported_and_flagged() {
    let options = StreamOptions {
        rate_hz: 2_500,
        duration_ns: Nanos::from_secs(2),
        ..short_stream(1)
    };
    let sender = Sender {
        tick: Nanos::from_millis(100),
        ..Sender::default()
    };
    let mut queued = 0;
    let result = run_stream_with(options, sender, |payload| {
        // The first datagram is due and sent at once; then 250 a tick.
        let place_in_burst = if queued == 0 { 0 } else { (queued - 1) % 250 };
        queued += 1;
        if place_in_burst < 16 {
            faithful(payload)
        } else {
            Reaction::lost()
        }
    });
    assert_eq!(result.largest_burst, 250);
    assert_eq!(result.pacing_error.max(), Some(Nanos(99_600_000)));
    assert!(result.counts.missing > 4_000);
    assert!(result.findings().contains(&Finding::SentInBursts));
}

/// Two sent and echoed, and a third from elsewhere, or with a bad magic: two valid, one foreign.
#[test]
fn strangers_are_no_replies() {
    let stranger = "192.168.1.77:7".parse().unwrap();
    let bad_magic = |payload: &[u8]| [b"HCE1", &payload[4..]].concat();
    for (from, spoil) in [(stranger, false), (echo_server(), true)] {
        let result = run_stream(short_stream(2), |sequence, payload| {
            let third = if spoil {
                bad_magic(payload)
            } else {
                payload.to_vec()
            };
            match sequence {
                1 => faithful(payload).and_reply(RTT, from, third),
                _ => faithful(payload),
            }
        });
        let Counts {
            valid,
            foreign,
            missing,
            ..
        } = result.counts;
        assert_eq!((valid, foreign, missing), (2, 1, 0));
    }
}

/// Another stream's datagram, right in itself, is a stranger too.
#[test]
fn another_stream_is_foreign() {
    let other = DatagramFormat::new(2, 100);
    let result = run_stream(short_stream(2), |sequence, payload| {
        let mut stale = vec![0; 100];
        other.encode(sequence, &mut stale);
        faithful(payload).and_reply(Nanos(1), echo_server(), stale)
    });
    assert_eq!((result.counts.valid, result.counts.foreign), (2, 2));
}

/// 142 ms, lost, 157 ms: the lost one is in no statistic.
#[test]
fn a_lost_datagram_has_no_rtt() {
    let result = run_stream(short_stream(3), |sequence, payload| match sequence {
        0 => reply_after(Nanos::from_millis(142), payload),
        1 => Reaction::lost(),
        _ => reply_after(Nanos::from_millis(157), payload),
    });
    assert_eq!(result.rtt.count(), 2);
    assert_eq!(result.rtt.min(), Some(Nanos::from_millis(142)));
    assert_eq!(result.rtt.mean_ns().unwrap().scaled(1), 149_500_000);
}

/// One aligned 32-byte window replaced by the payload before: corrupt, with its place.
#[test]
fn a_stale_cache_line_is_corrupt_not_lost() {
    let options = StreamOptions {
        payload_bytes: 255,
        ..short_stream(100)
    };
    let mut before = vec![0; 255];
    let result = run_stream(options, |sequence, payload| {
        let mut reply = payload.to_vec();
        if sequence == 60 {
            reply[96..128].copy_from_slice(&before[96..128]);
        }
        before = payload.to_vec();
        reply_after(RTT, &reply)
    });
    let Counts {
        valid,
        corrupt,
        missing,
        ..
    } = result.counts;
    assert_eq!((valid, corrupt, missing), (99, 1, 1));
    let corruption = result.first_corruption.unwrap();
    assert_eq!(corruption.sequence, Some(60));
    // A byte at either end of the window may equal the stale one by chance; here none does.
    assert_eq!((corruption.offset, corruption.length), (96, 32));
    let verdict = result.verdict();
    assert_eq!(verdict.to_string(), "corrupt");
    let expected = Fault::Corrupt {
        replies: 1,
        first: corruption,
    };
    assert_eq!(verdict.faults, [expected]);
}
