//! Commands of Sn_CR to a TCP socket.

use super::super::registers::socket::IR_TIMEOUT;
use super::{Outcome, State, Surroundings, Tcp};

/// A command, as far as a connection is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Listen,
    /// The state becomes SYN sent; the SYN leaves at [`Tcp::start`], when the peer's hardware address
    /// is known.
    Connect,
    /// So many more bytes count, behind those sent before.
    Send(u16),
    /// RX_RD has moved: [`Surroundings::receive_space`] says how much is free now.
    Receive,
    Disconnect,
    KeepAlive,
}

impl Tcp {
    /// Carries out a command; `None` if the state does not take it.
    pub fn on_command(&mut self, command: Command, around: &Surroundings) -> Option<Outcome> {
        let mut outcome = Outcome::default();
        match (command, self.state) {
            (Command::Listen, State::Init) => self.state = State::Listen,
            (Command::Connect, State::Init) => {
                self.choose_initial_sequence();
                self.state = State::SynSent;
            }
            (Command::Send(bytes), state) if state.can_send() => {
                self.queue(bytes);
                self.transmit(around, &mut outcome);
            }
            (Command::Receive, state) => {
                if state.can_receive() {
                    self.reopen_window(around, &mut outcome);
                }
            }
            (Command::Disconnect, state) => self.disconnect(state, around, &mut outcome)?,
            (Command::KeepAlive, state) if state.can_send() => {
                self.ask_by_hand(around, &mut outcome);
            }
            _ => return None,
        }
        self.watch_silence(around);
        Some(outcome)
    }

    /// The peer's hardware address is known: sends the SYN.
    pub fn start(&mut self, around: &Surroundings) -> Outcome {
        let mut outcome = Outcome::default();
        self.send_syn(around, &mut outcome);
        outcome
    }

    /// Nobody answered for the peer, to ARP or to TCP: Sn_IR.TIMEOUT and closed.
    pub fn give_up(&mut self) -> Outcome {
        self.close();
        Outcome {
            interrupts: IR_TIMEOUT,
            ..Outcome::default()
        }
    }

    /// SEND: the bytes follow those before them. Nothing to send never completes.
    fn queue(&mut self, bytes: u16) {
        if bytes > 0 {
            self.queued = self.queued.wrapping_add(u32::from(bytes));
            self.sends.push_back(self.queued);
        }
    }

    /// RECV: tells the peer of the room if it was too little for a whole segment. When the chip does is
    /// not documented; a peer that knows of room for a segment sends one.
    fn reopen_window(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        let grew = around.receive_space > self.announced;
        if grew && self.announced < around.own_mss() {
            self.send_ack(around, outcome);
        }
    }

    /// DISCON: a FIN follows what is queued. Where there is no connection yet, there is none to end.
    fn disconnect(
        &mut self,
        state: State,
        around: &Surroundings,
        outcome: &mut Outcome,
    ) -> Option<()> {
        match state {
            State::Established => self.state = State::FinWait,
            State::CloseWait => self.state = State::LastAck,
            State::Init | State::Listen | State::SynSent | State::SynReceived => {
                self.close();
                return Some(());
            }
            _ => return None,
        }
        self.closing = true;
        self.transmit(around, outcome);
        Some(())
    }

    /// SEND_KEEP: only where the peer is not asked by itself, and after data was sent once (DS1.0.9
    /// §4.2, Sn_CR and Sn_KPALVTR).
    fn ask_by_hand(&mut self, around: &Surroundings, outcome: &mut Outcome) {
        if around.keep_alive == 0 && self.keep_alive.data_was_sent && !self.is_waiting() {
            self.ask(around, outcome);
        }
    }
}
