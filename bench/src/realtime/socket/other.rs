//! What the standard library knows of a socket where the system is not Linux.

use std::net::UdpSocket;

pub(super) use super::{grow_receive_buffer, grow_send_buffer};

/// It knows no receive timestamps.
pub(super) fn stamp_arrivals(_socket: &UdpSocket) -> bool {
    false
}

/// It does not tell what was dropped.
pub(super) fn dropped(_socket: &UdpSocket) -> Option<u64> {
    None
}
