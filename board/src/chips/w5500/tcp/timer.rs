//! What a connection does when time passes: retransmissions, late acknowledgements, keep-alives.

use super::{Outcome, State, Surroundings, Tcp};
use crate::time::{Instant, Span};

/// Unit of Sn_KPALVTR (DS1.0.9 §4.2).
const KEEP_ALIVE_UNIT: Span = Span::from_ms(5_000);

/// The wait for an acknowledgement. In the last state, the wait for its end.
#[derive(Clone, Copy, Debug)]
pub struct Retransmission {
    pub due: Instant,
    /// Repetitions so far.
    repeated: u8,
}

impl Default for Retransmission {
    fn default() -> Self {
        Self {
            due: Instant::NEVER,
            repeated: 0,
        }
    }
}

impl Retransmission {
    /// Begins to wait, unless it waits already.
    pub fn start(&mut self, around: &Surroundings) {
        if self.due == Instant::NEVER {
            self.repeated = 0;
            self.due = around.now + around.retry.doubled(0);
        }
    }

    pub fn stop(&mut self) {
        *self = Self::default();
    }
}

/// Asking a silent peer whether it is still there.
#[derive(Clone, Copy, Debug)]
pub struct KeepAlive {
    /// When the peer has been silent for long enough.
    pub due: Instant,
    /// It was asked and has not answered.
    pub asked: bool,
    /// Only a connection that has carried data is kept alive.
    pub data_was_sent: bool,
}

impl Default for KeepAlive {
    fn default() -> Self {
        Self {
            due: Instant::NEVER,
            asked: false,
            data_was_sent: false,
        }
    }
}

impl Tcp {
    /// Does what is due at the moment.
    pub fn on_timer(&mut self, around: &Surroundings) -> Outcome {
        let mut outcome = Outcome::default();
        if self.retransmission.due <= around.now {
            if self.state == State::TimeWait {
                self.close();
            } else if self.retransmission.repeated >= around.retry.count {
                outcome = self.give_up();
            } else {
                self.retransmission.repeated += 1;
                let wait = around.retry.doubled(self.retransmission.repeated);
                self.retransmission.due = around.now + wait;
                self.repeat(around, &mut outcome);
            }
        }
        if self.ack_due <= around.now {
            self.send_ack(around, &mut outcome);
        }
        if self.keep_alive.due <= around.now {
            self.ask(around, &mut outcome);
        }
        outcome
    }

    /// The peer has acknowledged something new, or told its window: waits anew for the rest.
    pub(super) fn rewind_retransmission(&mut self, around: &Surroundings) {
        self.retransmission.stop();
        if self.is_waiting() || self.state == State::FinWait {
            self.retransmission.start(around);
        }
    }

    /// The last state begins: late FINs of the peer are still acknowledged.
    pub(super) fn wait_before_closing(&mut self, around: &Surroundings) {
        self.state = State::TimeWait;
        self.retransmission.stop();
        self.retransmission.due = around.now + around.time_wait;
    }

    /// Sends a keep-alive, to be answered within the time of a retransmission.
    pub(super) fn ask(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        self.keep_alive.due = Instant::NEVER;
        self.keep_alive.asked = true;
        self.send_keep_alive(around, outcome);
        self.retransmission.start(around);
    }

    /// Something was sent or received: Sn_KPALVTR counts from here on, if nothing else is awaited.
    pub(super) fn watch_silence(&mut self, around: &Surroundings) {
        let watches = around.keep_alive > 0
            && self.keep_alive.data_was_sent
            && self.state.can_send()
            && !self.is_waiting();
        let silence = Span::from_ps(KEEP_ALIVE_UNIT.as_ps() * u64::from(around.keep_alive));
        self.keep_alive.due = if watches {
            around.now + silence
        } else {
            Instant::NEVER
        };
    }
}
