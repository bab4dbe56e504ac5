//! Whatever comes back, and in whatever order, each workload keeps the identities of its result,
//! and counts what an independent tally of the script counts.

use bench::{
    Burst, BurstOptions, Counts, DisturbOutcome, Latency, LatencyOptions, Nanos, Outcome, Recovery,
    RecoveryOptions, Soak, SoakOptions, StreamOptions, Sweep, SweepOptions, Throughput,
    ThroughputOptions, Workload,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::scripted_echo::*;

/// What one datagram meets.
#[derive(Clone, Debug)]
struct Fate {
    refused: bool,
    /// Right copies, each after so many microseconds.
    copies: Vec<u64>,
    /// Damaged copies, each after so many microseconds.
    damaged: Vec<u64>,
    stranger: bool,
}

fn fate() -> impl Strategy<Value = Fate> {
    let delays = |most: usize| proptest::collection::vec(1..400_000u64, 0..=most);
    let usual = Just(Fate {
        refused: false,
        copies: vec![300],
        damaged: Vec::new(),
        stranger: false,
    });
    let any = (
        proptest::bool::weighted(0.1),
        delays(3),
        delays(2),
        any::<bool>(),
    );
    let any = any.prop_map(|(refused, copies, damaged, stranger)| Fate {
        refused,
        copies,
        damaged,
        stranger,
    });
    prop_oneof![2 => usual, 1 => any]
}

/// What the script did to all datagrams together, the warm-up's among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    sent: u64,
    send_errors: u64,
    valid: u64,
    duplicate: u64,
    corrupt: u64,
    foreign: u64,
}

impl Tally {
    fn of(counts: &[Counts]) -> Self {
        let mut sum = Counts::default();
        counts.iter().for_each(|counts| sum += *counts);
        Self {
            sent: sum.sent,
            send_errors: sum.send_errors,
            valid: sum.valid,
            duplicate: sum.duplicate,
            corrupt: sum.corrupt,
            foreign: sum.foreign,
        }
    }
}

/// Runs a workload whose datagrams meet these fates in turn, and tallies them.
fn run(workload: &mut impl Workload, fates: &[Fate]) -> Tally {
    let mut tally = Tally::default();
    let mut turn = fates.iter().cycle();
    let react = |_, _, payload: &[u8]| {
        let fate = turn.next().expect("some fate");
        if fate.refused {
            tally.send_errors += 1;
            return Reaction::send_failure();
        }
        tally.sent += 1;
        tally.valid += u64::from(!fate.copies.is_empty());
        tally.duplicate += (fate.copies.len() as u64).saturating_sub(1);
        tally.corrupt += fate.damaged.len() as u64;
        tally.foreign += u64::from(fate.stranger);
        let mut reaction = Reaction::default();
        for &delay in &fate.copies {
            reaction =
                reaction.and_reply(Nanos::from_micros(delay), echo_server(), payload.to_vec());
        }
        for &delay in &fate.damaged {
            let mut damaged = payload.to_vec();
            *damaged.last_mut().expect("a payload") ^= 1;
            reaction = reaction.and_reply(Nanos::from_micros(delay), echo_server(), damaged);
        }
        if fate.stranger {
            let stranger = "192.168.1.9:7".parse().expect("an address");
            reaction = reaction.and_reply(RTT, stranger, payload.to_vec());
        }
        reaction
    };
    let begun = |_, _| (DisturbOutcome::Begun, None);
    drive_disturbed(workload, Sender::default(), react, begun);
    tally
}

/// Checks the result, and that its file holds all of it.
fn sound<R: Outcome + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    result: &R,
) -> Result<(), TestCaseError> {
    let checked = result.check();
    prop_assert!(checked.is_ok(), "{:?}", checked);
    let json = serde_json::to_string(result).expect("a result is written");
    let read: R = serde_json::from_str(&json).expect("and read");
    prop_assert_eq!(&read, result);
    Ok(())
}

