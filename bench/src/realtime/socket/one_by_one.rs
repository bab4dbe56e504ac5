//! Reading one datagram at a time, as every system can.

use std::io;
use std::net::SocketAddr;

use super::{Arrival, DATAGRAM_ROOM_BYTES, Socket};

/// Reads arrivals one by one.
pub(in crate::realtime) struct OneByOne {
    room: Box<[u8]>,
}

impl OneByOne {
    pub(super) fn new() -> Self {
        Self {
            room: vec![0; DATAGRAM_ROOM_BYTES].into_boxed_slice(),
        }
    }

    /// Reads what has come, at most `limit` datagrams, and gives each to `deliver`.
    ///
    /// # Errors
    /// `WouldBlock` when nothing has come.
    pub(super) fn receive(
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
