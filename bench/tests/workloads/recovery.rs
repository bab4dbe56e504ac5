//! Each figure of a recovery workload changes by exactly what the script does.

use std::net::Ipv4Addr;

use bench::recovery::{Disturbed, Outage};
use bench::{
    Counts, DisturbOutcome, Disturbance, Endpoint, Nanos, Outcome, Recovery, RecoveryOptions,
    RecoveryResult,
};

use crate::scripted_echo::*;

const NEW_ADDRESS: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 66);

/// 1,000 datagrams before the disturbance and 4,000 after it.
fn options() -> RecoveryOptions {
    RecoveryOptions {
        seed: 1,
        before_ns: Nanos::SECOND,
        limit_ns: Nanos::from_secs(4),
        warm_up_packets: 0,
        ..RecoveryOptions::default()
    }
}

fn clean() -> Counts {
    Counts {
        planned: 5_000,
        sent: 5_000,
        valid: 5_000,
        ..Counts::default()
    }
}

fn begun(_: Nanos, _: Disturbance) -> Disturbing {
    (DisturbOutcome::Begun, None)
}

/// Runs a workload whose datagrams meet what `react` says by number.
fn run(
    options: RecoveryOptions,
    mut react: impl FnMut(u64, &[u8]) -> Reaction,
    disturb: impl FnMut(Nanos, Disturbance) -> Disturbing,
) -> RecoveryResult {
    let mut recovery = Recovery::new(options, echo_server()).unwrap();
    let react = |_, _, payload: &[u8]| react(sequence_of(payload), payload);
    drive_disturbed(&mut recovery, Sender::default(), react, disturb);
    let result = recovery.into_result();
    result.check().unwrap();
    result
}

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

#[test]
fn an_outage_lasts_from_the_last_good_reply_to_the_first() {
    let mut asked = Vec::new();
    let result = run(
        options(),
        |number, payload| match number {
            1_000..2_500 => Reaction::lost(),
            _ => faithful(payload),
        },
        |now, disturbance| {
            asked.push((now, disturbance));
            (DisturbOutcome::Begun, None)
        },
    );
    assert_eq!(asked, [(Nanos::SECOND, Disturbance::Reset)]);
    let expected = Counts {
        valid: 3_500,
        missing: 1_500,
        ..clean()
    };
    assert_eq!(result.counts, expected);
    let outage = Outage {
        last_good_ns: Some(ms(999) + RTT),
        first_good_ns: Some(ms(2_500) + RTT),
        gaps: 1,
        lost: 1_500,
        address_after: Some(echo_server()),
    };
    assert_eq!(result.outage, Some(outage));
    assert_eq!(outage.length(), Some(ms(1_501)));
    let disturbed = Disturbed {
        at_ns: Nanos::SECOND,
        outcome: DisturbOutcome::Begun,
    };
    assert_eq!(result.disturbed, Some(disturbed));
    assert!(result.recovered() && result.is_clean());
    assert_eq!(result.void_reason(), None);
}

#[test]
fn a_device_that_comes_back_for_a_moment_is_gone_once() {
    let result = run(
        options(),
        |number, payload| match number {
            1_100..1_500 | 1_600..2_000 => Reaction::lost(),
            _ => faithful(payload),
        },
        begun,
    );
    let outage = result.outage.unwrap();
    assert_eq!((outage.gaps, outage.lost), (2, 800));
    assert_eq!(outage.last_good_ns, Some(ms(1_099) + RTT));
    assert_eq!(outage.first_good_ns, Some(ms(2_000) + RTT));
}

#[test]
fn a_device_that_does_not_come_back_has_no_first_good_reply() {
    let result = run(
        options(),
        |number, payload| match number {
            3_000.. => Reaction::lost(),
            _ => faithful(payload),
        },
        begun,
    );
    let outage = result.outage.unwrap();
    assert_eq!((outage.first_good_ns, outage.address_after), (None, None));
    assert_eq!((outage.length(), outage.lost), (None, 2_000));
    assert!(!result.recovered() && !result.is_clean());
}

#[test]
fn a_gap_before_the_disturbance_is_no_outage_of_it() {
    let result = run(
        options(),
        |number, payload| match number {
            100..500 => Reaction::lost(),
            _ => faithful(payload),
        },
        begun,
    );
    assert_eq!(result.outage, None);
    assert!(result.recovered() && !result.is_clean());
    assert_eq!(result.missing_outside(), 400);
}

#[test]
fn losses_besides_the_outage_are_told_apart() {
    let result = run(
        options(),
        |number, payload| match number {
            10 | 1_000..1_200 | 1_300 => Reaction::lost(),
            _ => faithful(payload),
        },
        begun,
    );
    assert_eq!(result.outage.unwrap().lost, 200);
    assert_eq!(result.missing_outside(), 2);
    assert!(!result.is_clean());
}

#[test]
fn datagrams_held_back_through_the_outage_are_late_and_none_is_lost_twice() {
    // Those of the last 50 ms are answered when the device is back, oldest last.
    let result = run(
        options(),
        |number, payload| match number {
            1_000..1_450 => Reaction::lost(),
            1_450..1_500 => reply_after(ms(2 * (1_500 - number)), payload),
            _ => faithful(payload),
        },
        begun,
    );
    let Counts {
        valid,
        missing,
        late,
        ..
    } = result.counts;
    assert_eq!((valid, missing, late), (4_550, 450, 25));
    let outage = result.outage.unwrap();
    // The one sent 2 ms before the end of the outage comes first, with the stream's own.
    assert_eq!(outage.first_good_ns, Some(ms(1_500) + RTT));
    assert_eq!(outage.lost, 450);
    assert!(result.is_clean());
}

