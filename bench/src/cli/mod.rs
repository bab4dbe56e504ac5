//! The command line of the bench.
//!
//! Exit status: 0 when the run is clean, 1 when it is not or when it is void, 2 when it could not
//! be, with one line that says why, and 130 when it was interrupted. An interrupted run leaves no
//! file: the identities of its counters hold only for a schedule that was kept to its end.

pub mod arguments;
mod error;
mod files;
mod host;
mod measure;
mod progress;
mod record;
mod report;
mod serve;
pub mod summary;
mod workloads;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use arguments::{
    BurstArgs, FunctionalArgs, LatencyArgs, RecoveryArgs, SoakArgs, StreamArgs, SweepArgs,
    ThroughputArgs,
};
pub use error::CliError;
use measure::Measurement;

/// Measure a UDP echo server, or be one that misbehaves by a seed.
#[derive(Parser)]
#[command(name = "bench", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Ask every size, one datagram at a time, and compare each reply byte for byte
    Functional(Measurement<FunctionalArgs>),
    /// Measure the RTT of one datagram at a time, size after size
    Latency(Measurement<LatencyArgs>),
    /// Search for the highest rate without loss and confirm it
    Throughput(Measurement<ThroughputArgs>),
    /// Send datagrams back to back, then be quiet
    Burst(Measurement<BurstArgs>),
    /// Send datagrams on a schedule, whatever comes back
    Stream(Measurement<StreamArgs>),
    /// Send a stream at one rate after another
    Sweep(Measurement<SweepArgs>),
    /// Send mixed sizes for a long time
    Soak(Measurement<SoakArgs>),
    /// Send a stream while somebody disturbs the device, and see how long it is gone
    Recovery(Measurement<RecoveryArgs>),
    /// Echo, and lose, delay, duplicate, reorder, corrupt by a seed
    Serve(serve::ServeArgs),
}

/// How a command that met no error ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Clean, or done as asked.
    Clean,
    /// Something went wrong in the run, or it says nothing of the device.
    NotClean,
    /// Somebody stopped it.
    Interrupted,
}

/// Runs the command that the command line names.
pub fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Command::Functional(measurement) => measurement.run(),
        Command::Latency(measurement) => measurement.run(),
        Command::Throughput(measurement) => measurement.run(),
        Command::Burst(measurement) => measurement.run(),
        Command::Stream(measurement) => measurement.run(),
        Command::Sweep(measurement) => measurement.run(),
        Command::Soak(measurement) => measurement.run(),
        Command::Recovery(measurement) => measurement.run(),
        Command::Serve(serve) => serve.run(),
    };
    match ended {
        Ok(Ended::Clean) => ExitCode::SUCCESS,
        Ok(Ended::NotClean) => ExitCode::from(1),
        Ok(Ended::Interrupted) => ExitCode::from(130),
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            note(&format!("error: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Writes `text` to standard output as it stands.
fn print(text: &str) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    written
        .and_then(|()| stdout.flush())
        .map_err(CliError::Output)
}

/// Writes a line to standard error; a closed standard error loses it.
fn note(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn no_two_arguments_of_a_command_have_one_name() {
        super::Cli::command().debug_assert();
    }
}
