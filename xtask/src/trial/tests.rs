use bench::telemetry::Telemetry;
use bench::{FunctionalOptions, FunctionalResult, Nanos, Outcome, StreamOptions, StreamResult};

use super::*;
use crate::adapter::fake::{ECHO_PORT, FakeTarget, Script, TELEMETRY_PORT};
use crate::results::fixtures::{spi, traffic};
use crate::results::{LinkMode, TrafficResult};

const PORTS: Ports = Ports {
    echo: ECHO_PORT,
    telemetry: None,
};

fn options() -> StreamOptions {
    StreamOptions {
        duration_ns: Nanos::from_secs(2),
        ..StreamOptions::default()
    }
}

fn stream(script: Script, ports: Ports) -> Trial<StreamResult> {
    run(&mut FakeTarget::new(script), ports, &options(), |_| true).unwrap()
}

fn measured(script: Script, ports: Ports) -> Measured<StreamResult> {
    match stream(script, ports) {
        Trial::Measured(measured) => *measured,
        Trial::Failed(failed) => panic!("{}", failed.message),
    }
}

fn failure(script: Script) -> Failed<StreamOptions> {
    match stream(script, PORTS) {
        Trial::Failed(failed) => failed,
        Trial::Measured(_) => panic!("the trial ran to its end"),
    }
}

#[test]
fn a_device_that_echoes_all_has_the_scripted_rtt_and_no_error() {
    let measured = measured(Script::default(), PORTS);
    let result = measured.result;
    assert_eq!(result.counts.planned, 2_000);
    assert_eq!(result.counts.valid, 2_000);
    assert_eq!(result.counts.error_events(), 0);
    assert_eq!(result.rtt.min(), Some(Nanos::from_micros(300)));
    assert_eq!(result.rtt.max(), Some(Nanos::from_micros(300)));
    assert_eq!(
        result.rtt_from_schedule.max(),
        Some(Nanos::from_micros(300))
    );
    assert_eq!(result.pacing_error.max(), Some(Nanos::ZERO));
    assert_eq!(result.telemetry, None);
}

#[test]
fn the_boot_is_timed() {
    let boot = measured(Script::default(), PORTS).boot;
    assert_eq!(boot.link_up_ns, Nanos::from_millis(5));
    assert_eq!(boot.link_mode, LinkMode::REQUIRED);
    assert_eq!(boot.lease_ns, Nanos::from_millis(20));
    assert_eq!(boot.first_echo_ns, Nanos::from_micros(20_300));
}

#[test]
fn lost_datagrams_are_missing_and_those_of_the_boot_count_nowhere() {
    // The echo server sees the boot's datagram, 100 of the warm-up, then the 2,000 measured ones.
    let script = Script {
        lose_every: Some(1_000),
        ..Script::default()
    };
    let result = measured(script, PORTS).result;
    assert_eq!(result.counts.missing, 2);
    assert_eq!(result.first_missing, Some(1_000 - 102));
    assert_eq!(result.last_missing, Some(2_000 - 102));
    assert_eq!(result.warm_up.missing, 0);
}

#[test]
fn the_telemetry_of_a_profiling_build_is_read() {
    let telemetry = Telemetry {
        window_cycles: 800_000_000,
        busy_cycles: 200_000_000,
        ..Telemetry::default()
    };
    let script = Script {
        telemetry: Some(telemetry),
        ..Script::default()
    };
    let ports = Ports {
        telemetry: Some(TELEMETRY_PORT),
        ..PORTS
    };
    let record = measured(script, ports).result.telemetry.unwrap();
    assert_eq!(record.at_end, Some(telemetry));
    assert_eq!(record.requests, 2);
}

#[test]
fn the_functional_gate_runs_like_any_workload() {
    let options = FunctionalOptions::default();
    let mut target = FakeTarget::new(Script::default());
    let trial = run::<FunctionalResult>(&mut target, PORTS, &options, |_| true).unwrap();
    assert!(trial.measured().unwrap().result.passed());
}

fn measured_traffic(script: Script) -> TrafficResult {
    let mut target = FakeTarget::new(script);
    let trial = run::<TrafficResult>(&mut target, PORTS, &traffic(100), |_| true).unwrap();
    trial.measured().unwrap().result.clone()
}

