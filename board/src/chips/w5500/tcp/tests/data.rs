//! Data both ways: segments, windows, acknowledgements.

use super::*;

#[test]
fn a_send_is_cut_by_the_segment_size_and_the_window() {
    let mut rig = Rig::connected();
    let outcome = rig.command(Command::Send(5_500));
    let expected = [
        (1, 0, 1_000),
        (1_001, 1_000, 1_000),
        (2_001, 2_000, 1_000),
        (3_001, 3_000, 1_000),
    ];
    assert_eq!(rig.pieces(&outcome), expected);
    let outcome = rig.hear(rig.says(2_001), 0);
    assert_eq!((outcome.acknowledged, outcome.interrupts), (2_000, 0));
    let expected = [(4_001, 2_000, 1_000), (5_001, 3_000, 500)];
    assert_eq!(rig.pieces(&outcome), expected);
    let outcome = rig.hear(rig.says(5_501), 0);
    assert_eq!(outcome.acknowledged, 3_500);
    assert_eq!(outcome.interrupts, IR_SENDOK);
    assert!(outcome.segments.is_empty());
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
}

#[test]
fn each_send_completes_when_its_last_byte_is_acknowledged() {
    let mut rig = Rig::connected();
    rig.command(Command::Send(100));
    let outcome = rig.command(Command::Send(50));
    assert_eq!(rig.pieces(&outcome), [(101, 100, 50)]);
    assert_eq!(rig.hear(rig.says(100), 0).interrupts, 0);
    assert_eq!(rig.hear(rig.says(101), 0).interrupts, IR_SENDOK);
    assert_eq!(rig.hear(rig.says(151), 0).interrupts, IR_SENDOK);
    assert!(rig.command(Command::Send(0)).segments.is_empty());
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
}

#[test]
fn what_is_lost_is_sent_again_from_the_oldest_on() {
    let mut rig = Rig::connected();
    rig.command(Command::Send(2_500));
    assert_eq!(rig.wait_ms(), 200);
    let again = rig.expire();
    assert_eq!(rig.pieces(&again), [(1, 0, 1_000)]);
    assert_eq!(rig.wait_ms(), 400);
    // The peer had the last two all along.
    let outcome = rig.hear(rig.says(2_501), 0);
    assert_eq!(outcome.acknowledged, 2_500);
    assert!(outcome.segments.is_empty());
    rig.command(Command::Send(2_000));
    rig.expire();
    // Here it had not.
    let outcome = rig.hear(rig.says(3_501), 0);
    assert_eq!(rig.pieces(&outcome), [(3_501, 0, 1_000)]);
    assert_eq!(rig.wait_ms(), 200);
}

#[test]
fn a_closed_window_is_asked_with_one_byte() {
    let mut rig = Rig::connected();
    let shut = |acknowledged, rig: &Rig| TcpHeader {
        window: 0,
        ..rig.says(acknowledged)
    };
    rig.hear(shut(1, &rig), 0);
    assert!(rig.command(Command::Send(10)).segments.is_empty());
    for _ in 0..20 {
        assert_eq!(rig.wait_ms(), 200);
        let probe = rig.expire();
        assert_eq!(rig.pieces(&probe), [(1, 0, 1)]);
        // The peer refuses the byte and is alive: this goes on for ever.
        assert!(rig.hear(shut(1, &rig), 0).segments.is_empty());
    }
    // The byte that was refused does not count.
    let data = rig.hear(shut(1, &rig), 5);
    assert_eq!(only(&data).sequence, rig.ours.wrapping_add(1));
    rig.theirs = rig.theirs.wrapping_add(5);
    let open = rig.hear(rig.says(1), 0);
    assert_eq!(rig.pieces(&open), [(1, 0, 10)]);
}

#[test]
fn data_is_taken_as_far_as_there_is_room_and_in_order() {
    let mut rig = Rig::connected();
    rig.around.receive_space = 100;
    let outcome = rig.hear(rig.says(1), 150);
    assert_eq!(outcome.accepted, 0..100);
    assert_eq!(outcome.interrupts, IR_RECV);
    let ack = only(&outcome);
    assert_eq!(
        (ack.acknowledgement, ack.window),
        (Some(PEER.wrapping_add(101)), 0)
    );
    rig.around.receive_space = 0;
    let outcome = rig.hear(
        TcpHeader {
            sequence: PEER.wrapping_add(101),
            ..rig.says(1)
        },
        50,
    );
    assert_eq!((outcome.accepted.len(), outcome.interrupts), (0, 0));
    assert_eq!(only(&outcome).window, 0);
    // RECV makes room, and the peer is told.
    rig.around.receive_space = 2_048;
    let told = only(&rig.command(Command::Receive));
    assert_eq!(told.window, 2_048);
    assert!(rig.command(Command::Receive).segments.is_empty());
    // Partly old: only the new part counts. Behind a gap: nothing does.
    let outcome = rig.hear(rig.says(1), 150);
    assert_eq!(outcome.accepted, 100..150);
    rig.theirs = PEER.wrapping_add(161);
    let outcome = rig.hear(rig.says(1), 10);
    assert_eq!(outcome.accepted.len(), 0);
    assert_eq!(only(&outcome).acknowledgement, Some(PEER.wrapping_add(151)));
    // All of it old.
    rig.theirs = PEER.wrapping_add(1);
    let outcome = rig.hear(rig.says(1), 150);
    assert_eq!((outcome.accepted.len(), outcome.interrupts), (0, 0));
    assert_eq!(only(&outcome).acknowledgement, Some(PEER.wrapping_add(151)));
}

#[test]
fn a_delayed_acknowledgement_comes_within_rtr_or_with_data() {
    let mut rig = Rig::connected();
    rig.around.no_delayed_ack = false;
    rig.around.receive_space = 8_192;
    assert!(rig.hear(rig.says(1), 10).segments.is_empty());
    assert_eq!(rig.wait_ms(), 200);
    let ack = only(&rig.expire());
    assert_eq!(ack.acknowledgement, Some(PEER.wrapping_add(11)));
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
    rig.theirs = PEER.wrapping_add(11);
    assert!(rig.hear(rig.says(1), 10).segments.is_empty());
    let data = only(&rig.command(Command::Send(1)));
    assert_eq!(data.acknowledgement, Some(PEER.wrapping_add(21)));
    rig.theirs = PEER.wrapping_add(21);
    rig.hear(rig.says(2), 0);
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
    // A window too small for another segment does not wait.
    rig.around.receive_space = 1_469;
    assert_eq!(only(&rig.hear(rig.says(2), 10)).window, 1_459);
}

#[test]
fn an_acknowledgement_of_what_was_never_sent_is_answered() {
    let mut rig = Rig::connected();
    let outcome = rig.hear(rig.says(9), 4);
    assert_eq!((outcome.acknowledged, outcome.accepted.len()), (0, 0));
    assert_eq!(only(&outcome).acknowledgement, Some(PEER.wrapping_add(1)));
}
