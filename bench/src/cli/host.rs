//! The arguments every workload shares: the board, the host's socket, and where results go.

use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use super::CliError;
use super::arguments::Span;
use super::record::RecordingPlan;
use crate::realtime::{ArrivalClock, DriverOptions};
use crate::{Endpoint, Nanos, Targets};

/// The port of the echo service (RFC 862).
const ECHO_PORT: u16 = 7;

/// Whom to measure, and how the host takes part.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Board and host")]
pub struct HostArgs {
    /// The UDP echo server; the port is 7 unless given
    #[arg(long, value_name = "ADDRESS[:PORT]")]
    board: String,
    /// The port of the board's telemetry server, for a profiling build
    #[arg(long, value_name = "PORT")]
    telemetry_port: Option<u16>,
    /// The address and port to send from
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = DriverOptions::default().local)]
    local: Endpoint,
    /// The socket buffers to ask for
    #[arg(long, value_name = "BYTES", default_value_t = DriverOptions::default().buffer_bytes)]
    buffer_bytes: u64,
    /// Spin this long before each deadline and after each send, sleep between
    #[arg(long, value_name = "TIME", default_value_t = Span(DriverOptions::default().spin_ns))]
    spin: Span,
    /// Do not ask for real-time priority
    #[arg(long)]
    no_real_time: bool,
    /// Whose clock arrivals count from
    #[arg(long, value_enum, default_value_t = ArrivalClockArg::Kernel)]
    arrival_clock: ArrivalClockArg,
}

/// A clock by its name.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ArrivalClockArg {
    /// The kernel's, where it tells
    Kernel,
    /// The bench's own, when it reads the datagram
    User,
}

/// Where results go.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the result as JSON in place of the summary
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors
    #[arg(long)]
    pub quiet: bool,
    /// Write a row a datagram: sequence, instant of sending, RTT or state
    #[arg(long, value_name = "FILE")]
    csv_packets: Option<PathBuf>,
    /// Write a row an interval
    #[arg(long, value_name = "FILE")]
    csv_intervals: Option<PathBuf>,
    /// Write an interval log of HdrHistogram
    #[arg(long, value_name = "FILE")]
    hdr_log: Option<PathBuf>,
    /// The interval of --csv-intervals and --hdr-log
    #[arg(long, value_name = "TIME", default_value_t = Span(Nanos::SECOND))]
    record_interval: Span,
}

impl HostArgs {
    /// The board's servers.
    ///
    /// # Errors
    /// When the board's address is none.
    pub fn targets(&self) -> Result<Targets, CliError> {
        let echo = resolve(&self.board).map_err(|reason| CliError::Board {
            board: self.board.clone(),
            reason,
        })?;
        let telemetry = self
            .telemetry_port
            .map(|port| Endpoint::new(*echo.ip(), port));
        Ok(Targets { echo, telemetry })
    }

    /// What the driver asks of the host.
    pub fn driver_options(&self) -> DriverOptions {
        DriverOptions {
            local: self.local,
            buffer_bytes: self.buffer_bytes,
            spin_ns: self.spin.0,
            real_time: !self.no_real_time,
            arrival_clock: match self.arrival_clock {
                ArrivalClockArg::Kernel => ArrivalClock::Kernel,
                ArrivalClockArg::User => ArrivalClock::User,
            },
        }
    }
}

impl OutputArgs {
    /// The files to write while the workload runs.
    ///
    /// # Errors
    /// When the interval is 0.
    pub fn recording_plan(&self, first_measured: u64) -> Result<RecordingPlan, CliError> {
        if self.record_interval.0 == Nanos::ZERO {
            let reason = "--record-interval must be longer than 0".to_owned();
            return Err(CliError::Options(reason));
        }
        Ok(RecordingPlan {
            packets: self.csv_packets.clone(),
            intervals: self.csv_intervals.clone(),
            hdr_log: self.hdr_log.clone(),
            interval: self.record_interval.0,
            first_measured,
        })
    }

    /// Whether a file is to be written while the workload runs.
    pub fn asks_for_recording(&self) -> bool {
        let files = [&self.csv_packets, &self.csv_intervals, &self.hdr_log];
        files.into_iter().any(Option::is_some)
    }
}

/// The endpoint of `address`, `address:port`, `name` or `name:port`.
fn resolve(board: &str) -> Result<Endpoint, String> {
    let (host, port) = match board.rsplit_once(':') {
        Some((host, port)) => {
            let number = port.parse::<u16>().ok().filter(|&port| port != 0);
            (host, number.ok_or_else(|| format!("{port} is no port"))?)
        }
        None => (board, ECHO_PORT),
    };
    if host.is_empty() {
        return Err("the address is missing".to_owned());
    }
    let endpoint = match host.parse::<Ipv4Addr>() {
        Ok(address) => Endpoint::new(address, port),
        Err(_) => {
            let addresses = (host, port).to_socket_addrs();
            let mut addresses = addresses.map_err(|error| one_line(&error.to_string()))?;
            addresses
                .find_map(|address| match address {
                    SocketAddr::V4(endpoint) => Some(endpoint),
                    SocketAddr::V6(_) => None,
                })
                .ok_or("it has no IPv4 address")?
        }
    };
    match endpoint.ip().is_unspecified() {
        true => Err("it stands for any address".to_owned()),
        false => Ok(endpoint),
    }
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_that_of_the_echo_service_unless_given() {
        assert_eq!(
            resolve("192.168.1.50"),
            Ok("192.168.1.50:7".parse().unwrap())
        );
        assert_eq!(
            resolve("192.168.1.50:7000"),
            Ok("192.168.1.50:7000".parse().unwrap())
        );
        assert_eq!(resolve("localhost:9"), Ok("127.0.0.1:9".parse().unwrap()));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        assert_eq!(resolve("192.168.1.50:0").unwrap_err(), "0 is no port");
        assert_eq!(
            resolve("192.168.1.50:70000").unwrap_err(),
            "70000 is no port"
        );
        assert_eq!(resolve(":7").unwrap_err(), "the address is missing");
        assert_eq!(resolve("0.0.0.0").unwrap_err(), "it stands for any address");
    }
}