#[test]
fn spi_traffic_is_that_of_the_measured_window_and_of_one_as_long_without_a_stream() {
    let script = Script {
        spi: Some(spi()),
        ..Script::default()
    };
    let result = measured_traffic(script);
    assert_eq!(result.sck_hz, Some(25_000_000));
    // A hundred datagrams at 100/s and a tenth of a second for the last replies.
    assert_eq!(result.window_ns, Nanos::from_millis(1_100));
    let [datagrams, polls] = &result.entries[..] else {
        panic!("{:?}", result.entries)
    };
    assert_eq!((datagrams.transactions, datagrams.bytes), (800, 25_400));
    assert_eq!((polls.transactions, polls.bytes), (110, 440));
    assert_eq!(result.idle, std::slice::from_ref(polls));
    let transactions = result.transactions_per_datagram().unwrap();
    let bytes = result.bytes_per_datagram().unwrap();
    assert_eq!((transactions.scaled(1), bytes.scaled(1)), (8, 254));
}

#[test]
fn a_device_that_answers_nothing_has_no_traffic_a_datagram() {
    let mut result = measured_traffic(Script {
        spi: Some(spi()),
        ..Script::default()
    });
    result.counts.valid = 0;
    assert!(result.bytes_per_datagram().is_err());
    result.counts.planned -= 1;
    let broken = result.check().unwrap_err();
    assert_eq!(broken.identity, "planned = packets");
}

#[test]
fn a_device_that_is_not_on_spi_has_no_spi_traffic() {
    let mut target = FakeTarget::new(Script::default());
    let trial = run::<TrafficResult>(&mut target, PORTS, &traffic(100), |_| true).unwrap();
    let Trial::Failed(failed) = trial else {
        panic!("the trial ran to its end");
    };
    assert_eq!(failed.message, "the device has no network device on SPI");
}

#[test]
fn a_device_that_breaks_is_a_failed_trial_with_one_line() {
    let break_at = Nanos::from_millis(1_500);
    let failed = failure(Script {
        break_at: Some(break_at),
        ..Script::default()
    });
    assert_eq!(failed.at_ns, break_at);
    assert_eq!(
        failed.message,
        "HardFault at 0x08001234 in `net::poll` | log: the last words"
    );
    assert_eq!(failed.options, options());
}

#[test]
fn a_device_that_breaks_in_its_boot_says_what_it_lacked() {
    let breaking = |at_ms| {
        let failed = failure(Script {
            break_at: Some(Nanos::from_millis(at_ms)),
            ..Script::default()
        });
        failed.message
    };
    let no_link = "no 100 Mbit/s full duplex link yet: HardFault at 0x08001234";
    assert!(breaking(3).starts_with(no_link));
    assert!(breaking(15).starts_with("no DHCP lease yet: HardFault at 0x08001234"));
}

#[test]
fn a_device_that_never_gets_ready_says_what_it_lacks() {
    let no_link = failure(Script {
        link_up: Nanos::from_secs(1_000),
        ..Script::default()
    });
    assert_eq!(
        no_link.message,
        "no 100 Mbit/s full duplex link within 60 s of reset"
    );
    let no_lease = failure(Script {
        lease: Nanos::from_secs(1_000),
        ..Script::default()
    });
    assert_eq!(no_lease.message, "no DHCP lease within 60 s of reset");
    let no_echo = failure(Script {
        lose_every: Some(1),
        ..Script::default()
    });
    assert_eq!(
        no_echo.message,
        "192.168.1.50:7 did not echo any of 100 datagrams"
    );
}

#[test]
fn a_device_whose_link_is_not_100_full_duplex_is_refused_with_its_mode() {
    for (speed_mbit_per_s, full_duplex, name) in [
        (10, false, "10 Mbit/s half duplex"),
        (10, true, "10 Mbit/s full duplex"),
        (100, false, "100 Mbit/s half duplex"),
    ] {
        let failed = failure(Script {
            link_mode: LinkMode {
                speed_mbit_per_s,
                full_duplex,
            },
            ..Script::default()
        });
        assert_eq!(failed.at_ns, Nanos::from_millis(5));
        assert_eq!(
            failed.message,
            format!("the link came up at {name}, but trials are made at 100 Mbit/s full duplex")
        );
    }
}

#[test]
fn a_trial_told_to_stop_is_none() {
    for stop_at in [Nanos::ZERO, Nanos::from_millis(25), Nanos::from_secs(2)] {
        let mut target = FakeTarget::new(Script::default());
        let trial = run::<StreamResult>(&mut target, PORTS, &options(), |now| now < stop_at);
        assert_eq!(trial, None);
        assert!(target.now() <= stop_at + Nanos::from_millis(20));
    }
}
