//! TCP from outside to a port of the board and back, over connections of the emulated host.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, SocketAddrV4};
use std::time::{Duration, Instant};

use anyhow::Context;
use board::net::host::{Host, TcpHandle, TcpState};
use mio::net::{TcpListener, TcpStream};
use mio::{Interest, Registry};

use super::forward::Forward;
use super::outside::WAKE;

/// The most connections of one forward; further ones wait until the system refuses them.
pub const MAX_CONNECTIONS: usize = 64;
/// How long a connection lasts on which nothing moves.
pub const CONNECTION_IDLE: Duration = Duration::from_secs(900);
/// Bytes that are moved at once.
const CHUNK: usize = 16 * 1024;

/// What passed a forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpCounters {
    /// Connections that were accepted outside.
    pub accepted: u64,
    /// Those of them that the board refused or did not answer.
    pub refused: u64,
    /// Those that were broken off because nothing moved for [`CONNECTION_IDLE`].
    pub idle: u64,
    pub bytes_to_board: u64,
    pub bytes_to_clients: u64,
}

/// One forward.
pub struct TcpForward {
    listener: TcpListener,
    board_port: u16,
    connections: Vec<Connection>,
    counters: TcpCounters,
}

/// A client and the connection to the board that stands for it.
struct Connection {
    /// Gone once both directions have ended or one of the ends broke off.
    client: Option<TcpStream>,
    board: TcpHandle,
    to_board: Vec<u8>,
    to_client: Vec<u8>,
    /// The client sends no more, and the board has been told.
    client_ended: bool,
    board_told: bool,
    /// The board sends no more, and the client has been told.
    client_told: bool,
    established: bool,
    last_moved: Instant,
}

impl TcpForward {
    /// Binds the port outside.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn bind(listen: IpAddr, forward: Forward) -> anyhow::Result<Self> {
        let address = SocketAddr::new(listen, forward.host);
        let listener = TcpListener::bind(address);
        Ok(Self {
            listener: listener.with_context(|| format!("cannot bind TCP {address}"))?,
            board_port: forward.board,
            connections: Vec::new(),
            counters: TcpCounters::default(),
        })
    }

    /// The socket outside, to be waited for.
    pub fn listener(&mut self) -> &mut TcpListener {
        &mut self.listener
    }

    /// The address outside.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    pub fn board_port(&self) -> u16 {
        self.board_port
    }

    pub fn counters(&self) -> TcpCounters {
        self.counters
    }

    /// Accepts clients and moves what is ready both ways; gives whether anything moved or waits.
    ///
    /// # Errors
    /// When clients cannot be accepted or waited for.
    pub fn exchange(
        &mut self,
        host: &mut Host,
        device: Ipv4Addr,
        registry: &Registry,
        now: Instant,
    ) -> anyhow::Result<bool> {
        self.give_up_ended(host);
        let mut active = self.accept(host, device, registry, now)?;
        for connection in &mut self.connections {
            active |= connection.pump(host, &mut self.counters, now);
        }
        Ok(active)
    }

    /// Forgets connections that ended in an earlier exchange, so that the host has sent all that ends
    /// them at the board.
    fn give_up_ended(&mut self, host: &mut Host) {
        let is_over =
            |c: &Connection| c.client.is_none() && host.tcp_state(c.board) == TcpState::Closed;
        let (over, alive) = self.connections.drain(..).partition(is_over);
        self.connections = alive;
        let over: Vec<Connection> = over;
        for connection in over {
            self.counters.refused += u64::from(!connection.established);
            host.tcp_give_up(connection.board);
        }
    }

    fn accept(
        &mut self,
        host: &mut Host,
        device: Ipv4Addr,
        registry: &Registry,
        now: Instant,
    ) -> anyhow::Result<bool> {
        let mut active = false;
        while self.connections.len() < MAX_CONNECTIONS {
            let mut client = match self.listener.accept() {
                Ok((client, _)) => client,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => break,
                    // A client that is gone already.
                    ErrorKind::ConnectionAborted | ErrorKind::Interrupted => continue,
                    _ => return Err(error).context("cannot accept TCP connections"),
                },
            };
            let waited = registry.register(&mut client, WAKE, Interest::READABLE);
            waited.context("cannot wait for TCP clients")?;
            let board = host.tcp_connect(SocketAddrV4::new(device, self.board_port))?;
            self.counters.accepted += 1;
            self.connections.push(Connection::new(client, board, now));
            active = true;
        }
        Ok(active)
    }
}

