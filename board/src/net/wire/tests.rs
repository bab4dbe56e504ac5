use super::*;

fn wire(config: WireConfig) -> (Wire, Schedule) {
    let mut wire = Wire::new(config);
    wire.set_carrier(true);
    (wire, Schedule::default())
}

/// Takes every arrival in one direction, with its instant.
fn arrivals(wire: &mut Wire, schedule: &mut Schedule) -> Vec<(u64, Vec<u8>)> {
    let mut seen = Vec::new();
    while let Some((event, at)) = schedule.take(Instant::from_ps(u64::MAX - 1)) {
        let direction = match event {
            Event::WireToBoard => Direction::ToBoard,
            Event::WireToHost => Direction::ToHost,
            other => panic!("{other:?}"),
        };
        while let Some(frame) = wire.receive(direction, at, schedule) {
            seen.push((at.as_ns(), frame));
        }
    }
    seen
}

/// Frame slots at 100 Mb/s: minimum, 100-byte and 1472-byte UDP payload.
#[test]
fn back_to_back_frames_are_one_slot_apart_and_arrive_a_gap_before_its_end() {
    for (len, slot_ns) in [(64, 6_720), (146, 13_280), (1518, 123_040)] {
        let (mut wire, mut schedule) = wire(WireConfig::default());
        let frame = vec![0; len];
        let first = wire.send(Direction::ToHost, &frame, Instant::ZERO, &mut schedule);
        let second = wire.send(Direction::ToHost, &frame, Instant::ZERO, &mut schedule);
        assert_eq!(first.start, Instant::ZERO);
        assert_eq!(first.end.as_ns(), slot_ns - 960);
        assert_eq!(second.start.as_ns(), slot_ns);
        assert_eq!(wire.queued(Direction::ToHost), 2);
        let times: Vec<_> = arrivals(&mut wire, &mut schedule)
            .iter()
            .map(|a| a.0)
            .collect();
        assert_eq!(times, [slot_ns - 960, 2 * slot_ns - 960]);
        assert_eq!(wire.sent(Direction::ToHost), 2);
    }
}

#[test]
fn an_idle_wire_takes_a_frame_when_it_is_ready_and_directions_do_not_meet() {
    let (mut wire, mut schedule) = wire(WireConfig {
        propagation: Span::from_ns(500),
        ..WireConfig::default()
    });
    let ready = Instant::from_ns(1_000_000);
    let out = wire.send(Direction::ToHost, &[1; 64], ready, &mut schedule);
    let back = wire.send(Direction::ToBoard, &[2; 64], ready, &mut schedule);
    assert_eq!((out.start, back.start), (ready, ready));
    let seen = arrivals(&mut wire, &mut schedule);
    let at = 1_000_000 + 72 * 80 + 500;
    assert_eq!(seen, [(at, vec![2; 64]), (at, vec![1; 64])]);
}

#[test]
fn nothing_arrives_without_a_carrier() {
    let mut wire = Wire::new(WireConfig::default());
    let mut schedule = Schedule::default();
    let sent = wire.send(Direction::ToHost, &[0; 64], Instant::ZERO, &mut schedule);
    assert_eq!(sent.end.as_ns(), 5_760);
    assert_eq!(wire.lost_without_carrier(), 1);
    assert!(arrivals(&mut wire, &mut schedule).is_empty());
}

fn with_faults(to_host: FaultRates) -> (Wire, Schedule) {
    wire(WireConfig {
        faults: Faults {
            seed: 7,
            to_host,
            ..Faults::default()
        },
        ..WireConfig::default()
    })
}

#[test]
fn a_dropped_frame_keeps_its_slot() {
    let (mut wire, mut schedule) = with_faults(FaultRates {
        drop_ppm: 1_000_000,
        ..FaultRates::default()
    });
    wire.send(Direction::ToHost, &[0; 64], Instant::ZERO, &mut schedule);
    let second = wire.send(Direction::ToHost, &[0; 64], Instant::ZERO, &mut schedule);
    assert_eq!(second.start.as_ns(), 6_720);
    assert!(arrivals(&mut wire, &mut schedule).is_empty());
    assert_eq!(wire.fault_counters(Direction::ToHost).dropped, 2);
    assert_eq!(
        wire.fault_counters(Direction::ToBoard),
        FaultCounters::default()
    );
}

#[test]
fn a_duplicate_takes_a_slot_of_its_own() {
    let (mut wire, mut schedule) = with_faults(FaultRates {
        duplicate_ppm: 1_000_000,
        ..FaultRates::default()
    });
    wire.send(Direction::ToHost, &[5; 64], Instant::ZERO, &mut schedule);
    let third = wire.send(Direction::ToHost, &[6; 64], Instant::ZERO, &mut schedule);
    assert_eq!(third.start.as_ns(), 2 * 6_720);
    let seen = arrivals(&mut wire, &mut schedule);
    let firsts: Vec<_> = seen.iter().map(|(_, frame)| frame[0]).collect();
    assert_eq!(firsts, [5, 5, 6, 6]);
    assert_eq!(wire.fault_counters(Direction::ToHost).duplicated, 2);
}

#[test]
fn corruption_inverts_exactly_one_bit() {
    let (mut wire, mut schedule) = with_faults(FaultRates {
        corrupt_ppm: 1_000_000,
        ..FaultRates::default()
    });
    wire.send(Direction::ToHost, &[0; 64], Instant::ZERO, &mut schedule);
    let seen = arrivals(&mut wire, &mut schedule);
    let ones: u32 = seen[0].1.iter().map(|byte| byte.count_ones()).sum();
    assert_eq!(ones, 1);
    assert_eq!(wire.fault_counters(Direction::ToHost).corrupted, 1);
}

#[test]
fn a_delayed_frame_is_overtaken() {
    let (mut wire, mut schedule) = with_faults(FaultRates {
        delay_ppm: 500_000,
        delay: Span::from_us(100),
        ..FaultRates::default()
    });
    for tag in 0..16 {
        wire.send(Direction::ToHost, &[tag; 64], Instant::ZERO, &mut schedule);
    }
    let delayed = wire.fault_counters(Direction::ToHost).delayed as usize;
    let seen = arrivals(&mut wire, &mut schedule);
    assert_eq!(seen.len(), 16);
    assert!(seen.is_sorted_by_key(|(at, _)| *at));
    let late = seen
        .iter()
        .filter(|(at, frame)| *at == u64::from(frame[0]) * 6_720 + 5_760 + 100_000)
        .count();
    let on_time = seen
        .iter()
        .filter(|(at, frame)| *at == u64::from(frame[0]) * 6_720 + 5_760)
        .count();
    assert!(delayed > 0 && delayed < 16);
    assert_eq!((late, on_time), (delayed, 16 - delayed));
}
