//! Reception: what the MAC lets into the FIFO, and the receive DMA that empties it.
//!
//! A frame enters the FIFO when its last bit has arrived, whole, or is dropped whole and counted. The DMA
//! fetches its next descriptor ahead of the frame (HAL, and reports by other drivers' authors). A suspended
//! engine (`engine`) also looks again when another frame arrives. With RxQOMR.RSF = 0 the part begins to
//! copy a little earlier; that is not modelled.

use std::collections::VecDeque;
use std::ops::Range;

use super::bus::{self, BusFault, Descriptor, FIRST, LAST};
use super::checksum::{self, Verified};
use super::engine::{Engine, Phase, RECEIVE};
use super::filter::{self, Passed};
use super::registers::{dma, maccr, offset, qomr};
use super::{Eth, fifo_capacity, interrupts, timing};
use crate::data_cache::LINE_LEN;
use crate::net::frame::{self, FCS_LEN, HEADER_LEN};
use crate::net::wire::Direction;
use crate::schedule::Event;
use crate::soc::context::Context;
use crate::time::Instant;

/// RDES3 as software writes it.
const BUFFER_1_VALID: u32 = 1 << 24;
const BUFFER_2_VALID: u32 = 1 << 25;
const INTERRUPT_ON_COMPLETION: u32 = 1 << 30;
/// RDES3 as the DMA writes it.
const ERROR_SUMMARY: u32 = 1 << 15;
const TYPE_SHIFT: u32 = 16;
const CRC_ERROR: u32 = 1 << 24;
const STATUS_1_VALID: u32 = 1 << 26;
const STATUS_2_VALID: u32 = 1 << 27;
/// RDES2: the frame failed the destination filter.
const ADDRESS_FILTER_FAILED: u32 = 1 << 17;

/// Length/type values from here on are types (802.3).
const FIRST_TYPE: u16 = 0x0600;
/// RxQMPOCR fields: the counter's mask and its overflow flag, for FIFO overflows.
const OVERFLOW_COUNT: u32 = 0x7FF;
const OVERFLOW_WRAPPED: u32 = 1 << 11;
/// Bytes of status the FIFO keeps beside each frame. Assumed: one word. More would make the FIFO full
/// earlier under bursts of small frames.
const FIFO_STATUS_LEN: usize = 4;

/// What the receive DMA does with a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// It waits for a frame.
    Waiting(Descriptor),
    /// Writing the frame's next `len` bytes to the descriptor's buffers.
    Moving { descriptor: Descriptor, len: usize },
}

/// A line of a receive buffer that the core does not see written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleLine {
    /// Its number, from 0. Lines are whole and aligned: the first may begin behind the buffer's first
    /// byte, and a buffer that ends before the line is passed over.
    pub line: u32,
    /// How many buffers that have the line come before.
    pub after: u64,
}

/// A frame in the FIFO.
#[derive(Clone, Debug)]
struct Stored {
    /// What the buffers will hold, and the whole buffer it came in.
    frame: Vec<u8>,
    word_1: u32,
    word_2: u32,
    /// Errors and type of word 3.
    word_3: u32,
}

impl Stored {
    fn fifo_len(&self) -> usize {
        fifo_len(self.frame.len())
    }
}

fn fifo_len(frame_len: usize) -> usize {
    frame_len.next_multiple_of(4) + FIFO_STATUS_LEN
}

/// The receive side's state.
#[derive(Clone, Debug)]
pub(super) struct Rx {
    pub engine: Engine<Work>,
    fifo: VecDeque<Stored>,
    fifo_used: usize,
    /// Bytes of the frame at the FIFO's head that are already in buffers.
    moved: usize,
    /// The line of a buffer that the core shall see as it was.
    stale_line: Option<StaleLine>,
}

impl Default for Rx {
    fn default() -> Self {
        Self {
            engine: Engine::new(&RECEIVE),
            fifo: VecDeque::new(),
            fifo_used: 0,
            moved: 0,
            stale_line: None,
        }
    }
}

