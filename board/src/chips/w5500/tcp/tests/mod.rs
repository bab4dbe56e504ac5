//! The state machine segment by segment, with a peer whose segments are written by hand.

mod closing;
mod data;
mod handshake;
mod properties;
mod silence;

use super::super::registers::socket::{IR_CON, IR_DISCON, IR_RECV, IR_SENDOK, IR_TIMEOUT};
use super::*;

/// The peer's first sequence number: a wrap is near.
const PEER: u32 = u32::MAX - 2;
const MSS: u16 = 1_000;

/// A connection, its surroundings and what its peer would say.
struct Rig {
    tcp: Tcp,
    around: Surroundings,
    /// Our first sequence number.
    ours: u32,
    /// The peer's next sequence number.
    theirs: u32,
}

impl Rig {
    fn new() -> Self {
        let mut tcp = Tcp::new(7);
        tcp.open();
        Self {
            tcp,
            around: Surroundings {
                now: Instant::ZERO,
                receive_space: 2_048,
                retry: Retry::default(),
                mss: 0,
                no_delayed_ack: true,
                keep_alive: 0,
                time_wait: Span::from_ms(50),
            },
            ours: 0,
            theirs: PEER,
        }
    }

    /// Connected as a client, to a peer with room for 4000 bytes.
    fn connected() -> Self {
        let mut rig = Self::new();
        rig.command(Command::Connect);
        let syn = rig.tcp.start(&rig.around);
        rig.ours = syn.segments[0].header.sequence;
        let answer = TcpHeader {
            syn: true,
            mss: Some(MSS),
            ..rig.says(1)
        };
        assert_eq!(rig.hear(answer, 0).interrupts, IR_CON);
        rig.theirs = PEER.wrapping_add(1);
        assert_eq!(rig.tcp.state(), State::Established);
        rig
    }

    fn command(&mut self, command: Command) -> Outcome {
        self.tcp
            .on_command(command, &self.around)
            .expect("the state takes it")
    }

    fn hear(&mut self, header: TcpHeader, data: usize) -> Outcome {
        self.tcp.on_segment(&header, data, &self.around)
    }

    /// A segment of the peer's that acknowledges `acknowledged` of our sequence numbers.
    fn says(&self, acknowledged: u32) -> TcpHeader {
        TcpHeader {
            sequence: self.theirs,
            acknowledgement: Some(self.ours.wrapping_add(acknowledged)),
            window: 4_000,
            ..TcpHeader::default()
        }
    }

    fn fin(&self, acknowledged: u32) -> TcpHeader {
        TcpHeader {
            fin: true,
            ..self.says(acknowledged)
        }
    }

    /// Lets the next deadline come.
    fn expire(&mut self) -> Outcome {
        self.around.now = self.tcp.deadline();
        self.tcp.on_timer(&self.around)
    }

    /// Sequence number (from ours), offset and length of each segment.
    fn pieces(&self, outcome: &Outcome) -> Vec<(u32, u16, u16)> {
        let place = |segment: &Outgoing| {
            let sequence = segment.header.sequence.wrapping_sub(self.ours);
            (sequence, segment.data_offset, segment.data_len)
        };
        outcome.segments.iter().map(place).collect()
    }

    /// Milliseconds until the next deadline.
    fn wait_ms(&self) -> u64 {
        (self.tcp.deadline() - self.around.now).as_ps() / Span::from_ms(1).as_ps()
    }
}

/// The only segment of an outcome.
fn only(outcome: &Outcome) -> TcpHeader {
    let [segment] = outcome.segments.as_slice() else {
        panic!("not one segment: {outcome:?}");
    };
    segment.header
}
