//! RTT of one datagram at a time: the latency workload against sockperf's ping-pong, under the same
//! conditions, and then with what the bench does besides, one thing after another.

use std::path::Path;

use crate::echo;
use crate::tools::{Outcome, Server, is_installed, median, output, pinned, report};

/// Each tool measures this often, in turn.
const ROUNDS: usize = 5;

/// The cores of the client and of the server.
const CLIENT_CORE: &str = "0";
const SERVER_CORE: &str = "1";

/// How an end waits for a datagram.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Spins,
    Sleeps,
}

/// What one row of the table has in common and in which way the bench differs.
struct Row {
    client: Wait,
    server: Wait,
    /// What the bench does besides, and the arguments that make it; those of sockperf stay.
    bench: (&'static str, &'static [&'static str]),
}

/// The arguments that make the bench do what sockperf does.
const ALIKE: (&str, &[&str]) = (
    "ordinary class, user stamps",
    &["--no-real-time", "--arrival-clock", "user"],
);

const ROWS: [Row; 5] = [
    Row {
        client: Wait::Spins,
        server: Wait::Spins,
        bench: ALIKE,
    },
    Row {
        client: Wait::Spins,
        server: Wait::Sleeps,
        bench: ALIKE,
    },
    Row {
        client: Wait::Sleeps,
        server: Wait::Sleeps,
        bench: ALIKE,
    },
    Row {
        client: Wait::Spins,
        server: Wait::Spins,
        bench: ("real-time, user stamps", &["--arrival-clock", "user"]),
    },
    Row {
        client: Wait::Spins,
        server: Wait::Spins,
        bench: ("ordinary class, kernel stamps", &["--no-real-time"]),
    },
];

pub fn compare(bench: &Path) -> Outcome<()> {
    if !is_installed("sockperf") || !is_installed("taskset") {
        return Ok(());
    }
    println!(
        "RTT p50 of 64 bytes, median of {ROUNDS} runs in turn. Both clients on core {CLIENT_CORE} against \
         the same echo server on core {SERVER_CORE}; sockperf ping-pong always in the ordinary class \
         with user stamps.\n"
    );
    println!("| client | server | bench is in | bench | sockperf | ratio |");
    println!("|---|---|---|---|---|---|");
    for row in ROWS {
        let (ours, theirs) = measure(bench, &row)?;
        let (client, server, ratio) = (row.client.word(), row.server.word(), ours / theirs);
        let condition = row.bench.0;
        println!(
            "| {client} | {server} | {condition} | {ours:.2} us | {theirs:.2} us | {ratio:.2} |"
        );
    }
    println!();
    Ok(())
}

fn measure(bench: &Path, row: &Row) -> Outcome<(f64, f64)> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(bench_p50_us(bench, row)?);
        theirs.push(sockperf_p50_us(row)?);
    }
    Ok((median(ours), median(theirs)))
}

/// The server of this example, on its core.
fn echo_server(wait: Wait, more: &[&str]) -> Outcome<Server> {
    let program = std::env::current_exe()?;
    let waiting: &[&str] = match wait {
        Wait::Spins => &[echo::SPIN],
        Wait::Sleeps => &[],
    };
    let arguments = [&[echo::COMMAND], waiting, more].concat();
    Server::announced(pinned(SERVER_CORE, program).args(arguments))
}

fn bench_p50_us(bench: &Path, row: &Row) -> Outcome<f64> {
    let server = echo_server(row.server, &[])?;
    let board = server.address.to_string();
    // Longer than any RTT, or not at all.
    let spin = match row.client {
        Wait::Spins => "1s",
        Wait::Sleeps => "0s",
    };
    let arguments = [
        "latency",
        "--board",
        &board,
        "--payload-bytes",
        "64",
        "--samples",
        "100000",
        "--drain",
        "100ms",
        "--spin",
        spin,
    ];
    let mut command = pinned(CLIENT_CORE, bench);
    let report = report(command.args(arguments).args(row.bench.1))?;
    let p50_ns = report["figures"][0]["rtt_p50_ns"].as_f64();
    Ok(p50_ns.ok_or("no reply")? / 1000.0)
}

fn sockperf_p50_us(row: &Row) -> Outcome<f64> {
    let server = echo_server(row.server, &[echo::FOR_SOCKPERF])?;
    let port = server.address.port().to_string();
    let waiting: &[&str] = match row.client {
        Wait::Spins => &["--nonblocked"],
        Wait::Sleeps => &[],
    };
    let arguments = [
        "ping-pong",
        "-i",
        "127.0.0.1",
        "-p",
        &port,
        "-m",
        "64",
        "-t",
        "3",
        "--full-rtt",
    ];
    let mut command = pinned(CLIENT_CORE, "sockperf");
    let text = output(command.args(arguments).args(waiting))?;
    let line = text.lines().find(|line| line.contains("percentile 50.000"));
    let value = line.and_then(|line| line.split('=').nth(1));
    let value = value.ok_or_else(|| format!("sockperf prints no median: {text}"))?;
    Ok(value.trim().parse()?)
}

impl Wait {
    const fn word(self) -> &'static str {
        match self {
            Self::Spins => "spins",
            Self::Sleeps => "sleeps",
        }
    }
}
