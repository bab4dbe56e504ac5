//! The emulated NUCLEO-H723ZG as a device under test.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use anyhow::anyhow;
use bench::{Endpoint, Nanos, SendOutcome};
use board::cost::CostTable;
use board::net::host::UdpHandle;
use board::time::Instant;
use board::{Board, BoardConfig, RunError};

use super::{Arrival, EchoTarget};

/// The host's end of every conversation.
const HOST_PORT: u16 = 50_000;

/// A board at power-on with a socket of its host.
pub struct EmulatedBoard {
    board: Board,
    socket: UdpHandle,
}

impl EmulatedBoard {
    /// Puts the firmware of an ELF file on a board.
    ///
    /// # Errors
    /// When the file is no firmware for this part.
    pub fn new(elf: &[u8], config: BoardConfig) -> anyhow::Result<Self> {
        let mut board = Board::new(config, elf)?;
        let socket = board.host().bind_udp(HOST_PORT)?;
        Ok(Self { board, socket })
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
        match self.board.run_until(Instant::from_ns(instant.0)) {
            Ok(_) => Ok(()),
            Err(error) => Err(anyhow!(describe(&error))),
        }
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

    fn link_up(&mut self) -> bool {
        self.board.link_up()
    }

    fn lease(&mut self) -> Option<Ipv4Addr> {
        self.board.lease()
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

/// The named fields of a cost table and their figures; a field that is left out does not compile.
macro_rules! figures {
    ($table:expr, $($name:ident)*) => {{
        let CostTable { version: _, $($name),* } = *$table;
        BTreeMap::from([$((stringify!($name).to_owned(), u64::from($name))),*])
    }};
}

/// The figures of a cost table by name.
pub fn cost_figures(table: &CostTable) -> BTreeMap<String, u64> {
    figures!(table,
        simple multiply multiply_long divide
        load store transfer
        branch branch_taken
        system private_bus
        float float_divide
        exception_entry exception_return tail_chain float_context wake_up
        flash_fetch_hclk sram_fetch_hclk
        flash_load_hclk sram_load_hclk sram_store_hclk
        peripheral_load_hclk apb_load_pclk peripheral_store_hclk
    )
}
