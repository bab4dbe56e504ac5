//! SPI: how bytes become accesses (DS1.0.9 §2.1 to 2.3).
//!
//! A frame is two address bytes, a control byte and data; the address goes on by one with every data
//! byte. In variable length mode chip select ends the frame, in the fixed ones its length does, whatever
//! chip select does, and the next byte is a header's first again.
//!
//! Bytes are the unit: what a byte does happens at its last clock edge, what it reads is what the chip
//! had before it. After a stray clock edge chip and master disagree about where bytes begin until chip
//! select goes high; only then bits are counted.

use super::registers;
use super::traffic::{Slot, SpiBlock};
use super::{ChipContext, W5500};
use crate::chips::w5500::buffer::Block;
use crate::time::Instant;

const HEADER_LEN: u64 = 3;
const CONTROL_BLOCK_SHIFT: u32 = 3;
const CONTROL_WRITE: u8 = 1 << 2;
const CONTROL_MODE: u8 = 0b11;

/// Where a frame stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Not selected, or selected before the chip was awake.
    Deaf,
    AddressHigh,
    AddressLow,
    Control,
    Data,
}

/// What the data bytes go to, decoded once a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Tx(Block),
    Rx(Block),
    /// A buffer of size 0.
    Empty,
    Common,
    Socket(u8),
    Reserved,
}

/// The state of the SPI side.
#[derive(Clone, Debug)]
pub(super) struct Framing {
    phase: Phase,
    selected: bool,
    write: bool,
    target: Target,
    block: SpiBlock,
    /// The next data byte's address.
    address: u16,
    first_address: u16,
    /// Data bytes so far.
    len: u64,
    /// Data bytes after which the frame ends by itself.
    fixed_len: u64,
    /// Bits of the byte under way: not 0 only after stray clock edges.
    bits: u32,
    shifting_in: u8,
    shifting_out: u8,
}

impl Default for Framing {
    fn default() -> Self {
        Self {
            phase: Phase::Deaf,
            selected: false,
            write: false,
            target: Target::Reserved,
            block: SpiBlock::Reserved,
            address: 0,
            first_address: 0,
            len: 0,
            fixed_len: u64::MAX,
            bits: 0,
            shifting_in: 0,
            shifting_out: 0,
        }
    }
}

impl W5500 {
    /// Chip select goes low.
    pub fn select(&mut self, ctx: &mut ChipContext) {
        self.spi = Framing {
            selected: true,
            phase: Phase::AddressHigh,
            ..Framing::default()
        };
        if ctx.now < self.awake_at {
            self.spi.phase = Phase::Deaf;
            self.counters.early_transactions += 1;
        }
    }

    /// Chip select goes high.
    pub fn deselect(&mut self, _: &mut ChipContext) {
        if self.spi.bits != 0 {
            self.counters.misaligned_transactions += 1;
        }
        match self.spi.phase {
            Phase::Data => self.end_frame(),
            Phase::AddressLow | Phase::Control => self.counters.truncated_headers += 1,
            Phase::AddressHigh | Phase::Deaf => {}
        }
        self.spi = Framing::default();
    }

    /// One byte clocked in and out; `ctx.now` is the instant of its last clock edge.
    #[inline]
    pub fn exchange(&mut self, mosi: u8, ctx: &mut ChipContext) -> u8 {
        if self.spi.bits != 0 {
            return self.exchange_bits(mosi, ctx);
        }
        let miso = self.output(ctx.now);
        self.input(mosi, ctx);
        miso
    }

    /// A clock edge pair between two bytes while selected: the chip takes a bit that nobody sent.
    pub fn stray_clock(&mut self, ctx: &mut ChipContext) {
        if self.spi.selected {
            self.counters.stray_clocks += 1;
            self.clock_bit(self.parameters.stray_mosi, ctx);
        }
    }

    fn exchange_bits(&mut self, mosi: u8, ctx: &mut ChipContext) -> u8 {
        (0..8).rev().fold(0, |miso, bit| {
            miso << 1 | u8::from(self.clock_bit(mosi & 1 << bit != 0, ctx))
        })
    }

    fn clock_bit(&mut self, mosi: bool, ctx: &mut ChipContext) -> bool {
        if self.spi.bits == 0 {
            self.spi.shifting_out = self.output(ctx.now);
        }
        let miso = self.spi.shifting_out & 0x80 != 0;
        self.spi.shifting_out <<= 1;
        self.spi.shifting_in = self.spi.shifting_in << 1 | u8::from(mosi);
        self.spi.bits += 1;
        if self.spi.bits == 8 {
            self.spi.bits = 0;
            self.input(self.spi.shifting_in, ctx);
        }
        miso
    }

