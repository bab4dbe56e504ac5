//! The interval log of HdrHistogram: text of version 1.3 with compressed V2 histograms.

use std::io::{self, Write};
use std::time::{Duration, SystemTime};

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriter, IntervalLogWriterBuilder, Tag};

use super::csv::Interval;
use crate::Nanos;

/// The first line of a log; the crate leaves it to the caller.
const VERSION: &str = "#[Histogram log format version 1.3]";

/// What the column of maxima is divided by: nanoseconds are shown in milliseconds.
const MAX_VALUE_DIVISOR: f64 = 1e6;

/// A log that is being written.
pub(super) struct HdrLog<'a, W: Write>(IntervalLogWriter<'a, 'a, W, V2DeflateSerializer>);

impl<'a, W: Write> HdrLog<'a, W> {
    /// Begins a log whose times count from `start`.
    pub(super) fn begin(
        file: &'a mut W,
        serializer: &'a mut V2DeflateSerializer,
        start: SystemTime,
    ) -> io::Result<Self> {
        writeln!(file, "{VERSION}")?;
        IntervalLogWriterBuilder::new()
            .add_comment("RTT of the datagrams sent in each interval, in nanoseconds")
            .with_start_time(start)
            .with_max_value_divisor(MAX_VALUE_DIVISOR)
            .begin_log_with(file, serializer)
            .map(Self)
    }

    /// Writes one interval.
    pub(super) fn write(&mut self, interval: &Interval, length: Nanos) -> io::Result<()> {
        let tag = format!("stream-{}", interval.stream);
        let (start, length) = (interval.start.0, length.0);
        self.0
            .write_histogram(
                interval.rtt.buckets(),
                Duration::from_nanos(start),
                Duration::from_nanos(length),
                Tag::new(&tag),
            )
            .map_err(|error| io::Error::other(error.to_string()))
    }
}
