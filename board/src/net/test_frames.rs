//! Frames for tests of what is on the board's side of the wire.

use crate::net::frame;
use crate::net::wire::{Direction, Wire};
use crate::schedule::Schedule;
use crate::time::Instant;

pub const HOST_MAC: [u8; 6] = [0x02, 0, 0, 0, 0, 0x01];

/// A frame from the host of `len` bytes without check sequence, its payload filled with `tag`.
pub fn frame_to(destination: [u8; 6], kind: [u8; 2], len: usize, tag: u8) -> Vec<u8> {
    let mut frame = [&destination[..], &HOST_MAC, &kind].concat();
    frame.resize(len, tag);
    frame
}

/// The frame as it travels: padded, with its check sequence.
pub fn padded_with_fcs(content: &[u8]) -> Vec<u8> {
    let mut frame = content.to_vec();
    frame::pad(&mut frame);
    with_fcs(&frame)
}

/// The frame with its check sequence and without padding.
pub fn with_fcs(content: &[u8]) -> Vec<u8> {
    let mut frame = content.to_vec();
    frame::append_fcs(&mut frame);
    frame
}

/// The frames whose last bit reaches the far end at `at`, with that instant.
pub fn arrivals<'a>(
    wire: &'a mut Wire,
    at: Instant,
    schedule: &'a mut Schedule,
) -> impl Iterator<Item = (Instant, Vec<u8>)> {
    std::iter::from_fn(move || Some((at, wire.receive(Direction::ToHost, at, schedule)?)))
}
