//! What the accounting of one packet costs, over an echo that costs nothing: the published hour,
//! and bursts of 128.
//!
//! Run with `cargo bench -p bench`; the fastest of five runs is the one least disturbed.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bench::{
    Action, Burst, BurstOptions, Endpoint, Nanos, SendOutcome, Stream, StreamOptions, Targets,
    Workload,
};

const RTT: Nanos = Nanos::from_micros(300);

/// Both workloads send payloads of this length.
const PAYLOAD_BYTES: usize = 100;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let echo = "192.168.1.50:7".parse()?;
    report("stream", || stream(echo))?;
    report("burst", || burst(echo))
}

/// What one run took, its packets, and its memory in bytes.
type Spent = (Duration, u64, usize);

fn report(name: &str, run: impl Fn() -> Result<Spent, Error>) -> Result<(), Error> {
    let runs = (0..5).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    let (spent, packets, bytes) = runs.into_iter().min().expect("five runs");
    let each = spent.as_nanos() as f64 / packets as f64;
    println!("{name}: {packets} packets, {each:.1} ns a packet, {bytes} bytes of memory");
    Ok(())
}

fn stream(echo: Endpoint) -> Result<Spent, Error> {
    let targets = Targets {
        echo,
        telemetry: None,
    };
    let mut stream = Stream::new(StreamOptions::default(), targets)?;
    let spent = drive(&mut stream, echo);
    let bytes = stream.memory_bytes();
    let result = stream.into_result();
    result.check()?;
    Ok((spent, result.counts.valid + result.warm_up.valid, bytes))
}

fn burst(echo: Endpoint) -> Result<Spent, Error> {
    let options = BurstOptions {
        packets: 128,
        repeats: 2_000,
        payload_bytes: PAYLOAD_BYTES as u64,
        ..BurstOptions::default()
    };
    let mut burst = Burst::new(options, echo)?;
    let spent = drive(&mut burst, echo);
    let bytes = burst.memory_bytes();
    let result = burst.into_result();
    result.check()?;
    Ok((spent, result.counts.valid + result.warm_up.valid, bytes))
}

/// Runs a workload over an echo that answers everything after [`RTT`]; returns the time it took.
fn drive(workload: &mut impl Workload, echo: Endpoint) -> Duration {
    let mut on_the_wire = VecDeque::with_capacity(128);
    let mut now = Nanos::ZERO;
    let begin = Instant::now();
    loop {
        match workload.next(now) {
            Action::Send { payload, .. } => {
                let payload = <[u8; PAYLOAD_BYTES]>::try_from(payload).expect("payload length");
                on_the_wire.push_back((now + RTT, payload));
                workload.sent(now, SendOutcome::Sent);
            }
            Action::WaitUntil(instant) => match on_the_wire.pop_front() {
                Some((at, payload)) => {
                    now = at;
                    workload.received(now, echo, black_box(&payload));
                }
                None => now = instant,
            },
            Action::Disturb(_) => unreachable!("a stream disturbs nothing"),
            Action::Done => return begin.elapsed(),
        }
    }
}
