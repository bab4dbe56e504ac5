//! `bench serve`: an echo server that misbehaves by a seed and says how.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::arguments::Span;
use super::{CliError, Ended, files, print};
use crate::realtime::echo::{EchoCounts, EchoServer, EchoServerOptions, Fate, Faults, Handled};
use crate::realtime::{BufferSize, DriverOptions, StopSignal};
use crate::{Endpoint, Nanos};

/// The arguments of the server. Each rate is a number of datagrams in a million; a datagram meets
/// one fault at most.
#[derive(Clone, Debug, clap::Args)]
pub struct ServeArgs {
    /// Listen here; port 0 for any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7007")]
    listen: Endpoint,
    /// Draw the faults
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Do not answer
    #[arg(long, value_name = "PPM", default_value_t = 0)]
    lose_ppm: u64,
    /// Answer with one wrong byte
    #[arg(long, value_name = "PPM", default_value_t = 0)]
    corrupt_ppm: u64,
    /// Answer too short
    #[arg(long, value_name = "PPM", default_value_t = 0)]
    truncate_ppm: u64,
    /// Answer twice
    #[arg(long, value_name = "PPM", default_value_t = 0)]
    duplicate_ppm: u64,
    /// Answer late
    #[arg(long, value_name = "PPM", default_value_t = 0)]
    delay_ppm: u64,
    /// Answer after later datagrams
    #[arg(long, value_name = "PPM", default_value_t = 0)]
    reorder_ppm: u64,
    /// Send a copy from another port before the answer
    #[arg(long, value_name = "PPM", default_value_t = 0)]
    stray_ppm: u64,
    /// How late a late answer is
    #[arg(long, value_name = "TIME", default_value_t = Span(Nanos::from_millis(100)))]
    delay: Span,
    /// The socket buffers to ask for
    #[arg(long, value_name = "BYTES", default_value_t = DriverOptions::default().buffer_bytes)]
    buffer_bytes: u64,
    /// Look this long for another datagram before sleeping
    #[arg(long, value_name = "TIME", default_value_t = Span(Nanos::ZERO))]
    spin: Span,
    /// Do not ask for real-time priority
    #[arg(long)]
    no_real_time: bool,
    /// Stop after this time rather than at Ctrl-C
    #[arg(long, value_name = "TIME")]
    duration: Option<Span>,
    /// Write a row a datagram: what came, and what was done with it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// What the server prints at its end.
#[derive(Serialize)]
struct Served {
    listened_on: Endpoint,
    faults: Faults,
    receive_buffer: BufferSize,
    counts: EchoCounts,
}

impl ServeArgs {
    /// Serves until Ctrl-C; the address is the first line of standard output, the counts as JSON
    /// are the rest.
    pub(super) fn run(self) -> Result<Ended, CliError> {
        let faults = self.faults();
        faults
            .validate()
            .map_err(|error| CliError::Options(error.to_string()))?;
        let options = EchoServerOptions {
            local: self.listen,
            buffer_bytes: self.buffer_bytes,
            spin_ns: self.spin.0,
            real_time: !self.no_real_time,
        };
        let log = self.log.as_deref().map(files::Staged::new).transpose()?;
        let server = EchoServer::bind(&options, faults.clone())?;
        let stop = self.stop_signal()?;
        print(&format!("{}\n", server.local()))?;
        let counts = match &log {
            Some(file) => serve_with_log(&server, &stop, file.writer()?)?,
            None => server.run(&stop, |_| {})?,
        };
        counts.check()?;
        log.map_or(Ok(()), files::Staged::commit)?;
        let served = Served {
            listened_on: server.local(),
            faults,
            receive_buffer: server.receive_buffer(),
            counts,
        };
        let json = serde_json::to_string_pretty(&served).expect("counts are plain data");
        print(&format!("{json}\n"))?;
        Ok(Ended::Clean)
    }

    fn faults(&self) -> Faults {
        Faults {
            seed: self.seed,
            lose_ppm: self.lose_ppm,
            corrupt_ppm: self.corrupt_ppm,
            truncate_ppm: self.truncate_ppm,
            duplicate_ppm: self.duplicate_ppm,
            delay_ppm: self.delay_ppm,
            reorder_ppm: self.reorder_ppm,
            stray_ppm: self.stray_ppm,
            delay_ns: self.delay.0,
        }
    }

    /// Given at Ctrl-C, or when the duration is over.
    fn stop_signal(&self) -> Result<StopSignal, CliError> {
        let stop = StopSignal::new();
        let asked = stop.clone();
        ctrlc::set_handler(move || asked.request())?;
        if let Some(Span(duration)) = self.duration {
            let over = stop.clone();
            std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_nanos(duration.0));
                over.request();
            });
        }
        Ok(stop)
    }
}

/// Serves and writes the log; a disk that is slow makes the server slow.
fn serve_with_log(
    server: &EchoServer,
    stop: &StopSignal,
    mut log: BufWriter<std::fs::File>,
) -> Result<EchoCounts, CliError> {
    let mut written = writeln!(log, "index,received_ns,payload_bytes,fate,detail");
    let counts = server.run(stop, |handled| {
        if written.is_ok() {
            written = write_row(&mut log, &handled);
        }
    })?;
    written
        .and_then(|()| log.flush())
        .map_err(CliError::Recording)?;
    Ok(counts)
}

fn write_row(log: &mut impl Write, handled: &Handled) -> io::Result<()> {
    let detail = match handled.fate {
        Some(Fate::Corrupted { offset, mask }) => format!("byte {offset} xor {mask:#04x}"),
        Some(Fate::Truncated { bytes }) => format!("to {bytes} bytes"),
        Some(Fate::Reordered { depth }) => format!("after {depth} later"),
        _ => String::new(),
    };
    let fate = handled.fate.map_or("oversized", |fate| fate.word());
    writeln!(
        log,
        "{},{},{},{fate},{detail}",
        handled.index, handled.received_ns.0, handled.payload_bytes
    )
}
