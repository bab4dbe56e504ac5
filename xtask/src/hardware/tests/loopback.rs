//! The whole sequence with a scripted probe and, for the board's network, an echo server on loopback.

use std::fs;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::thread;

use bench::Nanos;
use bench::realtime::StopSignal;
use bench::realtime::echo::{EchoServer, EchoServerOptions, Faults};

use super::{PLANNED, image, run_campaign, set};
use crate::hardware::clock::HostClock;
use crate::hardware::fake::{FakeClock, FakeProbe, Script};
use crate::hardware::fixture::Firmware;
use crate::hardware::network::HostNetwork;
use crate::hardware::summary;
use crate::interrupt::Interrupt;
use crate::render;
use crate::results::hardware::HardwareBuild;

/// Runs the plan against a server with these faults and reads the results back.
fn measure(faults: Faults) -> (tempfile::TempDir, HardwareBuild) {
    let options = EchoServerOptions {
        local: SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0),
        buffer_bytes: 1 << 20,
        spin_ns: Nanos::ZERO,
        real_time: false,
    };
    let server = EchoServer::bind(&options, faults).unwrap();
    let address = server.local();
    let image = image(&Firmware::silent(), address.port());
    let folder = tempfile::tempdir().unwrap();
    let stop = StopSignal::new();
    thread::scope(|scope| {
        let serving = scope.spawn(|| server.run(&stop, |_| {}));
        let tally = run_campaign(
            folder.path(),
            FakeProbe::new(Script::default(), &FakeClock::default()),
            &HostClock::start(),
            HostNetwork,
            &image,
            Some(*address.ip()),
            &Interrupt::default(),
        );
        stop.request();
        serving.join().unwrap().unwrap();
        assert_eq!(tally.unwrap().measured, PLANNED);
    });
    let results = HardwareBuild::read(&set(folder.path()), "fake", "release").unwrap();
    (folder, results)
}

#[test]
fn a_plan_runs_over_loopback_and_its_results_read_back() {
    let (folder, results) = measure(Faults::default());
    assert!(results.functional.unwrap().trials[0].result.passed());
    let stream = results.stream.unwrap();
    let trial = &stream.trials[0];
    // Nothing here may depend on how busy this machine is: a late reply is still valid.
    assert_eq!(
        (trial.result.counts.sent, trial.result.counts.missing),
        (100, 0)
    );
    assert_eq!(trial.address, Ipv4Addr::LOCALHOST);
    assert_eq!(trial.path.local_address, Ipv4Addr::LOCALHOST);
    assert_eq!(trial.boot.link_up_ns, None);
    assert!(trial.started_unix_s > 0 && trial.conditions.received >= 100);
    let set = set(folder.path());
    summary::write(&set, &render::templates()).unwrap();
    let document = fs::read_to_string(set.document(summary::DOCUMENT)).unwrap();
    assert!(document.contains("| stream 1 kHz | "), "{document}");
}

#[test]
fn what_the_network_loses_is_missing() {
    let faults = Faults {
        seed: 1,
        lose_ppm: 300_000,
        ..Faults::default()
    };
    let (_folder, results) = measure(faults);
    let counts = &results.stream.unwrap().trials[0].result.counts;
    assert_eq!(counts.sent, counts.valid + counts.missing);
    assert!((10..60).contains(&counts.missing), "{counts:?}");
}
