//! Why a command could not do what it was asked.

use std::io;
use std::path::PathBuf;

use crate::BrokenIdentity;
use crate::realtime::RealtimeError;

/// A command that failed; each is told in one line.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The board's address is none, or a name without one.
    #[error("--board {board}: {reason}; give an IPv4 address or a name, and a port unless it is 7")]
    Board {
        /// What was given.
        board: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Parameters that make no workload.
    #[error("{0}")]
    Options(String),
    /// An argument that this workload cannot honour.
    #[error(
        "a {0} run cannot be recorded by packet or interval: its datagrams carry no sequence \
         number; leave --csv-packets, --csv-intervals and --hdr-log out"
    )]
    NotRecorded(&'static str),
    /// The run could not be.
    #[error("{0}")]
    Realtime(#[from] RealtimeError),
    /// A file that cannot be written.
    #[error("cannot write {path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The disk did not take the recording.
    #[error("cannot write the recording: {0}")]
    Recording(io::Error),
    /// Standard output did not take the result.
    #[error("cannot write the result: {0}")]
    Output(io::Error),
    /// The process could not listen for Ctrl-C.
    #[error("cannot listen for Ctrl-C: {0}")]
    Interrupt(#[from] ctrlc::Error),
    /// The counters contradict each other: a fault of the bench.
    #[error("the figures contradict each other, which is a fault of the bench: {0}")]
    Broken(#[from] BrokenIdentity),
}