impl Rx {
    /// Frames in the FIFO (RxQDR.PRXQ).
    pub fn frames_waiting(&self) -> usize {
        self.fifo.len()
    }
}

impl Eth {
    /// Lets the core see a line of a buffer as it was before: as if the data cache still held it.
    pub fn leave_stale_line(&mut self, line: StaleLine) {
        self.rx.stale_line = Some(line);
    }

    /// CRxCR was written.
    pub(super) fn rx_control_changed(&mut self, ctx: &mut Context) {
        let engine = &mut self.rx.engine;
        match (engine.is_started(&self.registers), engine.phase) {
            (true, Phase::Stopped) => engine.fetch(&mut self.registers, ctx),
            (false, Phase::Fetching | Phase::Suspended | Phase::Working(Work::Waiting(_))) => {
                engine.stop(&mut self.registers);
            }
            _ => {}
        }
        self.schedule_rx(ctx);
    }

    pub(super) fn rx_tail_written(&mut self, ctx: &mut Context) {
        self.rx.engine.tail_written(&mut self.registers, ctx);
        self.schedule_rx(ctx);
    }

    /// Takes the frames whose last bit has arrived.
    pub(super) fn on_arrival(&mut self, ctx: &mut Context) {
        while let Some(frame) = ctx.wire.receive(Direction::ToBoard, ctx.now, ctx.schedule) {
            match self.accept(frame) {
                Ok(stored) => self.enqueue(stored, ctx),
                Err(dropped) => ctx.wire.recycle(dropped),
            }
        }
        self.schedule_rx(ctx);
    }

    pub(super) fn on_rx_event(&mut self, ctx: &mut Context) {
        if self.rx.engine.take_phase_end(ctx.now) {
            let step = match self.rx.engine.phase {
                Phase::Fetching => self.rx_descriptor_fetched(ctx),
                Phase::Working(Work::Moving { descriptor, len }) => {
                    self.move_done(descriptor, len, ctx)
                }
                _ => Ok(()),
            };
            if let Err(fault) = step {
                self.rx.engine.fault(&mut self.registers, fault);
            }
        }
        self.schedule_rx(ctx);
    }

    /// The MAC's and the MTL's verdict on an arrived frame: what goes into the FIFO, or the frame back.
    fn accept(&mut self, mut frame: Vec<u8>) -> Result<Stored, Vec<u8>> {
        let maccr = self.registers.value(offset::MACCR);
        let queue = self.registers.value(offset::RXQOMR);
        let hears = maccr & maccr::RE != 0 && maccr & maccr::FES != 0;
        if !hears || frame.len() < HEADER_LEN + FCS_LEN {
            return Err(frame);
        }
        let Some(passed) = filter::check(&self.registers, &frame) else {
            self.counters.filtered += 1;
            return Err(frame);
        };
        let forwards_errors = queue & qomr::FEP != 0;
        let forwards_runts = queue & (qomr::FEP | qomr::FUP) != 0;
        let intact = frame::is_intact(&frame);
        if !intact {
            self.registers.count(offset::MMC_RX_CRC_ERROR);
            self.counters.crc_errors += 1;
        } else if filter::is_unicast(&frame) {
            self.registers.count(offset::MMC_RX_UNICAST_GOOD);
        }
        let runt = frame.len() < frame::MIN_LEN + FCS_LEN;
        if (!intact && !forwards_errors) || (runt && !forwards_runts) {
            return Err(frame);
        }
        let verified = if maccr & maccr::IPC != 0 {
            checksum::verify(&frame[..frame.len() - FCS_LEN])
        } else {
            Verified::default()
        };
        let bad_checksum = verified.header_error || verified.payload_error;
        if bad_checksum && !forwards_errors && queue & qomr::DIS_TCP_EF == 0 {
            self.counters.checksum_errors += 1;
            return Err(frame);
        }
        let offload = maccr & maccr::IPC != 0;
        let word_3 = frame_type(&frame) << TYPE_SHIFT
            | if intact { 0 } else { CRC_ERROR | ERROR_SUMMARY }
            | if offload { STATUS_1_VALID } else { 0 }
            | STATUS_2_VALID;
        strip(&mut frame, maccr);
        Ok(Stored {
            frame,
            word_1: status_word_1(verified),
            word_2: match passed {
                Passed::ByAddress => 0,
                Passed::Anyway => ADDRESS_FILTER_FAILED,
            },
            word_3,
        })
    }

