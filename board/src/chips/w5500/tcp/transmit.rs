//! Segments the chip sends.

use super::sequence::distance;
use super::{Outcome, Outgoing, State, Surroundings, Tcp, TcpHeader};
use crate::time::Instant;

impl Tcp {
    /// Sends what the peer's window takes of the queued bytes, then the FIN, if one is to follow.
    pub(super) fn transmit(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        while let Some(len) = self.sendable() {
            self.send_data(len, around, outcome);
        }
        if self.closing && self.next == self.queued {
            self.send_fin(around, outcome);
        }
        if self.is_waiting() {
            self.retransmission.start(around);
        }
    }

    /// Bytes of the next segment, unless there is nothing to send or no room at the peer.
    fn sendable(&self) -> Option<u16> {
        let flying = distance(self.unacknowledged, self.next);
        let room = i32::from(self.peer_window) - flying;
        let pending = distance(self.next, self.queued);
        let len = i32::from(self.mss).min(room).min(pending);
        (len > 0).then_some(len as u16)
    }

    /// Whether something must still be acknowledged or could not be sent yet.
    pub(super) fn is_waiting(&self) -> bool {
        let end = self.queued.wrapping_add(u32::from(self.closing));
        self.unacknowledged != end || self.keep_alive.asked
    }

    /// Sends the oldest unacknowledged piece again; what followed it is sent again as it is
    /// acknowledged. A closed window takes one byte, whose answer tells the window (RFC 9293 §3.8.6.1).
    pub(super) fn repeat(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        match self.state {
            State::SynSent | State::SynReceived => {
                self.next = self.unacknowledged;
                self.send_syn(around, outcome);
            }
            _ if self.keep_alive.asked => self.send_keep_alive(around, outcome),
            _ if self.fin_is_acknowledged() => {}
            _ => {
                self.next = self.unacknowledged;
                let pending = distance(self.next, self.queued).max(0) as u32;
                let room = u32::from(self.mss.min(self.peer_window).max(1));
                if pending > 0 {
                    self.send_data(pending.min(room) as u16, around, outcome);
                } else if self.closing {
                    self.send_fin(around, outcome);
                }
            }
        }
    }

    /// SYN, with an acknowledgement if the peer's came first.
    pub(super) fn send_syn(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        let header = TcpHeader {
            syn: true,
            mss: Some(around.own_mss()),
            acknowledgement: (self.state == State::SynReceived).then_some(self.expected),
            ..self.header(around)
        };
        self.emit(header, 0, 0, outcome);
        self.retransmission.start(around);
    }

    fn send_data(&mut self, len: u16, around: &Surroundings, outcome: &mut Outcome) {
        let offset = self.next.wrapping_sub(self.unacknowledged) as u16;
        let header = TcpHeader {
            psh: true,
            ..self.header(around)
        };
        self.keep_alive.data_was_sent = true;
        self.emit(header, offset, len, outcome);
    }

    fn send_fin(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        let header = TcpHeader {
            fin: true,
            ..self.header(around)
        };
        self.emit(header, 0, 0, outcome);
    }

    /// An acknowledgement without data.
    pub(super) fn send_ack(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        // A retransmission may have set SND.NXT back; the peer may know what was highest.
        let header = TcpHeader {
            sequence: self.highest,
            ..self.header(around)
        };
        outcome.segments.push(Outgoing {
            header,
            data_offset: 0,
            data_len: 0,
        });
    }

    /// The last byte the peer has acknowledged, once more: it answers that it expects the next.
    pub(super) fn send_keep_alive(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        let header = TcpHeader {
            sequence: self.unacknowledged.wrapping_sub(1),
            ..self.header(around)
        };
        outcome.segments.push(Outgoing {
            header,
            data_offset: u16::MAX,
            data_len: 1,
        });
    }

    /// What every segment says: where it stands, what was received, and how much room there is.
    fn header(&mut self, around: &Surroundings) -> TcpHeader {
        self.announced = around.receive_space;
        self.ack_due = Instant::NEVER;
        TcpHeader {
            sequence: self.next,
            acknowledgement: Some(self.expected),
            window: around.receive_space,
            ..TcpHeader::default()
        }
    }

    fn emit(&mut self, header: TcpHeader, data_offset: u16, data_len: u16, outcome: &mut Outcome) {
        self.next = self.next.wrapping_add(header.length(data_len.into()));
        if distance(self.highest, self.next) > 0 {
            self.highest = self.next;
        }
        outcome.segments.push(Outgoing {
            header,
            data_offset,
            data_len,
        });
    }
}
