//! A UDP socket with large buffers that knows what the kernel dropped.
//!
//! Operations are on the standard library's socket in non-blocking mode; whoever sleeps on it
//! registers it with tokio besides.

#[cfg(target_os = "linux")]
mod linux;
mod one_by_one;
#[cfg(not(target_os = "linux"))]
mod other;
mod receiver;

use std::io;
use std::net::UdpSocket;

use socket2::SockRef;

use super::conditions::{ArrivalClock, ArrivalClocks, BufferSize};
use crate::Endpoint;

pub(super) use receiver::Receiver;

/// The room for one datagram: more than the study ever sends, so that one too long is seen.
pub(super) const DATAGRAM_ROOM_BYTES: usize = 2048;

/// The most datagrams of one system call.
pub(super) const BATCH: usize = 32;

/// A bound socket.
#[derive(Debug)]
pub(super) struct Socket {
    socket: UdpSocket,
    local: Endpoint,
    pub(super) receive_buffer: BufferSize,
    pub(super) send_buffer: BufferSize,
    pub(super) arrival_clock: ArrivalClocks,
    dropped_at_start: Option<u64>,
}

/// One datagram as it was read.
#[derive(Debug)]
pub(super) struct Arrival<'a> {
    pub(super) from: Endpoint,
    pub(super) payload: &'a [u8],
    /// Whether the datagram was longer than [`DATAGRAM_ROOM_BYTES`] and was cut.
    pub(super) cut: bool,
    /// When it came, as wall time since the epoch, by the kernel; `None` when it does not tell.
    pub(super) stamp: Option<std::time::Duration>,
}

impl Socket {
    /// Binds to `local`, asks for buffers of this size, and for the kernel's timestamps if they are
    /// to be the clock.
    pub(super) fn bind(
        local: Endpoint,
        buffer_bytes: u64,
        clock: ArrivalClock,
    ) -> io::Result<Self> {
        let socket = UdpSocket::bind(local)?;
        socket.set_nonblocking(true)?;
        let arrival_clock = ArrivalClocks {
            requested: clock,
            effective: match clock {
                ArrivalClock::Kernel if system::stamp_arrivals(&socket) => ArrivalClock::Kernel,
                _ => ArrivalClock::User,
            },
        };
        let receive_buffer = BufferSize {
            requested_bytes: buffer_bytes,
            granted_bytes: system::grow_receive_buffer(&socket, buffer_bytes)?,
        };
        let send_buffer = BufferSize {
            requested_bytes: buffer_bytes,
            granted_bytes: system::grow_send_buffer(&socket, buffer_bytes)?,
        };
        let std::net::SocketAddr::V4(local) = socket.local_addr()? else {
            unreachable!("a socket bound to an IPv4 address has one");
        };
        Ok(Self {
            dropped_at_start: system::dropped(&socket),
            socket,
            local,
            receive_buffer,
            send_buffer,
            arrival_clock,
        })
    }

    /// The address and port the socket is bound to.
    pub(super) fn local(&self) -> Endpoint {
        self.local
    }

    /// Another handle of the same socket, for tokio's reactor.
    pub(super) fn duplicate(&self) -> io::Result<UdpSocket> {
        self.socket.try_clone()
    }

    /// Hands one datagram to the network; never blocks.
    pub(super) fn send(&self, to: Endpoint, payload: &[u8]) -> io::Result<()> {
        self.socket.send_to(payload, to).map(drop)
    }

    /// Datagrams the kernel dropped at this socket since it was bound; `None` where it does not
    /// tell.
    pub(super) fn dropped_by_kernel(&self) -> Option<u64> {
        let now = system::dropped(&self.socket)?;
        Some(now.saturating_sub(self.dropped_at_start?))
    }
}

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use other as system;

/// Sets a buffer through `set`, halving the request until the system takes it.
fn set_buffer(bytes: u64, set: impl Fn(usize) -> io::Result<()>) {
    let mut bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    while bytes > 0 && set(bytes).is_err() {
        bytes /= 2;
    }
}

fn grow_receive_buffer(socket: &UdpSocket, bytes: u64) -> io::Result<u64> {
    let socket = SockRef::from(socket);
    set_buffer(bytes, |bytes| socket.set_recv_buffer_size(bytes));
    Ok(socket.recv_buffer_size()? as u64)
}

fn grow_send_buffer(socket: &UdpSocket, bytes: u64) -> io::Result<u64> {
    let socket = SockRef::from(socket);
    set_buffer(bytes, |bytes| socket.set_send_buffer_size(bytes));
    Ok(socket.send_buffer_size()? as u64)
}
