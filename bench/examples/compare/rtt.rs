//! RTT of one datagram at a time: the latency workload against sockperf's ping-pong.

use std::path::Path;

use crate::tools::{Outcome, Server, is_installed, median, output, report};

/// Each tool measures this often, in turn.
const ROUNDS: usize = 5;

/// How both ends wait for a datagram.
struct Waiting {
    name: &'static str,
    serve: &'static [&'static str],
    sockperf: &'static [&'static str],
}

const WAITINGS: [Waiting; 2] = [
    Waiting {
        name: "the server sleeps",
        serve: &["--no-real-time"],
        sockperf: &[],
    },
    Waiting {
        name: "the server spins",
        serve: &["--no-real-time", "--spin", "10s"],
        sockperf: &["--nonblocked"],
    },
];

pub fn compare(bench: &Path) -> Outcome<()> {
    if !is_installed("sockperf") {
        return Ok(());
    }
    println!("| RTT p50 of 64 bytes, median of {ROUNDS} | bench | sockperf ping-pong | ratio |");
    println!("|---|---|---|---|");
    for waiting in WAITINGS {
        let (ours, theirs) = measure(bench, &waiting)?;
        let (name, ratio) = (waiting.name, ours / theirs);
        println!("| {name} | {ours:.2} us | {theirs:.2} us | {ratio:.2} |");
    }
    println!();
    Ok(())
}

fn measure(bench: &Path, waiting: &Waiting) -> Outcome<(f64, f64)> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(bench_p50_us(bench, waiting)?);
        theirs.push(sockperf_p50_us(waiting)?);
    }
    Ok((median(ours), median(theirs)))
}

fn bench_p50_us(bench: &Path, waiting: &Waiting) -> Outcome<f64> {
    let server = Server::bench(bench, waiting.serve)?;
    let board = server.address.to_string();
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
        "--no-real-time",
        "--arrival-clock",
        "user",
    ];
    let report = report(bench, &arguments)?;
    let p50_ns = report["figures"][0]["rtt_p50_ns"].as_f64();
    Ok(p50_ns.ok_or("no reply")? / 1000.0)
}

fn sockperf_p50_us(waiting: &Waiting) -> Outcome<f64> {
    let both = waiting.sockperf.iter().map(|&flag| flag.to_owned());
    let server = Server::other("sockperf", |port| {
        let server = ["server", "-i", "127.0.0.1", "-p", port].map(str::to_owned);
        server.into_iter().chain(both.clone()).collect()
    })?;
    let port = server.address.port().to_string();
    let client = [
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
    let text = output("sockperf", &[&client, waiting.sockperf].concat())?;
    let line = text.lines().find(|line| line.contains("percentile 50.000"));
    let value = line.and_then(|line| line.split('=').nth(1));
    let value = value.ok_or_else(|| format!("sockperf prints no median: {text}"))?;
    Ok(value.trim().parse()?)
}
