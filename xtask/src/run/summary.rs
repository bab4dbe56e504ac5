//! What a run looks like on the terminal.

use std::time::Duration;

use bench::cli::summary::events;
use bench::{Nanos, Telemetry};
use board::BoardStats;

use super::exercise::Report;
use super::watched::Marks;

/// The summary, a line for each subject.
pub fn text(report: &Report) -> String {
    let mut lines = vec![
        (
            "link up",
            format!(
                "{}, {}",
                seconds(report.boot.link_up_ns),
                report.boot.link_mode
            ),
        ),
        (
            "DHCP lease",
            format!("{}, {}", seconds(report.boot.lease_ns), report.address),
        ),
        ("first echo", seconds(report.boot.first_echo_ns)),
        (
            "ping RTT",
            report
                .ping_rtt
                .map_or("no answer in time".to_owned(), micros),
        ),
        ("echo", echo(report)),
        ("echo RTT", rtt(report)),
        ("a datagram", per_datagram(report)),
        ("the run", whole_run(&report.stats)),
        ("time", time(report)),
    ];
    if let Some(sck_hz) = report.sck_hz {
        lines.push(("SPI", spi(report, sck_hz)));
    }
    if report.stream.telemetry.is_some() {
        lines.push(("telemetry", telemetry(report)));
    }
    let lines = lines
        .iter()
        .map(|(name, what)| format!("{name:11} {what}\n"));
    lines.collect()
}

fn echo(report: &Report) -> String {
    let counts = &report.stream.counts;
    let options = &report.stream.options;
    let events = events(counts);
    format!(
        "{} of {} datagrams of {} B at {}/s came back whole{events}{}",
        counts.valid,
        counts.planned,
        options.payload_bytes,
        options.rate_hz,
        background(report)
    )
}

/// What went beside the datagrams.
fn background(report: &Report) -> String {
    match report.stream.options.background_hz {
        0 => String::new(),
        rate_hz => format!(
            "; beside them {} multicast datagrams at {rate_hz}/s",
            report.stream.background_sent
        ),
    }
}

fn rtt(report: &Report) -> String {
    let rtt = &report.stream.rtt;
    let figures = [rtt.min(), rtt.percentile(50, 100), rtt.max()];
    let [min, p50, max] = figures.map(|figure| figure.map_or("-".to_owned(), micros));
    format!("min {min}, p50 {p50}, max {max}")
}

/// From the first datagram's send to the last one's echo, over the datagrams that came back.
fn per_datagram(report: &Report) -> String {
    let valid = report.stream.counts.valid;
    let (Some(start), Some(end), 1..) = (report.marks.first_send, report.marks.last_echo, valid)
    else {
        return "none came back".to_owned();
    };
    let mean = |figure: fn(&BoardStats) -> u64| (figure(&end) - figure(&start)) / valid;
    format!(
        "{} instructions, {} awake cycles, {} peripheral accesses",
        mean(|stats| stats.instructions),
        mean(awake_cycles),
        mean(peripheral_accesses),
    )
}

/// The clock on the pin, and what was asked of the W5500 over the datagrams that came back.
fn spi(report: &Report, sck_hz: u64) -> String {
    let clock = format!("SCK {} MHz", tenths(sck_hz, 1_000_000));
    let Marks {
        first_send_spi: start,
        last_echo_spi: end,
        ..
    } = report.marks;
    match report.stream.counts.valid {
        0 => clock,
        valid => format!(
            "{clock}; {} transactions and {} bytes a datagram, with those of timers between",
            tenths(end.transactions - start.transactions, valid),
            tenths(end.bytes - start.bytes, valid),
        ),
    }
}

/// The quotient with one decimal, rounded down.
fn tenths(value: u64, unit: u64) -> String {
    format!("{}.{}", value / unit, value % unit * 10 / unit)
}

fn whole_run(stats: &BoardStats) -> String {
    format!(
        "{} instructions, {} of {} cycles awake, {} peripheral accesses, {} idle passes skipped",
        stats.instructions,
        awake_cycles(stats),
        stats.cycles,
        peripheral_accesses(stats),
        stats.skipped_passes,
    )
}

fn time(report: &Report) -> String {
    let Report {
        virtual_time,
        wall_time,
        stats,
        ..
    } = report;
    let wall_s = wall_time.max(&Duration::from_nanos(1)).as_secs_f64();
    format!(
        "{} virtual, {:.3} s wall, {:.1} x real time, {:.1} MIPS",
        seconds(*virtual_time),
        wall_s,
        virtual_time.0 as f64 / 1e9 / wall_s,
        stats.instructions as f64 / 1e6 / wall_s,
    )
}

/// The firmware's own count of its busy cycles beside the board's, between the same two replies.
fn telemetry(report: &Report) -> String {
    let reading = report.stream.telemetry.and_then(|record| record.at_end);
    let (Some(start), Some(end)) = (report.marks.first_telemetry, report.marks.last_telemetry)
    else {
        return "no reply".to_owned();
    };
    let Some(Telemetry {
        busy_cycles,
        window_cycles,
        ..
    }) = reading
    else {
        return "no reply at the end".to_owned();
    };
    format!(
        "{busy_cycles} busy of {window_cycles} cycles; the board counted {} awake of {}",
        awake_cycles(&end) - awake_cycles(&start),
        end.cycles - start.cycles,
    )
}

/// Cycles out of WFI and WFE.
fn awake_cycles(stats: &BoardStats) -> u64 {
    stats.cycles - stats.sleep_cycles
}

fn peripheral_accesses(stats: &BoardStats) -> u64 {
    stats.peripheral_loads + stats.peripheral_stores
}

fn seconds(nanos: Nanos) -> String {
    let us = nanos.0 / 1_000;
    format!("{}.{:06} s", us / 1_000_000, us % 1_000_000)
}

fn micros(nanos: Nanos) -> String {
    format!("{}.{} us", nanos.0 / 1_000, nanos.0 % 1_000 / 100)
}

#[cfg(test)]
mod tests;
