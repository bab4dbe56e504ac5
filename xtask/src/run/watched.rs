//! The emulated board with its log printed as it comes and its counters noted on the way.

use std::net::Ipv4Addr;

use bench::{DisturbOutcome, Disturbance, Endpoint, Nanos, SendOutcome};
use board::{BoardStats, LogLine};

use crate::adapter::emulated::EmulatedBoard;
use crate::adapter::{Arrival, EchoTarget};
use crate::results::{LinkMode, SpiTraffic};
use crate::trial::Ports;

/// Takes one line of the firmware's log.
pub type Say<'a> = dyn FnMut(&str) -> anyhow::Result<()> + 'a;

/// What the board had counted at the ends of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// At the first datagram to the echo server.
    pub first_send: Option<BoardStats>,
    pub first_send_spi: SpiTotals,
    /// At the last datagram from it.
    pub last_echo: Option<BoardStats>,
    pub last_echo_spi: SpiTotals,
    /// At the first and the last reply of the telemetry server.
    pub first_telemetry: Option<BoardStats>,
    pub last_telemetry: Option<BoardStats>,
}

/// What the W5500 was asked for since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpiTotals {
    pub transactions: u64,
    /// Headers included.
    pub bytes: u64,
}

/// A board and whoever reads its log.
pub struct Watched<'a> {
    target: EmulatedBoard,
    ports: Ports,
    say: &'a mut Say<'a>,
    said: usize,
    marks: Marks,
}

impl<'a> Watched<'a> {
    pub fn new(target: EmulatedBoard, ports: Ports, say: &'a mut Say<'a>) -> Self {
        Self {
            target,
            ports,
            say,
            said: 0,
            marks: Marks::default(),
        }
    }

    /// The watched board.
    pub fn board(&mut self) -> &mut board::Board {
        self.target.board()
    }

    /// Takes the marks since the last call.
    pub fn take_marks(&mut self) -> Marks {
        std::mem::take(&mut self.marks)
    }

    fn spi_totals(&mut self) -> SpiTotals {
        let entries = self.target.board().w5500().traffic().entries();
        entries.fold(SpiTotals::default(), |sum, entry| SpiTotals {
            transactions: sum.transactions + entry.transactions,
            bytes: sum.bytes + entry.bytes,
        })
    }

    fn say_what_is_new(&mut self) -> anyhow::Result<()> {
        let lines = self.target.board().log().lines();
        for line in &lines[self.said..] {
            (self.say)(&stamped(line))?;
        }
        self.said = lines.len();
        Ok(())
    }
}

/// A line of the log behind the virtual time at which the debug probe read it.
pub fn stamped(line: &LogLine) -> String {
    let us = line.at.as_ns() / 1_000;
    let level = line.level.unwrap_or_default().to_uppercase();
    let (s, us) = (us / 1_000_000, us % 1_000_000);
    format!("{s:>4}.{us:06} {level:5} {}", line.message)
}

impl EchoTarget for Watched<'_> {
    fn now(&self) -> Nanos {
        self.target.now()
    }

    fn run_until(&mut self, instant: Nanos) -> anyhow::Result<()> {
        let outcome = self.target.run_until(instant);
        self.say_what_is_new()?;
        outcome
    }

    fn send(&mut self, to: Endpoint, payload: &[u8]) -> SendOutcome {
        if to.port() == self.ports.echo && self.marks.first_send.is_none() {
            self.marks.first_send = Some(self.target.board().stats());
            self.marks.first_send_spi = self.spi_totals();
        }
        self.target.send(to, payload)
    }

    fn receive(&mut self) -> Option<Arrival> {
        let arrival = self.target.receive()?;
        let stats = self.target.board().stats();
        if arrival.from.port() == self.ports.echo {
            self.marks.last_echo = Some(stats);
            self.marks.last_echo_spi = self.spi_totals();
        } else if Some(arrival.from.port()) == self.ports.telemetry {
            self.marks.first_telemetry.get_or_insert(stats);
            self.marks.last_telemetry = Some(stats);
        }
        Some(arrival)
    }

    fn link_mode(&self) -> Option<LinkMode> {
        self.target.link_mode()
    }

    fn lease(&mut self) -> Option<Ipv4Addr> {
        self.target.lease()
    }

    fn disturb(&mut self, disturbance: Disturbance) -> DisturbOutcome {
        self.target.disturb(disturbance)
    }

    fn spi_traffic(&self) -> Option<SpiTraffic> {
        self.target.spi_traffic()
    }
}

#[cfg(test)]
mod tests {
    use board::time::Instant;

    use super::*;

    #[test]
    fn a_line_of_the_log_is_behind_its_virtual_time() {
        let line = LogLine {
            at: Instant::from_ns(12_003_456_789),
            timestamp: Some("not shown".into()),
            level: Some("info"),
            message: "link up".into(),
        };
        assert_eq!(stamped(&line), "  12.003456 INFO  link up");
    }
}
