//! A scripted device for tests: it boots, leases, echoes and fails exactly as it is told.

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::time::Duration;

use anyhow::bail;
use bench::telemetry::{Command, Telemetry};
use bench::{DisturbOutcome, Disturbance, Endpoint, Nanos, SendOutcome};

use super::{Arrival, EchoTarget};
use crate::results::{LinkMode, SpiTraffic, TrafficRow};

/// What the device does.
#[derive(Clone, Debug)]
pub struct Script {
    pub link_up: Nanos,
    /// What the link runs at from then on.
    pub link_mode: LinkMode,
    pub lease: Nanos,
    /// From the host's send to the echo's arrival.
    pub rtt: Nanos,
    /// Every datagram of this number of those sent to the echo port is lost, counted from 1.
    pub lose_every: Option<u64>,
    /// Datagrams without payload are not echoed.
    pub drop_empty: bool,
    /// The counters of the telemetry server; without them it is silent.
    pub telemetry: Option<Telemetry>,
    /// The device cannot go on after this instant.
    pub break_at: Option<Nanos>,
    /// What its network device on SPI is asked for; without it there is none.
    pub spi: Option<FakeSpi>,
    /// How long the device is gone after a reset or a lost link, and the address it has then; without
    /// it nothing can be done to the device.
    pub recovery: Option<FakeRecovery>,
    /// Wall time that each run of the device takes.
    pub slowness: Duration,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            link_up: Nanos::from_millis(5),
            link_mode: LinkMode::REQUIRED,
            lease: Nanos::from_millis(20),
            rtt: Nanos::from_micros(300),
            lose_every: None,
            drop_empty: false,
            telemetry: None,
            break_at: None,
            spi: None,
            recovery: None,
            slowness: Duration::ZERO,
        }
    }
}

/// What becomes of a device that was disturbed.
#[derive(Clone, Copy, Debug)]
pub struct FakeRecovery {
    pub gone_for: Nanos,
    pub address: Ipv4Addr,
}

/// What a network device on SPI is asked for.
#[derive(Clone, Debug)]
pub struct FakeSpi {
    pub sck_hz: u64,
    /// For every datagram that is to be echoed.
    pub datagram: TrafficRow,
    /// Once in every such span.
    pub poll_every: Nanos,
    pub poll: TrafficRow,
}

/// The port on which the device echoes; on any other it answers as a telemetry server.
pub const ECHO_PORT: u16 = 7;
pub const TELEMETRY_PORT: u16 = 5001;
pub const ADDRESS: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 50);

/// The device under the script.
pub struct FakeTarget {
    script: Script,
    now: Nanos,
    echoes: u64,
    address: Ipv4Addr,
    gone_until: Nanos,
    under_way: VecDeque<Arrival>,
    arrived: VecDeque<Arrival>,
}

impl FakeTarget {
    pub fn new(script: Script) -> Self {
        Self {
            script,
            now: Nanos::ZERO,
            echoes: 0,
            address: ADDRESS,
            gone_until: Nanos::ZERO,
            under_way: VecDeque::new(),
            arrived: VecDeque::new(),
        }
    }

    fn reply(&mut self, to: Endpoint, payload: &[u8]) -> Option<Vec<u8>> {
        if self.now < self.gone_until || *to.ip() != self.address {
            return None;
        }
        if to.port() == ECHO_PORT {
            self.echoes += 1;
            let lost = self
                .script
                .lose_every
                .is_some_and(|every| self.echoes.is_multiple_of(every));
            let dropped = self.script.drop_empty && payload.is_empty();
            return (!lost && !dropped).then(|| payload.to_vec());
        }
        let telemetry = self.script.telemetry?;
        let command = match payload == Command::Read.encode() {
            true => Command::Read,
            false => Command::ResetThenRead,
        };
        Some(telemetry.encode(command).to_vec())
    }
}

impl EchoTarget for FakeTarget {
    fn now(&self) -> Nanos {
        self.now
    }

    fn run_until(&mut self, instant: Nanos) -> anyhow::Result<()> {
        std::thread::sleep(self.script.slowness);
        let arrival = self.under_way.pop_front_if(|arrival| arrival.at <= instant);
        let reached = arrival.as_ref().map_or(instant, |arrival| arrival.at);
        if let Some(break_at) = self.script.break_at.filter(|&break_at| break_at < reached) {
            self.now = break_at;
            bail!("HardFault at 0x08001234 in `net::poll`\nlog: the last words");
        }
        self.now = reached;
        self.arrived.extend(arrival);
        Ok(())
    }

    fn send(&mut self, to: Endpoint, payload: &[u8]) -> SendOutcome {
        if let Some(reply) = self.reply(to, payload) {
            self.under_way.push_back(Arrival {
                at: self.now + self.script.rtt,
                from: to,
                payload: reply,
            });
        }
        SendOutcome::Sent
    }

    fn receive(&mut self) -> Option<Arrival> {
        self.arrived.pop_front()
    }

    fn link_mode(&self) -> Option<LinkMode> {
        (self.now >= self.script.link_up).then_some(self.script.link_mode)
    }

    fn lease(&mut self) -> Option<Ipv4Addr> {
        let has_lease = self.now >= self.script.lease.max(self.gone_until);
        has_lease.then_some(self.address)
    }

    fn disturb(&mut self, _disturbance: Disturbance) -> DisturbOutcome {
        let Some(recovery) = self.script.recovery else {
            return DisturbOutcome::Refused;
        };
        self.gone_until = self.now + recovery.gone_for;
        self.address = recovery.address;
        DisturbOutcome::Begun
    }

    fn spi_traffic(&self) -> Option<SpiTraffic> {
        let spi = self.script.spi.as_ref()?;
        let times = |row: &TrafficRow, count: u64| TrafficRow {
            transactions: row.transactions * count,
            bytes: row.bytes * count,
            ..row.clone()
        };
        let polls = self.now.0 / spi.poll_every.0;
        Some(SpiTraffic {
            sck_hz: Some(spi.sck_hz),
            rows: vec![times(&spi.datagram, self.echoes), times(&spi.poll, polls)],
        })
    }
}
