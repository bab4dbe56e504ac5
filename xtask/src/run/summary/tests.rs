use bench::{LatencyHistogram, StreamOptions, StreamResult, TelemetryRecord};

use super::*;
use crate::adapter::fake::{ADDRESS, ECHO_PORT, FakeTarget, Script};
use crate::results::{Boot, LinkMode};
use crate::run::watched::SpiTotals;

/// Four datagrams to a device that loses one in `lose_every`.
fn stream(lose_every: Option<u64>) -> StreamResult {
    let options = StreamOptions {
        duration_ns: Nanos::from_millis(4),
        warm_up_packets: 0,
        ..StreamOptions::default()
    };
    let targets = bench::Targets {
        echo: bench::Endpoint::new(ADDRESS, ECHO_PORT),
        telemetry: None,
    };
    let mut stream = bench::Stream::new(options, targets).unwrap();
    let mut target = FakeTarget::new(Script {
        lose_every,
        ..Script::default()
    });
    crate::adapter::drive(&mut stream, &mut target, |_| true).unwrap();
    stream.into_result()
}

fn stats(instructions: u64, cycles: u64, sleep_cycles: u64) -> BoardStats {
    BoardStats {
        instructions,
        cycles,
        sleep_cycles,
        peripheral_loads: instructions / 100,
        peripheral_stores: instructions / 100,
        skipped_passes: 7,
        ..BoardStats::default()
    }
}

fn report() -> Report {
    Report {
        boot: Boot {
            link_up_ns: Nanos::from_millis(1_500),
            link_mode: LinkMode::REQUIRED,
            lease_ns: Nanos::from_millis(2_000),
            first_echo_ns: Nanos(2_000_123_456),
        },
        address: ADDRESS,
        ping_rtt: Some(Nanos(65_432)),
        stream: stream(None),
        marks: Marks {
            first_send: Some(stats(1_000, 10_000, 5_000)),
            last_echo: Some(stats(9_000, 50_000, 25_000)),
            ..Marks::default()
        },
        sck_hz: None,
        stats: stats(10_000_000, 60_000, 30_000),
        virtual_time: Nanos::from_secs(3),
        wall_time: Duration::from_millis(500),
    }
}

fn line(report: &Report, name: &str) -> String {
    let text = text(report);
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    line[name.len()..].trim_start().to_owned()
}

#[test]
fn every_figure_is_in_its_line() {
    let expected = "\
link up     1.500000 s, 100 Mbit/s full duplex
DHCP lease  2.000000 s, 192.168.1.50
first echo  2.000123 s
ping RTT    65.4 us
echo        4 of 4 datagrams of 100 B at 1000/s came back whole
echo RTT    min 300.0 us, p50 300.0 us, max 300.0 us
a datagram  2000 instructions, 5000 awake cycles, 40 peripheral accesses
the run     10000000 instructions, 30000 of 60000 cycles awake, 200000 peripheral accesses, 7 idle passes skipped
time        3.000000 s virtual, 0.500 s wall, 6.0 x real time, 20.0 MIPS
";
    assert_eq!(text(&report()), expected);
}

#[test]
fn a_device_on_spi_has_its_clock_and_its_traffic_a_datagram() {
    let mut report = report();
    report.sck_hz = Some(62_500_000);
    report.marks.first_send_spi = SpiTotals {
        transactions: 100,
        bytes: 1_000,
    };
    report.marks.last_echo_spi = SpiTotals {
        transactions: 130,
        bytes: 2_370,
    };
    let expected =
        "SCK 62.5 MHz; 7.5 transactions and 342.5 bytes a datagram, with those of timers between";
    assert_eq!(line(&report, "SPI"), expected);
    report.stream = stream(Some(1));
    assert_eq!(line(&report, "SPI"), "SCK 62.5 MHz");
}

#[test]
fn what_did_not_come_back_is_named_and_in_no_mean() {
    let mut report = report();
    report.stream = stream(Some(2));
    let echo = line(&report, "echo ");
    assert!(echo.starts_with("2 of 4 datagrams"), "{echo}");
    assert!(echo.ends_with("whole, missing 2"), "{echo}");
    assert!(line(&report, "a datagram").starts_with("4000 instructions"));
}

#[test]
fn a_ping_without_an_answer_is_said() {
    let mut report = report();
    report.ping_rtt = None;
    assert_eq!(line(&report, "ping RTT"), "no answer in time");
}

#[test]
fn what_went_beside_the_datagrams_is_said() {
    let mut report = report();
    report.stream.options.background_hz = 500;
    report.stream.background_sent = 2;
    let echo = line(&report, "echo ");
    assert!(
        echo.ends_with("; beside them 2 multicast datagrams at 500/s"),
        "{echo}"
    );
}

#[test]
fn without_an_echo_there_is_no_mean() {
    let mut report = report();
    report.stream = stream(Some(1));
    report.stream.rtt = LatencyHistogram::new();
    report.marks.last_echo = None;
    assert_eq!(line(&report, "a datagram"), "none came back");
    assert_eq!(line(&report, "echo RTT"), "min -, p50 -, max -");
}

#[test]
fn telemetry_is_compared_between_the_same_replies() {
    let mut report = report();
    let reading = Telemetry {
        busy_cycles: 4_990,
        window_cycles: 20_000,
        ..Telemetry::default()
    };
    report.stream.telemetry = Some(TelemetryRecord {
        at_end: Some(reading),
        ..TelemetryRecord::default()
    });
    assert_eq!(line(&report, "telemetry"), "no reply");
    report.marks.first_telemetry = Some(stats(0, 1_000, 400));
    report.marks.last_telemetry = Some(stats(0, 21_010, 15_400));
    assert_eq!(
        line(&report, "telemetry"),
        "4990 busy of 20000 cycles; the board counted 5010 awake of 20010"
    );
}
