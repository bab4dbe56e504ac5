//! What the accounting of one packet costs: the published hour, over an echo that costs nothing.
//!
//! Run with `cargo bench -p bench`; the fastest of five runs is the one least disturbed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bench::{Action, Nanos, SendOutcome, Stream, StreamOptions, Targets, Workload};

const RTT: Nanos = Nanos::from_micros(300);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runs = (0..5).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    let (spent, packets, bytes) = runs.into_iter().min().expect("five runs");
    println!(
        "{packets} packets, {:.1} ns a packet",
        spent.as_nanos() as f64 / packets as f64
    );
    println!("{bytes} bytes of memory");
    Ok(())
}

/// Runs the stream; returns the time it took, its packets and its memory in bytes.
fn run() -> Result<(Duration, u64, usize), Box<dyn std::error::Error>> {
    let echo = "192.168.1.50:7".parse()?;
    let mut stream = Stream::new(
        StreamOptions::default(),
        Targets {
            echo,
            telemetry: None,
        },
    )?;
    let mut on_the_wire = [0; 1472];
    let mut reply: Option<(Nanos, usize)> = None;
    let mut now = Nanos::ZERO;
    let begin = Instant::now();
    loop {
        match stream.next(now) {
            Action::Send { payload, .. } => {
                on_the_wire[..payload.len()].copy_from_slice(payload);
                reply = Some((now + RTT, payload.len()));
                stream.sent(now, SendOutcome::Sent);
            }
            Action::WaitUntil(instant) => match reply.take() {
                Some((at, length)) => {
                    now = at;
                    stream.received(now, echo, black_box(&on_the_wire[..length]));
                }
                None => now = instant,
            },
            Action::Done => break,
        }
    }
    let spent = begin.elapsed();
    let bytes = stream.memory_bytes();
    let result = stream.into_result();
    result.check()?;
    let packets = result.counts.valid + result.warm_up.valid;
    Ok((spent, packets, bytes))
}
