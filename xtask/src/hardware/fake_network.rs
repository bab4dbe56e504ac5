//! A network in virtual time with an echo server on its far end.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddrV4};

use bench::realtime::{ArrivalClock, ArrivalClocks, BufferSize, Conditions, Scheduling};
use bench::{Action, DisturbOutcome, Disturbance, Endpoint, Nanos, SendOutcome, Workload};

use super::clock::Clock;
use super::fake::FakeClock;
use super::network::{Network, Watcher};
use crate::results::LinkMode;
use crate::results::hardware::NetworkPath;

/// How long a board does not answer once a workload had it reset.
pub const GONE_AFTER_RESET: Nanos = Nanos::from_millis(250);
/// How long a datagram is away.
const ROUND_TRIP: Nanos = Nanos::from_micros(250);

/// A network that answers every datagram from some instant on.
pub struct FakeNetwork {
    pub clock: FakeClock,
    /// Nothing comes back before this instant.
    pub answers_from: Nanos,
    /// How long the host takes for each send.
    pub send_takes: Nanos,
    pub link_mode: Option<LinkMode>,
}

impl FakeNetwork {
    /// One that answers at once over a fast link.
    pub fn new(clock: &FakeClock) -> Self {
        Self {
            clock: clock.clone(),
            answers_from: Nanos::ZERO,
            send_takes: Nanos::ZERO,
            link_mode: Some(LinkMode {
                speed_mbit_per_s: 1_000,
                full_duplex: true,
            }),
        }
    }
}

impl Network for FakeNetwork {
    fn path_to(&self, _board: SocketAddrV4) -> anyhow::Result<NetworkPath> {
        Ok(NetworkPath {
            local_address: Ipv4Addr::new(192, 168, 7, 1),
            interface: Some("fake0".to_owned()),
            driver: None,
            link_mode: self.link_mode,
        })
    }

    fn drive<W: Workload + Send>(
        &mut self,
        workload: &mut W,
        watcher: &mut Watcher<'_>,
    ) -> anyhow::Result<Option<Conditions>> {
        let began = self.clock.now();
        let mut away: VecDeque<(Nanos, Endpoint, Vec<u8>)> = VecDeque::new();
        loop {
            let now = self.clock.now().since(began);
            match workload.next(now) {
                Action::Send { to, payload } => {
                    if self.clock.now() >= self.answers_from {
                        away.push_back((now + ROUND_TRIP, to, payload.to_vec()));
                    }
                    workload.sent(now, SendOutcome::Sent);
                    self.clock.sleep(self.send_takes);
                }
                Action::WaitUntil(instant) => {
                    if !(watcher.go_on)(now) {
                        return Ok(None);
                    }
                    let due = away.pop_front_if(|(at, ..)| *at <= instant.max(now));
                    let until = due.as_ref().map_or(instant, |(at, ..)| *at);
                    self.clock.sleep(until.since(now));
                    if let Some((at, from, payload)) = due {
                        workload.received(at.max(now), from, &payload);
                    }
                }
                Action::Disturb(Disturbance::Reset) => {
                    (watcher.reset)()?;
                    self.answers_from = self.clock.now() + GONE_AFTER_RESET;
                    workload.disturbed(now, DisturbOutcome::Begun);
                }
                Action::Disturb(_) => workload.disturbed(now, DisturbOutcome::Refused),
                Action::Done => return Ok(Some(conditions(now))),
            }
        }
    }
}

fn conditions(elapsed_ns: Nanos) -> Conditions {
    let buffer = BufferSize {
        requested_bytes: 1,
        granted_bytes: 1,
    };
    Conditions {
        local: Endpoint::new(Ipv4Addr::new(192, 168, 7, 1), 40_000),
        receive_buffer: buffer,
        send_buffer: buffer,
        arrival_clock: ArrivalClocks {
            requested: ArrivalClock::Kernel,
            effective: ArrivalClock::Kernel,
        },
        unusable_timestamps: 0,
        scheduling: Scheduling {
            real_time_requested: false,
            real_time_granted: false,
            first_of_ordinary: false,
            real_time_yields: 0,
        },
        spin_ns: Nanos::ZERO,
        available_cores: None,
        elapsed_ns,
        received: 0,
        received_oversized: 0,
        dropped_by_kernel: None,
        send_buffer_full: 0,
        first_send_error: None,
    }
}
