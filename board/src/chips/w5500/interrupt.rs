//! From event bits to INTn (DS1.0.9 §4.1: IR, IMR, SIR, SIMR, INTLEVEL; §4.2: Sn_IR, Sn_IMR).
//!
//! INTn stays low until every pending bit is cleared. INTLEVEL is the shortest time between its release
//! and the next assertion; 0 means none.

use super::deadlines::Deadline;
use super::parameters::SocketMask;
use super::registers::{common, socket};
use super::{ChipContext, W5500};
use crate::time::{Instant, Span};

/// Of INTLEVEL's unit: 4 cycles of 150 MHz.
const LEVEL_CYCLES: u64 = 4;
const CHIP_HZ: u64 = 150_000_000;

/// INTn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pin {
    pub asserted: bool,
    not_before: Instant,
}

impl W5500 {
    /// Sets bits of socket `n`'s Sn_IR.
    pub(super) fn raise_socket(&mut self, n: u8, bits: u8, ctx: &mut ChipContext) {
        let mask = self.sockets[usize::from(n)].byte(socket::IMR);
        let bits = match self.parameters.socket_mask {
            SocketMask::Sir => bits,
            SocketMask::SnIr => bits & mask,
        };
        let interrupts = &mut self.sockets[usize::from(n)].interrupts;
        self.counters.arrivals_merged += u64::from(bits & *interrupts & socket::IR_RECV != 0);
        *interrupts |= bits;
        self.refresh_socket_interrupt(n, ctx);
    }

    /// Sets bits of IR.
    pub(super) fn raise_common(&mut self, bits: u8, ctx: &mut ChipContext) {
        *self.common.byte_mut(common::IR) |= bits;
        self.refresh_interrupt(ctx);
    }

    /// Socket `n`'s Sn_IR or Sn_IMR changed.
    pub(super) fn refresh_socket_interrupt(&mut self, n: u8, ctx: &mut ChipContext) {
        let socket = &self.sockets[usize::from(n)];
        let pending = socket.interrupts & socket.byte(socket::IMR) != 0;
        self.sir = self.sir & !(1 << n) | u8::from(pending) << n;
        self.refresh_interrupt(ctx);
    }

    /// Something that INTn depends on changed, or its shortest pause is over.
    pub(super) fn refresh_interrupt(&mut self, ctx: &mut ChipContext) {
        let common = self.common.byte(common::IR) & self.common.byte(common::IMR);
        let sockets = self.sir & self.common.byte(common::SIMR);
        let pending = common | sockets != 0;
        if pending == self.pin.asserted {
            self.arm(Deadline::Interrupt, Instant::NEVER, ctx);
        } else if !pending {
            self.pin = Pin {
                asserted: false,
                not_before: ctx.now + pause(self.common.interrupt_level()),
            };
        } else if ctx.now < self.pin.not_before {
            self.arm(Deadline::Interrupt, self.pin.not_before, ctx);
        } else {
            self.pin.asserted = true;
            self.arm(Deadline::Interrupt, Instant::NEVER, ctx);
        }
    }
}

fn pause(level: u16) -> Span {
    match level {
        0 => Span::ZERO,
        _ => Span::of_ticks((u64::from(level) + 1) * LEVEL_CYCLES, CHIP_HZ),
    }
}
