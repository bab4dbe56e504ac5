//! The highest rate without an error event: the bench there and back, iperf3 one way.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::tools::{Outcome, Server, is_installed, output, report};

/// The rates that are tried.
const RATES_HZ: [u64; 6] = [50_000, 100_000, 150_000, 200_000, 250_000, 300_000];

pub fn compare(bench: &Path) -> Outcome<()> {
    println!(
        "| 100 bytes, 5 s a rate | bench, echoed: error events | iperf3, one way: lost | iperf3: offered |"
    );
    println!("|---|---|---|---|");
    let iperf3 = is_installed("iperf3");
    for rate_hz in RATES_HZ {
        let ours = bench_at(bench, rate_hz)?;
        let (lost, offered) = match iperf3 {
            true => iperf3_at(rate_hz)?,
            false => ("-".to_owned(), "-".to_owned()),
        };
        println!("| {rate_hz}/s | {ours} | {lost} | {offered} |");
    }
    println!();
    println!("{}", paced(bench)?);
    Ok(())
}

fn bench_at(bench: &Path, rate_hz: u64) -> Outcome<String> {
    let server = Server::bench(bench, &[])?;
    let (board, rate) = (server.address.to_string(), rate_hz.to_string());
    let report = report(Command::new(bench).args([
        "stream",
        "--board",
        &board,
        "--rate-hz",
        &rate,
        "--duration",
        "5s",
    ]))?;
    Ok(match report["void"].as_str() {
        Some(reason) => format!("void: {reason}"),
        None => format!("{}", report["figures"][0]["error_events"]),
    })
}

fn iperf3_at(rate_hz: u64) -> Outcome<(String, String)> {
    let server = Server::other("iperf3", |port| {
        ["-s", "-1", "-p", port].map(str::to_owned).to_vec()
    })?;
    let (port, bits) = (
        server.address.port().to_string(),
        (rate_hz * 800).to_string(),
    );
    let text = output(Command::new("iperf3").args([
        "-u",
        "-c",
        "127.0.0.1",
        "-p",
        &port,
        "-l",
        "100",
        "-b",
        &bits,
        "-t",
        "5",
        "-J",
    ]))?;
    let json: Value = serde_json::from_str(&text)?;
    let sum = &json["end"]["sum"];
    let packets = sum["packets"].as_f64().ok_or("iperf3 counts no packets")?;
    let seconds = sum["seconds"].as_f64().ok_or("iperf3 gives no time")?;
    Ok((
        sum["lost_packets"].to_string(),
        format!("{:.0}/s", packets / seconds),
    ))
}

/// A minute at 20 kHz.
fn paced(bench: &Path) -> Outcome<String> {
    let server = Server::bench(bench, &[])?;
    let board = server.address.to_string();
    let report = report(Command::new(bench).args([
        "stream",
        "--board",
        &board,
        "--rate-hz",
        "20000",
        "--duration",
        "60s",
    ]))?;
    let figures = &report["figures"][0];
    let micros = |name: &str| figures[name].as_f64().map_or(f64::NAN, |nanos| nanos / 1e3);
    Ok(format!(
        "60 s at 20 kHz: {} error events, pacing error p50 {:.2} us, p99 {:.2} us, max {:.1} us, largest burst {}, \
         RTT p50 {:.1} us, p99 {:.1} us; real-time priority {}",
        figures["error_events"],
        micros("pacing_error_p50_ns"),
        micros("pacing_error_p99_ns"),
        micros("pacing_error_max_ns"),
        figures["largest_burst"],
        micros("rtt_p50_ns"),
        micros("rtt_p99_ns"),
        match report["conditions"]["scheduling"]["real_time_granted"] == true {
            true => "granted",
            false => "not granted",
        },
    ))
}
