//! How evenly datagrams leave at 20 kHz: each tool sends to `bench serve`, whose log has the
//! kernel's instant of every arrival.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::tools::{Outcome, Server, is_installed, output};

/// The period at 20 kHz.
const PERIOD_NS: i64 = 50_000;

/// How far arrivals are from an even grid, and how they bunch.
struct Evenness {
    p50_us: f64,
    p99_us: f64,
    p999_us: f64,
    rate_hz: f64,
}

pub fn compare(bench: &Path) -> Outcome<()> {
    println!("| 20 kHz, 100 bytes, 10 s: arrival behind an even grid | p50 | p99 | p99.9 | rate |");
    println!("|---|---|---|---|---|");
    let row = |name: &str, evenness: Evenness| {
        let Evenness {
            p50_us,
            p99_us,
            p999_us,
            rate_hz,
        } = evenness;
        println!("| {name} | {p50_us:.1} us | {p99_us:.1} us | {p999_us:.1} us | {rate_hz:.0}/s |");
    };
    row(
        "bench stream",
        of_tool(bench, |address, _| {
            let arguments = [
                "stream",
                "--board",
                address,
                "--rate-hz",
                "20000",
                "--duration",
                "10s",
                "--warm-up-packets",
                "0",
                "--quiet",
            ];
            output(Command::new(bench).args(arguments))
        })?,
    );
    if is_installed("iperf") {
        row(
            "iperf -u",
            of_tool(bench, |_, port| {
                output(Command::new("iperf").args([
                    "-u",
                    "-c",
                    "127.0.0.1",
                    "-p",
                    port,
                    "-l",
                    "100",
                    "-b",
                    "20000pps",
                    "-t",
                    "10",
                ]))
            })?,
        );
    }
    if is_installed("sockperf") {
        row(
            "sockperf throughput",
            of_tool(bench, |_, port| {
                output(Command::new("sockperf").args([
                    "throughput",
                    "-i",
                    "127.0.0.1",
                    "-p",
                    port,
                    "-m",
                    "100",
                    "--mps",
                    "20000",
                    "-t",
                    "10",
                ]))
            })?,
        );
    }
    println!();
    Ok(())
}

/// Lets a tool send to a server that answers nothing, given its address and port.
fn of_tool(bench: &Path, send: impl FnOnce(&str, &str) -> Outcome<String>) -> Outcome<Evenness> {
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("log.csv");
    let path = log.display().to_string();
    let server = Server::bench(bench, &["--lose-ppm", "1000000", "--log", &path])?;
    let (address, port) = (
        server.address.to_string(),
        server.address.port().to_string(),
    );
    send(&address, &port)?;
    server.end()?;
    evenness(&fs::read_to_string(log)?)
}

/// Behind the earliest grid of the period that no arrival is ahead of.
fn evenness(log: &str) -> Outcome<Evenness> {
    let instants = log
        .lines()
        .skip(1)
        .filter_map(|row| row.split(',').nth(1)?.parse::<i64>().ok());
    let instants = Vec::from_iter(instants);
    let (Some(&first), Some(&last)) = (instants.first(), instants.last()) else {
        return Err("nothing arrived".into());
    };
    let offset = |(number, &instant): (usize, &i64)| instant - first - number as i64 * PERIOD_NS;
    let mut behind = Vec::from_iter(instants.iter().enumerate().map(offset));
    let grid = behind.iter().copied().min().unwrap_or(0);
    behind.iter_mut().for_each(|span| *span -= grid);
    behind.sort_unstable();
    let rank =
        |per_mille: usize| behind[(behind.len() * per_mille).div_ceil(1000) - 1] as f64 / 1e3;
    Ok(Evenness {
        p50_us: rank(500),
        p99_us: rank(990),
        p999_us: rank(999),
        rate_hz: (instants.len() - 1) as f64 * 1e9 / (last - first) as f64,
    })
}