impl Connection {
    fn new(client: TcpStream, board: TcpHandle, now: Instant) -> Self {
        Self {
            client: Some(client),
            board,
            to_board: Vec::new(),
            to_client: Vec::new(),
            client_ended: false,
            board_told: false,
            client_told: false,
            established: false,
            last_moved: now,
        }
    }

    /// Moves bytes and ends of stream both ways.
    fn pump(&mut self, host: &mut Host, counters: &mut TcpCounters, now: Instant) -> bool {
        let Some(mut client) = self.client.take() else {
            return false;
        };
        let state = host.tcp_state(self.board);
        self.established |= !matches!(state, TcpState::SynSent | TcpState::Closed);
        let moved = self
            .pump_in(&mut client, host, counters)
            .and_then(|inward| Ok(inward | self.pump_out(&mut client, host, counters)?));
        if let Ok(true) = moved {
            self.last_moved = now;
        }
        let idle = now.duration_since(self.last_moved) > CONNECTION_IDLE;
        counters.idle += u64::from(idle);
        let both_ended = self.board_told && self.client_told;
        // A client that broke off is broken off at the board too.
        if moved.is_err() || idle {
            host.tcp_abort(self.board);
        } else if !both_ended && (state != TcpState::Closed || !self.to_client.is_empty()) {
            self.client = Some(client);
        }
        moved.unwrap_or(true)
    }

    fn pump_in(
        &mut self,
        client: &mut TcpStream,
        host: &mut Host,
        counters: &mut TcpCounters,
    ) -> io::Result<bool> {
        let mut moved = false;
        loop {
            if self.to_board.is_empty() && !self.client_ended {
                self.to_board = vec![0; CHUNK];
                let read = client.read(&mut self.to_board);
                self.to_board.truncate(*read.as_ref().unwrap_or(&0));
                match read {
                    Ok(len) => self.client_ended = len == 0,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(moved),
                    Err(error) => return Err(error),
                }
                moved = true;
            }
            if self.to_board.is_empty() {
                break;
            }
            let taken = host.tcp_send(self.board, &self.to_board);
            self.to_board.drain(..taken);
            counters.bytes_to_board += taken as u64;
            if taken == 0 {
                return Ok(moved);
            }
            moved = true;
        }
        let is_open = matches!(
            host.tcp_state(self.board),
            TcpState::Established | TcpState::CloseWait
        );
        if self.client_ended && !self.board_told && is_open {
            host.tcp_close(self.board);
            self.board_told = true;
            moved = true;
        }
        Ok(moved)
    }

    fn pump_out(
        &mut self,
        client: &mut TcpStream,
        host: &mut Host,
        counters: &mut TcpCounters,
    ) -> io::Result<bool> {
        let mut moved = false;
        loop {
            if self.to_client.is_empty() {
                self.to_client = host.tcp_recv(self.board, CHUNK);
            }
            if self.to_client.is_empty() {
                break;
            }
            match client.write(&self.to_client) {
                Ok(len) => {
                    self.to_client.drain(..len);
                    counters.bytes_to_clients += len as u64;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(true),
                Err(error) => return Err(error),
            }
            moved = true;
        }
        let board_sends_no_more = !matches!(
            host.tcp_state(self.board),
            TcpState::SynSent
                | TcpState::SynReceived
                | TcpState::Established
                | TcpState::FinWait1
                | TcpState::FinWait2
        );
        if board_sends_no_more && !self.client_told {
            client.shutdown(Shutdown::Write)?;
            self.client_told = true;
            moved = true;
        }
        Ok(moved)
    }
}

#[cfg(test)]
mod tests;
