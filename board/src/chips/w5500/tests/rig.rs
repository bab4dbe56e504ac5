//! A chip with a wire, a schedule and an SPI master at 25 MHz; at the far end a record, or the host.

use crate::chips::w5500::{ChipContext, Counters, Parameters, W5500};
use crate::net::Network;
use crate::net::frame;
use crate::net::host::{Host, HostConfig};
use crate::net::test_frames::{arrivals, padded_with_fcs};
use crate::net::wire::{Direction, WireConfig};
use crate::schedule::{Event, Schedule};
use crate::time::{Instant, Span};

pub use crate::net::test_frames::{HOST_MAC, frame_to, with_fcs};

pub const MAC: [u8; 6] = [0x02, 0, 0, 0, 0x72, 0x02];
pub const BROADCAST: [u8; 6] = [0xFF; 6];
/// Time of a byte at 25 MHz.
pub const BYTE_TIME: Span = Span::from_ns(320);

/// Control bytes of the blocks, for reading in variable length mode.
pub const COMMON: u8 = 0;
pub const fn socket(n: u8) -> u8 {
    (4 * n + 1) << 3
}
pub const fn tx(n: u8) -> u8 {
    (4 * n + 2) << 3
}
pub const fn rx(n: u8) -> u8 {
    (4 * n + 3) << 3
}
pub const WRITE: u8 = 1 << 2;

pub const SN_MR: u16 = 0x00;
pub const SN_CR: u16 = 0x01;
pub const SN_IR: u16 = 0x02;
pub const SN_SR: u16 = 0x03;
pub const SN_RXBUF_SIZE: u16 = 0x1E;
pub const SN_TXBUF_SIZE: u16 = 0x1F;
pub const SN_TX_FSR: u16 = 0x20;
pub const SN_TX_RD: u16 = 0x22;
pub const SN_TX_WR: u16 = 0x24;
pub const SN_RX_RSR: u16 = 0x26;
pub const SN_RX_RD: u16 = 0x28;
pub const SN_IMR: u16 = 0x2C;

pub const OPEN: u8 = 0x01;
pub const CLOSE: u8 = 0x10;
pub const SEND: u8 = 0x20;
pub const RECV: u8 = 0x40;

pub const SENDOK: u8 = 1 << 4;
pub const RECEIVED: u8 = 1 << 2;

pub struct Rig {
    pub chip: W5500,
    pub schedule: Schedule,
    pub network: Network,
    /// The host hears what reaches the far end; otherwise it is only recorded.
    pub host_listens: bool,
    pub now: Instant,
    /// Frames that reached the far end, without check sequence, with the instants of their last bits.
    pub sent: Vec<(Instant, Vec<u8>)>,
}

impl Rig {
    /// A chip with its link up.
    pub fn new() -> Self {
        Self::with_parameters(Parameters::default())
    }

    pub fn with_parameters(parameters: Parameters) -> Self {
        let mut rig = Self::powered_on(parameters, true);
        rig.run_for(Span::from_ms(2_000));
        assert!(rig.network.wire.carrier());
        rig
    }

    /// A chip with its link up whose frames the host hears, over a wire of its own kind.
    pub fn facing_host(wire: WireConfig) -> Self {
        let mut rig = Self::wired(Parameters::default(), true, wire);
        rig.host_listens = true;
        rig.run_for(Span::from_ms(2_000));
        rig
    }

    /// A chip at the instant of power-on.
    pub fn powered_on(parameters: Parameters, cable: bool) -> Self {
        Self::wired(parameters, cable, WireConfig::default())
    }

    fn wired(parameters: Parameters, cable: bool, wire: WireConfig) -> Self {
        let mut schedule = Schedule::default();
        Self {
            chip: W5500::new(parameters, cable, &mut schedule),
            schedule,
            network: Network::new(wire, HostConfig::default()),
            host_listens: false,
            now: Instant::ZERO,
            sent: Vec::new(),
        }
    }

    /// Socket 0 in MACRAW with 16 KB each way and MFEN, as WIZ sets it up.
    pub fn macraw() -> Self {
        Self::macraw_with(Parameters::default())
    }

    pub fn macraw_with(parameters: Parameters) -> Self {
        let mut rig = Self::with_parameters(parameters);
        rig.write(COMMON, 0x18, &[0x01]);
        rig.write(socket(0), SN_IMR, &[0x04]);
        rig.write(COMMON, 0x09, &MAC);
        rig.write(socket(0), SN_TXBUF_SIZE, &[16]);
        rig.write(socket(0), SN_RXBUF_SIZE, &[16]);
        rig.write(socket(0), SN_MR, &[0x84]);
        rig.command(0, OPEN);
        assert_eq!(rig.byte(socket(0), SN_SR), 0x42);
        rig
    }

