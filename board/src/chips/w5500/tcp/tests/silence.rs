//! Peers that say nothing, and keep-alives.

use super::*;

/// A connection that has carried a byte.
fn used() -> Rig {
    let mut rig = Rig::connected();
    rig.command(Command::Send(1));
    rig.hear(rig.says(2), 0);
    rig
}

#[test]
fn a_send_without_answer_times_out() {
    let mut rig = Rig::connected();
    rig.around.retry = Retry {
        time: 100,
        count: 2,
    };
    rig.command(Command::Send(5));
    for wait in [10, 20] {
        assert_eq!(rig.wait_ms(), wait);
        let again = rig.expire();
        assert_eq!(rig.pieces(&again), [(1, 0, 5)]);
    }
    assert_eq!(rig.wait_ms(), 40);
    assert_eq!(rig.expire().interrupts, IR_TIMEOUT);
    assert_eq!(rig.tcp.state(), State::Closed);
}

/// RCR counts as it reads at each wait.
#[test]
fn a_lower_rcr_ends_a_wait_under_way() {
    let mut rig = Rig::connected();
    rig.command(Command::Send(5));
    for _ in 0..3 {
        rig.expire();
    }
    rig.around.retry.count = 1;
    assert_eq!(rig.expire().interrupts, IR_TIMEOUT);
}

#[test]
fn send_keep_asks_with_the_last_byte() {
    let mut rig = Rig::connected();
    // Nothing was sent yet: there is no last byte.
    assert!(rig.command(Command::KeepAlive).segments.is_empty());
    let mut rig = used();
    let ask = rig.command(Command::KeepAlive);
    assert_eq!(rig.pieces(&ask), [(1, u16::MAX, 1)]);
    assert!(rig.hear(rig.says(2), 0).segments.is_empty());
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
    // Nobody answers this one.
    rig.command(Command::KeepAlive);
    for _ in 0..8 {
        let again = rig.expire();
        assert_eq!(rig.pieces(&again), [(1, u16::MAX, 1)]);
    }
    assert_eq!(rig.expire().interrupts, IR_TIMEOUT);
}

#[test]
fn kpalvtr_asks_by_itself_after_a_silence() {
    let mut rig = Rig::connected();
    rig.around.keep_alive = 2;
    assert!(rig.hear(rig.says(1), 1).interrupts == IR_RECV);
    assert_eq!(rig.tcp.deadline(), Instant::NEVER);
    rig.theirs = rig.theirs.wrapping_add(1);
    rig.command(Command::Send(1));
    rig.hear(rig.says(2), 0);
    assert_eq!(rig.wait_ms(), 10_000);
    // SEND_KEEP has nothing to do here.
    assert!(rig.command(Command::KeepAlive).segments.is_empty());
    let ask = rig.expire();
    assert_eq!(rig.pieces(&ask), [(1, u16::MAX, 1)]);
    assert_eq!(rig.wait_ms(), 200);
    rig.hear(rig.says(2), 0);
    assert_eq!(rig.wait_ms(), 10_000);
    // The peer is heard of, and asks itself.
    rig.around.now = rig.around.now + Span::from_ms(4_000);
    let theirs = TcpHeader {
        sequence: rig.theirs.wrapping_sub(1),
        ..rig.says(2)
    };
    assert_eq!(only(&rig.hear(theirs, 1)).acknowledgement, Some(rig.theirs));
    assert_eq!(rig.wait_ms(), 10_000);
    rig.expire();
    while rig.tcp.state() != State::Closed {
        rig.expire();
    }
    assert_eq!(
        rig.around.now,
        Instant::ZERO + Span::from_ms(14_000 + 200 + 10_000 + 31_600)
    );
}
