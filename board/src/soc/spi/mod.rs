//! SPI1 as a full-duplex, transmitting or receiving master of 8-bit frames in mode 0 (PAC spi_v4_i2s,
//! and what EMB spi/mod.rs programs and waits for).
//!
//! Frames are clocked when somebody looks: each access, and each event of a neighbour, first brings the
//! block up to its instant. An event of its own it needs only where an interrupt is enabled, or where
//! software polls the status so long that the loop may be skipped.

mod engine;
mod fifo;
mod registers;
mod status;
mod timing;

#[cfg(test)]
pub mod tests;

use crate::bus::{AccessError, Width};
use crate::schedule::Event;
use crate::soc::clocks::Clocks;
use crate::soc::context::{Context, RegisterValue, merge};
use crate::soc::dma::Dma;
use crate::soc::registers::RegisterFile;
use crate::soc::shield::Shield;
use crate::time::Instant;
use engine::Engine;
use registers::{CFG1, CFG2, CR1, CR2, Comm, IER, IFCR, RXDR, SR, TABLE, TXDR, cfg1, cfg2, cr1};
use timing::Timing;

pub use registers::SR as STATUS;

const BLOCK: &str = "SPI1";

/// What SPI1 reaches: the shield on its pins, and the DMA that serves its requests.
#[derive(Debug)]
pub struct Peers<'a> {
    pub shield: &'a mut Shield,
    pub dma: &'a mut Dma,
}

/// The block.
#[derive(Debug)]
pub struct Spi {
    registers: RegisterFile,
    engine: Engine,
    /// IER.
    interrupts: u32,
    /// The status that software last read, and how often in a row it read the same.
    last_status: u32,
    looks: u32,
    /// What [`Event::Spi1`] is set to.
    armed: bool,
}

/// Reads of one status in a row from which on the next change becomes an event. Shorter waits are
/// cheaper to execute than to skip.
const LOOKS: u32 = 3;

impl Spi {
    pub fn new(clocks: &Clocks) -> Self {
        let registers = RegisterFile::new(&TABLE);
        Self {
            engine: Engine::new(timing(&registers, clocks)),
            registers,
            interrupts: 0,
            last_status: 0,
            looks: 0,
            armed: false,
        }
    }

    /// Reset by RCC (APB2RSTR.SPI1RST).
    pub fn reset(&mut self, ctx: &mut Context) {
        let (frames, sck_hz) = (self.engine.frames, self.engine.sck_hz);
        *self = Self::new(ctx.clocks);
        self.engine.frames = frames;
        self.engine.sck_hz = sck_hz;
        ctx.schedule.cancel(Event::Spi1);
        self.update_line(ctx);
    }

    /// The clocks changed. A frame under way keeps its end.
    pub fn retune(&mut self, clocks: &Clocks) {
        self.engine.timing = timing(&self.registers, clocks);
    }

    /// When the status changes next after `now`, as long as nobody interferes.
    pub fn next_change(&self, now: Instant) -> Instant {
        self.engine.next_change(now)
    }

    /// Frames clocked since power-on.
    pub fn frames(&self) -> u64 {
        self.engine.frames
    }

    /// The frequency on the SCK pin during the last frame.
    pub fn sck_hz(&self) -> Option<u64> {
        self.engine.sck_hz
    }

    /// Clocks every frame whose end has come.
    #[inline]
    pub fn advance(&mut self, peers: &mut Peers, ctx: &mut Context) {
        if self.engine.is_due(ctx.now) {
            self.engine.advance(ctx.now, peers, ctx);
        }
    }

