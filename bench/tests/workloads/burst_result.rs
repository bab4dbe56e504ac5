//! The result of a burst workload: what is stored and checked.

use bench::{BurstOptions, BurstResult, Nanos};
use proptest::prelude::*;

use crate::scripted_echo::*;

fn options() -> BurstOptions {
    BurstOptions {
        packets: 4,
        repeats: 10,
        seed: 1,
        ..BurstOptions::default()
    }
}

#[test]
fn every_identity_of_a_result_is_checked() {
    let (good, _) = run_burst(options(), |burst, place, payload| match (burst, place) {
        (2, 1) => Reaction::lost(),
        (3, 1) => reply_after(Nanos::from_millis(60), payload),
        (4, 1) => reply_after(RTT, &payload[..60]),
        (9, 3) => Reaction::lost(),
        _ => in_turn(place, payload),
    });
    let broken = |breaks: &dyn Fn(&mut BurstResult)| {
        let mut result = good.clone();
        breaks(&mut result);
        result.check().unwrap_err().identity
    };
    let sent = "planned = sent + send_errors";
    assert_eq!(broken(&|r| r.counts.sent += 1), sent);
    assert_eq!(broken(&|r| r.warm_up.sent = 2), sent);
    assert_eq!(broken(&|r| r.counts.missing += 1), "sent = valid + missing");
    assert_eq!(broken(&|r| r.counts.damaged = 2), "damaged <= corrupt");
    assert_eq!(
        broken(&|r| {
            r.counts.damaged = 4;
            r.counts.corrupt = 4;
        }),
        "damaged <= missing"
    );
    let planned = "planned = packets * repeats";
    assert_eq!(broken(&|r| r.options.repeats = 9), planned);
    assert_eq!(broken(&|r| r.options.packets = 5), planned);
    let places = "one place in answered for 0 to packets replies";
    assert_eq!(broken(&|r| r.answered.push(0)), places);
    let bursts = "repeats = sum(answered)";
    assert_eq!(broken(&|r| r.answered[4] += 1), bursts);
    let replies = "valid = replies of all bursts";
    assert_eq!(broken(&|r| r.answered.swap(0, 3)), replies);
    let whole = "whole_bursts = bursts of packets replies";
    assert_eq!(broken(&|r| r.whole_bursts -= 1), whole);
    let most = "whole_bursts <= repeats";
    assert_eq!(broken(&|r| r.whole_bursts = 11), most);
    let fewest = "answered_min = fewest of answered";
    assert_eq!(broken(&|r| r.answered_min = 2), fewest);
    let most = "answered_max = most of answered";
    assert_eq!(broken(&|r| r.answered_max = 3), most);
    assert_eq!(broken(&|r| r.rtt.record(RTT)), "valid = count(rtt)");
    assert_eq!(
        broken(&|r| r.counts.late = 0),
        "rtt above threshold <= late"
    );
    assert_eq!(
        broken(&|r| r.counts.late = 2),
        "late <= rtt above threshold"
    );
    let absorbed = "whole_bursts = count(absorb_time)";
    assert_eq!(broken(&|r| r.absorb_time.record(RTT)), absorbed);
    let slices = "count(rtt) = sum(rtt_over_time)";
    assert_eq!(broken(&|r| r.rtt_over_time = Default::default()), slices);
    let last = "last_send_ns exists when some were sent";
    assert_eq!(broken(&|r| r.last_send_ns = None), last);
    let tail = "tail.unanswered <= missing - damaged";
    assert_eq!(broken(&|r| r.tail.unanswered = 3), tail);
    let reply = "tail.last_reply_ns exists with a reply";
    assert_eq!(broken(&|r| r.tail.last_reply_ns = None), reply);
}

#[test]
fn without_a_reply_everything_is_unanswered() {
    let (mut result, _) = run_burst(options(), |_, _, _| Reaction::lost());
    assert_eq!((result.answered_min, result.answered_max), (0, 0));
    assert_eq!(result.tail.unanswered, 40);
    result.tail.unanswered = 39;
    let identity = result.check().unwrap_err().identity;
    assert_eq!(identity, "tail.unanswered = sent without a reply");
}

#[test]
fn a_result_refuses_unknown_keys() {
    let (result, _) = run_burst(options(), |_, place, payload| in_turn(place, payload));
    let json = serde_json::to_string(&result).unwrap();
    let extended = json.replacen("\"whole_bursts\":", "\"mean\": 1, \"whole_bursts\":", 1);
    let error = serde_json::from_str::<BurstResult>(&extended).unwrap_err();
    let unknown = "unknown field `mean`";
    assert!(error.to_string().contains(unknown), "{error}");
}

/// What may become of one datagram.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Refused,
    Lost,
    Good { delay_us: u64 },
    Twice { delay_us: u64 },
    Damaged { byte: usize },
    Cut { length: usize },
}

fn fate() -> impl Strategy<Value = Fate> {
    let delay_us = || 100..400_000u64;
    prop_oneof![
        1 => Just(Fate::Refused),
        2 => Just(Fate::Lost),
        8 => delay_us().prop_map(|delay_us| Fate::Good { delay_us }),
        1 => delay_us().prop_map(|delay_us| Fate::Twice { delay_us }),
        1 => (0..64usize).prop_map(|byte| Fate::Damaged { byte }),
        1 => (0..64usize).prop_map(|length| Fate::Cut { length }),
    ]
}

fn react(fate: Fate, payload: &[u8]) -> Reaction {
    match fate {
        Fate::Refused => Reaction::send_failure(),
        Fate::Lost => Reaction::lost(),
        Fate::Good { delay_us } => reply_after(Nanos::from_micros(delay_us), payload),
        Fate::Twice { delay_us } => {
            let second = Nanos::from_micros(2 * delay_us);
            reply_after(Nanos::from_micros(delay_us), payload).and_reply(
                second,
                echo_server(),
                payload.to_vec(),
            )
        }
        Fate::Damaged { byte } => {
            let mut damaged = payload.to_vec();
            damaged[byte] ^= 0x55;
            reply_after(RTT, &damaged)
        }
        Fate::Cut { length } => reply_after(RTT, &payload[..length]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// `run_burst` checks every identity; here the result is stored besides, and its bursts are
    /// counted again.
    #[test]
    fn any_result_holds_its_identities_and_survives_json(
        packets in 1..6u64,
        fates in proptest::collection::vec(fate(), 1..60),
    ) {
        let repeats = fates.len() as u64 / packets + 1;
        let options = BurstOptions { packets, repeats, ..options() };
        let fate_of = |burst, place| fates[((burst * packets + place) as usize) % fates.len()];
        let (result, _) = run_burst(options, |burst, place, payload| {
            react(fate_of(burst, place), payload)
        });
        // Every delay is shorter than the settle limit, so each right copy comes.
        let is_right = |&place: &(u64, u64)| {
            matches!(fate_of(place.0, place.1), Fate::Good { .. } | Fate::Twice { .. })
        };
        let mut answered = vec![0; packets as usize + 1];
        for burst in 0..repeats {
            let places = (0..packets).map(|place| (burst, place));
            answered[places.filter(is_right).count()] += 1;
        }
        prop_assert_eq!(&result.answered, &answered);
        prop_assert_eq!(result.whole_bursts, answered[packets as usize]);
        let json = serde_json::to_string(&result).unwrap();
        prop_assert_eq!(serde_json::from_str::<BurstResult>(&json).unwrap(), result);
    }
}
