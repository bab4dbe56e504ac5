//! The telemetry protocol, and the stream that asks for it.

use bench::telemetry::{Command, TelemetryError};
use bench::{Endpoint, Nanos, Stream, StreamOptions, StreamResult, Targets, Telemetry};
use proptest::prelude::*;

use crate::scripted_echo::*;

fn reading() -> Telemetry {
    Telemetry {
        window_cycles: 0x0102_0304_0506_0708,
        busy_cycles: 0x0011_1213_1415_1617,
        executor_polls: 0x2122_2324_2526_2728,
        core_hz: 400_000_000,
        stack_capacity_bytes: 0x7132_3334,
        stack_high_water_bytes: 0x4142_4344,
        static_ram_bytes: 0x5152_5354,
        echoed_datagrams: 0x6162_6364_6566_6768,
    }
}

#[test]
fn requests_have_the_bytes_of_the_protocol() {
    assert_eq!(Command::Read.encode(), *b"TLM1\0\0\0\0");
    assert_eq!(Command::ResetThenRead.encode(), *b"TLM1\x01\0\0\0");
}

#[test]
fn replies_have_the_bytes_of_the_protocol() {
    let mut bytes = b"TLM1\x01\x01\0\0".to_vec();
    bytes.extend(0x0102_0304_0506_0708u64.to_le_bytes());
    bytes.extend(0x0011_1213_1415_1617u64.to_le_bytes());
    bytes.extend(0x2122_2324_2526_2728u64.to_le_bytes());
    for word in [400_000_000u32, 0x7132_3334, 0x4142_4344, 0x5152_5354] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(0x6162_6364_6566_6768u64.to_le_bytes());
    assert_eq!(bytes.len(), 56);
    assert_eq!(
        Telemetry::decode(Command::ResetThenRead, &bytes),
        Ok(reading())
    );
    assert_eq!(reading().encode(Command::ResetThenRead), *bytes);
}

#[test]
fn other_replies_are_refused_by_name() {
    let good = reading().encode(Command::Read);
    let decode = |spoil: &dyn Fn(&mut Vec<u8>)| {
        let mut reply = good.to_vec();
        spoil(&mut reply);
        Telemetry::decode(Command::Read, &reply).unwrap_err()
    };
    assert_eq!(decode(&|r| r.truncate(55)), TelemetryError::Length(55));
    assert_eq!(decode(&|r| r.push(0)), TelemetryError::Length(57));
    assert_eq!(decode(&|r| r[0] = b'X'), TelemetryError::Header);
    assert_eq!(decode(&|r| r[7] = 1), TelemetryError::Header);
    assert_eq!(decode(&|r| r[4] = 1), TelemetryError::Command(1));
    assert_eq!(decode(&|r| r[5] = 2), TelemetryError::Version(2));
}

#[test]
fn a_reading_that_contradicts_itself_is_named() {
    let broken = |breaks: &dyn Fn(&mut Telemetry)| {
        let mut result = run(|_, command| reply(reading(), command));
        breaks(result.telemetry.as_mut().unwrap().at_end.as_mut().unwrap());
        result.check().unwrap_err().identity
    };
    let busy = broken(&|t| t.busy_cycles = t.window_cycles + 1);
    assert_eq!(busy, "busy_cycles <= window_cycles");
    let stack = broken(&|t| t.stack_capacity_bytes = t.stack_high_water_bytes - 1);
    assert_eq!(stack, "stack_high_water_bytes <= stack_capacity_bytes");
}

#[test]
fn the_cpu_share_is_exact() {
    let telemetry = Telemetry {
        window_cycles: 400_000_000,
        busy_cycles: 103_000_001,
        ..reading()
    };
    let share = telemetry.cpu_share().unwrap();
    assert_eq!(
        (share.numerator, share.denominator),
        (103_000_001, 400_000_000)
    );
    assert_eq!(share.scaled(10_000), 2_575);
    assert_eq!(
        telemetry.busy_cycles_per_valid(1_000).unwrap().scaled(1),
        103_000
    );
    assert!(telemetry.busy_cycles_per_valid(0).is_err());
    assert!(Telemetry::default().cpu_share().is_err());
}

proptest! {
    #[test]
    fn any_bytes_decode_to_what_encodes_back_or_to_an_error(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..80),
        with_header: bool,
    ) {
        if with_header && bytes.len() >= 8 {
            bytes[..8].copy_from_slice(b"TLM1\0\x01\0\0");
        }
        if let Ok(telemetry) = Telemetry::decode(Command::Read, &bytes) {
            prop_assert_eq!(telemetry.encode(Command::Read).to_vec(), bytes);
        }
    }
}

/// Runs a stream with telemetry; `answer` says what the telemetry server does with each request,
/// numbered from 0.
fn run(mut answer: impl FnMut(u64, Command) -> Reaction) -> StreamResult {
    run_timed(|_, request, command| answer(request, command))
}

