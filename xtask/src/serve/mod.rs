//! `cargo xtask serve`: a firmware on the emulated board as a peer on a real network, in real time.

#[cfg(test)]
mod fake_device;
mod forward;
mod live;
mod network;
mod news;
mod outside;
mod pace;
#[cfg(target_os = "linux")]
mod tap;
mod tcp;
mod udp;

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use board::net::external::ExternalConfig;
use board::net::host::HostConfig;
use board::{Board, BoardConfig};
use mio::Poll;

use crate::cli::Outcome;
use crate::files::Staged;
use crate::interrupt::Interrupt;
use crate::metadata::Study;
use crate::output;
use crate::run::{capture_into, image};
use crate::setup::InstallArgs;
use crate::trial::Ports;
use forward::Forward;
use live::{Live, virtual_time};
use network::HostInNetwork;
use outside::{Forwards, Outside};
use pace::Lateness;
use tcp::TcpForward;
use udp::UdpForward;

/// The lowest port that needs no privileges; lower ports of the board are forwarded from 7000 on.
const FIRST_UNPRIVILEGED: u16 = 1_024;
const INSTEAD_OF_LOW_PORTS: u16 = 7_000;
/// Frames that may wait for the wire: more than any burst here, and little memory for each client.
const TRANSMIT_QUEUE: usize = 256;

/// Run one firmware on the emulated board in real time, as a peer on a real network.
///
/// Ports of this machine are forwarded to ports of the board, without privileges, or the board's cable is
/// plugged into a TAP device (--tap). The board's time follows the wall clock and is never ahead of it.
/// What comes from outside reaches the board at the instant that it has got to. An emulation that falls
/// behind says so and catches up; by more than a second it does not catch up, and the board stood still.
/// Times seen from outside are those of this machine's emulation: they measure nothing.
///
/// Exit status: 0 ended by Ctrl-C, SIGTERM or --for, 2 the firmware could not go on or could not be run.
#[derive(clap::Args)]
#[command(after_help = TAP_HELP)]
pub struct ServeArgs {
    /// The variant to run.
    variant: String,
    /// Which of its builds.
    #[arg(long, value_name = "NAME", default_value = "release")]
    build: String,
    /// Run this ELF file in place of building one.
    #[arg(long, value_name = "FILE")]
    elf: Option<PathBuf>,
    /// Forward UDP from a port of this machine to a port of the board; may be given more than once.
    /// HOSTPORT 0 takes a free one. Without --udp and --tcp, the echo server and, in builds that have it,
    /// the telemetry server are forwarded.
    #[arg(long, value_name = "HOSTPORT:BOARDPORT")]
    udp: Vec<Forward>,
    /// Forward TCP likewise.
    #[arg(long, value_name = "HOSTPORT:BOARDPORT")]
    tcp: Vec<Forward>,
    /// The address of this machine that forwards listen on.
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into())]
    listen: IpAddr,
    /// Plug the board's cable into this TAP device, in place of the emulated host.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["udp", "tcp", "listen"])]
    tap: Option<String>,
    /// The TAP device's own address: leases are given in its network.
    #[arg(
        long,
        value_name = "ADDRESS/LENGTH",
        default_value = "192.168.7.1/24",
        requires = "tap"
    )]
    address: HostInNetwork,
    /// Leave it to a DHCP server on the TAP device's network to lease the board an address.
    #[arg(long, requires = "tap")]
    no_dhcp: bool,
    /// End after this long.
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<u64>,
    /// Write the frames on the board's wire into this file, in pcapng format and the board's time.
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    #[command(flatten)]
    install: InstallArgs,
}

const TAP_HELP: &str = "\
A TAP device for --tap, made once by somebody who may and then usable without privileges:
  sudo ip tuntap add dev board0 mode tap user $USER
  sudo ip addr add 192.168.7.1/24 dev board0
  sudo ip link set board0 up
  cargo xtask serve w5500-offload --tap board0
and taken away again by:
  sudo ip tuntap del dev board0 mode tap
The board gets the first free address from .50 on; ping, tshark and the like then reach it. Its DHCP
messages and their answers stay between the board and the server; every other frame is on the device.";

