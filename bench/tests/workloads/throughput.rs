//! The search for a rate over scripted devices, and what its result says of them.

use std::collections::VecDeque;

use bench::throughput::{Limit, Purpose, TrialStream};
use bench::{
    LatencyHistogram, Nanos, Outcome, StreamOptions, Throughput, ThroughputOptions,
    ThroughputResult,
};

use crate::scripted_echo::*;

/// One size from 100/s to 6,400/s in steps of 25/s, in short trials.
fn options() -> ThroughputOptions {
    ThroughputOptions {
        payload_bytes: vec![100],
        start_bits_per_s: 80_000,
        ceiling_bits_per_s: 5_120_000,
        resolution_bits_per_s: 20_000,
        verify_ns: Nanos::from_secs(4),
        stream: StreamOptions {
            seed: 1,
            duration_ns: Nanos::SECOND,
            drain_ns: Nanos::from_millis(500),
            warm_up_packets: 0,
            ..StreamOptions::default()
        },
    }
}

/// A device that serves one datagram after another, each for `service`, and holds at most `queue`
/// that wait.
struct Device {
    service: Nanos,
    queue: usize,
    ends: VecDeque<Nanos>,
}

impl Device {
    fn new(service: Nanos) -> Self {
        Self {
            service,
            queue: 8,
            ends: VecDeque::new(),
        }
    }

    fn react(&mut self, now: Nanos, payload: &[u8]) -> Reaction {
        self.ends.retain(|&end| end > now);
        if self.ends.len() > self.queue {
            return Reaction::lost();
        }
        let begin = self.ends.back().map_or(now, |&end| end);
        let end = begin + self.service;
        self.ends.push_back(end);
        reply_after(end.since(now), payload)
    }
}

fn run(
    options: ThroughputOptions,
    sender: Sender,
    mut react: impl FnMut(Nanos, &[u8]) -> Reaction,
) -> ThroughputResult {
    let mut throughput = Throughput::new(options, echo_server()).unwrap();
    drive(&mut throughput, sender, |now, _, payload| {
        react(now, payload)
    });
    assert_eq!(throughput.trial(), None);
    let result = throughput.into_result();
    result.check().unwrap();
    result
}

#[test]
fn the_knee_of_a_device_is_found_and_confirmed() {
    let mut device = Device::new(Nanos::from_micros(800));
    let result = run(options(), Sender::default(), |now, payload| {
        device.react(now, payload)
    });
    let found = result.zero_loss(0).unwrap();
    assert!((1_225..=1_250).contains(&found.rate_hz), "{found:?}");
    let Limit::Loss { rate_hz } = found.limit else {
        panic!("{found:?}")
    };
    assert!(rate_hz - found.rate_hz <= 25, "{found:?}");
    let size = &result.sizes[0];
    let last = size.trials.last().unwrap();
    assert_eq!(last.purpose, Purpose::Verify);
    assert_eq!(last.stream.counts.planned, 4 * found.rate_hz);
    assert!(size.saturated() && result.is_clean());
    let rtt = size
        .trials
        .iter()
        .filter_map(|trial| trial.stream.rtt.as_ref());
    let replies = Vec::from_iter(rtt.map(LatencyHistogram::count));
    assert_eq!(replies, [last.stream.counts.valid]);
    // Each trial is a whole ledger, and each has a stream of its own.
    let mut seeds = Vec::from_iter(size.trials.iter().map(|trial| trial.stream.options.seed));
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), size.trials.len());
    // 1,250 replies a second and those in the queue at the end of the schedule.
    let (peak, goodput) = size.peak().unwrap();
    assert!((1_200..=1_600).contains(&peak.options.rate_hz));
    assert!(
        (1_000_000..1_010_000).contains(&goodput.scaled(1)),
        "{goodput:?}"
    );
}

#[test]
fn a_sender_that_cannot_keep_up_is_no_loss_of_the_device() {
    let sender = Sender {
        send_cost: Nanos::from_micros(500),
        ..Sender::default()
    };
    let result = run(options(), sender, |_, payload| faithful(payload));
    let found = result.zero_loss(0).unwrap();
    assert!((1_950..=2_041).contains(&found.rate_hz), "{found:?}");
    assert!(matches!(found.limit, Limit::SenderLimited { rate_hz } if rate_hz > found.rate_hz));
    assert!(found.limit.to_string().starts_with("sender-limited"));
    let size = &result.sizes[0];
    assert!(!size.saturated());
    let lost = size.trials.iter().map(|trial| trial.stream.counts.missing);
    assert_eq!(lost.sum::<u64>(), 0);
    assert_eq!(result.void_reason(), None);
}

#[test]
fn a_sender_that_can_nothing_voids_the_run() {
    let sender = Sender {
        send_cost: Nanos::from_millis(50),
        ..Sender::default()
    };
    let result = run(options(), sender, |_, payload| faithful(payload));
    assert_eq!(result.zero_loss(0).map(|found| found.rate_hz), None);
    assert!(
        result
            .void_reason()
            .unwrap()
            .starts_with("100 B: 20/s were offered")
    );
    assert!(!result.is_clean());
}

