//! What the transmit and the receive DMA have in common: a place in a ring, and when they fetch a
//! descriptor, suspend, stop and fault.
//!
//! An engine suspends in front of the descriptor that its tail pointer names, and at one that the
//! software owns (reported by drivers' authors, see SOURCES.md; that the first sets TBU or RBU like the
//! second is assumed). A suspended engine looks again on any tail write, and suspends again where the
//! tail still names its descriptor. A tail that is no descriptor's address never stops it.

use super::bus::{self, BusFault, Descriptor, OWN, RingPlace};
use super::interrupts;
use super::registers::{dma, offset};
use super::timing;
use crate::memory::Memory;
use crate::soc::context::Context;
use crate::soc::registers::RegisterFile;
use crate::time::Instant;

/// The registers and status bits of one direction.
#[derive(Debug)]
pub struct Side {
    control: u32,
    list: u32,
    tail: u32,
    ring_length: u32,
    stopped: u32,
    unavailable: u32,
    error_shift: u32,
}

pub static TRANSMIT: Side = Side {
    control: offset::DMACTXCR,
    list: offset::DMACTXDLAR,
    tail: offset::DMACTXDTPR,
    ring_length: offset::DMACTXRLR,
    stopped: interrupts::TPS,
    unavailable: interrupts::TBU,
    error_shift: interrupts::TX_ERROR_SHIFT,
};

pub static RECEIVE: Side = Side {
    control: offset::DMACRXCR,
    list: offset::DMACRXDLAR,
    tail: offset::DMACRXDTPR,
    ring_length: offset::DMACRXRLR,
    stopped: interrupts::RPS,
    unavailable: interrupts::RBU,
    error_shift: interrupts::RX_ERROR_SHIFT,
};

/// What an engine does; `W` is what it does with a descriptor it owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase<W> {
    Stopped,
    Suspended,
    /// Reading a descriptor.
    Fetching,
    Working(W),
}

/// One of the two engines.
#[derive(Clone, Debug)]
pub struct Engine<W> {
    side: &'static Side,
    pub phase: Phase<W>,
    place: RingPlace,
    /// When the phase ends by itself.
    pub phase_ends: Option<Instant>,
    /// Address of the buffer moved last (CCATxBR, CCARxBR).
    pub buffer: u32,
}

impl<W> Engine<W> {
    pub fn new(side: &'static Side) -> Self {
        Self {
            side,
            phase: Phase::Stopped,
            place: RingPlace::default(),
            phase_ends: None,
            buffer: 0,
        }
    }

    /// Address of the descriptor at hand (CCATxDR, CCARxDR).
    pub fn descriptor(&self, registers: &RegisterFile) -> u32 {
        self.place.address(registers)
    }

    /// The list address was written: the ring starts there.
    pub fn set_list(&mut self, registers: &RegisterFile) {
        self.place = RingPlace {
            list: registers.value(self.side.list),
            index: 0,
        };
    }

    /// ST or SR.
    pub fn is_started(&self, registers: &RegisterFile) -> bool {
        registers.value(self.side.control) & dma::START != 0
    }

    /// The tail pointer was written.
    pub fn tail_written(&mut self, registers: &mut RegisterFile, ctx: &Context) {
        if matches!(self.phase, Phase::Suspended) {
            self.fetch(registers, ctx);
        }
    }

    /// Goes for the descriptor at hand, or suspends or stops where it must.
    pub fn fetch(&mut self, registers: &mut RegisterFile, ctx: &Context) {
        if !self.is_started(registers) {
            self.stop(registers);
        } else if self.descriptor(registers) == registers.value(self.side.tail) {
            self.suspend(registers);
        } else {
            self.phase = Phase::Fetching;
            self.phase_ends = Some(ctx.now + timing::descriptor_fetch(ctx.clocks.hclk_hz));
        }
    }

    /// The descriptor that a fetch brought, or `None` and suspended where the software owns it.
    pub fn fetched(
        &mut self,
        registers: &mut RegisterFile,
        memory: &mut Memory,
    ) -> Result<Option<Descriptor>, BusFault> {
        let descriptor = bus::fetch(memory, self.descriptor(registers))?;
        if descriptor[3] & OWN == 0 {
            self.suspend(registers);
            return Ok(None);
        }
        Ok(Some(descriptor))
    }

    /// Goes on to the next descriptor of the ring.
    pub fn advance(&mut self, registers: &RegisterFile) {
        self.place = self.place.next(registers.value(self.side.ring_length));
    }

    pub fn stop(&mut self, registers: &mut RegisterFile) {
        self.halt(Phase::Stopped);
        interrupts::raise(registers, self.side.stopped);
    }

    pub fn fault(&mut self, registers: &mut RegisterFile, fault: BusFault) {
        self.halt(Phase::Stopped);
        let bits = interrupts::FBE | fault.error_bits() << self.side.error_shift;
        interrupts::raise(registers, bits);
    }

    /// Whether the phase has ended by `now`; says so once.
    pub fn take_phase_end(&mut self, now: Instant) -> bool {
        let ended = self.phase_ends.is_some_and(|ends| ends <= now);
        if ended {
            self.phase_ends = None;
        }
        ended
    }

    fn suspend(&mut self, registers: &mut RegisterFile) {
        self.halt(Phase::Suspended);
        interrupts::raise(registers, self.side.unavailable);
    }

    fn halt(&mut self, phase: Phase<W>) {
        self.phase = phase;
        self.phase_ends = None;
    }
}
