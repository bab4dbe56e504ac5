//! Faults that Ethernet devices are known to have, each with the verdict that calls it right.

use std::collections::VecDeque;

use bench::{
    BurstOptions, Counts, Endpoint, Fault, FunctionalGate, FunctionalOptions, Nanos, StreamOptions,
};

use crate::scripted_echo::*;

/// A ring of 4 receive descriptors that takes no frame any more once it was full, as when the tail
/// pointer is left on the next slot; the device still sends something of its own now and then.
/// See <https://github.com/zephyrproject-rtos/zephyr/issues/79066>.
#[test]
fn a_receiver_that_stops_when_its_ring_was_full_is_stalled_and_transmits_yet() {
    let announcements: Endpoint = "192.168.1.50:6000".parse().unwrap();
    let options = BurstOptions {
        packets: 8,
        repeats: 11,
        quiet_ns: Nanos::SECOND,
        seed: 1,
        ..BurstOptions::default()
    };
    let (result, _) = run_burst(options, |burst, place, payload| match (burst, place) {
        (0, 0..4) => in_turn(place, payload),
        (_, 0) => Reaction::lost().and_reply(RTT, announcements, b"alive".to_vec()),
        _ => Reaction::lost(),
    });
    let verdict = result.verdict();
    let stall = verdict.stall().unwrap();
    assert_eq!(stall.last_reply_ns, Some(Nanos::from_micros(400)));
    assert_eq!(stall.unanswered, 84);
    assert!(stall.transmit_alive);
    // Ten announcements are foreign to the echo; none of the datagrams is called lost.
    assert_eq!(
        verdict.faults,
        [Fault::Stalled(stall), Fault::Foreign { datagrams: 10 }]
    );
}

/// A driver that reads one frame an interrupt while two come before it clears the interrupt: one
/// frame more stays in the chip each time, until its 16 KiB are full and it interrupts no more.
/// See <https://github.com/embassy-rs/embassy/issues/6456>.
#[test]
fn one_frame_an_interrupt_is_growing_rtt_then_a_stall() {
    const BUFFER_BYTES: usize = 16 * 1024;
    // Ethernet, IP and UDP headers, and the chip's length prefix.
    const OVERHEAD_BYTES: usize = 14 + 20 + 8 + 2;
    let options = BurstOptions {
        packets: 2,
        payload_bytes: 64,
        repeats: 200,
        seed: 1,
        ..BurstOptions::default()
    };
    let mut unread = VecDeque::new();
    let mut stuck = false;
    let (result, _) = run_burst(options, |_, place, payload| {
        stuck |= (unread.len() + 1) * (payload.len() + OVERHEAD_BYTES) > BUFFER_BYTES;
        if stuck {
            return Reaction::lost();
        }
        unread.push_back(payload.to_vec());
        match place {
            0 => faithful(&unread.pop_front().unwrap()),
            _ => Reaction::lost(),
        }
    });
    // 151 frames fit: the first of burst 151 is one too many.
    assert_eq!(result.counts.valid, 151);
    let period = Nanos::from_millis(200) + RTT;
    let verdict = result.verdict();
    let stall = verdict.stall().unwrap();
    assert_eq!(stall.last_reply_ns, Some(Nanos(150 * period.0) + RTT));
    assert_eq!(stall.unanswered, 400 - 151);
    // Frame k is answered in burst k, and was sent in burst k / 2.
    let growth = verdict.rtt_growth.unwrap();
    assert!(growth.last_p50_ns.0 > 10 * growth.first_p50_ns.0);
    let slices = Vec::from_iter(result.rtt_over_time.slices());
    assert_eq!(slices.len(), 16);
    for (number, slice) in &slices[..15] {
        assert_eq!(slice.max_ns, Nanos(5 * (number + 1) * period.0) + RTT);
    }
    assert_eq!(verdict.to_string(), "growing RTT, then stalled, late");
}

