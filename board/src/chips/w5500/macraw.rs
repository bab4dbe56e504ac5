//! MACRAW: whole frames through socket 0 (DS1.0.9 §4.2 Sn_MR, §5).

use super::registers::socket as register;
use super::send::Send;
use super::socket::Socket;
use super::{ChipContext, W5500};
use crate::net::frame;

/// Bytes of the length before each frame in the receive buffer; the length counts them too.
const PREFIX_LEN: usize = 2;
const SOCKET: u8 = 0;
const BROADCAST: [u8; 6] = [0xFF; 6];
const IPV6: [u8; 2] = [0x86, 0xDD];

impl W5500 {
    /// Puts the bytes of a SEND on the wire as one frame.
    pub(super) fn send_macraw(&mut self, n: u8, send: Send, ctx: &mut ChipContext) {
        let longest = self.parameters.macraw_longest;
        self.counters.oversize_frames += u64::from(send.len() > longest);
        let mut frame = std::mem::take(&mut self.frame);
        frame.clear();
        let block = self.tx.block(n);
        self.tx
            .copy_out(block, send.from, send.len().min(longest), &mut frame);
        let end = self.transmit(&mut frame, ctx);
        self.frame = frame;
        self.on_wire_until(n, end, ctx);
    }

    /// Whether a frame without check sequence passes socket 0's filter; false if it is not in MACRAW.
    pub(super) fn macraw_accepts(&self, frame: &[u8]) -> bool {
        let socket = &self.sockets[usize::from(SOCKET)];
        socket.status == register::STATUS_MACRAW && passes(socket, self.common.mac(), frame)
    }

    /// Stores a frame in socket 0's buffer, or drops it whole.
    pub(super) fn receive_macraw(&mut self, frame: &[u8], ctx: &mut ChipContext) {
        let len = PREFIX_LEN + frame.len();
        let space = self.rx.block(SOCKET).len();
        if len > usize::from(self.sockets[usize::from(SOCKET)].rx_free(space)) {
            self.counters.macraw_frames_dropped += 1;
            return;
        }
        self.counters.macraw_frames_stored += 1;
        let prefix = self.prefix(len as u16);
        self.store(SOCKET, [&prefix.to_be_bytes(), frame]);
        self.raise_socket(SOCKET, register::IR_RECV, ctx);
    }

    /// The length prefix, or the wrong one that is to be shown instead.
    fn prefix(&mut self, len: u16) -> u16 {
        match self.parameters.prefix_fault {
            Some(fault)
                if fault.every != 0
                    && self
                        .counters
                        .macraw_frames_stored
                        .is_multiple_of(fault.every) =>
            {
                self.counters.wrong_prefixes += 1;
                fault.prefix
            }
            _ => len,
        }
    }
}

/// MFEN lets only the chip's own address, broadcast and multicast pass; the other bits block.
fn passes(socket: &Socket, own: [u8; 6], frame: &[u8]) -> bool {
    if frame.len() < frame::HEADER_LEN {
        return false;
    }
    let (destination, kind) = (&frame[..6], &frame[12..14]);
    let filtered = socket.has(register::MR_MULTI_MFEN);
    if kind == IPV6 && socket.has(register::MR_MIP6B) {
        return false;
    }
    if destination == BROADCAST {
        !socket.has(register::MR_BCASTB)
    } else if destination[0] & 1 != 0 {
        !(filtered && socket.has(register::MR_MMB))
    } else {
        !filtered || destination == own
    }
}
