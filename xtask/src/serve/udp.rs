//! UDP from outside to a port of the board and back: each client has a port of its own on the emulated
//! host, so that the board sees clients apart and each gets its own replies.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time::{Duration, Instant};

use anyhow::Context;
use board::net::host::{Host, SendError, UdpHandle};
use mio::net::UdpSocket;
use socket2::SockRef;

use super::forward::Forward;

/// The most clients of one forward; the one that was idle longest gives way to one more.
pub const MAX_CLIENTS: usize = 64;
/// How long a client is remembered that neither sends nor receives.
pub const CLIENT_IDLE: Duration = Duration::from_secs(60);
/// Bytes of a socket's receive buffer that the system is asked for.
const RECEIVE_BUFFER: usize = 4 << 20;
/// The longest datagram that a socket can receive.
const LONGEST_DATAGRAM: usize = 65_536;

/// What passed a forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UdpCounters {
    /// Datagrams from clients that were sent to the board.
    pub to_board: u64,
    /// Datagrams from clients that do not fit into one frame.
    pub too_long: u64,
    /// Datagrams from the board that were sent to their clients.
    pub to_clients: u64,
    /// Datagrams from the board that the system did not take.
    pub refused: u64,
    /// Datagrams to a client's port that were not from the board's.
    pub foreign: u64,
    /// Clients that were ever remembered, and those forgotten again.
    pub clients: u64,
    pub forgotten: u64,
}

/// One forward.
pub struct UdpForward {
    socket: UdpSocket,
    board_port: u16,
    clients: Vec<Client>,
    /// A datagram that waits for room in the emulated host's transmit queue.
    waiting: Option<(SocketAddr, Vec<u8>)>,
    buffer: Vec<u8>,
    counters: UdpCounters,
}

struct Client {
    address: SocketAddr,
    socket: UdpHandle,
    last_used: Instant,
}

impl UdpForward {
    /// Binds the port outside.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn bind(listen: std::net::IpAddr, forward: Forward) -> anyhow::Result<Self> {
        let address = SocketAddr::new(listen, forward.host);
        let socket = bind(address).with_context(|| format!("cannot bind UDP {address}"))?;
        Ok(Self {
            socket,
            board_port: forward.board,
            clients: Vec::new(),
            waiting: None,
            buffer: vec![0; LONGEST_DATAGRAM],
            counters: UdpCounters::default(),
        })
    }

    /// The socket outside, to be waited for.
    pub fn socket(&mut self) -> &mut UdpSocket {
        &mut self.socket
    }

    /// The address outside.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    pub fn board_port(&self) -> u16 {
        self.board_port
    }

    pub fn counters(&self) -> UdpCounters {
        self.counters
    }

    /// Moves what is ready both ways, as far as there is room; gives whether anything moved or waits.
    ///
    /// `ports` gives ports of the emulated host that are free.
    ///
    /// # Errors
    /// When the socket outside is broken.
    pub fn exchange(
        &mut self,
        host: &mut Host,
        device: Ipv4Addr,
        ports: &mut impl Iterator<Item = u16>,
        now: Instant,
    ) -> anyhow::Result<bool> {
        let replied = self.move_out(host, device, now);
        let asked = self.move_in(host, device, ports, now)?;
        self.forget_idle(host, now);
        Ok(replied || asked)
    }

    fn move_in(
        &mut self,
        host: &mut Host,
        device: Ipv4Addr,
        ports: &mut impl Iterator<Item = u16>,
        now: Instant,
    ) -> anyhow::Result<bool> {
        let mut active = false;
        loop {
            let Some((from, payload)) = self.next_from_outside()? else {
                return Ok(active);
            };
            active = true;
            let socket = self.client(host, from, ports, now);
            let to = SocketAddrV4::new(device, self.board_port);
            match host.send_udp(socket, to, &payload) {
                Ok(()) => self.counters.to_board += 1,
                Err(SendError::QueueFull) => {
                    self.waiting = Some((from, payload));
                    return Ok(active);
                }
                Err(SendError::TooLong(_)) => self.counters.too_long += 1,
                Err(error @ SendError::Unreachable(_)) => return Err(error.into()),
            }
        }
    }

    fn next_from_outside(&mut self) -> anyhow::Result<Option<(SocketAddr, Vec<u8>)>> {
        if let Some(waiting) = self.waiting.take() {
            return Ok(Some(waiting));
        }
        loop {
            match self.socket.recv_from(&mut self.buffer) {
                Ok((len, from)) => return Ok(Some((from, self.buffer[..len].to_vec()))),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return Ok(None),
                    // A client that is gone; some systems tell it here.
                    ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused => {}
                    _ => return Err(error).context("cannot receive UDP datagrams"),
                },
            }
        }
    }

    /// The emulated host's socket that stands for a client.
    fn client(
        &mut self,
        host: &mut Host,
        address: SocketAddr,
        ports: &mut impl Iterator<Item = u16>,
        now: Instant,
    ) -> UdpHandle {
        if let Some(client) = self.clients.iter_mut().find(|c| c.address == address) {
            client.last_used = now;
            return client.socket;
        }
        if self.clients.len() >= MAX_CLIENTS {
            let oldest = (0..self.clients.len()).min_by_key(|&n| self.clients[n].last_used);
            if let Some(oldest) = oldest {
                self.forget(host, oldest);
            }
        }
        let socket = ports.find_map(|port| host.bind_udp(port).ok());
        let socket = socket.expect("fewer clients than ports");
        self.counters.clients += 1;
        self.clients.push(Client {
            address,
            socket,
            last_used: now,
        });
        socket
    }

    fn move_out(&mut self, host: &mut Host, device: Ipv4Addr, now: Instant) -> bool {
        let board = SocketAddrV4::new(device, self.board_port);
        let before = self.counters;
        for client in &mut self.clients {
            while let Some(datagram) = host.recv_udp(client.socket) {
                client.last_used = now;
                if datagram.from != board {
                    self.counters.foreign += 1;
                    continue;
                }
                match self.socket.send_to(&datagram.payload, client.address) {
                    Ok(_) => self.counters.to_clients += 1,
                    Err(_) => self.counters.refused += 1,
                }
            }
        }
        self.counters != before
    }

    fn forget_idle(&mut self, host: &mut Host, now: Instant) {
        while let Some(idle) = self
            .clients
            .iter()
            .position(|client| now.duration_since(client.last_used) > CLIENT_IDLE)
        {
            self.forget(host, idle);
        }
    }

    fn forget(&mut self, host: &mut Host, index: usize) {
        host.unbind_udp(self.clients.remove(index).socket);
        self.counters.forgotten += 1;
    }
}

/// A socket with as much room for bursts as the system grants.
fn bind(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(address)?;
    SockRef::from(&socket).set_recv_buffer_size(RECEIVE_BUFFER)?;
    Ok(socket)
}

#[cfg(test)]
mod tests;
