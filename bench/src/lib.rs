//! The host benchmark: workloads, datagrams, the packet ledger and statistics.
//!
//! A [`Workload`] is a state machine without I/O and without a clock. A driver asks it what to do
//! at an instant, does it, and tells it what arrived and when; whether that instant comes from an
//! emulated board's virtual time or from a real clock makes no difference to the accounting.
//!
//! The [`FunctionalGate`] asks every size one at a time, and [`latency`] asks one size after
//! another without ever having two datagrams under way. A [`Stream`] keeps a schedule whatever
//! comes back (beside it, if asked, multicast that nobody answers); a [`Sweep`] is streams at
//! rising rates, [`throughput`] searches for the highest rate without loss, a [`soak`] mixes sizes
//! over a long run, and [`recovery`] disturbs the device under a stream. A [`Burst`] sends
//! datagrams back to back and then waits. Each ends in a result of raw integers that checks its
//! own identities, and whose [`Outcome`] says whether it is clean or void. What a result says of
//! the device, in words, is its [`Verdict`]: a stall is not a loss, a corrupt reply is not a lost
//! one, and RTT that grows is told from RTT that is wide.
//!
//! A driver is a loop. This one runs a stream in virtual time over an echo that answers after
//! 300 us and loses the datagram with sequence number 5:
//!
//! ```
//! use std::collections::VecDeque;
//! use bench::{Action, Nanos, SendOutcome, Stream, StreamOptions, Targets, Workload};
//!
//! let echo = "192.168.1.50:7".parse()?;
//! let options = StreamOptions {
//!     duration_ns: Nanos::from_secs(2),
//!     warm_up_packets: 0,
//!     ..StreamOptions::default()
//! };
//! let mut stream = Stream::new(options, Targets { echo, telemetry: None })?;
//!
//! let mut now = Nanos::ZERO;
//! let mut on_the_wire = VecDeque::new();
//! loop {
//!     match stream.next(now) {
//!         Action::Send { to: _, payload } => {
//!             if payload[8..16] != 5u64.to_le_bytes() {
//!                 on_the_wire.push_back((now + Nanos::from_micros(300), payload.to_vec()));
//!             }
//!             stream.sent(now, SendOutcome::Sent);
//!         }
//!         Action::WaitUntil(instant) => match on_the_wire.pop_front_if(|(at, _)| *at <= instant) {
//!             Some((at, payload)) => {
//!                 now = at;
//!                 stream.received(now, echo, &payload);
//!             }
//!             None => now = instant,
//!         },
//!         Action::Disturb(_) => unreachable!("a stream disturbs nothing"),
//!         Action::Done => break,
//!     }
//! }
//!
//! let result = stream.into_result();
//! result.check()?;
//! assert_eq!((result.counts.sent, result.counts.valid), (2_000, 1_999));
//! assert_eq!(result.first_missing, Some(5));
//! assert_eq!(result.verdict().to_string(), "lost");
//! assert_eq!(result.rtt.percentile(99, 100), Some(Nanos::from_micros(300)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitset;
pub mod burst;
pub mod cli;
pub mod counts;
pub mod datagram;
pub mod functional;
pub mod histogram;
pub mod latency;
pub mod ledger;
mod nanos;
mod outcome;
mod paced;
pub mod pacing;
mod ratio;
pub mod realtime;
pub mod recovery;
pub mod rtt_series;
pub mod schedule;
pub mod soak;
pub mod stream;
pub mod sweep;
pub mod tail;
pub mod telemetry;
pub mod throughput;
pub mod verdict;
mod workload;

pub use burst::{Burst, BurstOptions, BurstResult};
pub use counts::{BrokenIdentity, Counts};
pub use datagram::{Classification, Corruption};
pub use functional::{EmptyDatagrams, FunctionalGate, FunctionalOptions, FunctionalResult};
pub use histogram::LatencyHistogram;
pub use latency::{Latency, LatencyOptions, LatencyResult};
pub use nanos::Nanos;
pub use outcome::Outcome;
pub use pacing::PacingRecord;
pub use ratio::{Ratio, Undefined};
pub use recovery::{Recovery, RecoveryOptions, RecoveryResult};
pub use rtt_series::{RttGrowth, RttSeries, RttSlice};
pub use soak::{Soak, SoakOptions, SoakResult};
pub use stream::{Stream, StreamOptions, StreamResult, TelemetryRecord};
pub use sweep::{Sweep, SweepOptions, SweepResult};
pub use tail::Tail;
pub use telemetry::Telemetry;
pub use throughput::{Throughput, ThroughputOptions, ThroughputResult};
pub use verdict::{Fault, Stall, Verdict};
pub use workload::{Action, DisturbOutcome, Disturbance, Endpoint, SendOutcome, Targets, Workload};
