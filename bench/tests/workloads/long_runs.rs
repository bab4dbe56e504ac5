//! Counts, sequence numbers and memory of runs longer than any test can send.

use bench::datagram::{Classification, DatagramFormat};
use bench::ledger::Ledger;
use bench::schedule::Schedule;
use bench::stream::Flow;
use bench::{
    Action, Counts, DisturbOutcome, Latency, LatencyOptions, Nanos, Recovery, RecoveryOptions,
    SendOutcome, Soak, SoakOptions, Stream, StreamOptions, Workload,
};

use crate::scripted_echo::{RTT, echo_only, echo_server};

const LATE: Nanos = Nanos::from_millis(50);

fn flow(first_sequence: u64, packets: u64, rate_hz: u64) -> Flow {
    Flow::new(
        Schedule {
            start: Nanos::ZERO,
            first_sequence,
            packets,
            rate_hz,
        },
        LATE,
    )
}

/// Sends the next datagram at the instant it is due, and returns both.
fn send_next(flow: &mut Flow) -> (u64, Nanos) {
    let (sequence, due) = flow.next_due().unwrap();
    flow.sent(due, SendOutcome::Sent);
    (sequence, due)
}

#[test]
fn sequence_numbers_pass_32_bits() {
    let first = u64::from(u32::MAX) - 2;
    let format = DatagramFormat::new(9, 100);
    let mut flow = flow(first, 6, 1_000);
    for expected in first..first + 6 {
        let (sequence, due) = send_next(&mut flow);
        assert_eq!(sequence, expected);
        // 2^32 itself is lost; 2^32 + 1 comes twice.
        let copies = [1, 1, 1, 0, 2, 1][(sequence - first) as usize];
        let mut payload = [0; 100];
        format.encode(sequence, &mut payload);
        for _ in 0..copies {
            flow.received(due + Nanos(300), format.classify(&payload));
        }
    }
    let summary = flow.close(Nanos::SECOND);
    let Counts {
        sent,
        valid,
        missing,
        duplicate,
        foreign,
        ..
    } = summary.ledger.counts;
    assert_eq!((sent, valid, missing, duplicate, foreign), (6, 5, 1, 1, 0));
    assert_eq!(
        (summary.first_missing, summary.last_missing),
        (Some(3), Some(3))
    );
}

#[test]
fn blocks_add_up_beyond_32_bits() {
    let block = 1_000_000;
    let mut flow = flow(0, block, 1_000_000);
    for _ in 0..block {
        let (sequence, due) = send_next(&mut flow);
        if sequence % 250_000 != 17 {
            flow.received(due + Nanos(1), Classification::Good { sequence });
        }
    }
    let block_counts = flow.close(Nanos::SECOND).ledger.counts;
    let mut total = Counts::default();
    for _ in 0..150_000 {
        total += block_counts;
    }
    total.check().unwrap();
    assert_eq!(total.sent, 150_000_000_000);
    assert_eq!(total.missing, 600_000);
    assert_eq!(total.loss().unwrap().scaled(1_000_000), 4);
}

