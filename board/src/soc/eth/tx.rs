//! Transmission: the transmit DMA, the FIFO and the MAC's finishing of a frame.
//!
//! Descriptor by descriptor: fetch, read its buffers into the FIFO, and after the last one of a frame
//! hand it to the MAC (store-and-forward). The last descriptor is closed once the frame has left
//! (MTLOMR.DTXSTS = 0), the ones before it as soon as they are read. With CTxCR.OSF the next frame is
//! read while one is on the wire. Threshold mode (TxQOMR.TSF = 0) is not modelled: it too waits for the
//! whole frame, only its checksums stay as they are.

use std::collections::VecDeque;

use super::bus::{self, BusFault, CONTEXT, Descriptor, FIRST, LAST};
use super::checksum::{self, Insertion};
use super::engine::{Engine, Phase, TRANSMIT};
use super::registers::{dma, maccr, offset, qomr};
use super::{Eth, fifo_capacity, filter, interrupts, timing};
use crate::net::frame;
use crate::net::wire::Direction;
use crate::schedule::Event;
use crate::soc::context::Context;
use crate::time::Instant;

/// TDES2 and TDES3 fields as software writes them.
const LEN_MASK: u32 = 0x3FFF;
const BUFFER_2_SHIFT: u32 = 16;
const INTERRUPT_ON_COMPLETION: u32 = 1 << 31;
const CIC_SHIFT: u32 = 16;
const SAIC_SHIFT: u32 = 23;
const CPC_SHIFT: u32 = 26;

/// Source address control of MACCR.SARC and TDES3.SAIC, without the bit that picks the address.
const SOURCE_INSERT: u32 = 0b10;
const SOURCE_REPLACE: u32 = 0b11;
const SOURCE_ADDRESS_1: u32 = 0b100;

/// Frames the DMA may have in the MAC with CTxCR.OSF.
const FRAMES_IN_FLIGHT: usize = 2;

/// What the transmit DMA does with a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Reading its buffers.
    Reading(Descriptor),
    /// A frame is in the FIFO and the MAC does not take it: MACCR.TE is 0.
    Held,
    /// The FIFO holds all it may until a frame has left.
    WaitingForStatus,
}

/// A frame whose status is not written back yet.
#[derive(Clone, Copy, Debug)]
struct Sending {
    descriptor: u32,
    status: u32,
    interrupt: bool,
    len: usize,
    /// When its status is written.
    closes: Instant,
}

/// The transmit side's state.
#[derive(Clone, Debug)]
pub(super) struct Tx {
    pub engine: Engine<Work>,
    /// The frame being gathered, and word 3 of its first descriptor.
    frame: Vec<u8>,
    first_word: u32,
    last: Descriptor,
    sending: VecDeque<Sending>,
}

impl Default for Tx {
    fn default() -> Self {
        Self {
            engine: Engine::new(&TRANSMIT),
            frame: Vec::new(),
            first_word: 0,
            last: Descriptor::default(),
            sending: VecDeque::new(),
        }
    }
}

impl Tx {
    /// Whether a frame is in the FIFO or on its way out (TxQDR.TXQSTS).
    pub fn queue_has_data(&self) -> bool {
        !self.sending.is_empty() || !self.frame.is_empty()
    }
}

impl Eth {
    /// CTxCR was written.
    pub(super) fn tx_control_changed(&mut self, ctx: &mut Context) {
        let engine = &mut self.tx.engine;
        match (engine.is_started(&self.registers), engine.phase) {
            (true, Phase::Stopped) => engine.fetch(&mut self.registers, ctx),
            (false, Phase::Fetching | Phase::Suspended) => engine.stop(&mut self.registers),
            _ => {}
        }
        self.schedule_tx(ctx);
    }

    pub(super) fn tx_tail_written(&mut self, ctx: &mut Context) {
        self.tx.engine.tail_written(&mut self.registers, ctx);
        self.schedule_tx(ctx);
    }

    /// MACCR changed: with TE set, a frame that waits in the FIFO leaves.
    pub(super) fn transmitter_changed(&mut self, ctx: &mut Context) {
        let enabled = self.registers.value(offset::MACCR) & maccr::TE != 0;
        if self.tx.engine.phase == Phase::Working(Work::Held) && enabled {
            self.hand_to_mac(ctx);
            self.schedule_tx(ctx);
        }
    }

