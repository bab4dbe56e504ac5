//! Random segments, commands and times.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Command(Command),
    Segment { header: TcpHeader, data: usize },
    Expire,
    Reopen,
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Listen),
        Just(Command::Connect),
        any::<u16>().prop_map(Command::Send),
        Just(Command::Receive),
        Just(Command::Disconnect),
        Just(Command::KeepAlive),
    ]
}

/// Sequence numbers near the connection's own, so that some are in the window.
fn segment() -> impl Strategy<Value = Step> {
    let flags = any::<[bool; 3]>();
    (
        flags,
        -3_i32..3,
        proptest::option::of(-3_i32..3),
        any::<u16>(),
        0_usize..1_500,
    )
        .prop_map(
            |([syn, fin, rst], ahead, acknowledged, window, data)| Step::Segment {
                header: TcpHeader {
                    sequence: PEER.wrapping_add_signed(ahead),
                    acknowledgement: acknowledged.map(|ahead| ahead as u32),
                    syn,
                    fin,
                    rst: rst && syn,
                    psh: false,
                    window,
                    mss: Some(window),
                },
                data,
            },
        )
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => command().prop_map(Step::Command),
        4 => segment(),
        2 => Just(Step::Expire),
        1 => Just(Step::Reopen),
    ]
}

proptest! {
    #[test]
    fn nothing_makes_it_panic_or_promise_what_is_not_there(
        steps in proptest::collection::vec(step(), 1..60),
        connected in any::<bool>(),
        space in 0_u16..4_000,
        keep_alive in 0_u8..2,
    ) {
        let mut rig = if connected { Rig::connected() } else { Rig::new() };
        rig.around.receive_space = space;
        rig.around.keep_alive = keep_alive;
        let mut queued = 0_u64;
        for step in steps {
            let was = rig.tcp.state();
            let outcome = match step {
                Step::Command(Command::Send(bytes)) => {
                    let outcome = rig.tcp.on_command(Command::Send(bytes), &rig.around);
                    queued += outcome.as_ref().map_or(0, |_| u64::from(bytes));
                    outcome.unwrap_or_default()
                }
                Step::Command(command) => {
                    rig.tcp.on_command(command, &rig.around).unwrap_or_default()
                }
                Step::Segment { mut header, data } => {
                    let near = header.acknowledgement;
                    header.acknowledgement = near.map(|near| near.wrapping_add(rig.tcp.highest));
                    header.sequence = header
                        .sequence
                        .wrapping_sub(PEER)
                        .wrapping_add(rig.tcp.expected);
                    let outcome = rig.hear(header, data);
                    prop_assert!(outcome.accepted.end <= data);
                    prop_assert!(outcome.accepted.len() <= usize::from(space));
                    outcome
                }
                Step::Expire if rig.tcp.deadline() == Instant::NEVER => Outcome::default(),
                Step::Expire => rig.expire(),
                Step::Reopen => {
                    rig.tcp.open();
                    queued = 0;
                    Outcome::default()
                }
            };
            prop_assert!(u64::from(outcome.acknowledged) <= queued);
            queued -= u64::from(outcome.acknowledged);
            for segment in &outcome.segments {
                let end = u64::from(segment.data_offset) + u64::from(segment.data_len);
                prop_assert!(segment.data_offset == u16::MAX || end <= queued);
                prop_assert!(segment.data_len <= LARGEST_SEGMENT);
                prop_assert!(segment.header.window <= space);
            }
            prop_assert!(outcome.interrupts & IR_CON == 0 || was != State::Established);
            prop_assert!(rig.tcp.state() != State::Closed || rig.tcp.deadline() == Instant::NEVER);
        }
    }
}
