//! Segments that arrive (RFC 9293 §3.10.7).

use super::super::registers::socket::{IR_CON, IR_DISCON, IR_RECV, IR_SENDOK};
use super::sequence::distance;
use super::{Outcome, Outgoing, State, Surroundings, Tcp, TcpHeader, UNSTATED_SEGMENT};
use crate::time::Instant;

/// The answer to a segment that belongs to no connection; a reset has none.
pub fn refusal(header: &TcpHeader, data: usize) -> Option<Outgoing> {
    if header.rst {
        return None;
    }
    let reset = match header.acknowledgement {
        Some(expected) => TcpHeader {
            sequence: expected,
            rst: true,
            ..TcpHeader::default()
        },
        None => TcpHeader {
            acknowledgement: Some(header.sequence.wrapping_add(header.length(data))),
            rst: true,
            ..TcpHeader::default()
        },
    };
    Some(Outgoing {
        header: reset,
        data_offset: 0,
        data_len: 0,
    })
}

impl Tcp {
    /// Handles a segment from the peer, or anybody's while listening, with `data` bytes of data.
    pub fn on_segment(
        &mut self,
        header: &TcpHeader,
        data: usize,
        around: &Surroundings,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        match self.state {
            State::Closed | State::Init => outcome.segments.extend(refusal(header, data)),
            State::Listen => self.hear_first(header, data, around, &mut outcome),
            State::SynSent => self.hear_answer(header, data, around, &mut outcome),
            _ => self.hear(header, data, around, &mut outcome),
        }
        if self.state.can_send() {
            self.watch_silence(around);
        }
        outcome
    }

    /// A segment while listening: only a SYN begins something.
    fn hear_first(
        &mut self,
        header: &TcpHeader,
        data: usize,
        around: &Surroundings,
        outcome: &mut Outcome,
    ) {
        if header.acknowledgement.is_some() {
            outcome.segments.extend(refusal(header, data));
        } else if header.syn && !header.rst {
            self.choose_initial_sequence();
            self.state = State::SynReceived;
            self.learn_peer(header, around);
            self.send_syn(around, outcome);
        }
    }

    /// A segment after our SYN: the peer's SYN, or its refusal. A refusal raises DISCON: the data
    /// sheet names no interrupt for it, and w5500-hl counts on CON, DISCON or TIMEOUT after a connect.
    fn hear_answer(
        &mut self,
        header: &TcpHeader,
        data: usize,
        around: &Surroundings,
        outcome: &mut Outcome,
    ) {
        if self.highest == self.unacknowledged {
            // The SYN has not left yet: whatever this is, it is no answer.
            return;
        }
        let answers = header.acknowledgement == Some(self.next);
        if header.acknowledgement.is_some() && !answers {
            outcome.segments.extend(refusal(header, data));
        } else if header.rst {
            if answers {
                self.break_off(outcome);
            }
        } else if header.syn {
            self.learn_peer(header, around);
            if answers {
                self.establish(header, around, outcome);
                self.send_ack(around, outcome);
            } else {
                self.state = State::SynReceived;
                self.next = self.unacknowledged;
                self.send_syn(around, outcome);
            }
        }
    }

    /// What the peer's SYN tells.
    fn learn_peer(&mut self, header: &TcpHeader, around: &Surroundings) {
        self.expected = header.sequence.wrapping_add(1);
        let theirs = header.mss.unwrap_or(UNSTATED_SEGMENT).max(1);
        self.mss = theirs.min(around.own_mss());
        self.learn_window(header);
    }

    fn learn_window(&mut self, header: &TcpHeader) {
        self.peer_window = header.window;
        let acknowledgement = header.acknowledgement.unwrap_or(0);
        self.window_from = (header.sequence, acknowledgement);
    }

    fn establish(&mut self, header: &TcpHeader, around: &Surroundings, outcome: &mut Outcome) {
        self.state = State::Established;
        self.unacknowledged = self.next;
        self.learn_window(header);
        self.rewind_retransmission(around);
        outcome.interrupts |= IR_CON;
    }

    /// A segment of a connection both sides know.
    fn hear(
        &mut self,
        header: &TcpHeader,
        data: usize,
        around: &Surroundings,
        outcome: &mut Outcome,
    ) {
        let ahead = distance(self.expected, header.sequence);
        let length = header.length(data) as i32;
        let room = i32::from(around.receive_space).max(1);
        if header.rst {
            if (0..room).contains(&ahead) {
                self.break_off(outcome);
            }
        } else if self.repeats_first_syn(header) {
            self.next = self.unacknowledged;
            self.send_syn(around, outcome);
        } else if ahead >= room || (ahead < 0 && ahead + length <= 0) || header.syn {
            // Too far ahead, all of it old, or a SYN amid a connection: says what is expected.
            self.send_ack(around, outcome);
        } else if self.hear_acknowledgement(header, data, around, outcome) {
            self.hear_content(header, data, -ahead, around, outcome);
        }
    }

    fn repeats_first_syn(&self, header: &TcpHeader) -> bool {
        let first = header.sequence == self.expected.wrapping_sub(1);
        self.state == State::SynReceived && header.syn && header.acknowledgement.is_none() && first
    }