#[test]
fn a_rate_that_fails_while_a_higher_one_is_clean_is_reported() {
    // It loses one datagram in 2,000 when they are 5 ms apart, and none otherwise.
    let mut device = Device::new(Nanos::from_micros(800));
    let mut before = Nanos::ZERO;
    let mut options = options();
    options.stream.duration_ns = Nanos::from_secs(10);
    options.verify_ns = Nanos::from_secs(10);
    let result = run(options, Sender::default(), |now, payload| {
        let apart = now.since(std::mem::replace(&mut before, now));
        match apart == Nanos::from_millis(5) && sequence_of(payload) == 150 {
            true => Reaction::lost(),
            false => device.react(now, payload),
        }
    });
    let size = &result.sizes[0];
    assert_eq!(size.inversions_hz(), [200]);
    let found = result.zero_loss(0).unwrap();
    assert!(found.rate_hz < 200, "{found:?}");
    assert_eq!(found.limit, Limit::Loss { rate_hz: 200 });
    // The rise went on to where the device saturates.
    let (peak, _) = size.peak().unwrap();
    assert_eq!(peak.options.rate_hz, 1_600);
    assert!(!result.is_clean());
}

#[test]
fn a_short_trial_that_saw_too_little_is_corrected_by_the_longer_one() {
    // Above 500/s it loses a datagram after 3 s.
    let result = run(options(), Sender::default(), |_, payload| {
        match sequence_of(payload) == 1_500 {
            true => Reaction::lost(),
            false => faithful(payload),
        }
    });
    let found = result.zero_loss(0).unwrap();
    // 4 s at 375/s end with number 1499.
    assert!((350..=375).contains(&found.rate_hz), "{found:?}");
    assert!(result.sizes[0].inversions_hz().is_empty());
}

#[test]
fn each_size_has_a_search_of_its_own() {
    let options = ThroughputOptions {
        payload_bytes: vec![100, 1_000],
        ..options()
    };
    let mut device = Device::new(Nanos::from_micros(800));
    let result = run(options, Sender::default(), |now, payload| {
        device.service = Nanos::from_micros(8 * payload.len() as u64);
        device.react(now, payload)
    });
    let rate = |size| result.zero_loss(size).unwrap().rate_hz;
    assert!((1_225..=1_250).contains(&rate(0)));
    assert!((122..=125).contains(&rate(1)));
}

#[test]
fn trials_that_the_search_did_not_ask_for_are_refused() {
    let mut device = Device::new(Nanos::from_micros(800));
    let result = run(options(), Sender::default(), |now, payload| {
        device.react(now, payload)
    });
    let broken = |change: fn(&mut ThroughputResult)| {
        let mut result = result.clone();
        change(&mut result);
        result.check().unwrap_err().identity
    };
    assert_eq!(
        broken(|it| it.sizes[0].trials.swap(0, 1)),
        "trials are those the search asks for"
    );
    assert_eq!(
        broken(|it| {
            it.sizes[0].trials.pop();
        }),
        "the search asks for no more trials"
    );
    assert_eq!(
        broken(|it| it.sizes[0].trials[0].stream.counts.valid -= 1),
        "sent = valid + missing"
    );
    let of_first = |change: fn(&mut TrialStream)| {
        let mut result = result.clone();
        change(&mut result.sizes[0].trials[0].stream);
        result.check().unwrap_err().identity
    };
    assert_eq!(
        of_first(|it| it.last_send_ns = None),
        "last send exists when some were sent"
    );
    assert_eq!(
        of_first(|it| it.largest_burst = it.counts.sent + 1),
        "largest_burst <= sent"
    );
    assert_eq!(
        of_first(|it| {
            it.warm_up.planned += 1;
            it.warm_up.send_errors += 1;
        }),
        "warm_up.planned = warm_up_packets"
    );
    assert_eq!(
        of_first(|it| it.rtt = Some(LatencyHistogram::new())),
        "rtt is kept of trials that confirm a rate"
    );
    assert_eq!(broken(|it| it.sizes.clear()), "one entry a size");
    let mut json = serde_json::to_value(&result).unwrap();
    let read: ThroughputResult = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(read, result);
    json["sizes"][0]["trials"][0]["jitter"] = 1.into();
    assert!(serde_json::from_value::<ThroughputResult>(json).is_err());
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |change: fn(&mut ThroughputOptions)| {
        let mut options = options();
        change(&mut options);
        let error = Throughput::new(options, echo_server()).unwrap_err();
        error.to_string()
    };
    assert!(refused(|it| it.payload_bytes.clear()).contains("at least one payload size"));
    assert!(refused(|it| it.start_bits_per_s = 0).contains("above 0"));
    assert!(refused(|it| it.ceiling_bits_per_s = 1).contains("must rise"));
    assert!(refused(|it| it.payload_bytes[0] = 15).contains("not 15"));
    assert!(refused(|it| it.verify_ns = Nanos::ZERO).contains("holds no datagram"));
}
