//! What the far end of the board's cable is connected with.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant;

use anyhow::Context;
use board::Board;
use mio::{Interest, Registry, Token};

use super::tcp::TcpForward;
use super::udp::UdpForward;

/// Everything that is waited for wakes the same loop, which then looks at all of it.
pub const WAKE: Token = Token(0);

/// The first port that the emulated host uses for a client (RFC 6335 §6: dynamic ports).
const FIRST_CLIENT_PORT: u16 = 49_152;

/// The world beyond the emulation.
pub trait Outside {
    /// Moves what is ready between the board's far end and outside, both ways; gives whether anything
    /// moved or waits to be moved.
    ///
    /// # Errors
    /// When the outside is broken.
    fn exchange(&mut self, board: &mut Board, now: Instant) -> anyhow::Result<bool>;

    /// What passed so far, a line with its subject each.
    fn summary(&mut self, board: &mut Board) -> Vec<(String, String)>;
}

/// Ports outside that lead to ports of the board over sockets of the emulated host.
pub struct Forwards {
    udp: Vec<UdpForward>,
    tcp: Vec<TcpForward>,
    ports: ClientPorts,
    registry: Registry,
}

impl Forwards {
    /// Has the sockets of the forwards wake whoever polls `registry`.
    ///
    /// # Errors
    /// When the system cannot wait for them.
    pub fn new(
        mut udp: Vec<UdpForward>,
        mut tcp: Vec<TcpForward>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let mut register = || {
            for forward in &mut udp {
                registry.register(forward.socket(), WAKE, Interest::READABLE)?;
            }
            for forward in &mut tcp {
                registry.register(forward.listener(), WAKE, Interest::READABLE)?;
            }
            registry.try_clone()
        };
        let registry = register().context("cannot wait for sockets")?;
        Ok(Self {
            udp,
            tcp,
            ports: ClientPorts::default(),
            registry,
        })
    }

    /// What is bound, a line each.
    ///
    /// # Errors
    /// When the system does not know.
    pub fn bound(&self) -> anyhow::Result<String> {
        let line = |name: &str, address: SocketAddr, port| {
            format!("{name} {address} -> board port {port}")
        };
        let mut lines = Vec::new();
        for forward in &self.udp {
            lines.push(line("udp", forward.local_address()?, forward.board_port()));
        }
        for forward in &self.tcp {
            lines.push(line("tcp", forward.local_address()?, forward.board_port()));
        }
        Ok(lines.join("\n"))
    }

    fn exchange_with(
        &mut self,
        board: &mut Board,
        device: Ipv4Addr,
        now: Instant,
    ) -> anyhow::Result<bool> {
        let host = board.host();
        let mut active = false;
        for forward in &mut self.udp {
            active |= forward.exchange(host, device, &mut self.ports, now)?;
        }
        for forward in &mut self.tcp {
            active |= forward.exchange(host, device, &self.registry, now)?;
        }
        Ok(active)
    }
}

impl Outside for Forwards {
    /// Until the board has an address, what clients send waits in the sockets outside.
    fn exchange(&mut self, board: &mut Board, now: Instant) -> anyhow::Result<bool> {
        match board.lease() {
            Some(device) => self.exchange_with(board, device, now),
            None => Ok(false),
        }
    }

    fn summary(&mut self, _board: &mut Board) -> Vec<(String, String)> {
        let udp = self.udp.iter().map(|forward| {
            let c = forward.counters();
            let mut text = format!(
                "{} datagrams to the board, {} back, from {} clients",
                c.to_board, c.to_clients, c.clients
            );
            for (count, what) in [
                (c.too_long, "too long for one frame"),
                (c.refused, "not taken by the system"),
                (c.foreign, "from another port of the board"),
            ] {
                if count > 0 {
                    text += &format!("; {count} {what}");
                }
            }
            (format!("udp port {}", forward.board_port()), text)
        });
        let tcp = self.tcp.iter().map(|forward| {
            let c = forward.counters();
            let text = format!(
                "{} B to the board, {} B back, in {} connections, {} of them refused, {} idle",
                c.bytes_to_board, c.bytes_to_clients, c.accepted, c.refused, c.idle
            );
            (format!("tcp port {}", forward.board_port()), text)
        });
        udp.chain(tcp).collect()
    }
}

/// Ports for clients, each as long unused as can be.
#[derive(Debug)]
pub struct ClientPorts(u16);

impl Default for ClientPorts {
    fn default() -> Self {
        Self(FIRST_CLIENT_PORT)
    }
}

impl Iterator for ClientPorts {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let port = self.0;
        self.0 = port.checked_add(1).unwrap_or(FIRST_CLIENT_PORT);
        Some(port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dynamic_port_comes_once_before_the_first_comes_again() {
        let ports: Vec<u16> = ClientPorts::default().take(16_385).collect();
        assert_eq!(
            (ports[0], ports[16_383], ports[16_384]),
            (49_152, 65_535, 49_152)
        );
        assert!(ports[..16_384].is_sorted());
    }
}
