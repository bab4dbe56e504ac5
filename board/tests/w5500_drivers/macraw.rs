//! embassy-net-wiznet 0.3.0 with embassy-net on top.

use std::cell::Cell;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::SocketAddrV4;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use board::net::host::{HostConfig, UdpHandle};
use board::time::{Instant, Span};
use embassy_net::udp::{PacketMetadata, UdpSocket};
use embassy_net::{Config, Stack, StackResources};
use embassy_net_wiznet::State;
use embassy_net_wiznet::chip::W5500;
use embassy_time::{Duration, MockDriver};
use embedded_hal::digital::{ErrorType, OutputPin};
use embedded_hal_async::digital::Wait;

use crate::rig::{CHIP_MAC, Rig};

const PORT: u16 = 7;
/// How often the tasks are polled; embassy-time counts in microseconds.
const STEP: Span = Span::from_us(50);

/// embassy-time has one clock for the whole process.
static CLOCK: Mutex<()> = Mutex::new(());

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// The driver, the stack and an echo server, polled in virtual time.
struct Station {
    rig: Rig,
    tasks: Vec<Task>,
    clock_us: u64,
    _clock: MutexGuard<'static, ()>,
}

impl Station {
    fn new() -> Self {
        let clock = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
        MockDriver::get().reset();
        let rig = Rig::new(HostConfig::default());
        let device = Rc::new(Cell::new(None));
        let driver = drive(rig.clone(), Rc::clone(&device));
        let mut station = Self {
            rig,
            tasks: vec![Box::pin(driver)],
            clock_us: 0,
            _clock: clock,
        };
        let device = loop {
            station.step();
            if let Some(device) = device.take() {
                break device;
            }
        };
        let resources = Box::leak(Box::new(StackResources::<3>::new()));
        let config = Config::dhcpv4(Default::default());
        let (stack, mut runner) = embassy_net::new(device, config, resources, 723);
        station
            .tasks
            .push(Box::pin(async move { runner.run().await }));
        station.tasks.push(Box::pin(echo(stack)));
        station
    }

    /// Lets a step of time pass for chip and tasks.
    fn step(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        for task in &mut self.tasks {
            // Tasks run for ever.
            let _ = task.as_mut().poll(&mut context);
        }
        self.rig.pass(STEP);
        let now_us = self.rig.now().as_ns() / 1_000;
        MockDriver::get().advance(Duration::from_micros(now_us - self.clock_us));
        self.clock_us = now_us;
    }

    fn run(&mut self, span: Span) {
        let end = self.rig.now() + span;
        while self.rig.now() < end {
            self.step();
        }
    }

    /// Runs until the host's DHCP server has acknowledged a lease and the stack knows it.
    fn lease(&mut self) -> SocketAddrV4 {
        let deadline = Instant::ZERO + Span::from_ms(15_000);
        loop {
            self.run(Span::from_ms(10));
            let leases = self.rig.host(|host| host.leases().to_vec());
            if let Some(lease) = leases.first().filter(|lease| lease.bound) {
                self.run(Span::from_ms(10));
                return SocketAddrV4::new(lease.address, PORT);
            }
            assert!(self.rig.now() < deadline, "no lease");
        }
    }

    /// What the host's socket has.
    fn received(&self, socket: UdpHandle) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| self.rig.receive(socket))
            .map(|datagram| datagram.payload)
            .collect()
    }
}

type Device = embassy_net_wiznet::Device<'static>;

async fn drive(rig: Rig, device: Rc<Cell<Option<Device>>>) {
    let state = Box::leak(Box::new(State::<4, 4>::new()));
    let interrupt = Interrupt(rig.clone());
    let new = embassy_net_wiznet::new::<4, 4, W5500, _, _, _>(
        CHIP_MAC,
        state,
        rig.spi(),
        interrupt,
        ResetPin,
    );
    let (driver, runner) = new.await.expect("the chip answers");
    device.set(Some(driver));
    runner.run().await
}

async fn echo(stack: Stack<'static>) {
    let (mut rx_slots, mut tx_slots) = ([PacketMetadata::EMPTY; 16], [PacketMetadata::EMPTY; 16]);
    let (mut rx, mut tx) = ([0; 8_192], [0; 8_192]);
    let mut socket = UdpSocket::new(stack, &mut rx_slots, &mut rx, &mut tx_slots, &mut tx);
    socket.bind(PORT).unwrap();
    let mut buffer = [0; 1_536];
    loop {
        let (length, sender) = socket.recv_from(&mut buffer).await.unwrap();
        socket.send_to(&buffer[..length], sender).await.unwrap();
    }
}

/// INTn as an input pin.
struct Interrupt(Rig);

impl ErrorType for Interrupt {
    type Error = Infallible;
}

impl Wait for Interrupt {
    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        poll_fn(|_| match self.0.interrupt() {
            true => Poll::Ready(Ok(())),
            false => Poll::Pending,
        })
        .await
    }

    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        unreachable!("the driver waits for a low level")
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        unreachable!("the driver waits for a low level")
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        unreachable!("the driver waits for a low level")
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        unreachable!("the driver waits for a low level")
    }
}

/// The shield's reset is the board's.
struct ResetPin;

impl ErrorType for ResetPin {
    type Error = Infallible;
}

impl OutputPin for ResetPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[test]
fn the_driver_leases_and_echoes_datagrams_of_every_size() {
    let mut station = Station::new();
    let echo = station.lease();
    let socket = station.rig.bind(5_000);
    for length in [0, 1, 18, 100, 512, 1_024, 1_471, 1_472] {
        let payload: Vec<u8> = (0..length).map(|i| (i * 5 + length) as u8).collect();
        station.rig.send(socket, echo, &payload);
        station.run(Span::from_ms(20));
        assert_eq!(station.received(socket), [payload], "{length} bytes");
    }
}

#[test]
fn the_driver_as_released_reads_one_frame_an_interrupt_and_leaves_the_rest() {
    let mut station = Station::new();
    let echo = station.lease();
    let socket = station.rig.bind(5_000);
    station.rig.send(socket, echo, b"resolve");
    station.run(Span::from_ms(20));
    station.received(socket);

    // Eight frames arrive before the driver looks.
    for number in 0..8 {
        station.rig.send(socket, echo, &[number]);
    }
    station.rig.pass(Span::from_ms(1));
    station.run(Span::from_ms(2_000));
    assert_eq!(station.received(socket), [[0]], "one interrupt, one frame");

    // From now on every arrival brings the answer to an earlier datagram.
    for number in 8..12 {
        station.rig.send(socket, echo, &[number]);
        station.run(Span::from_ms(100));
        assert_eq!(station.received(socket), [[number - 7]]);
    }
}