    /// What the chip puts out during the byte that comes.
    #[inline]
    fn output(&self, now: Instant) -> u8 {
        let spi = &self.spi;
        match spi.phase {
            Phase::Data if spi.write => self.parameters.write_miso,
            Phase::Data => match spi.target {
                Target::Rx(block) => self.rx.read(block, spi.address),
                Target::Tx(block) => self.tx.read(block, spi.address),
                Target::Common => self.read_common(spi.address, now),
                Target::Socket(n) => self.read_socket(n, spi.address, now),
                Target::Empty => self.parameters.empty_block_value,
                Target::Reserved => self.parameters.reserved_value,
            },
            Phase::AddressHigh => self.parameters.header_miso[0],
            Phase::AddressLow => self.parameters.header_miso[1],
            Phase::Control => self.parameters.header_miso[2],
            Phase::Deaf => self.parameters.deselected_miso,
        }
    }

    /// Takes a byte in.
    #[inline]
    fn input(&mut self, mosi: u8, ctx: &mut ChipContext) {
        match self.spi.phase {
            Phase::Data => self.input_data(mosi, ctx),
            Phase::AddressHigh => {
                self.spi.first_address = u16::from(mosi) << 8;
                self.spi.phase = Phase::AddressLow;
            }
            Phase::AddressLow => {
                self.spi.first_address |= u16::from(mosi);
                self.spi.phase = Phase::Control;
            }
            Phase::Control => self.decode_control(mosi),
            Phase::Deaf => {}
        }
    }

    #[inline]
    fn input_data(&mut self, mosi: u8, ctx: &mut ChipContext) {
        let address = self.spi.address;
        self.spi.address = address.wrapping_add(1);
        self.spi.len += 1;
        match self.spi.target {
            Target::Rx(block) if self.spi.write => self.rx.write(block, address, mosi),
            Target::Tx(block) if self.spi.write => self.tx.write(block, address, mosi),
            Target::Rx(_) | Target::Tx(_) | Target::Empty => {}
            Target::Common => self.input_common(address, mosi, ctx),
            Target::Socket(n) => self.input_socket(n, address, mosi, ctx),
            Target::Reserved => self.counters.reserved_bytes += 1,
        }
        if self.spi.len == self.spi.fixed_len {
            self.end_frame();
            self.spi.phase = Phase::AddressHigh;
        }
    }

    fn input_common(&mut self, address: u16, mosi: u8, ctx: &mut ChipContext) {
        let register = registers::common::MAP.at(address);
        if self.takes_write(register.map(|register| register.writable), ctx.now) {
            self.write_common(address, mosi, ctx);
        }
    }

    fn input_socket(&mut self, n: u8, address: u16, mosi: u8, ctx: &mut ChipContext) {
        let register = registers::socket::MAP.at(address);
        if self.takes_write(register.map(|register| register.writable), ctx.now) {
            self.write_socket(n, address, mosi, ctx);
        }
    }

    /// Whether a data byte is a write that counts; `writable` is `None` at a reserved address.
    fn takes_write(&mut self, writable: Option<bool>, now: Instant) -> bool {
        match writable {
            None => self.counters.reserved_bytes += 1,
            Some(_) if !self.spi.write => {}
            Some(false) => self.counters.read_only_writes += 1,
            Some(true) if now < self.reset_until => self.counters.writes_during_reset += 1,
            Some(true) => return true,
        }
        false
    }

    fn decode_control(&mut self, control: u8) {
        let block = SpiBlock::from_bits(control >> CONTROL_BLOCK_SHIFT);
        self.spi.block = block;
        self.spi.write = control & CONTROL_WRITE != 0;
        self.spi.address = self.spi.first_address;
        self.spi.len = 0;
        self.spi.fixed_len = match control & CONTROL_MODE {
            0b00 => u64::MAX,
            0b01 => 1,
            0b10 => 2,
            _ => 4,
        };
        self.spi.target = match block {
            SpiBlock::Common => Target::Common,
            SpiBlock::Socket(n) => Target::Socket(n),
            SpiBlock::TxBuffer(n) => match self.tx.block(n) {
                block if block.len() == 0 => Target::Empty,
                block => Target::Tx(block),
            },
            SpiBlock::RxBuffer(n) => match self.rx.block(n) {
                block if block.len() == 0 => Target::Empty,
                block => Target::Rx(block),
            },
            SpiBlock::Reserved => Target::Reserved,
        };
        self.spi.phase = Phase::Data;
    }

    /// Counts the frame that ends here.
    fn end_frame(&mut self) {
        let (first, len) = (self.spi.first_address, self.spi.len);
        let slot = Slot::of(self.spi.block, first);
        self.traffic.record(slot, self.spi.write, HEADER_LEN + len);
        match self.spi.block {
            SpiBlock::RxBuffer(n) if !self.spi.write => {
                let past = self.sockets[usize::from(n)].is_past_data(first, len);
                self.counters.reads_past_data += u64::from(past);
            }
            SpiBlock::TxBuffer(n) if self.spi.write => {
                let space = self.tx.block(n).len();
                let past = self.sockets[usize::from(n)].is_past_space(first, len, space);
                self.counters.writes_past_space += u64::from(past);
            }
            _ => {}
        }
    }
}