    /// Puts a frame into the FIFO, or drops it whole and counts it where it does not fit.
    fn enqueue(&mut self, stored: Stored, ctx: &mut Context) {
        let queue = self.registers.value(offset::RXQOMR) >> qomr::RQS_SHIFT;
        if self.rx.fifo_used + stored.fifo_len() > fifo_capacity(queue) {
            self.count_overflow();
            ctx.wire.recycle(stored.frame);
            return;
        }
        self.counters.frames_received += 1;
        self.rx.fifo_used += stored.fifo_len();
        self.rx.fifo.push_back(stored);
        match self.rx.engine.phase {
            Phase::Suspended => self.rx.engine.fetch(&mut self.registers, ctx),
            Phase::Working(Work::Waiting(descriptor)) => self.begin_move(descriptor, ctx),
            _ => {}
        }
    }

    fn count_overflow(&mut self) {
        self.counters.fifo_overflows += 1;
        let old = self.registers.value(offset::RXQMPOCR);
        let count = (old & OVERFLOW_COUNT) + 1;
        let wrapped =
            (old | if count > OVERFLOW_COUNT {
                OVERFLOW_WRAPPED
            } else {
                0
            }) & OVERFLOW_WRAPPED;
        self.registers
            .set(offset::RXQMPOCR, count & OVERFLOW_COUNT | wrapped);
        interrupts::raise_overflow(&mut self.registers);
    }

    fn schedule_rx(&mut self, ctx: &mut Context) {
        let at = self.rx.engine.phase_ends.unwrap_or(Instant::NEVER);
        ctx.schedule.set(Event::EthRx, at);
    }

    fn rx_descriptor_fetched(&mut self, ctx: &mut Context) -> Result<(), BusFault> {
        let engine = &mut self.rx.engine;
        let Some(descriptor) = engine.fetched(&mut self.registers, ctx.memory)? else {
            return Ok(());
        };
        if self.rx.fifo.is_empty() {
            engine.phase = Phase::Working(Work::Waiting(descriptor));
        } else {
            self.begin_move(descriptor, ctx);
        }
        Ok(())
    }

    fn begin_move(&mut self, descriptor: Descriptor, ctx: &Context) {
        let Some(head) = self.rx.fifo.front() else {
            return;
        };
        let len = (head.frame.len() - self.rx.moved).min(self.descriptor_room(&descriptor));
        let burst = self.burst_words(offset::DMACRXCR);
        let data = timing::transfer(
            timing::words(descriptor[0], len as u32),
            burst,
            ctx.clocks.hclk_hz,
        );
        let write_back = timing::descriptor_fetch(ctx.clocks.hclk_hz);
        self.rx.engine.phase = Phase::Working(Work::Moving { descriptor, len });
        self.rx.engine.phase_ends = Some(ctx.now + (data + write_back));
    }

    /// Bytes that a descriptor's valid buffers hold: each has CRxCR.RBSZ.
    fn descriptor_room(&self, descriptor: &Descriptor) -> usize {
        let valid = [BUFFER_1_VALID, BUFFER_2_VALID]
            .into_iter()
            .filter(|flag| descriptor[3] & flag != 0)
            .count();
        valid * self.receive_buffer_len()
    }

    fn receive_buffer_len(&self) -> usize {
        ((self.registers.value(offset::DMACRXCR) & dma::RBSZ) >> 1) as usize
    }

