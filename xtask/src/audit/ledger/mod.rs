//! The identities that bind what a result file holds, on its raw JSON.
//!
//! Nothing here is the pipeline's: neither its types nor its checks nor its histograms. What both get
//! wrong alike would have to be wrong twice.

mod book;
mod burst;
mod counts;
mod flow;
mod functional;
mod histogram;
mod image;
mod latency;
mod recovery;
mod soak;
mod stream;
mod telemetry;
mod throughput;
mod traffic;
mod trial;

pub use book::{Book, Broken};
pub use histogram::Histogram;
pub use telemetry::ImageFacts;

use serde_json::Value;

use super::node::{Misshapen, Node};

const NS_PER_S: u128 = 1_000_000_000;

/// Checks every identity of the result in `file`, a path in its set such as
/// `fake/release/stream.json`; `facts` say what the image of the build is known to be.
pub fn check(file: &str, value: &Value, facts: &ImageFacts) -> Book {
    let mut book = Book::default();
    let root = Node::root(value);
    let name = file.rsplit('/').next().unwrap_or(file);
    let checked = match name {
        "size.json" => image::check_sizes(&mut book, &root),
        "ncloc.json" => image::check_lines(&mut book, &root),
        _ => trial::check_file(&mut book, &root, facts),
    };
    if let Err(misshapen) = checked {
        book.misshapen(misshapen);
    }
    book
}

/// How many datagrams a schedule of this rate and length holds, rounded down.
fn packets_in(rate_hz: u128, duration_ns: u128) -> u128 {
    rate_hz * duration_ns / NS_PER_S
}

/// When datagram `index` is due, from the start of the schedule, rounded down.
fn due_ns(index: u128, rate_hz: u128) -> u128 {
    (index * NS_PER_S).checked_div(rate_hz).unwrap_or(0)
}

type Checked = Result<(), Misshapen>;
