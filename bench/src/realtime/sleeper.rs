//! Sleeping until an instant, as exactly as the system can, or until a datagram comes.

mod timer;

use std::cell::OnceCell;
use std::io::{self, ErrorKind};
use std::net::UdpSocket;
use std::time::Duration;

use tokio::io::Interest;

use super::socket::Socket;
use crate::Nanos;
use timer::Timer;

/// Sleeps until an instant or until a socket has something to read.
pub(super) struct Sleeper {
    timer: Timer,
    socket: UdpSocket,
    /// The same socket for tokio's reactor, from the first sleep on: what is registered costs a
    /// call into the reactor with every datagram, which a driver that only spins need not pay.
    registered: OnceCell<tokio::net::UdpSocket>,
}

impl Sleeper {
    /// One that `socket` wakes; made inside a tokio runtime.
    pub(super) fn on(socket: &Socket) -> io::Result<Self> {
        Ok(Self {
            timer: Timer::finest()?,
            socket: socket.duplicate()?,
            registered: OnceCell::new(),
        })
    }

    /// Uses the timer that every system has from now on.
    #[cfg(test)]
    pub(super) fn use_tokios_timer(&mut self) {
        self.timer = Timer::Tokio;
    }

    /// Sleeps for `span` or until something arrives, whichever comes first.
    pub(super) async fn sleep(&self, span: Nanos) -> io::Result<()> {
        let socket = self.registered()?;
        tokio::select! {
            slept = self.timer.sleep(Duration::from_nanos(span.0)) => slept,
            ready = socket.readable() => ready.map(|()| forget(socket, Interest::READABLE)),
        }
    }

    /// Sleeps until the network takes another datagram.
    pub(super) async fn until_writable(&self) -> io::Result<()> {
        let socket = self.registered()?;
        forget(socket, Interest::WRITABLE);
        socket.writable().await
    }

    fn registered(&self) -> io::Result<&tokio::net::UdpSocket> {
        if let Some(socket) = self.registered.get() {
            return Ok(socket);
        }
        let socket = tokio::net::UdpSocket::from_std(self.socket.try_clone()?)?;
        Ok(self.registered.get_or_init(|| socket))
    }
}

/// The socket is read and written past tokio, which therefore takes it for ready for ever. It
/// becomes ready again with the next event.
fn forget(socket: &tokio::net::UdpSocket, interest: Interest) {
    let nothing = || Err::<(), _>(ErrorKind::WouldBlock.into());
    let _ = socket.try_io(interest, nothing);
}