    /// The bytes are written: close the descriptor, and the frame with its last one.
    fn move_done(
        &mut self,
        descriptor: Descriptor,
        len: usize,
        ctx: &mut Context,
    ) -> Result<(), BusFault> {
        let Some(head) = self.rx.fifo.front() else {
            return Ok(());
        };
        let from = self.rx.moved;
        let to = from + len;
        let bytes = &head.frame[from..to];
        let room = self.receive_buffer_len();
        let first_len = if descriptor[3] & BUFFER_1_VALID != 0 {
            len.min(room)
        } else {
            0
        };
        let (first, second) = bytes.split_at(first_len);
        for (address, bytes) in [(descriptor[0], first), (descriptor[2], second)] {
            if !bytes.is_empty() {
                let hidden = take_hidden(&mut self.rx.stale_line, address, bytes.len());
                bus::write(ctx.memory, address, &bytes[..hidden.start], false)?;
                let rest = &bytes[hidden.end..];
                bus::write(ctx.memory, address + hidden.end as u32, rest, false)?;
                self.rx.engine.buffer = address;
            }
        }
        let complete = to == head.frame.len();
        let mut words = [0, 0, 0, to as u32];
        if from == 0 {
            words[3] |= FIRST;
        }
        if complete {
            words[1] = head.word_1;
            words[2] = head.word_2;
            words[3] |= head.word_3 | LAST;
        }
        let place = self.rx.engine.descriptor(&self.registers);
        for (n, word) in (0..).zip(words) {
            bus::store_word(ctx.memory, place + 4 * n, word)?;
        }
        self.rx.engine.advance(&self.registers);
        self.rx.moved = to;
        if complete {
            self.frame_done(ctx);
        }
        if complete && descriptor[3] & INTERRUPT_ON_COMPLETION != 0 {
            interrupts::raise(&mut self.registers, interrupts::RI);
        }
        self.rx.engine.fetch(&mut self.registers, ctx);
        Ok(())
    }

    /// The frame at the FIFO's head is in the buffers.
    fn frame_done(&mut self, ctx: &mut Context) {
        self.rx.moved = 0;
        if let Some(stored) = self.rx.fifo.pop_front() {
            self.rx.fifo_used -= stored.fifo_len();
            ctx.wire.recycle(stored.frame);
        }
    }
}

/// Which of `len` bytes written at `address` the core shall not see: those of a line, or none.
fn take_hidden(wanted: &mut Option<StaleLine>, address: u32, len: usize) -> Range<usize> {
    let none = len..len;
    let Some(StaleLine { line, after }) = wanted else {
        return none;
    };
    let first = address.next_multiple_of(LINE_LEN) - address;
    let from = (first + *line * LINE_LEN) as usize;
    let to = from + LINE_LEN as usize;
    if to > len {
        return none;
    }
    if *after > 0 {
        *after -= 1;
        return none;
    }
    *wanted = None;
    from..to
}

/// RDES1 of a frame's last descriptor.
fn status_word_1(verified: Verified) -> u32 {
    verified.payload_type
        | u32::from(verified.header_error) << 3
        | u32::from(verified.ipv4) << 4
        | u32::from(verified.bypassed) << 6
        | u32::from(verified.payload_error) << 7
}

fn length_or_type(frame: &[u8]) -> u16 {
    u16::from_be_bytes([frame[12], frame[13]])
}

/// RDES3.LT: 0 length, 1 type, 3 ARP, 4 VLAN tag, 6 MAC control.
fn frame_type(frame: &[u8]) -> u32 {
    match length_or_type(frame) {
        0x0806 => 3,
        0x8100 => 4,
        0x8808 => 6,
        FIRST_TYPE.. => 1,
        _ => 0,
    }
}

/// ACS takes pad and check sequence off length frames, CST the check sequence off type frames.
fn strip(frame: &mut Vec<u8>, maccr: u32) {
    let field = length_or_type(frame);
    if field >= FIRST_TYPE {
        if maccr & maccr::CST != 0 {
            frame.truncate(frame.len() - FCS_LEN);
        }
    } else if maccr & maccr::ACS != 0 {
        let content = HEADER_LEN + usize::from(field);
        frame.truncate(content.min(frame.len() - FCS_LEN));
    }
}
