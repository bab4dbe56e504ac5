//! An Ethernet block with memory, wire and schedule around it, at HCLK 200 MHz.

use crate::bus::{AccessError, Width};
use crate::chips::lan8742a::PhyTiming;
use crate::irq::{IrqLines, line};
use crate::memory::Memory;
use crate::net::test_frames::arrivals;
use crate::net::wire::{Direction, Wire, WireConfig};
use crate::schedule::{Event, Schedule};
use crate::soc::clocks::Clocks;
use crate::soc::context::{Context, RegisterValue};
use crate::soc::eth::Eth;
use crate::time::{Instant, Span};

pub use crate::net::test_frames::{HOST_MAC, frame_to, padded_with_fcs, with_fcs};

pub const MAC: [u8; 6] = [0x02, 0, 0, 0, 0x72, 0x01];
pub const TX_RING: u32 = 0x3000_0000;
pub const RX_RING: u32 = 0x3000_0400;
pub const TX_BUFFERS: u32 = 0x2400_0000;
pub const RX_BUFFERS: u32 = 0x2401_0000;
pub const BUFFER_STRIDE: u32 = 0x800;

pub const MACCR: u32 = 0x000;
pub const RXQOMR: u32 = 0xD30;
pub const DMACCR: u32 = 0x1100;
pub const CTXCR: u32 = 0x1104;
pub const CRXCR: u32 = 0x1108;
pub const TX_TAIL: u32 = 0x1120;
pub const RX_TAIL: u32 = 0x1128;
pub const CIER: u32 = 0x1134;
pub const CSR: u32 = 0x1160;

pub const OWN: u32 = 1 << 31;
pub const FD: u32 = 1 << 29;
pub const LD: u32 = 1 << 28;
pub const TX_IOC: u32 = 1 << 31;
pub const RX_READY: u32 = OWN | 1 << 30 | 1 << 24;

pub const CSR_TI: u32 = 1 << 0;
pub const CSR_TBU: u32 = 1 << 2;
pub const CSR_RI: u32 = 1 << 6;
pub const CSR_RBU: u32 = 1 << 7;
pub const CSR_NIS: u32 = 1 << 15;
pub const CSR_AIS: u32 = 1 << 14;

pub struct Rig {
    pub eth: Eth,
    pub schedule: Schedule,
    pub irq: IrqLines,
    pub memory: Memory,
    pub clocks: Clocks,
    pub wire: Wire,
    pub now: Instant,
    /// Frames that reached the far end, with the instants of their last bits.
    pub sent: Vec<(Instant, Vec<u8>)>,
}

impl Rig {
    /// A block out of reset with its link up; the clock stands at two seconds.
    pub fn new() -> Self {
        let mut schedule = Schedule::default();
        let mut rig = Self {
            eth: Eth::new(PhyTiming::default(), true, &mut schedule),
            schedule,
            irq: IrqLines::default(),
            memory: Memory::default(),
            clocks: Clocks {
                hclk_hz: 200_000_000,
                ..Clocks::after_reset()
            },
            wire: Wire::new(WireConfig::default()),
            now: Instant::ZERO,
            sent: Vec::new(),
        };
        rig.with(|eth, ctx| eth.set_reference_clock(true, ctx));
        rig.run_until(Instant::from_ns(2_000_000_000));
        assert!(rig.wire.carrier());
        rig
    }

    /// The MAC set up as embassy sets it up, with rings of `count` descriptors, receiving.
    pub fn started(count: u32) -> Self {
        let mut rig = Self::new();
        rig.store(MACCR, 1 << 20 | 1 << 14 | 1 << 13);
        rig.store(0x008, 1 << 4);
        rig.store(0x300, 0x0172);
        rig.store(0x304, 0x0000_0002);
        rig.store(0xD00, 0x0007_0008 | 1 << 1);
        rig.store(RXQOMR, 0x0070_0000 | 1 << 5);
        rig.store(CTXCR, 1 << 16);
        rig.store(CRXCR, 1 << 16 | 1536 << 1);
        for n in 0..count {
            rig.give_rx(n);
        }
        rig.store(0x1114, TX_RING);
        rig.store(0x112C, count - 1);
        rig.store(TX_TAIL, 0);
        rig.store(0x111C, RX_RING);
        rig.store(0x1130, count - 1);
        rig.store(RX_TAIL, 0);
        let maccr = rig.peek(MACCR);
        rig.store(MACCR, maccr | 0b11);
        rig.store(0xD00, 0x0007_0008 | 1 << 1 | 1);
        rig.store(CTXCR, 1 << 16 | 1);
        rig.store(CRXCR, 1 << 16 | 1536 << 1 | 1);
        rig.store(CIER, 1 << 15 | 1 << 6 | 1 << 0);
        rig.settle();
        rig
    }

