//! Holds the bench against sockperf, iperf and iperf3 on this machine, over loopback.
//!
//! `cargo run --release -p bench --example compare` prints a table in Markdown. The other tools
//! come from the distribution (`apt install sockperf iperf iperf3`); one that is missing is left
//! out and named. Let nothing else run meanwhile: every figure is one of this machine at this time.

mod echo;
mod pacing;
mod rate;
mod rtt;
mod tools;

use tools::{Outcome, build_bench, machine};

fn main() -> Outcome<()> {
    let arguments = Vec::from_iter(std::env::args().skip(1));
    if arguments
        .first()
        .is_some_and(|first| first == echo::COMMAND)
    {
        return echo::serve(&arguments);
    }
    let bench = build_bench()?;
    println!("{}\n", machine());
    rtt::compare(&bench)?;
    pacing::compare(&bench)?;
    rate::compare(&bench)
}
