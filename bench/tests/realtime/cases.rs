//! Known cases in which other tools count wrong, over a real socket.

use std::thread;
use std::time::Duration;

use bench::realtime::{DriverOptions, StopSignal, run};
use bench::stream::Finding;
use bench::{
    Action, Endpoint, Nanos, Outcome, SendOutcome, Stream, StreamOptions, StreamResult, Targets,
    Workload,
};

use crate::peer::Peer;

/// 1000 datagrams a second without warm-up; late is what hardly ever is.
fn short_stream(packets: u64) -> StreamOptions {
    StreamOptions {
        seed: 7,
        rate_hz: 1_000,
        duration_ns: Nanos::from_millis(packets),
        warm_up_packets: 0,
        drain_ns: Nanos::from_secs(1),
        late_threshold_ns: Nanos::from_secs(10),
        ..StreamOptions::default()
    }
}

fn stream(options: StreamOptions, peer: &Peer) -> Stream {
    let echo = peer.endpoint();
    let targets = Targets {
        echo,
        telemetry: None,
    };
    Stream::new(options, targets).unwrap()
}

fn run_stream(options: StreamOptions, peer: &Peer) -> StreamResult {
    let mut stream = stream(options, peer);
    run(&mut stream, &DriverOptions::default(), &StopSignal::new()).unwrap();
    let result = stream.into_result();
    result.check().unwrap();
    result
}

#[test]
fn u1_duplicates_hide_no_losses() {
    let peer = Peer::answering(|number| match number + 1 {
        10 | 20 | 30 | 40 | 50 => 0,
        60..=64 => 2,
        _ => 1,
    });
    let counts = run_stream(short_stream(100), &peer).counts;
    assert_eq!((counts.sent, counts.valid, counts.missing), (100, 95, 5));
    assert_eq!((counts.duplicate, counts.reordered), (5, 0));
}

#[test]
fn u2_the_tail_is_lost_when_it_is() {
    let peer = Peer::answering(|number| u64::from(number < 95));
    let result = run_stream(short_stream(100), &peer);
    assert_eq!((result.counts.sent, result.counts.missing), (100, 5));
    assert_eq!(
        (result.first_missing, result.last_missing),
        (Some(95), Some(99))
    );
    assert_eq!(result.tail.unanswered, 5);
}

#[test]
fn u3_a_clean_run_counts_every_datagram_on_both_sides() {
    let peer = Peer::answering(|_| 1);
    let mut stream = stream(short_stream(100), &peer);
    let run = run(&mut stream, &DriverOptions::default(), &StopSignal::new()).unwrap();
    let counts = stream.into_result().counts;
    assert_eq!((counts.sent, counts.valid, counts.missing), (100, 100, 0));
    assert_eq!(run.conditions.received, 100);
}

#[test]
fn u10_a_rate_no_sender_can_offer_is_void() {
    let peer = Peer::answering(|_| 0);
    let options = StreamOptions {
        rate_hz: 1_000_000_000,
        duration_ns: Nanos::from_micros(20),
        ..short_stream(1)
    };
    let result = run_stream(options, &peer);
    assert_eq!(result.counts.sent, 20_000);
    assert!(result.is_void());
    let reason = result.void_reason().unwrap();
    assert!(
        reason.ends_with("in place of 1000000000/s, less than 98 %"),
        "{reason}"
    );
}

/// After how many datagrams the machine stands still.
const STILL_AFTER_SENDS: u64 = 200;

/// A stream on a machine that stands still once, for 100 ms.
struct StandsStill {
    stream: Stream,
    sends: u64,
}

impl Workload for StandsStill {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        self.stream.next(now)
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        self.stream.sent(now, outcome);
        self.sends += 1;
        if self.sends == STILL_AFTER_SENDS {
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        self.stream.received(now, from, payload);
    }
}

#[test]
fn u11_a_burst_shows_in_the_pacing_record_and_is_flagged() {
    let peer = Peer::answering(|_| 1);
    let mut workload = StandsStill {
        stream: stream(short_stream(400), &peer),
        sends: 0,
    };
    let host = DriverOptions {
        // Raised priority changes nothing here, and other tests want the processor too.
        real_time: false,
        ..DriverOptions::default()
    };
    run(&mut workload, &host, &StopSignal::new()).unwrap();
    let result = workload.stream.into_result();
    result.check().unwrap();
    assert!(result.largest_burst >= 99, "{}", result.largest_burst);
    assert!(result.pacing_error.max() >= Some(Nanos::from_millis(98)));
    assert!(result.findings().contains(&Finding::SentInBursts));
}

#[test]
fn u12_strangers_are_foreign_and_hide_nothing() {
    let peer = Peer::start(|sockets, number, from, payload| {
        sockets.echo.send_to(payload, from).unwrap();
        match number {
            0 => sockets.stranger.send_to(payload, from).map(drop),
            1 => sockets.echo.send_to(b"not of the bench", from).map(drop),
            _ => Ok(()),
        }
        .unwrap();
    });
    let counts = run_stream(short_stream(2), &peer).counts;
    assert_eq!((counts.valid, counts.foreign, counts.missing), (2, 2, 0));
    assert_eq!(counts.duplicate, 0);
}
