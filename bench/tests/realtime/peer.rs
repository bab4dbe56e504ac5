//! The other end: an echo server that does to each datagram what a script says.

use std::net::{Ipv4Addr, UdpSocket};
use std::thread::{self, JoinHandle};

use bench::Endpoint;
use bench::realtime::StopSignal;
use std::time::Duration;

/// How long the peer waits before it looks whether it is to stop.
const PATIENCE: Duration = Duration::from_millis(20);

/// A server on a thread of its own.
pub struct Peer {
    endpoint: Endpoint,
    stop: StopSignal,
    thread: Option<JoinHandle<()>>,
}

/// The sockets a peer answers from.
pub struct Sockets {
    /// The one it listens on.
    pub echo: UdpSocket,
    /// Another, with another port.
    pub stranger: UdpSocket,
}

impl Peer {
    /// A peer that gives every datagram to `react` with its number from 0, the sender and the
    /// payload.
    pub fn start(
        mut react: impl FnMut(&Sockets, u64, std::net::SocketAddr, &[u8]) + Send + 'static,
    ) -> Self {
        let bind = || UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let sockets = Sockets {
            echo: bind(),
            stranger: bind(),
        };
        sockets.echo.set_read_timeout(Some(PATIENCE)).unwrap();
        let endpoint = endpoint_of(&sockets.echo);
        let stop = StopSignal::new();
        let asked = stop.clone();
        let thread = thread::spawn(move || {
            let (mut number, mut room) = (0, [0; 2048]);
            while !asked.requested() {
                if let Ok((bytes, from)) = sockets.echo.recv_from(&mut room) {
                    react(&sockets, number, from, &room[..bytes]);
                    number += 1;
                }
            }
        });
        Self {
            endpoint,
            stop,
            thread: Some(thread),
        }
    }

    /// A peer that answers datagram `number` as often as `copies` says.
    pub fn answering(mut copies: impl FnMut(u64) -> u64 + Send + 'static) -> Self {
        Self::start(move |sockets, number, from, payload| {
            for _ in 0..copies(number) {
                sockets.echo.send_to(payload, from).unwrap();
            }
        })
    }

    /// Where the peer listens.
    pub fn endpoint(&self) -> Endpoint {
        self.endpoint
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop.request();
        let ended = self.thread.take().unwrap().join();
        if !thread::panicking() {
            ended.unwrap();
        }
    }
}

fn endpoint_of(socket: &UdpSocket) -> Endpoint {
    socket.local_addr().unwrap().to_string().parse().unwrap()
}

/// A port on which nobody listens.
pub fn closed_port() -> Endpoint {
    endpoint_of(&UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap())
}
