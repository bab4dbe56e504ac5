//! The status register and the interrupt made of it.

use super::Spi;
use super::registers::sr;
use crate::irq::line;
use crate::soc::context::Context;
use crate::time::Instant;

impl Spi {
    /// SR at `now`.
    pub(super) fn status(&self, now: Instant) -> u32 {
        let engine = &self.engine;
        let received = engine.received(now);
        let mut status = engine.flags(now);
        if received >= engine.packet() {
            status |= sr::RXP;
        }
        if engine.has_room() {
            status |= sr::TXP;
        }
        if status & (sr::RXP | sr::TXP) == sr::RXP | sr::TXP {
            status |= sr::DXP;
        }
        if engine.is_transmission_complete(now) {
            status |= sr::TXC;
        }
        if received >= 4 {
            status |= sr::RXWNE;
        }
        status
            | (received as u32 % 4) << sr::RXPLVL_SHIFT
            | engine.frames_left() << sr::CTSIZE_SHIFT
    }

    /// IER.EOTIE stands for TXC too.
    pub(super) fn update_line(&self, ctx: &mut Context) {
        let mut enabled = self.interrupts;
        if enabled & sr::EOT != 0 {
            enabled |= sr::TXC;
        }
        let high = enabled != 0 && self.status(ctx.now) & enabled != 0;
        ctx.irq.set(line::SPI1, high);
    }

    /// What changes with time alone.
    pub fn settle(&self, ctx: &mut Context) {
        if self.interrupts != 0 {
            self.update_line(ctx);
        }
    }
}