    /// Handles the acknowledgement; gives whether the content counts too.
    fn hear_acknowledgement(
        &mut self,
        header: &TcpHeader,
        data: usize,
        around: &Surroundings,
        outcome: &mut Outcome,
    ) -> bool {
        let Some(acknowledgement) = header.acknowledgement else {
            return false;
        };
        if self.state == State::SynReceived {
            if acknowledgement != self.next {
                outcome.segments.extend(refusal(header, data));
                return false;
            }
            self.establish(header, around, outcome);
        }
        if distance(self.highest, acknowledgement) > 0 {
            self.send_ack(around, outcome);
            return false;
        }
        let news = self.acknowledge(acknowledgement, outcome);
        let window_news = self.update_window(header, acknowledgement);
        let probe_refused = self.take_back_probe();
        let answered = std::mem::take(&mut self.keep_alive.asked);
        if news || window_news || answered || probe_refused {
            self.rewind_retransmission(around);
        }
        if self.fin_is_acknowledged() {
            match self.state {
                State::Closing => self.wait_before_closing(around),
                State::LastAck => self.close(),
                _ => {}
            }
        }
        true
    }

    /// Moves SND.UNA up; gives whether it moved.
    fn acknowledge(&mut self, acknowledgement: u32, outcome: &mut Outcome) -> bool {
        if distance(self.unacknowledged, acknowledgement) <= 0 {
            return false;
        }
        let data = distance(self.unacknowledged, self.queued);
        let moved = distance(self.unacknowledged, acknowledgement);
        outcome.acknowledged = moved.min(data) as u16;
        self.unacknowledged = acknowledgement;
        if distance(self.next, acknowledgement) > 0 {
            self.next = acknowledgement;
        }
        while let Some(end) = self.sends.front()
            && distance(*end, acknowledgement) >= 0
        {
            self.sends.pop_front();
            outcome.interrupts |= IR_SENDOK;
        }
        true
    }

    /// Whether the peer has refused the byte that asked for its closed window. As it never got it, the
    /// byte must not count in the acknowledgements we send.
    fn take_back_probe(&mut self) -> bool {
        let probe = self.unacknowledged.wrapping_add(1);
        let refused = self.peer_window == 0
            && self.highest == probe
            && distance(self.unacknowledged, self.queued) > 0;
        if refused {
            self.next = self.unacknowledged;
            self.highest = self.unacknowledged;
        }
        refused
    }

    /// Takes the peer's window unless the segment is older than the one it was last taken from; gives
    /// whether it changed.
    fn update_window(&mut self, header: &TcpHeader, acknowledgement: u32) -> bool {
        let (sequence, acknowledged) = self.window_from;
        let order = distance(sequence, header.sequence);
        if order < 0 || (order == 0 && distance(acknowledged, acknowledgement) < 0) {
            return false;
        }
        let before = self.peer_window;
        self.learn_window(header);
        self.peer_window != before
    }

    /// Takes the data and the FIN, of which the first `old` bytes were taken before; a negative number
    /// is what is missing before them. Then sends what can be sent.
    fn hear_content(
        &mut self,
        header: &TcpHeader,
        data: usize,
        old: i32,
        around: &Surroundings,
        outcome: &mut Outcome,
    ) {
        let mut ack_now = old < 0;
        let mut room = around.receive_space;
        if old >= 0 && self.state.can_receive() {
            let old = (old as usize).min(data);
            let taken = (data - old).min(usize::from(room));
            if taken > 0 {
                outcome.accepted = old..old + taken;
                outcome.interrupts |= IR_RECV;
                self.expected = self.expected.wrapping_add(taken as u32);
                room -= taken as u16;
            }
            ack_now |= self.acknowledges_at_once(data - old, taken, room, around);
            if header.fin && old + taken == data {
                self.hear_fin(around, outcome);
                ack_now = true;
            }
        } else if header.length(data) > 0 {
            ack_now = true;
        }
        let around = Surroundings {
            receive_space: room,
            ..*around
        };
        let before = outcome.segments.len();
        if self.state.can_send() || self.closing {
            self.transmit(&around, outcome);
        }
        if ack_now && outcome.segments.len() == before && self.state != State::Closed {
            self.send_ack(&around, outcome);
        }
    }

    /// Whether `taken` of `offered` new bytes, which leave `room`, are acknowledged at once. If not,
    /// they are within RTR. A window too small for another segment is told at once, or the peer would
    /// run into its end.
    fn acknowledges_at_once(
        &mut self,
        offered: usize,
        taken: usize,
        room: u16,
        around: &Surroundings,
    ) -> bool {
        if offered == 0 {
            return false;
        }
        if around.no_delayed_ack || taken < offered || room < around.own_mss() {
            return true;
        }
        if self.ack_due == Instant::NEVER {
            self.ack_due = around.now + around.retry.base();
        }
        false
    }

    /// The peer has no more data.
    fn hear_fin(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        self.expected = self.expected.wrapping_add(1);
        outcome.interrupts |= IR_DISCON;
        match self.state {
            State::Established => self.state = State::CloseWait,
            State::FinWait if self.fin_is_acknowledged() => self.wait_before_closing(around),
            State::FinWait => self.state = State::Closing,
            _ => {}
        }
    }

    /// The peer knows no connection any more: closed, with DISCON.
    fn break_off(&mut self, outcome: &mut Outcome) {
        self.close();
        outcome.interrupts |= IR_DISCON;
    }
}
