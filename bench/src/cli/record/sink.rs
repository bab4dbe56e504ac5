//! The thread that writes the files of a recording.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::SystemTime;

use hdrhistogram::serialization::V2DeflateSerializer;

use super::csv::{self, Interval};
use super::hdr_log::HdrLog;
use super::tap::Tap;
use super::window::PacketRecord;
use crate::cli::CliError;
use crate::cli::files::Staged;
use crate::{Nanos, Workload};

/// How many batches may wait for the disk before the driver waits too.
const WAITING_BATCHES: usize = 1024;

/// Which files are to be written.
#[derive(Clone, Debug, Default)]
pub struct RecordingPlan {
    /// A row a datagram.
    pub packets: Option<PathBuf>,
    /// A row an interval.
    pub intervals: Option<PathBuf>,
    /// The interval log of HdrHistogram.
    pub hdr_log: Option<PathBuf>,
    /// The length of an interval; not 0.
    pub interval: Nanos,
    /// The sequence number of the first datagram that is not warm-up.
    pub first_measured: u64,
}

/// Files that are being written.
pub struct Recording {
    first_measured: u64,
    files: Vec<Staged>,
    sender: SyncSender<Vec<PacketRecord>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Recording {
    /// Begins the files of `plan`; `None` when there is none to write.
    ///
    /// # Errors
    /// When a file cannot be written where it is asked for.
    pub fn begin(plan: &RecordingPlan) -> Result<Option<Self>, CliError> {
        let stage = |path: &Option<PathBuf>| path.as_deref().map(Staged::new).transpose();
        let [packets, intervals, hdr_log] =
            [&plan.packets, &plan.intervals, &plan.hdr_log].map(stage);
        let (packets, intervals, hdr_log) = (packets?, intervals?, hdr_log?);
        let open = |file: &Option<Staged>| file.as_ref().map(Staged::writer).transpose();
        let mut files = Files {
            packets: open(&packets)?,
            intervals: open(&intervals)?,
            hdr_log: open(&hdr_log)?,
        };
        let staged = Vec::from_iter([packets, intervals, hdr_log].into_iter().flatten());
        if staged.is_empty() {
            return Ok(None);
        }
        let interval = plan.interval;
        let start = SystemTime::now();
        let (sender, receiver) = sync_channel(WAITING_BATCHES);
        let writer = std::thread::spawn(move || files.write(&receiver, interval, start));
        Ok(Some(Self {
            first_measured: plan.first_measured,
            files: staged,
            sender,
            writer,
        }))
    }

    /// Puts a tap on `workload`.
    pub fn tap<W: Workload>(&self, workload: W) -> Tap<W> {
        Tap::new(workload, self.first_measured, self.sender.clone())
    }

    /// Waits for the writer and gives the files their names; the taps must be finished.
    ///
    /// # Errors
    /// When a file could not be written.
    pub fn commit(self) -> Result<(), CliError> {
        drop(self.sender);
        let written = self.writer.join();
        written
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            .map_err(CliError::Recording)?;
        self.files.into_iter().try_for_each(Staged::commit)
    }
}

/// The files of a recording.
struct Files {
    packets: Option<BufWriter<File>>,
    intervals: Option<BufWriter<File>>,
    hdr_log: Option<BufWriter<File>>,
}

impl Files {
    /// Writes until the last tap is finished.
    fn write(
        &mut self,
        records: &Receiver<Vec<PacketRecord>>,
        length: Nanos,
        start: SystemTime,
    ) -> io::Result<()> {
        let mut serializer = V2DeflateSerializer::new();
        let hdr_log = self.hdr_log.as_mut();
        let hdr_log = hdr_log.map(|file| HdrLog::begin(file, &mut serializer, start));
        let mut intervals = Intervals {
            length,
            under_way: None,
            csv: self.intervals.as_mut(),
            hdr_log: hdr_log.transpose()?,
        };
        if let Some(file) = &mut intervals.csv {
            csv::begin_intervals(file)?;
        }
        if let Some(file) = &mut self.packets {
            csv::begin_packets(file)?;
        }
        for record in records.iter().flatten() {
            if let Some(file) = &mut self.packets {
                csv::write_packet(file, &record)?;
            }
            intervals.add(&record)?;
        }
        intervals.finish()?;
        let files = [&mut self.packets, &mut self.intervals, &mut self.hdr_log];
        files.into_iter().flatten().try_for_each(BufWriter::flush)
    }
}

/// Datagrams by the interval they were sent in.
struct Intervals<'a> {
    length: Nanos,
    under_way: Option<Interval>,
    csv: Option<&'a mut BufWriter<File>>,
    hdr_log: Option<HdrLog<'a, BufWriter<File>>>,
}

impl Intervals<'_> {
    /// Adds a datagram; they come in the order they were sent. An interval in which none was sent
    /// is written as well, as one of zeros. A stream begins its own.
    fn add(&mut self, record: &PacketRecord) -> io::Result<()> {
        if self.csv.is_none() && self.hdr_log.is_none() {
            return Ok(());
        }
        let other_stream = |interval: &Interval| interval.stream != record.stream;
        if self.under_way.as_ref().is_some_and(other_stream) {
            self.finish()?;
        }
        let under_way = self.under_way.take();
        let mut interval =
            under_way.unwrap_or_else(|| Interval::new(record.stream, record.sent_ns));
        while record.sent_ns.since(interval.start) >= self.length {
            self.write(&interval)?;
            interval = Interval::new(record.stream, interval.start + self.length);
        }
        interval.add(record);
        self.under_way = Some(interval);
        Ok(())
    }

    /// Writes the interval under way.
    fn finish(&mut self) -> io::Result<()> {
        match self.under_way.take() {
            Some(interval) => self.write(&interval),
            None => Ok(()),
        }
    }

    fn write(&mut self, interval: &Interval) -> io::Result<()> {
        if let Some(file) = &mut self.csv {
            interval.write(file)?;
        }
        if let Some(log) = &mut self.hdr_log {
            log.write(interval, self.length)?;
        }
        Ok(())
    }
}
