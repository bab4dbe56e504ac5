//! Every counter of a stream against the log of a server with every fault on.
//!
//! Alone in its program: it takes all the machine has, and tests beside it would wait.

use std::thread;

use bench::realtime::echo::{EchoCounts, EchoServer, EchoServerOptions, Faults};
use bench::realtime::{Conditions, DriverOptions, StopSignal, run};
use bench::{Counts, Nanos, Stream, StreamOptions, StreamResult, Targets};

/// Each seed draws other faults.
const SEEDS: u64 = 10;

/// Datagrams of each seed.
const PACKETS: u64 = 100_000;

/// The rate of the first attempt; each further one takes half,
const RATE_HZ: u64 = 60_000;

/// down to this.
const RATE_MIN_HZ: u64 = 4_000;

/// Later than this is late.
const LATE: Nanos = Nanos::from_millis(250);

/// How late the server answers what it delays.
const DELAY: Nanos = Nanos::from_millis(400);

/// No reply on an idle loopback takes so long: one that did met a machine that stood still.
const STOOD_STILL: Nanos = Nanos::from_millis(200);

/// One stream and what its server says it did.
struct Trial {
    stream: StreamResult,
    conditions: Conditions,
    log: EchoCounts,
}

fn every_fault(seed: u64) -> Faults {
    Faults {
        seed,
        lose_ppm: 20_000,
        corrupt_ppm: 15_000,
        truncate_ppm: 10_000,
        duplicate_ppm: 20_000,
        delay_ppm: 10_000,
        reorder_ppm: 20_000,
        stray_ppm: 10_000,
        delay_ns: DELAY,
    }
}

fn try_once(seed: u64, rate_hz: u64) -> Trial {
    let options = EchoServerOptions {
        local: "127.0.0.1:0".parse().unwrap(),
        buffer_bytes: 32 << 20,
        spin_ns: Nanos::ZERO,
        real_time: true,
    };
    let server = EchoServer::bind(&options, every_fault(seed)).unwrap();
    let targets = Targets {
        echo: server.local(),
        telemetry: None,
    };
    let options = StreamOptions {
        seed,
        rate_hz,
        duration_ns: Nanos(PACKETS * Nanos::SECOND.0 / rate_hz + 1),
        warm_up_packets: 0,
        drain_ns: DELAY + LATE,
        late_threshold_ns: LATE,
        ..StreamOptions::default()
    };
    let mut stream = Stream::new(options, targets).unwrap();
    let host = DriverOptions {
        buffer_bytes: 32 << 20,
        ..DriverOptions::default()
    };
    let stop = StopSignal::new();
    let (run, log) = thread::scope(|scope| {
        let server = scope.spawn(|| server.run(&stop, |_| {}).unwrap());
        let run = run(&mut stream, &host, &StopSignal::new()).unwrap();
        stop.request();
        (run, server.join().unwrap())
    });
    Trial {
        stream: stream.into_result(),
        conditions: run.conditions,
        log,
    }
}

impl Trial {
    /// What holds whatever the machine did: nothing vanishes without being counted, where the
    /// system counts what it drops.
    fn check_totals(&self) {
        self.stream.check().unwrap();
        self.log.check().unwrap();
        assert_eq!(self.stream.counts.planned, PACKETS);
        for (left, came, dropped) in self.ways() {
            match dropped {
                Some(dropped) => assert_eq!(left, came + dropped),
                None => assert!(came <= left, "{came} of {left} came"),
            }
        }
        let counts = &self.stream.counts;
        let classified = counts.valid + counts.duplicate + counts.corrupt + counts.foreign;
        assert_eq!(classified, self.conditions.received);
    }

    /// There and back: what left, what came, and what the kernel says it dropped.
    fn ways(&self) -> [(u64, u64, Option<u64>); 2] {
        let (log, conditions) = (&self.log, &self.conditions);
        let there = (self.stream.counts.sent, log.received, log.dropped_by_kernel);
        let replies = log.replies_sent + log.strays_sent;
        let back = (replies, conditions.received, conditions.dropped_by_kernel);
        [there, back]
    }

    /// Whether nothing but the server meddled with the datagrams.
    fn is_undisturbed(&self) -> bool {
        let (beyond, _) = self.stream.rtt.count_above(STOOD_STILL);
        self.ways().iter().all(|(left, came, _)| left == came) && beyond == self.log.delayed
    }

    /// The counters as the server's log has them.
    fn expected(&self) -> Counts {
        let log = &self.log;
        let wrong = log.corrupted + log.truncated;
        Counts {
            planned: PACKETS,
            sent: log.received,
            send_errors: 0,
            valid: log.received - log.lost - wrong,
            missing: log.lost + wrong,
            late: log.delayed,
            duplicate: log.duplicated,
            reordered: log.out_of_order,
            corrupt: wrong,
            truncated: log.truncated,
            damaged: wrong,
            foreign: log.strays_sent,
        }
    }
}

/// A machine that drops datagrams or stands still shows in the totals, which hold all the same;
/// the counters are then compared at half the rate, which is kept for the seeds after.
fn undisturbed(seed: u64, rate_hz: &mut u64) -> Trial {
    while *rate_hz >= RATE_MIN_HZ {
        let trial = try_once(seed, *rate_hz);
        trial.check_totals();
        if trial.is_undisturbed() {
            return trial;
        }
        *rate_hz /= 2;
    }
    panic!("not even at {RATE_MIN_HZ}/s the machine neither drops datagrams nor stands still");
}

#[test]
fn every_counter_equals_the_log_of_a_server_with_every_fault() {
    let mut rate_hz = RATE_HZ;
    for seed in 1..=SEEDS {
        let trial = undisturbed(seed, &mut rate_hz);
        assert_eq!(trial.stream.counts, trial.expected(), "seed {seed}");
        let log = trial.log;
        let faults = [
            log.lost,
            log.corrupted,
            log.truncated,
            log.duplicated,
            log.delayed,
            log.reordered,
            log.strayed,
        ];
        assert!(faults.iter().all(|&count| count > PACKETS / 200), "{log:?}");
        assert!(log.out_of_order >= log.delayed, "{log:?}");
    }
}
