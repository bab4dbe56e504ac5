//! A device for tests in the board's place: another host, so that it has TCP too, on a wire of its own.

use std::net::Ipv4Addr;

use board::net::Network;
use board::net::frame::is_intact;
use board::net::host::{Host, HostConfig};
use board::net::wire::{Direction, WireConfig};
use board::schedule::{Event, Schedule};
use board::time::{Instant, Span};

pub const ADDRESS: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 50);

/// The emulated host that forwards talk to, and the device on the far end of its wire.
pub struct FakeDevice {
    host: End,
    device: End,
    now: Instant,
}

struct End {
    network: Network,
    schedule: Schedule,
}

impl End {
    fn new(config: HostConfig) -> Self {
        let mut network = Network::new(WireConfig::default(), config);
        network.wire.set_carrier(true);
        Self {
            network,
            schedule: Schedule::default(),
        }
    }

    /// Does what is due at `now` and gives the frames that reached the other end.
    fn run(&mut self, now: Instant) -> Vec<Vec<u8>> {
        self.network.flush(now, &mut self.schedule);
        let mut frames = Vec::new();
        while let Some((event, at)) = self.schedule.take(now) {
            if event != Event::WireToBoard {
                self.network.on_event(event, at, &mut self.schedule);
                continue;
            }
            let wire = &mut self.network.wire;
            while let Some(frame) = wire.receive(Direction::ToBoard, at, &mut self.schedule) {
                assert!(is_intact(&frame));
                frames.push(frame);
            }
        }
        frames
    }

    fn take(&mut self, frames: &[Vec<u8>], now: Instant) {
        for frame in frames {
            let wire = &mut self.network.wire;
            wire.send(Direction::ToHost, frame, now, &mut self.schedule);
        }
    }
}

impl FakeDevice {
    pub fn new() -> Self {
        let device = HostConfig {
            mac: [0x02, 0, 0, 0, 0, 0x50],
            address: ADDRESS,
            ..HostConfig::default()
        };
        Self {
            host: End::new(HostConfig {
                transmit_queue: super::TRANSMIT_QUEUE,
                ..HostConfig::default()
            }),
            device: End::new(device),
            now: Instant::ZERO,
        }
    }

    pub fn host(&mut self) -> &mut Host {
        self.host.network.host()
    }

    pub fn device(&mut self) -> &mut Host {
        self.device.network.host()
    }

    /// Lets a millisecond pass.
    pub fn step(&mut self) {
        for _ in 0..10 {
            self.now = self.now + Span::from_us(100);
            let out = self.host.run(self.now);
            self.device.take(&out, self.now);
            let back = self.device.run(self.now);
            self.host.take(&back, self.now);
        }
    }
}
