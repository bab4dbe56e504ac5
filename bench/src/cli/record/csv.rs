//! Comma-separated values: a row a datagram, or a row an interval.

use std::fmt::Display;
use std::io::{self, Write};

use super::window::{PacketRecord, PacketState};
use crate::{LatencyHistogram, Nanos};

/// The columns of the file by packet.
const PACKET_COLUMNS: &str = "stream,sequence,sent_ns,state,rtt_ns,copies,corrupt";

/// The columns of the file by interval.
const INTERVAL_COLUMNS: &str = "stream,start_ns,sent,send_errors,valid,missing,damaged,duplicate,\
                                corrupt,rtt_min_ns,rtt_p50_ns,rtt_p99_ns,rtt_max_ns";

/// Writes the header of the file by packet.
pub(super) fn begin_packets(file: &mut impl Write) -> io::Result<()> {
    writeln!(file, "{PACKET_COLUMNS}")
}

/// Writes the row of one datagram.
pub(super) fn write_packet(file: &mut impl Write, record: &PacketRecord) -> io::Result<()> {
    let PacketRecord {
        stream,
        sequence,
        sent_ns,
        state,
        rtt_ns,
        copies,
        corrupt,
    } = *record;
    let (state, rtt_ns) = (state.word(), cell(rtt_ns.map(|rtt| rtt.0)));
    writeln!(
        file,
        "{stream},{sequence},{},{state},{rtt_ns},{copies},{corrupt}",
        sent_ns.0
    )
}

/// Writes the header of the file by interval.
pub(super) fn begin_intervals(file: &mut impl Write) -> io::Result<()> {
    writeln!(file, "{INTERVAL_COLUMNS}")
}

/// The datagrams sent in one interval.
#[derive(Debug, Default)]
pub(super) struct Interval {
    pub(super) stream: u64,
    pub(super) start: Nanos,
    pub(super) rtt: LatencyHistogram,
    sent: u64,
    send_errors: u64,
    missing: u64,
    damaged: u64,
    duplicate: u64,
    corrupt: u64,
}

impl Interval {
    /// An empty interval of `stream` that begins at `start`.
    pub(super) fn new(stream: u64, start: Nanos) -> Self {
        Self {
            stream,
            start,
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, record: &PacketRecord) {
        match record.state {
            PacketState::SendError => self.send_errors += 1,
            PacketState::Valid => {}
            PacketState::Missing => self.missing += 1,
            PacketState::Damaged => {
                self.missing += 1;
                self.damaged += 1;
            }
        }
        self.sent += u64::from(record.state != PacketState::SendError);
        self.duplicate += record.copies.saturating_sub(1);
        self.corrupt += record.corrupt;
        if let Some(rtt) = record.rtt_ns {
            self.rtt.record(rtt);
        }
    }

    /// Writes the row; an interval without replies has no RTT rather than one of 0.
    pub(super) fn write(&self, file: &mut impl Write) -> io::Result<()> {
        let nanos = |span: Option<Nanos>| cell(span.map(|span| span.0));
        let rtt = &self.rtt;
        writeln!(
            file,
            "{},{},{},{},{},{},{},{},{},{},{},{},{}",
            self.stream,
            self.start.0,
            self.sent,
            self.send_errors,
            rtt.count(),
            self.missing,
            self.damaged,
            self.duplicate,
            self.corrupt,
            nanos(rtt.min()),
            nanos(rtt.percentile(50, 100)),
            nanos(rtt.percentile(99, 100)),
            nanos(rtt.max()),
        )
    }
}

/// A value that may be absent: the cell is then empty.
fn cell(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