fn fates() -> impl Strategy<Value = Vec<Fate>> {
    proptest::collection::vec(fate(), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn of_a_latency_workload(fates in fates(), seed: u64) {
        let options = LatencyOptions {
            seed,
            payload_bytes: vec![1, 9, 100],
            samples: 30,
            warm_up_packets: 3,
            timeout_ns: Nanos::from_millis(100),
            give_up_after: 10,
            ..LatencyOptions::default()
        };
        let mut latency = Latency::new(options, echo_server()).unwrap();
        let tally = run(&mut latency, &fates);
        let result = latency.into_result();
        sound(&result)?;
        let counts = result.sizes.iter().flat_map(|size| [size.warm_up, size.counts]);
        let counts = Tally::of(&Vec::from_iter(counts));
        // A corrupt byte may be the number of another datagram, once in 128 exchanges at most.
        prop_assert_eq!(counts, tally);
    }

    #[test]
    fn of_a_soak(fates in fates(), seed: u64) {
        let options = SoakOptions {
            seed,
            rate_hz: 1_000,
            duration_ns: Nanos::from_millis(150),
            warm_up_packets: 5,
            interval_ns: Nanos::from_millis(40),
            late_threshold_ns: Nanos::from_millis(50),
            ..SoakOptions::default()
        };
        let mut soak = Soak::new(options, echo_server()).unwrap();
        let tally = run(&mut soak, &fates);
        let result = soak.into_result();
        sound(&result)?;
        prop_assert_eq!(Tally::of(&[result.warm_up, result.counts]), tally);
    }

    #[test]
    fn of_a_recovery_workload(fates in fates(), seed: u64) {
        let options = RecoveryOptions {
            seed,
            before_ns: Nanos::from_millis(50),
            limit_ns: Nanos::from_millis(100),
            gap_min_ns: Nanos::from_millis(3),
            warm_up_packets: 5,
            ..RecoveryOptions::default()
        };
        let mut recovery = Recovery::new(options, echo_server()).unwrap();
        let tally = run(&mut recovery, &fates);
        let result = recovery.into_result();
        sound(&result)?;
        prop_assert_eq!(Tally::of(&[result.warm_up, result.counts]), tally);
    }

    #[test]
    fn of_bursts(fates in fates(), seed: u64) {
        let options = BurstOptions { seed, repeats: 10, ..BurstOptions::default() };
        let mut burst = Burst::new(options, echo_server()).unwrap();
        let tally = run(&mut burst, &fates);
        let result = burst.into_result();
        sound(&result)?;
        prop_assert_eq!(Tally::of(&[result.warm_up, result.counts]), tally);
    }

    #[test]
    fn of_a_sweep(fates in fates(), seed: u64) {
        let stream = StreamOptions {
            seed,
            duration_ns: Nanos::from_millis(50),
            warm_up_packets: 4,
            ..StreamOptions::default()
        };
        let options = SweepOptions { rates_hz: vec![500, 1_000], stream };
        let mut sweep = Sweep::new(options, echo_only()).unwrap();
        let tally = run(&mut sweep, &fates);
        let result = sweep.into_result();
        sound(&result)?;
        let counts = result.steps.iter().flat_map(|step| [step.warm_up, step.counts]);
        prop_assert_eq!(Tally::of(&Vec::from_iter(counts)), tally);
    }

    #[test]
    fn of_a_throughput_search(fates in fates(), seed: u64) {
        let options = ThroughputOptions {
            payload_bytes: vec![64, 128],
            start_bits_per_s: 512_000,
            ceiling_bits_per_s: 1_024_000,
            resolution_bits_per_s: 204_800,
            verify_ns: Nanos::from_millis(100),
            stream: StreamOptions {
                seed,
                duration_ns: Nanos::from_millis(50),
                warm_up_packets: 2,
                ..StreamOptions::default()
            },
        };
        let mut throughput = Throughput::new(options, echo_server()).unwrap();
        let tally = run(&mut throughput, &fates);
        let result = throughput.into_result();
        sound(&result)?;
        let trials = result.sizes.iter().flat_map(|size| &size.trials);
        let counts = trials.flat_map(|trial| [trial.stream.warm_up, trial.stream.counts]);
        prop_assert_eq!(Tally::of(&Vec::from_iter(counts)), tally);
    }
}
