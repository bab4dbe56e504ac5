//! One TCP connection as the chip's hardware runs it (DS1.0.9 §5.1; RFC 9293 where that is silent).
//!
//! A state machine without registers or buffers: commands, segments and the time go in; segments to
//! send, Sn_IR bits and movements of the buffer pointers come out. Sequence numbers follow from a seed.
//!
//! There is no reassembly, no selective acknowledgement and no congestion control: nothing says that
//! the chip has them, and its buffers leave them little to do. Only segments in order are taken.

mod command;
mod segment;
mod sequence;
mod timer;
mod transmit;

use std::collections::VecDeque;
use std::ops::Range;

pub use command::Command;
pub use segment::refusal;

use super::packet::TcpHeader;
use super::retry::Retry;
use crate::time::{Instant, Span};
use sequence::InitialSequence;
use timer::{KeepAlive, Retransmission};

/// Largest segment the chip sends or asks for: what fits an Ethernet frame.
pub const LARGEST_SEGMENT: u16 = 1_460;
/// A peer's largest segment if it does not say (RFC 9293 §3.7.1).
const UNSTATED_SEGMENT: u16 = 536;

/// Sn_SR of a TCP socket (DS1.0.9 §4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    #[default]
    Closed = 0x00,
    /// Opened; neither listening nor connecting.
    Init = 0x13,
    Listen = 0x14,
    SynSent = 0x15,
    SynReceived = 0x16,
    Established = 0x17,
    /// Both of RFC 9293's: our FIN is on its way or acknowledged, the peer's has not come.
    FinWait = 0x18,
    Closing = 0x1A,
    TimeWait = 0x1B,
    CloseWait = 0x1C,
    LastAck = 0x1D,
}

impl State {
    /// Whether data can still be given to SEND.
    pub fn can_send(self) -> bool {
        matches!(self, Self::Established | Self::CloseWait)
    }

    fn can_receive(self) -> bool {
        matches!(self, Self::Established | Self::FinWait)
    }
}

/// What the registers and buffers around a connection say at the moment of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surroundings {
    pub now: Instant,
    /// Free bytes of the receive buffer: the window.
    pub receive_space: u16,
    /// RTR and RCR.
    pub retry: Retry,
    /// Sn_MSSR; zero, its reset value, stands for the largest.
    pub mss: u16,
    /// Sn_MR.ND: acknowledge data at once and not only within RTR.
    pub no_delayed_ack: bool,
    /// Sn_KPALVTR, in units of 5 s: after how long a silence the peer is asked whether it is there.
    pub keep_alive: u8,
    /// How long the last state lasts. Not documented.
    pub time_wait: Span,
}

impl Surroundings {
    /// The largest segment to ask the peer for.
    fn own_mss(&self) -> u16 {
        match self.mss {
            0 => LARGEST_SEGMENT,
            mss => mss.min(LARGEST_SEGMENT),
        }
    }
}

/// A segment to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    pub header: TcpHeader,
    /// Where its data begins, counted from TX_RD in 16-bit arithmetic, after
    /// [`Outcome::acknowledged`] was added to TX_RD.
    pub data_offset: u16,
    /// Bytes of data.
    pub data_len: u16,
}

/// What a call asks the caller to do, in this order: store what was accepted, move TX_RD, raise the
/// interrupts, send the segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The part of the segment's data to store in the receive buffer.
    pub accepted: Range<usize>,
    /// Bytes that the peer has acknowledged: how far TX_RD advances.
    pub acknowledged: u16,
    /// Bits to set in Sn_IR.
    pub interrupts: u8,
    pub segments: Vec<Outgoing>,
}

/// One connection. Names in capitals are RFC 9293's (§3.3.1).
#[derive(Clone, Debug)]
pub struct Tcp {
    state: State,
    initial: InitialSequence,
    /// SND.UNA: the oldest sequence number not acknowledged. Between the handshake and the FIN it
    /// stands for the byte at TX_RD.
    unacknowledged: u32,
    /// SND.NXT: the next to send; a retransmission sets it back.
    next: u32,
    /// The highest SND.NXT so far.
    highest: u32,
    /// Behind the last byte given to SEND.
    queued: u32,
    /// Ends of the SENDs that are not acknowledged.
    sends: VecDeque<u32>,
    /// DISCON was given: a FIN follows the last byte.
    closing: bool,
    /// SND.WND, and the segment it came from: SND.WL1 and SND.WL2.
    peer_window: u16,
    window_from: (u32, u32),
    /// Largest segment to send.
    mss: u16,
    /// RCV.NXT.
    expected: u32,
    /// The window last announced.
    announced: u16,
    /// When data must be acknowledged at the latest.
    ack_due: Instant,
    retransmission: Retransmission,
    keep_alive: KeepAlive,
}

impl Tcp {
    /// A closed socket whose connections take their sequence numbers from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            state: State::Closed,
            initial: InitialSequence::new(seed),
            unacknowledged: 0,
            next: 0,
            highest: 0,
            queued: 0,
            sends: VecDeque::new(),
            closing: false,
            peer_window: 0,
            window_from: (0, 0),
            mss: UNSTATED_SEGMENT,
            expected: 0,
            announced: 0,
            ack_due: Instant::NEVER,
            retransmission: Retransmission::default(),
            keep_alive: KeepAlive::default(),
        }
    }

    pub fn state(&self) -> State {
        self.state
    }

    /// When [`Tcp::on_timer`] has something to do.
    pub fn deadline(&self) -> Instant {
        self.retransmission
            .due
            .min(self.ack_due)
            .min(self.keep_alive.due)
    }

    /// OPEN: forgets whatever was before.
    pub fn open(&mut self) {
        self.clear(State::Init);
    }

    /// CLOSE: the connection is forgotten, and the peer not told (DS1.0.9 §4.2, Sn_CR).
    pub fn close(&mut self) {
        self.clear(State::Closed);
    }

    fn clear(&mut self, state: State) {
        let initial = self.initial;
        *self = Self {
            state,
            initial,
            ..Self::new(0)
        };
    }

    /// Begins a connection's sequence numbers.
    fn choose_initial_sequence(&mut self) {
        self.unacknowledged = self.initial.choose();
        self.next = self.unacknowledged;
        self.highest = self.unacknowledged;
        self.queued = self.unacknowledged.wrapping_add(1);
    }

    /// Whether our FIN has been acknowledged.
    fn fin_is_acknowledged(&self) -> bool {
        self.closing && self.unacknowledged == self.queued.wrapping_add(1)
    }
}

#[cfg(test)]
mod tests;