#[test]
fn replies_from_a_new_address_count_once_it_is_known() {
    let mut sent_to = Vec::new();
    let mut recovery = Recovery::new(options(), echo_server()).unwrap();
    drive_disturbed(
        &mut recovery,
        Sender::default(),
        |now, to, payload| {
            sent_to.push(to);
            match *to.ip() {
                NEW_ADDRESS => Reaction::default().and_reply(RTT, to, payload.to_vec()),
                _ if now < Nanos::SECOND => faithful(payload),
                _ => Reaction::lost(),
            }
        },
        |now, _| (DisturbOutcome::Begun, Some((now + ms(1_200), NEW_ADDRESS))),
    );
    let result = recovery.into_result();
    result.check().unwrap();
    let moved = Endpoint::new(NEW_ADDRESS, 7);
    assert_eq!(sent_to.iter().filter(|&&to| to == moved).count(), 2_800);
    assert_eq!(result.target_changed_ns, Some(ms(2_200)));
    assert_eq!(result.echo, echo_server());
    let outage = result.outage.unwrap();
    assert_eq!(outage.address_after, Some(moved));
    assert_eq!((outage.lost, result.counts.foreign), (1_200, 0));
    assert!(result.is_clean());
}

#[test]
fn a_reply_from_an_unknown_address_is_foreign() {
    let result = run(
        options(),
        |number, payload| match number {
            2_000 => {
                Reaction::default().and_reply(RTT, Endpoint::new(NEW_ADDRESS, 7), payload.to_vec())
            }
            _ => faithful(payload),
        },
        begun,
    );
    assert_eq!((result.counts.foreign, result.counts.missing), (1, 1));
    assert!(!result.is_clean());
}

#[test]
fn a_disturbance_that_nobody_can_make_ends_the_run_and_voids_it() {
    let result = run(
        options(),
        |_, payload| faithful(payload),
        |_, _| (DisturbOutcome::Refused, None),
    );
    assert_eq!((result.counts.planned, result.counts.valid), (1_000, 1_000));
    assert_eq!(
        result.void_reason().as_deref(),
        Some("the disturbance was not made: nothing here can make it")
    );
}

#[test]
fn a_person_who_does_nothing_voids_the_run() {
    let manual = RecoveryOptions {
        disturbance: Disturbance::Manual,
        ..options()
    };
    let still = run(manual.clone(), |_, payload| faithful(payload), begun);
    assert_eq!(
        still.void_reason().as_deref(),
        Some("no outage was seen: nobody disturbed the device in time")
    );
    // Some time after it was asked for.
    let pulled = run(
        manual,
        |number, payload| match number {
            3_000..3_700 => Reaction::lost(),
            _ => faithful(payload),
        },
        begun,
    );
    assert_eq!(pulled.outage.unwrap().length(), Some(ms(701)));
    assert!(pulled.is_clean());
}

#[test]
fn datagrams_that_the_host_refuses_are_tried_all_the_same() {
    let result = run(
        options(),
        |number, payload| match number {
            1_000..2_000 => Reaction::send_failure(),
            _ => faithful(payload),
        },
        begun,
    );
    assert_eq!(
        (result.counts.sent, result.counts.send_errors),
        (4_000, 1_000)
    );
    assert_eq!(result.outage.unwrap().lost, 0);
    assert_eq!((result.void_reason(), result.is_clean()), (None, true));
}

#[test]
fn a_result_survives_its_file_and_contradictions_are_refused() {
    let result = run(
        options(),
        |number, payload| match number {
            1_000..1_400 => Reaction::lost(),
            _ => faithful(payload),
        },
        begun,
    );
    let mut json = serde_json::to_value(&result).unwrap();
    let read: RecoveryResult = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(read, result);
    json["outage"]["jitter"] = 1.into();
    assert!(serde_json::from_value::<RecoveryResult>(json).is_err());
    let broken = |change: fn(&mut RecoveryResult)| {
        let mut result = result.clone();
        change(&mut result);
        result.check().unwrap_err().identity
    };
    assert_eq!(
        broken(|it| it.outage.as_mut().unwrap().lost = 401),
        "outage.lost <= missing"
    );
    assert_eq!(
        broken(|it| it.outage.as_mut().unwrap().gaps = 5),
        "gaps * gap_min_ns <= outage"
    );
    assert_eq!(
        broken(|it| it.outage.as_mut().unwrap().address_after = None),
        "address_after exists with first_good_ns"
    );
    assert_eq!(
        broken(|it| it.disturbed = None),
        "an outage follows a disturbance"
    );
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |change: fn(&mut RecoveryOptions)| {
        let mut options = options();
        change(&mut options);
        let error = Recovery::new(options, echo_server()).unwrap_err();
        error.to_string()
    };
    assert!(refused(|it| it.rate_hz = 0).contains("not 0"));
    assert!(refused(|it| it.payload_bytes = 15).contains("not 15"));
    assert!(refused(|it| it.before_ns = Nanos(999_999)).contains("a datagram before"));
    assert!(refused(|it| it.limit_ns = Nanos(999_999)).contains("one after"));
    assert!(refused(|it| it.gap_min_ns = ms(2)).contains("two periods"));
    assert!(refused(|it| it.limit_ns = ms(100)).contains("time limit"));
}
