//! How connections begin, and how they do not.

use super::*;

#[test]
fn a_client_connects() {
    let mut rig = Rig::new();
    assert!(rig.command(Command::Connect).segments.is_empty());
    assert_eq!(rig.tcp.state() as u8, 0x15);
    let syn = only(&rig.tcp.start(&rig.around));
    assert!(syn.syn && syn.acknowledgement.is_none());
    assert_eq!((syn.mss, syn.window), (Some(1_460), 2_048));
    rig.ours = syn.sequence;
    let answer = TcpHeader {
        syn: true,
        ..rig.says(1)
    };
    let outcome = rig.hear(answer, 0);
    assert_eq!(outcome.interrupts, IR_CON);
    let ack = only(&outcome);
    assert_eq!(ack.acknowledgement, Some(PEER.wrapping_add(1)));
    assert_eq!(ack.sequence, rig.ours.wrapping_add(1));
    assert!(!ack.syn && !ack.rst);
    assert_eq!(rig.tcp.state() as u8, 0x17);
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
}

#[test]
fn a_server_is_connected_to() {
    let mut rig = Rig::new();
    rig.command(Command::Listen);
    assert_eq!(rig.tcp.state() as u8, 0x14);
    let stray = rig.hear(rig.says(9), 0);
    assert!(only(&stray).rst);
    let syn = TcpHeader {
        syn: true,
        acknowledgement: None,
        ..rig.says(0)
    };
    let answer = only(&rig.hear(syn, 0));
    assert!(answer.syn);
    assert_eq!(answer.acknowledgement, Some(PEER.wrapping_add(1)));
    assert_eq!(rig.tcp.state() as u8, 0x16);
    // The answer was lost; the peer asks again and gets the same.
    assert_eq!(only(&rig.hear(syn, 0)), answer);
    rig.ours = answer.sequence;
    rig.theirs = PEER.wrapping_add(1);
    let outcome = rig.hear(rig.says(1), 3);
    assert_eq!(outcome.interrupts, IR_CON | IR_RECV);
    assert_eq!(outcome.accepted, 0..3);
    assert_eq!(rig.tcp.state() as u8, 0x17);
}

#[test]
fn both_ends_connect_at_once() {
    let mut rig = Rig::new();
    rig.command(Command::Connect);
    rig.ours = only(&rig.tcp.start(&rig.around)).sequence;
    let theirs = TcpHeader {
        syn: true,
        acknowledgement: None,
        ..rig.says(0)
    };
    let answer = only(&rig.hear(theirs, 0));
    assert!(answer.syn && answer.acknowledgement == Some(PEER.wrapping_add(1)));
    assert_eq!(rig.tcp.state(), State::SynReceived);
    let their_answer = TcpHeader {
        syn: true,
        ..rig.says(1)
    };
    let ack = only(&rig.hear(their_answer, 0));
    assert!(!ack.syn);
    assert_eq!(ack.sequence, rig.ours.wrapping_add(1));
    rig.theirs = PEER.wrapping_add(1);
    assert_eq!(rig.hear(rig.says(1), 0).interrupts, IR_CON);
}

#[test]
fn a_refused_client_is_closed() {
    let mut rig = Rig::new();
    rig.command(Command::Connect);
    rig.ours = only(&rig.tcp.start(&rig.around)).sequence;
    let wrong = TcpHeader {
        syn: true,
        ..rig.says(7)
    };
    let answer = only(&rig.hear(wrong, 0));
    assert!(answer.rst);
    assert_eq!(answer.sequence, rig.ours.wrapping_add(7));
    assert_eq!(rig.tcp.state(), State::SynSent);
    let refusal = TcpHeader {
        rst: true,
        ..rig.says(1)
    };
    assert_eq!(rig.hear(refusal, 0).interrupts, IR_DISCON);
    assert_eq!(rig.tcp.state(), State::Closed);
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
}

/// 31.8 s at the reset values: nine SYNs, each twice as long after the last up to 6.4 s.
#[test]
fn a_client_whose_peer_is_silent_times_out() {
    let mut rig = Rig::new();
    rig.command(Command::Connect);
    rig.ours = only(&rig.tcp.start(&rig.around)).sequence;
    for wait in [200, 400, 800, 1_600, 3_200, 6_400, 6_400, 6_400] {
        assert_eq!(rig.wait_ms(), wait);
        let again = only(&rig.expire());
        assert!(again.syn && again.sequence == rig.ours);
    }
    let end = rig.expire();
    assert_eq!(end.interrupts, IR_TIMEOUT);
    assert!(end.segments.is_empty());
    assert_eq!(rig.around.now, Instant::ZERO + Span::from_ms(31_800));
    assert_eq!(rig.tcp.state(), State::Closed);
}

#[test]
fn commands_are_refused_in_the_wrong_state() {
    let mut rig = Rig::connected();
    for command in [Command::Listen, Command::Connect] {
        assert_eq!(rig.tcp.on_command(command, &rig.around), None);
    }
    let mut rig = Rig::new();
    for command in [Command::Send(1), Command::KeepAlive] {
        assert_eq!(rig.tcp.on_command(command, &rig.around), None);
    }
    rig.command(Command::Listen);
    rig.command(Command::Disconnect);
    assert_eq!(rig.tcp.state(), State::Closed);
    assert_eq!(rig.tcp.on_command(Command::Disconnect, &rig.around), None);
}

#[test]
fn a_segment_without_a_connection_is_refused() {
    let mut rig = Rig::new();
    let syn = TcpHeader {
        syn: true,
        acknowledgement: None,
        ..rig.says(0)
    };
    let answer = only(&rig.hear(syn, 2));
    assert!(answer.rst);
    assert_eq!(answer.acknowledgement, Some(PEER.wrapping_add(3)));
    let reset = TcpHeader { rst: true, ..syn };
    assert_eq!(refusal(&reset, 0), None);
}