    /// TxQOMR.FTQ: what waits in the FIFO is gone.
    pub(super) fn flush_tx_queue(&mut self, ctx: &mut Context) {
        if self.tx.engine.phase == Phase::Working(Work::Held) {
            self.tx.frame.clear();
            self.tx.engine.fetch(&mut self.registers, ctx);
            self.schedule_tx(ctx);
        }
    }

    pub(super) fn on_tx_event(&mut self, ctx: &mut Context) {
        while self.tx.sending.front().is_some_and(|s| s.closes <= ctx.now) {
            if let Err(fault) = self.close_frame(ctx) {
                self.tx.engine.fault(&mut self.registers, fault);
            }
        }
        if self.tx.engine.take_phase_end(ctx.now) {
            let step = match self.tx.engine.phase {
                Phase::Fetching => self.tx_descriptor_fetched(ctx),
                Phase::Working(Work::Reading(descriptor)) => self.tx_buffers_read(descriptor, ctx),
                _ => Ok(()),
            };
            if let Err(fault) = step {
                self.tx.engine.fault(&mut self.registers, fault);
            }
        }
        self.schedule_tx(ctx);
    }

    fn schedule_tx(&mut self, ctx: &mut Context) {
        let phase = self.tx.engine.phase_ends.unwrap_or(Instant::NEVER);
        let closing = self.tx.sending.front().map_or(Instant::NEVER, |s| s.closes);
        ctx.schedule.set(Event::EthTx, phase.min(closing));
    }

    fn tx_descriptor_fetched(&mut self, ctx: &mut Context) -> Result<(), BusFault> {
        let engine = &mut self.tx.engine;
        let Some(descriptor) = engine.fetched(&mut self.registers, ctx.memory)? else {
            return Ok(());
        };
        let (first, second) = buffer_lengths(&descriptor);
        let burst = self.burst_words(offset::DMACTXCR);
        let words = timing::words(descriptor[0], first) + timing::words(descriptor[1], second);
        let engine = &mut self.tx.engine;
        engine.phase = Phase::Working(Work::Reading(descriptor));
        engine.phase_ends = Some(ctx.now + timing::transfer(words, burst, ctx.clocks.hclk_hz));
        Ok(())
    }

    fn tx_buffers_read(
        &mut self,
        descriptor: Descriptor,
        ctx: &mut Context,
    ) -> Result<(), BusFault> {
        if descriptor[3] & CONTEXT != 0 {
            self.close_intermediate(descriptor, ctx)?;
            self.tx.engine.fetch(&mut self.registers, ctx);
            return Ok(());
        }
        if descriptor[3] & FIRST != 0 {
            self.tx.frame.clear();
            self.tx.first_word = descriptor[3];
        }
        let (first, second) = buffer_lengths(&descriptor);
        for (address, len) in [(descriptor[0], first), (descriptor[1], second)] {
            if len > 0 {
                let bytes = bus::read(ctx.memory, address, len, false)?;
                self.tx.frame.extend_from_slice(bytes);
                self.tx.engine.buffer = address;
            }
        }
        if descriptor[3] & LAST == 0 {
            self.close_intermediate(descriptor, ctx)?;
            self.tx.engine.fetch(&mut self.registers, ctx);
            return Ok(());
        }
        self.tx.last = descriptor;
        if self.registers.value(offset::MACCR) & maccr::TE == 0 {
            self.tx.engine.phase = Phase::Working(Work::Held);
        } else {
            self.hand_to_mac(ctx);
        }
        Ok(())
    }

    /// Finishes the frame in the FIFO and puts it on the wire when the MAC is free.
    fn hand_to_mac(&mut self, ctx: &mut Context) {
        self.finish_frame();
        let transmission = ctx
            .wire
            .send(Direction::ToHost, &self.tx.frame, ctx.now, ctx.schedule);
        let write_back = timing::transfer(
            timing::TX_STATUS_WORDS,
            timing::TX_STATUS_WORDS,
            ctx.clocks.hclk_hz,
        );
        self.tx.sending.push_back(Sending {
            descriptor: self.tx.engine.descriptor(&self.registers),
            status: self.tx.last[3] & (FIRST | LAST),
            interrupt: self.tx.last[2] & INTERRUPT_ON_COMPLETION != 0,
            len: self.tx.frame.len(),
            closes: transmission.end + write_back,
        });
        self.tx.frame.clear();
        self.tx.engine.advance(&self.registers);
        if self.may_read_ahead() {
            self.tx.engine.fetch(&mut self.registers, ctx);
        } else {
            self.tx.engine.phase = Phase::Working(Work::WaitingForStatus);
        }
    }

