//! How connections end.

use super::*;

#[test]
fn the_peer_closes_first() {
    let mut rig = Rig::connected();
    let outcome = rig.hear(rig.fin(1), 5);
    assert_eq!(outcome.interrupts, IR_RECV | IR_DISCON);
    assert_eq!(only(&outcome).acknowledgement, Some(PEER.wrapping_add(7)));
    assert_eq!(rig.tcp.state() as u8, 0x1C);
    let outcome = rig.command(Command::Send(3));
    assert_eq!(rig.pieces(&outcome), [(1, 0, 3)]);
    let fin = only(&rig.command(Command::Disconnect));
    assert!(fin.fin);
    assert_eq!(fin.sequence, rig.ours.wrapping_add(4));
    assert_eq!(rig.tcp.state() as u8, 0x1D);
    rig.theirs = PEER.wrapping_add(7);
    let outcome = rig.hear(rig.says(5), 0);
    assert_eq!((outcome.acknowledged, outcome.interrupts), (3, IR_SENDOK));
    assert_eq!(rig.tcp.state() as u8, 0x00);
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
}

#[test]
fn we_close_first_and_wait_before_all_is_over() {
    let mut rig = Rig::connected();
    assert!(only(&rig.command(Command::Disconnect)).fin);
    assert_eq!(rig.tcp.state() as u8, 0x18);
    assert_eq!(rig.tcp.on_command(Command::Send(1), &rig.around), None);
    assert!(rig.hear(rig.says(2), 0).segments.is_empty());
    assert_eq!(rig.tcp.state() as u8, 0x18);
    assert_eq!(rig.hear(rig.says(2), 4).accepted, 0..4);
    rig.theirs = PEER.wrapping_add(5);
    let fin = rig.fin(2);
    let outcome = rig.hear(fin, 0);
    assert_eq!(outcome.interrupts, IR_DISCON);
    assert_eq!(only(&outcome).acknowledgement, Some(PEER.wrapping_add(6)));
    assert_eq!(rig.tcp.state() as u8, 0x1B);
    // Our acknowledgement was lost.
    let again = only(&rig.hear(fin, 0));
    assert_eq!(again.acknowledgement, Some(PEER.wrapping_add(6)));
    assert_eq!(rig.wait_ms(), 50);
    assert_eq!(rig.expire(), Outcome::default());
    assert_eq!(rig.tcp.state() as u8, 0x00);
}

#[test]
fn both_close_at_once() {
    let mut rig = Rig::connected();
    rig.command(Command::Disconnect);
    let outcome = rig.hear(rig.fin(1), 0);
    assert_eq!(outcome.interrupts, IR_DISCON);
    assert!(!only(&outcome).fin);
    assert_eq!(rig.tcp.state() as u8, 0x1A);
    rig.theirs = PEER.wrapping_add(2);
    rig.hear(rig.says(2), 0);
    assert_eq!(rig.tcp.state() as u8, 0x1B);
}

#[test]
fn a_fin_that_acknowledges_ours_ends_at_once() {
    let mut rig = Rig::connected();
    rig.command(Command::Disconnect);
    rig.hear(rig.fin(2), 0);
    assert_eq!(rig.tcp.state(), State::TimeWait);
}

#[test]
fn a_fin_follows_the_data_that_waits_for_the_window() {
    let mut rig = Rig::connected();
    rig.command(Command::Send(4_500));
    assert!(rig.command(Command::Disconnect).segments.is_empty());
    let outcome = rig.hear(rig.says(4_001), 0);
    assert_eq!(rig.pieces(&outcome), [(4_001, 0, 500), (4_501, 0, 0)]);
    assert!(!outcome.segments[0].header.fin && outcome.segments[1].header.fin);
    // The FIN alone was lost.
    rig.hear(rig.says(4_501), 0);
    let again = rig.expire();
    assert!(only(&again).fin);
    assert_eq!(rig.pieces(&again), [(4_501, 0, 0)]);
    let outcome = rig.hear(rig.says(4_502), 0);
    assert_eq!((outcome.acknowledged, rig.tcp.state()), (0, State::FinWait));
}

/// DS1.0.9 §4.2 lets DISCON end with TIMEOUT if the peer's FIN does not come.
#[test]
fn a_peer_that_never_closes_is_not_waited_for_for_ever() {
    for acknowledged in [false, true] {
        let mut rig = Rig::connected();
        rig.command(Command::Disconnect);
        if acknowledged {
            rig.hear(rig.says(2), 0);
        }
        let mut fins = 0;
        let end = loop {
            let outcome = rig.expire();
            if rig.tcp.state() == State::Closed {
                break outcome;
            }
            fins += outcome.segments.len();
        };
        assert_eq!(end.interrupts, IR_TIMEOUT);
        assert_eq!(fins, if acknowledged { 0 } else { 8 });
        assert_eq!(rig.around.now, Instant::ZERO + Span::from_ms(31_800));
    }
}

#[test]
fn a_reset_within_the_window_closes_at_once() {
    let mut rig = Rig::connected();
    let reset = |ahead| TcpHeader {
        sequence: PEER.wrapping_add(1).wrapping_add(ahead),
        rst: true,
        ..TcpHeader::default()
    };
    assert_eq!(rig.hear(reset(2_048), 0), Outcome::default());
    assert_eq!(rig.hear(reset(u32::MAX), 0), Outcome::default());
    assert_eq!(rig.tcp.state(), State::Established);
    assert_eq!(rig.hear(reset(2_047), 0).interrupts, IR_DISCON);
    assert_eq!(rig.tcp.state(), State::Closed);
}

#[test]
fn a_syn_amid_a_connection_changes_nothing() {
    let mut rig = Rig::connected();
    let syn = TcpHeader {
        syn: true,
        ..rig.says(1)
    };
    let answer = only(&rig.hear(syn, 0));
    assert_eq!(answer.acknowledgement, Some(PEER.wrapping_add(1)));
    assert_eq!(rig.tcp.state(), State::Established);
}

#[test]
fn close_tells_nobody() {
    let mut rig = Rig::connected();
    rig.command(Command::Send(9));
    rig.tcp.close();
    assert_eq!(rig.tcp.state(), State::Closed);
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
}