    pub fn with<R>(&mut self, act: impl FnOnce(&mut W5500, &mut ChipContext) -> R) -> R {
        let mut ctx = ChipContext {
            now: self.now,
            schedule: &mut self.schedule,
            wire: &mut self.network.wire,
        };
        act(&mut self.chip, &mut ctx)
    }

    pub fn select(&mut self) {
        self.with(W5500::select);
    }

    pub fn deselect(&mut self) {
        self.with(W5500::deselect);
    }

    pub fn exchange(&mut self, mosi: u8) -> u8 {
        self.run_for(BYTE_TIME);
        self.with(|chip, ctx| chip.exchange(mosi, ctx))
    }

    /// One transaction: sends `bytes` and gives what came back.
    pub fn transaction(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.select();
        let back = bytes.iter().map(|byte| self.exchange(*byte)).collect();
        self.deselect();
        back
    }

    /// Reads `len` bytes in variable length mode.
    pub fn read(&mut self, block: u8, address: u16, len: usize) -> Vec<u8> {
        let [high, low] = address.to_be_bytes();
        let mut bytes = vec![high, low, block];
        bytes.resize(3 + len, 0);
        self.transaction(&bytes).split_off(3)
    }

    pub fn byte(&mut self, block: u8, address: u16) -> u8 {
        self.read(block, address, 1)[0]
    }

    pub fn half(&mut self, block: u8, address: u16) -> u16 {
        let bytes = self.read(block, address, 2);
        u16::from_be_bytes([bytes[0], bytes[1]])
    }

    /// Writes in variable length mode.
    pub fn write(&mut self, block: u8, address: u16, data: &[u8]) {
        let [high, low] = address.to_be_bytes();
        let mut bytes = vec![high, low, block | WRITE];
        bytes.extend(data);
        self.transaction(&bytes);
    }

    pub fn command(&mut self, n: u8, command: u8) {
        self.write(socket(n), SN_CR, &[command]);
    }

    /// Puts `bytes` behind what socket `n` has to send, and SENDs them.
    pub fn send(&mut self, n: u8, bytes: &[u8]) {
        let at = self.half(socket(n), SN_TX_WR);
        self.write(tx(n), at, bytes);
        let end = at.wrapping_add(bytes.len() as u16);
        self.write(socket(n), SN_TX_WR, &end.to_be_bytes());
        self.command(n, SEND);
    }

    /// Takes `len` bytes from socket `n`'s receive buffer.
    pub fn take(&mut self, n: u8, len: u16) -> Vec<u8> {
        let at = self.half(socket(n), SN_RX_RD);
        let bytes = self.read(rx(n), at, usize::from(len));
        let end = at.wrapping_add(len);
        self.write(socket(n), SN_RX_RD, &end.to_be_bytes());
        self.command(n, RECV);
        bytes
    }

    /// Takes the next MACRAW frame.
    pub fn take_frame(&mut self) -> Vec<u8> {
        let at = self.half(socket(0), SN_RX_RD);
        let len = self.half(rx(0), at);
        self.take(0, len).split_off(2)
    }

    /// Runs the events up to and at `until`.
    pub fn run_until(&mut self, until: Instant) {
        while let Some((event, at)) = self.schedule.take(until) {
            self.now = at;
            if self.host_listens && matches!(event, Event::WireToHost | Event::Host) {
                self.network.on_event(event, at, &mut self.schedule);
            } else if event == Event::WireToHost {
                for (at, mut frame) in arrivals(&mut self.network.wire, at, &mut self.schedule) {
                    assert!(frame::is_intact(&frame));
                    frame.truncate(frame.len() - frame::FCS_LEN);
                    self.sent.push((at, frame));
                }
            } else {
                self.with(|chip, ctx| chip.on_event(event, ctx));
            }
        }
        self.now = until;
    }

    pub fn run_for(&mut self, span: Span) {
        self.run_until(self.now + span);
    }

    /// Lets everything under way come to rest.
    pub fn settle(&mut self) {
        self.run_for(Span::from_ms(1));
    }

    /// Sends a frame (without check sequence) to the chip now.
    pub fn deliver(&mut self, content: &[u8]) {
        self.deliver_raw(&padded_with_fcs(content));
    }

    pub fn deliver_raw(&mut self, frame: &[u8]) {
        self.network
            .wire
            .send(Direction::ToBoard, frame, self.now, &mut self.schedule);
    }

    /// Lets the host do something now.
    pub fn host<R>(&mut self, act: impl FnOnce(&mut Host) -> R) -> R {
        let result = act(self.network.host());
        self.network.flush(self.now, &mut self.schedule);
        result
    }

    pub fn int_low(&self) -> bool {
        self.chip.interrupt_asserted()
    }

    pub fn counters(&self) -> Counters {
        self.chip.counters()
    }
}