    /// With OSF, a second frame is read while the first leaves, if a full-size one fits beside it.
    fn may_read_ahead(&self) -> bool {
        let operates = self.registers.value(offset::DMACTXCR) & dma::OSF != 0;
        let used: usize = self.tx.sending.iter().map(|s| s.len).sum();
        let queue = self.registers.value(offset::TXQOMR) >> qomr::TQS_SHIFT;
        operates
            && self.tx.sending.len() < FRAMES_IN_FLIGHT
            && used + frame::MAX_LEN <= fifo_capacity(queue)
    }

    /// Checksums, source address, padding and check sequence, as the descriptor and MACCR ask.
    fn finish_frame(&mut self) {
        let control = self.tx.first_word;
        let maccr = self.registers.value(offset::MACCR);
        let in_descriptor = (control >> SAIC_SHIFT) & 0b111;
        let source = if in_descriptor != 0 {
            in_descriptor
        } else {
            (maccr >> maccr::SARC_SHIFT) & 0b111
        };
        self.write_source_address(source);
        if self.registers.value(offset::TXQOMR) & qomr::TSF != 0 {
            let insertion = Insertion::from_bits(control >> CIC_SHIFT);
            checksum::insert(&mut self.tx.frame, insertion);
        }
        let frame = &mut self.tx.frame;
        match (control >> CPC_SHIFT) & 0b11 {
            0 => {
                frame::pad(frame);
                frame::append_fcs(frame);
            }
            1 => frame::append_fcs(frame),
            2 => {}
            _ => {
                frame.truncate(frame.len().saturating_sub(frame::FCS_LEN));
                frame::append_fcs(frame);
            }
        }
    }

    fn write_source_address(&mut self, control: u32) {
        let n = if control & SOURCE_ADDRESS_1 != 0 {
            8
        } else {
            0
        };
        let address = filter::address(
            self.registers.value(offset::MACA0HR + n),
            self.registers.value(offset::MACA0LR + n),
        );
        let frame = &mut self.tx.frame;
        match control & 0b11 {
            SOURCE_INSERT if frame.len() >= 6 => {
                frame.splice(6..6, address);
            }
            SOURCE_REPLACE if frame.len() >= 12 => frame[6..12].copy_from_slice(&address),
            _ => {}
        }
    }

    fn close_intermediate(
        &mut self,
        descriptor: Descriptor,
        ctx: &mut Context,
    ) -> Result<(), BusFault> {
        let address = self.tx.engine.descriptor(&self.registers) + 12;
        let status = descriptor[3] & (FIRST | CONTEXT);
        bus::store_word(ctx.memory, address, status)?;
        self.tx.engine.advance(&self.registers);
        Ok(())
    }

    /// Writes the status of the frame that has left and lets the engine go on.
    fn close_frame(&mut self, ctx: &mut Context) -> Result<(), BusFault> {
        let Some(sent) = self.tx.sending.pop_front() else {
            return Ok(());
        };
        bus::store_word(ctx.memory, sent.descriptor + 12, sent.status)?;
        self.registers.count(offset::MMC_TX_GOOD);
        self.counters.frames_sent += 1;
        if sent.interrupt {
            interrupts::raise(&mut self.registers, interrupts::TI);
        }
        if self.tx.engine.phase == Phase::Working(Work::WaitingForStatus) {
            self.tx.engine.fetch(&mut self.registers, ctx);
        }
        Ok(())
    }
}

fn buffer_lengths(descriptor: &Descriptor) -> (u32, u32) {
    if descriptor[3] & CONTEXT != 0 {
        return (0, 0);
    }
    let word = descriptor[2];
    (word & LEN_MASK, (word >> BUFFER_2_SHIFT) & LEN_MASK)
}
