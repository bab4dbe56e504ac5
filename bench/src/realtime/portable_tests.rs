//! A run with nothing but what every system has: datagrams read one by one, tokio's timer, no
//! timestamps, no priority. Other systems run nothing else; here it is asked for.

use std::thread;

use super::driver::Driver;
use super::echo::{EchoServer, EchoServerOptions, Faults};
use super::{ArrivalClock, DriverOptions, End, StopSignal, runtime};
use crate::{DisturbOutcome, Endpoint, Nanos, Stream, StreamOptions, Targets};

const LOOPBACK: &str = "127.0.0.1:0";

#[test]
fn what_every_system_has_is_enough_for_exact_counts() {
    let local: Endpoint = LOOPBACK.parse().unwrap();
    let options = EchoServerOptions {
        local,
        buffer_bytes: 1 << 20,
        spin_ns: Nanos::ZERO,
        real_time: false,
    };
    let faults = Faults {
        lose_ppm: 200_000,
        corrupt_ppm: 100_000,
        duplicate_ppm: 200_000,
        ..Faults::default()
    };
    let server = EchoServer::bind(&options, faults).unwrap();
    let targets = Targets {
        echo: server.local(),
        telemetry: None,
    };
    // One rate leaves the time to sleep between two datagrams, the other does not.
    for (rate_hz, duration) in [(50, Nanos::SECOND), (2_000, Nanos::from_millis(250))] {
        let options = StreamOptions {
            rate_hz,
            duration_ns: duration,
            warm_up_packets: 0,
            drain_ns: Nanos::from_millis(300),
            late_threshold_ns: Nanos::from_secs(100),
            ..StreamOptions::default()
        };
        let planned = options.planned_packets();
        let mut stream = Stream::new(options, targets).unwrap();
        let stop = StopSignal::new();
        let served = thread::scope(|scope| {
            let serving = scope.spawn(|| server.run(&stop, |_| {}).unwrap());
            run_portably(&mut stream);
            stop.request();
            serving.join().unwrap()
        });
        let counts = stream.into_result().counts;
        assert_eq!((counts.sent, served.received), (planned, planned));
        assert_eq!(counts.valid, served.echoed + served.duplicated);
        assert_eq!(counts.duplicate, served.duplicated);
        assert_eq!(counts.corrupt, served.corrupted);
        assert_eq!(counts.missing, served.lost + served.corrupted);
        assert!(served.lost > 0 && served.duplicated > 0 && served.corrupted > 0);
    }
}

fn run_portably(stream: &mut Stream) {
    let options = DriverOptions {
        local: LOOPBACK.parse().unwrap(),
        real_time: false,
        arrival_clock: ArrivalClock::User,
        ..DriverOptions::default()
    };
    let stop = StopSignal::new();
    let mut disturb = |_| DisturbOutcome::Refused;
    let conditions = runtime().unwrap().block_on(async {
        let mut driver = Driver::new(&options, &stop, &mut disturb).unwrap();
        driver.use_tokios_timer();
        assert_eq!(driver.run(stream).await.unwrap(), End::Done);
        driver.conditions()
    });
    assert_eq!(conditions.arrival_clock.effective, ArrivalClock::User);
    assert_eq!(conditions.unusable_timestamps, 0);
    assert!(!conditions.scheduling.real_time_granted);
}