    /// Call [`Spi::advance`] before.
    #[inline]
    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        ctx: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        match offset & !3 {
            SR => Ok(self.load_status(ctx).lane(offset, width)),
            RXDR => {
                self.looks = 0;
                let value = self.engine.receive(width.bytes(), ctx.now);
                Ok(RegisterValue::volatile(value))
            }
            IFCR | TXDR => Ok(RegisterValue::stable(0)),
            word => {
                let value = self.registers.accessed(BLOCK, offset)?;
                Ok(self.stored(word, value).lane(offset, width))
            }
        }
    }

    fn stored(&self, word: u32, value: u32) -> RegisterValue {
        match word {
            CR1 if self.engine.is_started() => RegisterValue {
                value: value | cr1::CSTART,
                stable: self.engine.is_endless(),
            },
            _ => RegisterValue::stable(value),
        }
    }

    fn load_status(&mut self, ctx: &mut Context) -> RegisterValue {
        let value = self.status(ctx.now);
        if value == self.last_status {
            self.looks += 1;
        } else {
            self.last_status = value;
            self.looks = 0;
        }
        let patient = self.looks >= LOOKS;
        if patient && !self.armed {
            self.arm(ctx);
        }
        RegisterValue {
            value,
            stable: patient,
        }
    }

    /// Call [`Spi::advance`] before.
    #[inline]
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        peers: &mut Peers,
        ctx: &mut Context,
    ) -> Result<(), AccessError> {
        if offset & !3 == TXDR {
            self.engine.send(value, width.bytes(), ctx.now);
        } else {
            self.store_word(offset, width, value, peers, ctx)?;
        }
        // Who stores does not only wait.
        self.looks = 0;
        if self.interrupts != 0 {
            self.arm(ctx);
            self.update_line(ctx);
        } else if std::mem::take(&mut self.armed) {
            ctx.schedule.cancel(Event::Spi1);
        }
        Ok(())
    }

    fn store_word(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        peers: &mut Peers,
        ctx: &mut Context,
    ) -> Result<(), AccessError> {
        let word = offset & !3;
        if word == SR || word == RXDR {
            return Ok(());
        }
        if word == IFCR {
            self.engine.clear_flags(merge(0, offset, width, value));
            return Ok(());
        }
        let old = self.registers.accessed(BLOCK, offset)?;
        let value = merge(old, offset, width, value);
        let stored = match word {
            CR1 => self.store_control(value, peers, ctx),
            CFG1 => self.store_frame_settings(value, ctx),
            // TSIZE and CFG2 are locked while the block is on (recalled).
            CR2 | CFG2 if self.engine.is_enabled() => Some(()),
            IER => self
                .registers
                .write(IER, value)
                .map(|value| self.interrupts = value),
            _ => self.registers.write(word, value).map(|_| ()),
        };
        stored.ok_or(AccessError::Unmodelled {
            block: BLOCK,
            offset,
        })
    }

    /// CFG1: only the DMA's bits can be written while the block is on (recalled).
    fn store_frame_settings(&mut self, value: u32, ctx: &mut Context) -> Option<()> {
        let value = if self.engine.is_enabled() {
            self.registers.value(CFG1) & !cfg1::DMA | value & cfg1::DMA
        } else {
            value
        };
        let value = self.registers.write(CFG1, value)?;
        self.engine.serve_rx = value & cfg1::RXDMAEN != 0;
        self.engine.serve_tx = value & cfg1::TXDMAEN != 0;
        self.retune(ctx.clocks);
        Some(())
    }

    fn store_control(&mut self, value: u32, peers: &mut Peers, ctx: &mut Context) -> Option<()> {
        let stored = self.registers.write(CR1, value)? & !cr1::SPE;
        let enable = value & cr1::SPE != 0;
        if enable != self.engine.is_enabled() {
            if enable {
                self.enable()?;
            } else {
                self.disable(peers, ctx);
            }
        }
        let enabled = self.engine.is_enabled();
        let spe = if enabled { cr1::SPE } else { 0 };
        self.registers.set(CR1, stored | spe);
        if enabled && value & cr1::CSTART != 0 && !self.engine.is_started() {
            self.engine.start(ctx.now)?;
        }
        Some(())
    }

    /// SPE set: `None` if the settings ask for what is not modelled.
    fn enable(&mut self) -> Option<()> {
        let settings = self.registers.value(CFG2);
        let slave = settings & cfg2::MASTER == 0;
        let chip_select_input = settings & (cfg2::SSM | cfg2::SSOE) == 0;
        if slave || chip_select_input {
            return None;
        }
        let comm = match settings >> cfg2::COMM_SHIFT & 0b11 {
            0 => Comm::FullDuplex,
            1 => Comm::Transmitter,
            2 => Comm::Receiver,
            _ => return None,
        };
        let frame = self.registers.value(CFG1);
        let packet = (frame >> cfg1::FTHLV_SHIFT & 0xF) as usize + 1;
        let packets_by_dma = packet > 1 && frame & cfg1::DMA != 0;
        if frame & cfg1::DSIZE != cfg1::BYTES || packets_by_dma {
            return None;
        }
        if self.has_mode_fault(settings) {
            self.engine.mode_fault();
            self.registers.set(CFG2, settings & !cfg2::MASTER);
        } else {
            self.engine.enable(comm, packet, self.registers.value(CR2));
        }
        Some(())
    }

    /// Another master seems to select this one: the internal chip select input (SSM, SSI) is active and
    /// no output (SSOE) says that it is our own. The block then turns itself off and into a slave
    /// (recalled).
    fn has_mode_fault(&self, settings: u32) -> bool {
        let high = self.registers.value(CR1) & cr1::SSI != 0;
        let active_high = settings & cfg2::SSIOP != 0;
        settings & cfg2::SSM != 0 && settings & cfg2::SSOE == 0 && high == active_high
    }

    fn disable(&mut self, peers: &mut Peers, ctx: &mut Context) {
        self.engine.disable();
        if self.registers.value(CFG2) & cfg2::AFCNTR == 0 {
            peers.shield.float(ctx);
        }
    }

    /// Lets DMA fill and empty the FIFOs as they are now.
    pub fn serve_dma(&mut self, peers: &mut Peers, ctx: &mut Context) {
        self.engine.serve_dma(ctx.now, peers, ctx);
    }

    /// When DMA has the next thing to show.
    pub fn next_dma_flag(&self, dma: &Dma) -> crate::time::Instant {
        self.engine.next_dma_flag(dma)
    }

    /// [`Event::Spi1`] came; call [`Spi::advance`] before.
    pub fn on_event(&mut self, ctx: &mut Context) {
        self.arm(ctx);
    }

    /// Makes the next change of the status an event.
    fn arm(&mut self, ctx: &mut Context) {
        let next = self.engine.next_change(ctx.now);
        self.armed = next != crate::time::Instant::NEVER;
        ctx.schedule.set(Event::Spi1, next);
    }
}

fn timing(registers: &RegisterFile, clocks: &Clocks) -> Option<Timing> {
    Timing::new(clocks, registers.value(CFG1) >> cfg1::MBR_SHIFT & 0b111)
}