    pub fn with<R>(&mut self, act: impl FnOnce(&mut Eth, &mut Context) -> R) -> R {
        let mut ctx = Context {
            now: self.now,
            schedule: &mut self.schedule,
            irq: &mut self.irq,
            memory: &mut self.memory,
            clocks: &self.clocks,
            wire: &mut self.wire,
        };
        act(&mut self.eth, &mut ctx)
    }

    pub fn try_store(&mut self, offset: u32, value: u32) -> Result<(), AccessError> {
        self.with(|eth, ctx| eth.store(offset, Width::Word, value, ctx))
    }

    pub fn store(&mut self, offset: u32, value: u32) {
        self.try_store(offset, value).unwrap();
    }

    pub fn load(&mut self, offset: u32) -> RegisterValue {
        self.with(|eth, ctx| eth.load(offset, Width::Word, ctx))
            .unwrap()
    }

    pub fn peek(&mut self, offset: u32) -> u32 {
        self.load(offset).value
    }

    /// Runs the events up to and at `until`.
    pub fn run_until(&mut self, until: Instant) {
        while let Some((event, at)) = self.schedule.take(until) {
            self.now = at;
            if event == Event::WireToHost {
                self.sent
                    .extend(arrivals(&mut self.wire, at, &mut self.schedule));
            } else {
                self.with(|eth, ctx| eth.on_event(event, ctx));
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

    pub fn irq(&self) -> bool {
        self.irq.word(line::ETH / 32) & 1 << (line::ETH % 32) != 0
    }

    /// Writes a transmit descriptor, buffer and all; does not touch the tail.
    pub fn put_tx(&mut self, n: u32, bytes: &[u8], flags: u32) {
        let buffer = TX_BUFFERS + n * BUFFER_STRIDE;
        self.memory
            .slice_mut(buffer, bytes.len() as u32)
            .unwrap()
            .copy_from_slice(bytes);
        let words = [buffer, 0, bytes.len() as u32 | TX_IOC, flags | OWN];
        self.put_descriptor(TX_RING + 16 * n, words);
    }

    /// Gives receive descriptor `n` to the DMA.
    pub fn give_rx(&mut self, n: u32) {
        let words = [RX_BUFFERS + n * BUFFER_STRIDE, 0, 0, RX_READY];
        self.put_descriptor(RX_RING + 16 * n, words);
    }

    pub fn put_descriptor(&mut self, at: u32, words: [u32; 4]) {
        for (n, word) in (0..).zip(words) {
            self.memory.store_u32(at + 4 * n, word).unwrap();
        }
    }

    pub fn tx_word(&self, n: u32, word: u32) -> u32 {
        self.memory.load_u32(TX_RING + 16 * n + 4 * word).unwrap()
    }

    pub fn rx_word(&self, n: u32, word: u32) -> u32 {
        self.memory.load_u32(RX_RING + 16 * n + 4 * word).unwrap()
    }

    pub fn rx_bytes(&self, n: u32, len: u32) -> &[u8] {
        self.memory
            .slice(RX_BUFFERS + n * BUFFER_STRIDE, len)
            .unwrap()
    }

    /// Sends a frame (without check sequence) to the board now.
    pub fn deliver(&mut self, content: &[u8]) {
        self.deliver_raw(&padded_with_fcs(content));
    }

    pub fn deliver_raw(&mut self, frame: &[u8]) {
        self.wire
            .send(Direction::ToBoard, frame, self.now, &mut self.schedule);
    }
}

/// A frame for the board of `len` bytes without check sequence, its payload filled with `tag`.
pub fn frame_to_board(len: usize, tag: u8) -> Vec<u8> {
    frame_to(MAC, [0x08, 0x00], len, tag)
}
