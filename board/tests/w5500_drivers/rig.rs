//! A W5500 on an SPI bus of its own, with the emulated network on the far end of its cable.

use std::cell::RefCell;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::rc::Rc;

use board::chips::w5500::{ChipContext, Parameters, W5500};
use board::net::Network;
use board::net::host::{Datagram, Host, HostConfig, UdpHandle};
use board::net::wire::WireConfig;
use board::schedule::{Event, Schedule};
use board::time::{Instant, Span};
use embedded_hal::spi::{ErrorType, Operation, SpiDevice};

/// The chip's address in tests without DHCP.
pub const CHIP: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 77);
pub const CHIP_MAC: [u8; 6] = [0x02, 0, 0, 0, 0x55, 0x00];

/// One byte at 25 MHz.
const BYTE: Span = Span::from_ns(320);
/// Long enough for autonegotiation.
const LINK_WITHIN: Span = Span::from_ms(5_000);

/// Chip, cable and host; clones are the same rig.
#[derive(Clone)]
pub struct Rig(Rc<RefCell<Inner>>);

struct Inner {
    chip: W5500,
    network: Network,
    schedule: Schedule,
    now: Instant,
}

impl Rig {
    /// At power-on.
    pub fn new(host: HostConfig) -> Self {
        let mut schedule = Schedule::default();
        let chip = W5500::new(Parameters::default(), true, &mut schedule);
        Self(Rc::new(RefCell::new(Inner {
            chip,
            network: Network::new(WireConfig::default(), host),
            schedule,
            now: Instant::ZERO,
        })))
    }

    /// With the link up.
    pub fn linked(host: HostConfig) -> Self {
        let rig = Self::new(host);
        let deadline = Instant::ZERO + LINK_WITHIN;
        while !rig.0.borrow().network.wire.carrier() {
            rig.pass(Span::from_ms(1));
            assert!(rig.now() < deadline, "no link");
        }
        rig
    }

    /// The chip as a device on an SPI bus.
    pub fn spi(&self) -> Spi {
        Spi(self.clone())
    }

    pub fn now(&self) -> Instant {
        self.0.borrow().now
    }

    /// Lets time pass.
    pub fn pass(&self, span: Span) {
        self.0.borrow_mut().pass(span);
    }

    /// Whether the chip pulls INTn low.
    pub fn interrupt(&self) -> bool {
        self.0.borrow().chip.interrupt_asserted()
    }

    /// The host at this instant; what it is told to send leaves it at once.
    pub fn host<T>(&self, act: impl FnOnce(&mut Host) -> T) -> T {
        let mut inner = self.0.borrow_mut();
        let Inner {
            network,
            schedule,
            now,
            ..
        } = &mut *inner;
        let result = act(network.host());
        network.flush(*now, schedule);
        result
    }

    pub fn bind(&self, port: u16) -> UdpHandle {
        self.host(|host| host.bind_udp(port)).expect("a free port")
    }

    pub fn send(&self, from: UdpHandle, to: SocketAddrV4, payload: &[u8]) {
        self.host(|host| host.send_udp(from, to, payload))
            .expect("room in the host's queue");
    }

    pub fn receive(&self, at: UdpHandle) -> Option<Datagram> {
        self.host(|host| host.recv_udp(at))
    }
}

impl Inner {
    fn pass(&mut self, span: Span) {
        let until = self.now + span;
        while let Some((event, at)) = self.schedule.take(until) {
            match event {
                Event::Host | Event::WireToHost => {
                    self.network.on_event(event, at, &mut self.schedule);
                }
                _ => {
                    let (chip, mut ctx) = self.chip(at);
                    chip.on_event(event, &mut ctx);
                }
            }
        }
        self.now = until;
    }

    fn chip(&mut self, now: Instant) -> (&mut W5500, ChipContext<'_>) {
        let ctx = ChipContext {
            now,
            schedule: &mut self.schedule,
            wire: &mut self.network.wire,
        };
        (&mut self.chip, ctx)
    }

    fn exchange(&mut self, mosi: u8) -> u8 {
        self.pass(BYTE);
        let (chip, mut ctx) = self.chip(self.now);
        chip.exchange(mosi, &mut ctx)
    }

    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) {
        let (chip, mut ctx) = self.chip(self.now);
        chip.select(&mut ctx);
        for operation in operations {
            self.operation(operation);
        }
        let (chip, mut ctx) = self.chip(self.now);
        chip.deselect(&mut ctx);
    }

    fn operation(&mut self, operation: &mut Operation<'_, u8>) {
        match operation {
            Operation::Read(bytes) => {
                for byte in bytes.iter_mut() {
                    *byte = self.exchange(0);
                }
            }
            Operation::Write(bytes) => {
                for &byte in bytes.iter() {
                    self.exchange(byte);
                }
            }
            Operation::TransferInPlace(bytes) => {
                for byte in bytes.iter_mut() {
                    *byte = self.exchange(*byte);
                }
            }
            Operation::Transfer(read, write) => {
                for place in 0..read.len().max(write.len()) {
                    let byte = self.exchange(write.get(place).copied().unwrap_or(0));
                    if let Some(to) = read.get_mut(place) {
                        *to = byte;
                    }
                }
            }
            Operation::DelayNs(ns) => self.pass(Span::from_ns(u64::from(*ns))),
        }
    }
}

/// The SPI bus with the chip selected for each transaction.
pub struct Spi(Rig);

impl ErrorType for Spi {
    type Error = Infallible;
}

impl SpiDevice for Spi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        self.0.0.borrow_mut().transaction(operations);
        Ok(())
    }
}

impl embedded_hal_async::spi::SpiDevice for Spi {
    async fn transaction(
        &mut self,
        operations: &mut [Operation<'_, u8>],
    ) -> Result<(), Infallible> {
        SpiDevice::transaction(self, operations)
    }
}
