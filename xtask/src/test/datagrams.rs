//! Whether an echo server keeps datagrams apart, and what it does with an empty one.
//!
//! Datagrams of two senders that arrive within one interrupt are the W5500's own trap: its socket
//! buffer holds them behind one another, and a reader that takes all bytes for one datagram answers
//! the first sender with both, or nobody (Adafruit_CircuitPython_Wiznet5k issue 61).

use std::path::Path;

use anyhow::{Context, ensure};
use bench::{EmptyDatagrams, Endpoint, Nanos};
use board::BoardConfig;
use board::net::host::UdpHandle;

use crate::adapter::EchoTarget;
use crate::adapter::emulated::EmulatedBoard;
use crate::metadata::{Study, Variant};
use crate::trial::boot;
use crate::{files, output};

const SENDER_PORTS: [u16; 2] = [40_001, 40_002];
const PAIRS: u8 = 20;
/// Longer than any echo takes.
const ANSWERED_WITHIN: Nanos = Nanos::from_millis(20);

/// Two sockets of the board's host, and the echo server they talk to.
struct Senders {
    target: EmulatedBoard,
    echo: Endpoint,
    sockets: [UdpHandle; 2],
}

/// Runs an image through pairs of datagrams and an empty one, and checks who gets what back.
///
/// # Errors
/// An echo that is not its sender's own, or an empty datagram that is not treated as the variant's
/// metadata says.
pub fn check(study: &Study, variant: &Variant, elf: &Path) -> anyhow::Result<()> {
    let mut senders = Senders::boot(study, variant, elf)?;
    for round in 0..PAIRS {
        let payloads = [[round; 5], [round ^ 0xff; 5]];
        let echoes = senders.exchange([&payloads[0], &payloads[1]])?;
        ensure!(
            echoes == payloads.map(|payload| vec![payload.to_vec()]),
            "two senders of {payloads:?} got {echoes:?}"
        );
    }
    let warned_before = senders.warnings();
    let echoes = senders.exchange([b"", b"after"])?;
    let warnings = senders.warnings() - warned_before;
    let (of_empty, expected_warnings) = match variant.empty_datagrams {
        EmptyDatagrams::Echoed => (vec![vec![]], 0),
        EmptyDatagrams::Dropped => (vec![], 1),
    };
    ensure!(
        echoes == [of_empty, vec![b"after".to_vec()]] && warnings == expected_warnings,
        "an empty datagram and one after it got {echoes:?} and {warnings} warnings in the log"
    );
    output::note(&format!(
        "{}: {PAIRS} pairs to their senders, an empty datagram {:?}",
        variant.id, variant.empty_datagrams
    ));
    Ok(())
}

impl Senders {
    fn boot(study: &Study, variant: &Variant, elf: &Path) -> anyhow::Result<Self> {
        let elf = files::read(elf)?;
        let config = BoardConfig {
            jack: variant.network_device,
            ..BoardConfig::default()
        };
        let mut target = EmulatedBoard::new(&elf, config)?;
        let ready = boot(&mut target, study.echo_port, |_| true)?;
        let echo = ready.context("the boot was stopped")?.echo;
        let host = target.board().host();
        let sockets = [
            host.bind_udp(SENDER_PORTS[0])?,
            host.bind_udp(SENDER_PORTS[1])?,
        ];
        Ok(Self {
            target,
            echo,
            sockets,
        })
    }

    /// Sends a datagram from each socket at the same instant; gives what each got back.
    fn exchange(&mut self, payloads: [&[u8]; 2]) -> anyhow::Result<[Vec<Vec<u8>>; 2]> {
        for (socket, payload) in self.sockets.into_iter().zip(payloads) {
            let host = self.target.board().host();
            host.send_udp(socket, self.echo, payload)?;
        }
        let end = self.target.now() + ANSWERED_WITHIN;
        while self.target.now() < end {
            self.target.run_until(end)?;
        }
        Ok(self.sockets.map(|socket| self.received(socket)))
    }

    fn received(&mut self, socket: UdpHandle) -> Vec<Vec<u8>> {
        let host = self.target.board().host();
        let arrivals = std::iter::from_fn(|| host.recv_udp(socket));
        let from_echo = arrivals.filter(|datagram| datagram.from == self.echo);
        from_echo.map(|datagram| datagram.payload).collect()
    }

    fn warnings(&mut self) -> usize {
        let lines = self.target.board().log().lines().iter();
        lines.filter(|line| line.level == Some("warn")).count()
    }
}
