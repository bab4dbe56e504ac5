//! What every system offers: one datagram at a time, and no facts about the kernel.

use std::io;
use std::net::{SocketAddr, UdpSocket};

use super::{Arrival, DATAGRAM_ROOM_BYTES, Socket};

pub(super) use super::{grow_receive_buffer, grow_send_buffer};

/// The standard library knows no receive timestamps.
pub(super) fn stamp_arrivals(_socket: &UdpSocket) -> bool {
    false
}

/// The standard library does not tell what was dropped.
pub(super) fn dropped(_socket: &UdpSocket) -> Option<u64> {
    None
}

/// Reads arrivals one by one.
pub(in super::super) struct Receiver {
    room: Box<[u8]>,
}

impl Receiver {
    pub(in super::super) fn new() -> Self {
        Self {
            room: vec![0; DATAGRAM_ROOM_BYTES].into_boxed_slice(),
        }
    }

    /// Reads what has come, at most `limit` datagrams, and gives each to `deliver`.
    ///
    /// # Errors
    /// `WouldBlock` when nothing has come.
    pub(in super::super) fn receive(
        &mut self,
        socket: &Socket,
        limit: usize,
        mut deliver: impl FnMut(Arrival<'_>),
    ) -> io::Result<usize> {
        let mut count = 0;
        while count < limit {
            let (bytes, from) = match socket.socket.recv_from(&mut self.room) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && count > 0 => break,
                read => read?,
            };
            let SocketAddr::V4(from) = from else {
                unreachable!("an IPv4 socket hears from IPv4 addresses");
            };
            count += 1;
            deliver(Arrival {
                from,
                payload: &self.room[..bytes],
                cut: bytes == DATAGRAM_ROOM_BYTES,
                stamp: None,
            });
        }
        Ok(count)
    }
}