/// A device that takes two datagrams for one and echoes them as one.
/// See <https://github.com/adafruit/Adafruit_CircuitPython_Wiznet5k/issues/61>.
#[test]
fn two_datagrams_echoed_as_one_are_corrupt() {
    let merged_from = |from: Endpoint| {
        let options = BurstOptions {
            packets: 2,
            payload_bytes: 16,
            repeats: 3,
            seed: 1,
            ..BurstOptions::default()
        };
        let mut first = Vec::new();
        let (result, _) = run_burst(options, |_, place, payload| match place {
            0 => {
                first = payload.to_vec();
                Reaction::lost()
            }
            _ => Reaction::lost().and_reply(RTT, from, [&first, payload].concat()),
        });
        result
    };
    let result = merged_from(echo_server());
    let expected = Counts {
        planned: 6,
        sent: 6,
        missing: 6,
        corrupt: 3,
        damaged: 3,
        ..Counts::default()
    };
    assert_eq!(result.counts, expected);
    let corruption = result.first_corruption.unwrap();
    assert_eq!(
        (corruption.expected_bytes, corruption.received_bytes),
        (16, 32)
    );
    assert_eq!((corruption.offset, corruption.length), (16, 16));
    assert_eq!(result.verdict().to_string(), "corrupt, lost");
    // With the sender's address lost too, it is not even a reply.
    let result = merged_from("0.0.0.0:0".parse().unwrap());
    assert_eq!((result.counts.foreign, result.counts.lost()), (3, 6));
    assert_eq!(result.verdict().to_string(), "lost, foreign");
}

/// The same with the case's own five bytes, which only the functional gate sends.
#[test]
fn five_bytes_echoed_as_ten_fail_the_functional_gate() {
    let options = FunctionalOptions {
        payload_bytes: vec![5],
        rounds: 1,
        attempts: 1,
        ..FunctionalOptions::default()
    };
    let mut gate = FunctionalGate::new(options, echo_server()).unwrap();
    drive(&mut gate, Sender::default(), |_, _, payload| {
        reply_after(RTT, &[payload, payload].concat())
    });
    let result = gate.into_result();
    assert_eq!((result.sizes[0].intact, result.sizes[0].corrupt), (0, 1));
    assert!(!result.passed());
}

/// How long until a device that polls every 64 ms looks again.
fn until_poll(now: Nanos) -> Nanos {
    const POLL_NS: u64 = 64_000_000;
    Nanos(POLL_NS - now.0 % POLL_NS)
}

/// 1000 datagrams at all phases of the polling; `polled` says which of them wait for it.
fn polled_stream(polled: fn(u64) -> bool) -> bench::StreamResult {
    let options = StreamOptions {
        rate_hz: 9,
        duration_ns: Nanos(1_000 * 1_000_000_000 / 9 + 1),
        late_threshold_ns: Nanos::from_millis(100),
        ..short_stream(1)
    };
    let mut stream = bench::Stream::new(options, echo_only()).unwrap();
    drive(
        &mut stream,
        Sender::default(),
        |now, _, payload| match polled(sequence_of(payload)) {
            true => reply_after(until_poll(now) + RTT, payload),
            false => faithful(payload),
        },
    );
    let result = stream.into_result();
    result.check().unwrap();
    assert_eq!(result.counts.valid, 1_000);
    result
}

/// See <https://github.com/micropython/micropython/issues/15645>.
#[test]
fn polling_is_a_distribution_over_its_period_not_a_mean() {
    let result = polled_stream(|_| true);
    for tenth in 1..=10 {
        let rtt = result.rtt.percentile(tenth, 10).unwrap();
        let uniform = Nanos(tenth * 6_400_000) + RTT;
        assert!(rtt.0.abs_diff(uniform.0) < 1_000_000, "{tenth}: {rtt}");
    }
    assert!(result.rtt.min().unwrap() < Nanos::from_millis(2));
    // The whole range in every slice: wide, not growing.
    for (_, slice) in result.rtt_over_time.slices() {
        assert!(slice.min_ns < Nanos::from_millis(8) && slice.max_ns > Nanos::from_millis(56));
    }
    assert_eq!(result.verdict().to_string(), "clean");
}

#[test]
fn polled_and_interrupted_replies_are_two_modes() {
    let result = polled_stream(|sequence| sequence % 4 != 0);
    let interrupted = result.rtt.percentile(1, 4).unwrap();
    assert!(interrupted.0.abs_diff(RTT.0) < RTT.0 / 1_000);
    for (numerator, millis) in [(50, 21), (75, 43), (90, 55)] {
        let rtt = result.rtt.percentile(numerator, 100).unwrap();
        assert!(
            rtt.0.abs_diff(millis * 1_000_000) < 1_000_000,
            "{numerator}: {rtt}"
        );
    }
    // The mean lies where few replies are.
    let mean = Nanos(result.rtt.mean_ns().unwrap().scaled(1) as u64);
    let near = Nanos::from_millis(2);
    let (above_lower, _) = result.rtt.count_above(Nanos(mean.0 - near.0));
    let (above_upper, _) = result.rtt.count_above(mean + near);
    assert!(above_lower - above_upper < 60);
}
