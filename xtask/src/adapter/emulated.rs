//! The emulated NUCLEO-H723ZG as a device under test.

use std::net::Ipv4Addr;

use anyhow::anyhow;
use bench::{DisturbOutcome, Disturbance, Endpoint, Nanos, SendOutcome};
use board::chips::w5500::TrafficEntry;
use board::net::host::UdpHandle;
use board::time::Instant;
use board::{Board, BoardConfig, NetworkDevice, RunError};

use super::{Arrival, EchoTarget};
use crate::results::{LinkMode, SpiTraffic, TrafficRow};

/// The host's end of every conversation.
const HOST_PORT: u16 = 50_000;

/// How long the link is lost when the device is to ask for another address: longer than any
/// firmware here waits between two looks at its link.
const DHCP_LINK_LOSS: Nanos = Nanos::from_secs(2);

/// A board at power-on with a socket of its host.
pub struct EmulatedBoard {
    board: Board,
    socket: UdpHandle,
    jack: NetworkDevice,
    /// When the cable that was pulled is plugged in again.
    replug_at: Option<Nanos>,
}

impl EmulatedBoard {
    /// Puts the firmware of an ELF file on a board.
    ///
    /// # Errors
    /// When the file is no firmware for this part.
    pub fn new(elf: &[u8], config: BoardConfig) -> anyhow::Result<Self> {
        let jack = config.jack;
        let mut board = Board::new(config, elf)?;
        let socket = board.host().bind_udp(HOST_PORT)?;
        Ok(Self {
            board,
            socket,
            jack,
            replug_at: None,
        })
    }

    /// Pulls the cable and plugs it in again after `span`.
    fn pull_cable(&mut self, span: Nanos) {
        self.board.set_cable(false);
        self.replug_at = Some(self.now() + span);
    }

    /// The board itself, for those who want to look closer.
    pub fn board(&mut self) -> &mut Board {
        &mut self.board
    }
}

impl EchoTarget for EmulatedBoard {
    fn now(&self) -> Nanos {
        nanos(self.board.now())
    }

    fn run_until(&mut self, instant: Nanos) -> anyhow::Result<()> {
        let until = self.replug_at.map_or(instant, |at| at.min(instant));
        if let Err(error) = self.board.run_until(Instant::from_ns(until.0)) {
            return Err(anyhow!(describe(&error)));
        }
        if self.replug_at.is_some_and(|at| at <= self.now()) {
            self.board.set_cable(true);
            self.replug_at = None;
        }
        Ok(())
    }

    fn send(&mut self, to: Endpoint, payload: &[u8]) -> SendOutcome {
        match self.board.host().send_udp(self.socket, to, payload) {
            Ok(()) => SendOutcome::Sent,
            Err(_) => SendOutcome::Failed,
        }
    }

    fn receive(&mut self) -> Option<Arrival> {
        let datagram = self.board.host().recv_udp(self.socket)?;
        Some(Arrival {
            at: nanos(datagram.at),
            from: datagram.from,
            payload: datagram.payload,
        })
    }

    fn link_mode(&self) -> Option<LinkMode> {
        self.board.link_mode().map(LinkMode::from)
    }

    fn lease(&mut self) -> Option<Ipv4Addr> {
        self.board.lease()
    }

    fn disturb(&mut self, disturbance: Disturbance) -> DisturbOutcome {
        match disturbance {
            Disturbance::Reset => self.board.reset(),
            Disturbance::LinkLoss(span) => self.pull_cable(span),
            Disturbance::DhcpChange => {
                self.board.host().move_dhcp_pool();
                self.pull_cable(DHCP_LINK_LOSS);
            }
            Disturbance::Manual => return DisturbOutcome::Refused,
        }
        DisturbOutcome::Begun
    }

    fn spi_traffic(&self) -> Option<SpiTraffic> {
        match self.jack {
            NetworkDevice::Stm32Mac => None,
            NetworkDevice::W5500 => Some(SpiTraffic {
                sck_hz: self.board.sck_hz(),
                rows: self.board.w5500().traffic().entries().map(row).collect(),
            }),
        }
    }
}

fn row(entry: TrafficEntry) -> TrafficRow {
    TrafficRow {
        block: entry.block.to_string(),
        register: entry.register.map(str::to_owned),
        write: entry.write,
        transactions: entry.transactions,
        bytes: entry.bytes,
    }
}

/// Whole nanoseconds, rounded down.
fn nanos(instant: Instant) -> Nanos {
    Nanos(instant.as_ns())
}

/// The error, and the last thing the firmware said.
fn describe(error: &RunError) -> String {
    match error.log.last() {
        Some(line) => format!("{error}; the firmware's last words: {}", line.message),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