#[test]
fn counts_add_field_by_field() {
    let counts = Counts {
        planned: 1,
        sent: 2,
        send_errors: 3,
        valid: 4,
        missing: 5,
        late: 6,
        duplicate: 7,
        reordered: 8,
        corrupt: 9,
        truncated: 10,
        damaged: 12,
        foreign: 11,
    };
    let mut twice = counts;
    twice += counts;
    let doubled = |json: serde_json::Value| {
        let fields = json.as_object().unwrap().clone().into_iter();
        fields
            .map(|(name, value)| (name, 2 * value.as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    let fields = serde_json::to_value(twice).unwrap();
    let fields = fields.as_object().unwrap().clone().into_iter();
    let fields = fields
        .map(|(name, value)| (name, value.as_u64().unwrap()))
        .collect::<Vec<_>>();
    assert_eq!(fields, doubled(serde_json::to_value(counts).unwrap()));
    assert_eq!(counts.error_events(), 3 + 5 + 6 + 7 + 8 + 9 + 11);
}

#[test]
fn a_reply_older_than_the_kept_send_instants_is_still_valid_and_late() {
    // The ring keeps the last 8192 sends at 1000/s.
    let packets = 20_000;
    let mut flow = flow(0, packets, 1_000);
    let mut now = Nanos::ZERO;
    for _ in 0..packets {
        (_, now) = send_next(&mut flow);
    }
    for sequence in [packets - 8_192, packets - 8_193, 0] {
        flow.received(now, Classification::Good { sequence });
    }
    flow.received(now, Classification::Good { sequence: 0 });
    let summary = flow.close(Nanos::from_secs(60));
    let Counts {
        valid,
        late,
        duplicate,
        reordered,
        ..
    } = summary.ledger.counts;
    assert_eq!((valid, late, duplicate, reordered), (3, 3, 1, 2));
    assert_eq!(
        (summary.ledger.rtt.count(), summary.ledger.rtt_unknown),
        (1, 2)
    );
    assert_eq!(summary.ledger.rtt.max(), Some(Nanos::from_millis(8_191)));
    assert_eq!(summary.rtt_from_schedule.count(), 3);
    assert_eq!(
        summary.rtt_from_schedule.max(),
        Some(Nanos::from_millis(19_999))
    );
}

#[test]
fn an_hour_takes_little_more_than_three_bits_a_packet() {
    let hour = Stream::new(StreamOptions::default(), echo_only()).unwrap();
    // 64 s, so that both fill whole words of 64 bits.
    let shorter = Stream::new(
        StreamOptions {
            duration_ns: Nanos::from_secs(64),
            ..StreamOptions::default()
        },
        echo_only(),
    );
    let (hour, shorter) = (hour.memory_bytes(), shorter.unwrap().memory_bytes());
    // Three bits for each of the 3,540,000 further packets.
    assert_eq!(hour - shorter, 3 * 3_536_000 / 8);
    assert!(hour < 1_700_000, "{hour} bytes");
}

/// Sends and returns `packets` datagrams, beginning at `now`, without any memory of its own.
fn echo_packets(stream: &mut Stream, now: &mut Nanos, packets: u64) {
    let mut on_the_wire = [0; 100];
    for _ in 0..packets {
        while let Action::WaitUntil(instant) = stream.next(*now) {
            *now = instant;
        }
        let Action::Send { payload, .. } = stream.next(*now) else {
            panic!("nothing to send")
        };
        on_the_wire.copy_from_slice(payload);
        stream.sent(*now, SendOutcome::Sent);
        *now += RTT;
        stream.received(*now, echo_server(), &on_the_wire);
    }
}

#[test]
fn no_packet_allocates() {
    let options = StreamOptions {
        warm_up_packets: 0,
        ..StreamOptions::default()
    };
    let mut stream = Stream::new(options, echo_only()).unwrap();
    let mut now = Nanos::ZERO;
    // The histograms grow when a magnitude first comes.
    let first = allocation_counter::measure(|| echo_packets(&mut stream, &mut now, 1));
    assert!(first.count_total > 0);
    let others = allocation_counter::measure(|| echo_packets(&mut stream, &mut now, 20_000));
    assert_eq!(others.count_total, 0);
    assert_eq!(stream.counts().valid, 20_001);
}

#[test]
fn a_million_datagrams_under_way_take_two_and_a_half_megabytes() {
    let packets = 1_000_000;
    let mut kept = None;
    let made = allocation_counter::measure(|| kept = Some(Ledger::new(0..packets, packets, LATE)));
    let mut ledger = kept.unwrap();
    let sent = allocation_counter::measure(|| {
        for packet in 0..packets {
            ledger.sent(Nanos(packet), SendOutcome::Sent);
        }
    });
    assert_eq!(sent.count_total, 0);
    let bits = 3 * packets as usize / 8;
    let ring = 262_144 * size_of::<Nanos>();
    let own = ledger.memory_bytes() - bits - ring;
    assert!(own < 20_000, "{own} bytes besides");
    let heap = made.bytes_total as usize;
    assert!(
        (bits + ring..bits + ring + 20_000).contains(&heap),
        "{heap}"
    );
    assert_eq!(ledger.counts().missing, packets);
    // The oldest kept instant is that of 262,144 sends ago.
    for (sequence, kept) in [(packets - 262_144, true), (packets - 262_145, false)] {
        let class = Classification::Good { sequence };
        let copy = ledger.received(Nanos(packets), class).unwrap();
        assert_eq!(copy.rtt.is_some(), kept, "{sequence}");
    }
}

/// Sends what a workload asks for and returns each datagram after [`RTT`], until `packets` are
/// back; the workload's answers go through `on_the_wire`.
fn echo_all(workload: &mut impl Workload, now: &mut Nanos, packets: u64) {
    let mut on_the_wire = [0; 1472];
    let mut returned = 0;
    while returned < packets {
        match workload.next(*now) {
            Action::Send { payload, .. } => {
                let bytes = payload.len();
                on_the_wire[..bytes].copy_from_slice(payload);
                workload.sent(*now, SendOutcome::Sent);
                *now += RTT;
                workload.received(*now, echo_server(), &on_the_wire[..bytes]);
                returned += 1;
            }
            Action::WaitUntil(instant) => *now = instant,
            Action::Disturb(_) => workload.disturbed(*now, DisturbOutcome::Begun),
            Action::Done => panic!("{returned} datagrams came back"),
        }
    }
}

/// How often `packets` datagrams allocate after as many others.
fn allocations(workload: &mut impl Workload, packets: u64) -> u64 {
    let mut now = Nanos::ZERO;
    echo_all(workload, &mut now, packets);
    allocation_counter::measure(|| echo_all(workload, &mut now, packets)).count_total
}

#[test]
fn no_packet_of_any_workload_allocates() {
    let latency = LatencyOptions {
        payload_bytes: vec![1],
        ..LatencyOptions::default()
    };
    let mut latency = Latency::new(latency, echo_server()).unwrap();
    assert_eq!(allocations(&mut latency, 5_000), 0);
    let mut recovery = Recovery::new(RecoveryOptions::default(), echo_server()).unwrap();
    assert_eq!(allocations(&mut recovery, 5_000), 0);
    let interval_ns = Nanos::from_secs(900);
    let soak = SoakOptions {
        interval_ns,
        ..SoakOptions::default()
    };
    let mut soak = Soak::new(soak, echo_server()).unwrap();
    // A slice of RTT over time ends every 45 s, and a histogram begins with the next.
    assert_eq!(allocations(&mut soak, 5_000), 0);
}

#[test]
fn what_a_workload_says_it_takes_is_what_it_takes() {
    let soak = SoakOptions {
        rate_hz: 10_000,
        ..SoakOptions::default()
    };
    let mut made = None;
    let heap = allocation_counter::measure(|| {
        made = Some(Soak::new(soak, echo_server()).unwrap());
    });
    let stated = made.unwrap().memory_bytes();
    let heap = heap.bytes_current as usize;
    assert!(
        stated.abs_diff(heap) < 4_096,
        "{stated} stated, {heap} taken"
    );
}