impl ServeArgs {
    /// Serves until it is told to stop, and prints what passed.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let study = Study::load()?;
        let selected = study.select(Some(&self.variant), Some(&self.build))?;
        let &(variant, of) = selected.first().context("the variant has no such build")?;
        let mut poll = Poll::new().context("cannot wait for the outside")?;
        let mut connection = self.connection(Ports::of(&study, of), &poll)?;
        let staged = self.pcap.as_deref().map(Staged::new).transpose()?;
        let (elf, path) = image(&study, variant, of, self.elf.as_deref(), self.install)?;
        let interrupt = Interrupt::on_ctrl_c()?;
        let config = BoardConfig {
            jack: variant.network_device,
            capture: staged.as_ref().map(capture_into).transpose()?,
            host: HostConfig {
                transmit_queue: TRANSMIT_QUEUE,
                ..HostConfig::default()
            },
            external: connection.external,
            ..BoardConfig::default()
        };
        let in_file = || path.display().to_string();
        let mut board = Board::new(config, &elf).with_context(in_file)?;
        say(&format!("{} {} on the emulated board", variant.id, of.name))?;
        say(&connection.description)?;
        let end = self.seconds.map_or(Duration::MAX, Duration::from_secs);
        let mut live = Live {
            board: &mut board,
            outside: &mut *connection.outside,
            poll: &mut poll,
            say: &mut say,
        };
        let served = live.run(|wall| wall < end && !interrupt.requested());
        // Whatever the firmware did, the capture shows it.
        board.finish_capture()?;
        staged.map(Staged::commit).transpose()?;
        let lateness = served.with_context(in_file)?;
        let mut lines = connection.outside.summary(&mut board);
        lines.push(("time".to_owned(), time(&board, lateness)));
        for (subject, text) in lines {
            say(&format!("{subject:<14}{text}"))?;
        }
        Ok(Outcome::Done)
    }

    fn connection(&self, ports: Ports, poll: &Poll) -> anyhow::Result<Connection> {
        match &self.tap {
            Some(name) => self.tap(name, poll),
            None => self.forwards(ports, poll),
        }
    }

    fn forwards(&self, ports: Ports, poll: &Poll) -> anyhow::Result<Connection> {
        let udp = if self.udp.is_empty() && self.tcp.is_empty() {
            default_forwards(ports)
        } else {
            self.udp.clone()
        };
        let udp = udp.into_iter().map(|f| UdpForward::bind(self.listen, f));
        let tcp = self.tcp.iter().map(|f| TcpForward::bind(self.listen, *f));
        let (udp, tcp) = (
            udp.collect::<Result<_, _>>()?,
            tcp.collect::<Result<_, _>>()?,
        );
        let forwards = Forwards::new(udp, tcp, poll.registry())?;
        Ok(Connection {
            description: forwards.bound()?,
            outside: Box::new(forwards),
            external: None,
        })
    }

    #[cfg(target_os = "linux")]
    fn tap(&self, name: &str, poll: &Poll) -> anyhow::Result<Connection> {
        let tap = tap::Tap::open(name)?;
        tap.register(poll.registry())?;
        let dhcp = board::net::external::DhcpService {
            mac: tap.mac_address()?,
            config: self.address.dhcp(),
        };
        let server = if self.no_dhcp {
            "the network's own DHCP server leases"
        } else {
            "leases from here"
        };
        Ok(Connection {
            description: format!("tap {name}, {server}"),
            outside: Box::new(tap),
            external: Some(ExternalConfig {
                transmit_queue: TRANSMIT_QUEUE,
                dhcp: (!self.no_dhcp).then_some(dhcp),
            }),
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn tap(&self, name: &str, _poll: &Poll) -> anyhow::Result<Connection> {
        anyhow::bail!("--tap {name}: TAP devices are there on Linux only")
    }
}

/// What the board is connected with.
struct Connection {
    description: String,
    outside: Box<dyn Outside>,
    /// The port in place of the emulated host, if it takes one.
    external: Option<ExternalConfig>,
}

/// The servers of the firmware, each from its own port or, where that is privileged, from one that is not.
fn default_forwards(ports: Ports) -> Vec<Forward> {
    let servers = std::iter::once(ports.echo).chain(ports.telemetry);
    let forward = |board| Forward {
        host: if board < FIRST_UNPRIVILEGED {
            INSTEAD_OF_LOW_PORTS + board
        } else {
            board
        },
        board,
    };
    servers.map(forward).collect()
}

fn say(line: &str) -> anyhow::Result<()> {
    output::print(&format!("{line}\n"))
}

/// How the board's time followed the wall clock.
fn time(board: &Board, lateness: Lateness) -> String {
    let virtual_s = virtual_time(board).as_secs_f64();
    let worst_ms = lateness.worst.as_secs_f64() * 1e3;
    let mut text =
        format!("{virtual_s:.3} s of the board, at worst {worst_ms:.1} ms behind real time");
    if lateness.standstills > 0 {
        let (times, total) = (lateness.standstills, lateness.stood_still.as_secs_f64());
        text += &format!("; it stood still {times} times, for {total:.3} s in all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_firmwares_servers_are_forwarded_from_ports_that_anybody_may_bind() {
        let ports = Ports {
            echo: 7,
            telemetry: Some(5_001),
        };
        let forward = |host, board| Forward { host, board };
        assert_eq!(
            default_forwards(ports),
            [forward(7_007, 7), forward(5_001, 5_001)]
        );
        let ports = Ports {
            telemetry: None,
            ..ports
        };
        assert_eq!(default_forwards(ports), [forward(7_007, 7)]);
    }
}