/// The same with the instant of each request.
fn run_timed(mut answer: impl FnMut(Nanos, u64, Command) -> Reaction) -> StreamResult {
    let options = StreamOptions {
        warm_up_packets: 10,
        ..short_stream(20)
    };
    let targets = Targets {
        echo: echo_server(),
        telemetry: Some(telemetry_server()),
    };
    let mut stream = Stream::new(options, targets).unwrap();
    let mut requests = 0;
    drive(
        &mut stream,
        Sender::default(),
        |now, to: Endpoint, payload| {
            if to == echo_server() {
                return faithful(payload);
            }
            assert_eq!(to, telemetry_server());
            let command = [Command::Read, Command::ResetThenRead][payload[4] as usize];
            assert_eq!(payload, command.encode());
            requests += 1;
            answer(now, requests - 1, command)
        },
    );
    let result = stream.into_result();
    result.check().unwrap();
    assert_eq!(
        (
            result.counts.valid,
            result.counts.foreign,
            result.warm_up.foreign
        ),
        (20, 0, 0)
    );
    result
}

fn reply(telemetry: Telemetry, command: Command) -> Reaction {
    let payload = telemetry.encode(command).to_vec();
    Reaction::default().and_reply(RTT, telemetry_server(), payload)
}

#[test]
fn counters_are_reset_before_and_read_after_the_schedule() {
    let mut asked = Vec::new();
    let result = run_timed(|now, request, command| {
        asked.push((now, command));
        reply(
            Telemetry {
                executor_polls: request,
                ..reading()
            },
            command,
        )
    });
    // Ten datagrams of warm-up, a second for their replies; then, when the reset is answered,
    // twenty measured ones.
    let reset = Nanos::from_millis(10 + 1_000);
    let read = reset + RTT + Nanos::from_millis(20);
    assert_eq!(
        asked,
        [(reset, Command::ResetThenRead), (read, Command::Read)]
    );
    let record = result.telemetry.unwrap();
    assert_eq!(
        (record.requests, record.send_errors, record.unexpected),
        (2, 0, 0)
    );
    assert_eq!(record.at_reset.unwrap().executor_polls, 0);
    assert_eq!(record.at_end.unwrap().executor_polls, 1);
}

#[test]
fn an_unanswered_request_is_repeated() {
    let result = run(|request, command| match request {
        0 => Reaction::lost(),
        2 => Reaction::send_failure(),
        _ => reply(reading(), command),
    });
    let record = result.telemetry.unwrap();
    assert_eq!(
        (record.requests, record.send_errors, record.unexpected),
        (4, 1, 0)
    );
    assert_eq!(
        (record.at_reset, record.at_end),
        (Some(reading()), Some(reading()))
    );
}

#[test]
fn a_silent_server_is_given_up_and_the_stream_goes_on() {
    let record = run(|_, _| Reaction::lost()).telemetry.unwrap();
    assert_eq!(
        (record.requests, record.at_reset, record.at_end),
        (8, None, None)
    );
}

#[test]
fn other_datagrams_of_the_server_are_unexpected() {
    let result = run(|_, command| {
        let good = reply(reading(), command);
        // A second copy of each reply, and before it one that is cut.
        let again = good.replies[0].payload.clone();
        let cut = again[..55].to_vec();
        good.and_reply(RTT, telemetry_server(), again)
            .and_reply(Nanos(1), telemetry_server(), cut)
    });
    let record = result.telemetry.unwrap();
    assert_eq!((record.requests, record.unexpected), (2, 4));
    assert_eq!(record.at_end, Some(reading()));
}

#[test]
fn a_reading_that_nobody_asked_for_is_unexpected() {
    let targets = Targets {
        echo: echo_server(),
        telemetry: Some(telemetry_server()),
    };
    let mut stream = Stream::new(short_stream(20), targets).unwrap();
    drive(&mut stream, Sender::default(), |_, to, payload| {
        if to == telemetry_server() {
            let command = [Command::Read, Command::ResetThenRead][payload[4] as usize];
            return reply(reading(), command);
        }
        // A reading while the stream runs, the last one after the last send and before the
        // end of the schedule.
        let early = Telemetry::default().encode(Command::Read).to_vec();
        faithful(payload).and_reply(RTT, telemetry_server(), early)
    });
    let result = stream.into_result();
    let record = result.telemetry.unwrap();
    assert_eq!((record.requests, record.unexpected), (2, 20));
    assert_eq!(record.at_end, Some(reading()));
    assert_eq!(result.counts.foreign, 0);
}

#[test]
fn a_build_without_telemetry_is_not_asked() {
    let result = run_stream(short_stream(20), |_, payload| faithful(payload));
    assert_eq!(result.telemetry, None);
}

#[test]
fn telemetry_shows_that_only_the_echo_server_stalled() {
    let transmits = |answers: bool| {
        let targets = Targets {
            echo: echo_server(),
            telemetry: Some(telemetry_server()),
        };
        let mut stream = Stream::new(short_stream(1_000), targets).unwrap();
        drive(&mut stream, Sender::default(), |_, to, payload| {
            if to == echo_server() && sequence_of(payload) < 100 {
                return faithful(payload);
            }
            let is_read = to == telemetry_server() && payload[4] == 0;
            match is_read && answers {
                true => reply(reading(), Command::Read),
                false => Reaction::lost(),
            }
        });
        let stall = stream.into_result().verdict().stall().unwrap();
        assert_eq!(stall.unanswered, 900);
        stall.transmit_alive
    };
    assert!(transmits(true) && !transmits(false));
}
