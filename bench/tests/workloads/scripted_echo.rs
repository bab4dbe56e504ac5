//! An echo server that does to each datagram what a script says, and the sender before it.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use bench::{
    Action, Burst, BurstOptions, BurstResult, DisturbOutcome, Disturbance, Endpoint, Nanos,
    SendOutcome, Stream, StreamOptions, StreamResult, Targets, Workload,
};

/// The RTT of an undisturbed echo.
pub const RTT: Nanos = Nanos::from_micros(300);

/// What happens to one datagram.
#[derive(Clone, Debug, Default)]
pub struct Reaction {
    /// The sender's own stack refuses the datagram.
    pub send_fails: bool,
    /// What comes back.
    pub replies: Vec<Reply>,
}

/// One datagram that comes back.
#[derive(Clone, Debug)]
pub struct Reply {
    pub delay: Nanos,
    pub from: Endpoint,
    pub payload: Vec<u8>,
}

/// How well the sender keeps time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sender {
    /// How long the sender is busy with each send.
    pub send_cost: Nanos,
    /// The sender wakes up only at multiples of this; zero for any instant.
    pub tick: Nanos,
}

pub fn echo_server() -> Endpoint {
    "192.168.1.50:7".parse().unwrap()
}

pub fn telemetry_server() -> Endpoint {
    "192.168.1.50:5001".parse().unwrap()
}

/// The targets of a build without telemetry.
pub fn echo_only() -> Targets {
    Targets {
        echo: echo_server(),
        telemetry: None,
    }
}

/// What an undisturbed echo does.
pub fn faithful(payload: &[u8]) -> Reaction {
    reply_after(RTT, payload)
}

/// A right reply after `delay`.
pub fn reply_after(delay: Nanos, payload: &[u8]) -> Reaction {
    Reaction::default().and_reply(delay, echo_server(), payload.to_vec())
}

impl Reaction {
    pub fn and_reply(mut self, delay: Nanos, from: Endpoint, payload: Vec<u8>) -> Self {
        self.replies.push(Reply {
            delay,
            from,
            payload,
        });
        self
    }

    pub fn lost() -> Self {
        Self::default()
    }

    pub fn send_failure() -> Self {
        Self {
            send_fails: true,
            ..Self::default()
        }
    }
}

/// The sequence number of a stream datagram.
pub fn sequence_of(payload: &[u8]) -> u64 {
    u64::from_le_bytes(payload[8..16].try_into().unwrap())
}

/// Runs `workload` to its end; `react` says what each datagram meets, given its
/// instant and destination.
/// Returns the instant of the end.
pub fn drive(
    workload: &mut impl Workload,
    sender: Sender,
    react: impl FnMut(Nanos, Endpoint, &[u8]) -> Reaction,
) -> Nanos {
    drive_disturbed(workload, sender, react, |_, disturbance| {
        panic!("nobody is to be disturbed: {disturbance}")
    })
}

/// What is done about a disturbance, and when the device is known to have which address.
pub type Disturbing = (DisturbOutcome, Option<(Nanos, Ipv4Addr)>);

/// The same; `disturb` says what is done when a disturbance is asked for.
pub fn drive_disturbed(
    workload: &mut impl Workload,
    sender: Sender,
    mut react: impl FnMut(Nanos, Endpoint, &[u8]) -> Reaction,
    mut disturb: impl FnMut(Nanos, Disturbance) -> Disturbing,
) -> Nanos {
    let mut moves = None;
    let mut now = Nanos::ZERO;
    let mut arrivals: BTreeMap<(Nanos, u64), Reply> = BTreeMap::new();
    let mut order = 0;
    loop {
        while let Some(entry) = arrivals.first_entry().filter(|entry| entry.key().0 <= now) {
            let ((at, _), reply) = entry.remove_entry();
            workload.received(at, reply.from, &reply.payload);
        }
        if let Some((_, address)) = moves.take_if(|(at, _): &mut (Nanos, _)| *at <= now) {
            workload.target_changed(now, address);
        }
        match workload.next(now) {
            Action::Send { to, payload } => {
                let reaction = react(now, to, payload);
                let failed = reaction.send_fails;
                workload.sent(
                    now,
                    if failed {
                        SendOutcome::Failed
                    } else {
                        SendOutcome::Sent
                    },
                );
                for reply in reaction.replies {
                    arrivals.insert((now + reply.delay, order), reply);
                    order += 1;
                }
                now += sender.send_cost;
            }
            Action::WaitUntil(instant) => {
                assert!(instant > now, "a wait leads forward");
                now = match arrivals.first_key_value() {
                    Some((&(at, _), _)) if at < instant => at,
                    _ => on_tick(instant, sender.tick),
                };
            }
            Action::Disturb(disturbance) => {
                let (outcome, moved) = disturb(now, disturbance);
                workload.disturbed(now, outcome);
                moves = moved;
            }
            Action::Done => return now,
        }
    }
}

/// The first multiple of `tick` at or after `instant`.
fn on_tick(instant: Nanos, tick: Nanos) -> Nanos {
    if tick == Nanos::ZERO {
        instant
    } else {
        Nanos(instant.0.next_multiple_of(tick.0))
    }
}

/// Options for a measured stream of `packets` at 1000/s, without warm-up.
pub fn short_stream(packets: u64) -> StreamOptions {
    StreamOptions {
        duration_ns: Nanos::from_millis(packets),
        warm_up_packets: 0,
        seed: 1,
        ..StreamOptions::default()
    }
}

/// Runs a stream whose datagrams meet what `react` says by sequence number, and checks every
/// identity of the result.
pub fn run_stream(
    options: StreamOptions,
    mut react: impl FnMut(u64, &[u8]) -> Reaction,
) -> StreamResult {
    run_stream_with(options, Sender::default(), |payload| {
        react(sequence_of(payload), payload)
    })
}

/// The same with a sender that does not keep time.
pub fn run_stream_with(
    options: StreamOptions,
    sender: Sender,
    mut react: impl FnMut(&[u8]) -> Reaction,
) -> StreamResult {
    let mut stream = Stream::new(options, echo_only()).unwrap();
    drive(&mut stream, sender, |_, _, payload| react(payload));
    let result = stream.into_result();
    result.check().unwrap();
    result
}

/// An echo that serves one datagram every 100 us.
pub fn in_turn(place: u64, payload: &[u8]) -> Reaction {
    reply_after(Nanos::from_micros(100 * (place + 1)), payload)
}

/// Runs bursts whose datagrams meet what `react` says by burst and place in it, both from 0, and
/// checks every identity of the result. The warm-up is answered.
pub fn run_burst(
    options: BurstOptions,
    mut react: impl FnMut(u64, u64, &[u8]) -> Reaction,
) -> (BurstResult, Nanos) {
    let packets = options.packets;
    let mut burst = Burst::new(options, echo_server()).unwrap();
    let end = drive(
        &mut burst,
        Sender::default(),
        |_, _, payload| match sequence_of(payload) {
            0 => faithful(payload),
            sequence => react((sequence - 1) / packets, (sequence - 1) % packets, payload),
        },
    );
    let result = burst.into_result();
    result.check().unwrap();
    (result, end)
}
