//! What Linux offers: batches of datagrams, receive timestamps, buffers beyond the limit for the
//! privileged, and a count of what was dropped.

use std::fs;
use std::io::{self, IoSliceMut};
use std::net::UdpSocket;
use std::os::fd::AsRawFd;
use std::time::Duration;

use nix::sys::socket::{
    ControlMessageOwned, MsgFlags, MultiHeaders, RecvMsg, SockaddrIn, recvmmsg, setsockopt, sockopt,
};
use nix::sys::time::TimeSpec;

use super::{Arrival, BATCH, DATAGRAM_ROOM_BYTES, Socket};
use crate::Endpoint;

/// Asks for a timestamp on every arrival (`SO_TIMESTAMPNS`); tells whether they will come.
pub(super) fn stamp_arrivals(socket: &UdpSocket) -> bool {
    setsockopt(socket, sockopt::ReceiveTimestampns, &true).is_ok()
}

/// Sets the receive buffer, beyond the system's limit if that is allowed (`SO_RCVBUFFORCE`), and
/// gives what was granted.
pub(super) fn grow_receive_buffer(socket: &UdpSocket, bytes: u64) -> io::Result<u64> {
    let granted = super::grow_receive_buffer(socket, bytes)?;
    if granted / 2 < bytes && setsockopt(socket, sockopt::RcvBufForce, &(bytes as usize)).is_ok() {
        return Ok(socket2::SockRef::from(socket).recv_buffer_size()? as u64);
    }
    Ok(granted)
}

/// Sets the send buffer likewise (`SO_SNDBUFFORCE`).
pub(super) fn grow_send_buffer(socket: &UdpSocket, bytes: u64) -> io::Result<u64> {
    let granted = super::grow_send_buffer(socket, bytes)?;
    if granted / 2 < bytes && setsockopt(socket, sockopt::SndBufForce, &(bytes as usize)).is_ok() {
        return Ok(socket2::SockRef::from(socket).send_buffer_size()? as u64);
    }
    Ok(granted)
}

/// The datagrams dropped at this socket so far, from the table of UDP sockets (proc(5),
/// `/proc/net/udp`): the row with the socket's inode number.
pub(super) fn dropped(socket: &UdpSocket) -> Option<u64> {
    let inode = nix::sys::stat::fstat(socket).ok()?.st_ino;
    dropped_in(&fs::read_to_string("/proc/self/net/udp").ok()?, inode)
}

/// The last column of the row whose tenth is `inode`.
fn dropped_in(table: &str, inode: u64) -> Option<u64> {
    let is_ours = |row: &&str| {
        let column = row.split_ascii_whitespace().nth(9);
        column.and_then(|column| column.parse().ok()) == Some(inode)
    };
    let row = table.lines().skip(1).find(is_ours)?;
    row.split_ascii_whitespace().last()?.parse().ok()
}

/// Reads arrivals with their timestamps, in batches where they come in batches.
pub(in crate::realtime) struct Stamped {
    headers: MultiHeaders<SockaddrIn>,
    room: Box<[u8]>,
    /// Whether the last call found what it asked for, or a batch, so that more may wait.
    more_may_wait: bool,
}

impl Stamped {
    pub(super) fn new() -> Self {
        let stamp = nix::cmsg_space!(TimeSpec);
        Self {
            headers: MultiHeaders::preallocate(BATCH, Some(stamp)),
            room: vec![0; BATCH * DATAGRAM_ROOM_BYTES].into_boxed_slice(),
            more_may_wait: false,
        }
    }

    /// Reads what has come, at most `limit` and [`BATCH`] datagrams, and gives each to `deliver`.
    ///
    /// A call for one is the shorter one, whether it finds one or nothing: the system does not look
    /// for a second. So a batch is asked for only where there may be one.
    ///
    /// # Errors
    /// `WouldBlock` when nothing has come.
    pub(super) fn receive(
        &mut self,
        socket: &Socket,
        limit: usize,
        deliver: impl FnMut(Arrival<'_>),
    ) -> io::Result<usize> {
        let asked = if self.more_may_wait {
            limit.min(BATCH)
        } else {
            1
        };
        let read = match asked {
            1 => self.read::<1>(socket, 1, deliver),
            _ => self.read::<BATCH>(socket, asked, deliver),
        };
        // A batch of one was no batch.
        let full = asked.min(2);
        self.more_may_wait = read.as_ref().is_ok_and(|&count| count >= full);
        read
    }

    fn read<const ROOMS: usize>(
        &mut self,
        socket: &Socket,
        limit: usize,
        mut deliver: impl FnMut(Arrival<'_>),
    ) -> io::Result<usize> {
        let mut rooms = self.room.chunks_exact_mut(DATAGRAM_ROOM_BYTES);
        let mut slices: [_; ROOMS] =
            std::array::from_fn(|_| [IoSliceMut::new(rooms.next().expect("a room a datagram"))]);
        let arrivals = recvmmsg(
            socket.socket.as_raw_fd(),
            &mut self.headers,
            slices.iter_mut().take(limit),
            MsgFlags::MSG_DONTWAIT,
            None,
        )?;
        let mut count = 0;
        for message in arrivals {
            count += 1;
            deliver(arrival(&message)?);
        }
        Ok(count)
    }
}

fn arrival<'a>(message: &RecvMsg<'_, 'a, SockaddrIn>) -> io::Result<Arrival<'a>> {
    let from = message.address.expect("a datagram has a sender");
    let stamp = message.cmsgs()?.find_map(|control| match control {
        ControlMessageOwned::ScmTimestampns(stamp) => Some(Duration::from(stamp)),
        _ => None,
    });
    Ok(Arrival {
        from: Endpoint::new(from.ip(), from.port()),
        payload: message.iovs().next().unwrap_or(&[]),
        cut: message.flags.contains(MsgFlags::MSG_TRUNC),
        stamp,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_are_read_from_the_row_of_the_inode() {
        let table = concat!(
            "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  ",
            "timeout inode ref pointer drops             \n",
            "  442: 0100007F:1B58 00000000:0000 07 00000000:00000000 00:00000000 00000000     0",
            "        0 12345 2 0000000000000000 0         \n",
            "  443: 0100007F:1B59 00000000:0000 07 00000000:00000000 00:00000000 00000000     0",
            "        0 12346 2 0000000000000000 4711      \n",
        );
        assert_eq!(dropped_in(table, 12345), Some(0));
        assert_eq!(dropped_in(table, 12346), Some(4711));
        assert_eq!(dropped_in(table, 4711), None);
        assert_eq!(dropped_in("", 12345), None);
    }
}
