//! What a peripheral sees of the rest of the part, and the convention every peripheral follows.
//!
//! A peripheral is a plain struct with three methods, called by the [`Soc`](super::Soc) that owns it:
//!
//! ```text
//! fn load(&mut self, offset: u32, width: Width, ctx: &mut Context) -> Result<RegisterValue, AccessError>;
//! fn store(&mut self, offset: u32, width: Width, value: u32, ctx: &mut Context) -> Result<(), AccessError>;
//! fn on_event(&mut self, event: Event, ctx: &mut Context);   // only where it schedules one
//! ```
//!
//! `offset` is the byte offset of the access from the peripheral's base and is aligned to `width`.
//! A register that is not modelled answers [`AccessError::Unmodelled`], never a silent zero.
//! The owner checks the peripheral's clock gate, adds the time the access takes on its bus, and calls
//! `on_event` with `ctx.now` at the instant the event was due.

use crate::bus::{AccessError, Width};
use crate::irq::IrqLines;
use crate::memory::Memory;
use crate::net::wire::Wire;
use crate::schedule::Schedule;
use crate::soc::clocks::Clocks;
use crate::time::Instant;

/// The rest of the part as seen from one peripheral during one access or event.
pub struct Context<'a> {
    /// The instant of the access or event.
    pub now: Instant,
    pub schedule: &'a mut Schedule,
    pub irq: &'a mut IrqLines,
    /// The memories, for peripherals that are bus masters.
    pub memory: &'a mut Memory,
    /// Frequencies in force.
    pub clocks: &'a Clocks,
    /// The cable in the board's Ethernet socket.
    pub wire: &'a mut Wire,
}

/// What a register answers to a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterValue {
    /// Zero-extended to a word.
    pub value: u32,
    /// The load had no side effect and would give the same value until the next event or store.
    pub stable: bool,
}

impl RegisterValue {
    /// A value that changes only by a store or an event, read without a side effect.
    pub const fn stable(value: u32) -> Self {
        Self {
            value,
            stable: true,
        }
    }

    /// A value that moves by itself (a running counter) or that the load itself changes.
    pub const fn volatile(value: u32) -> Self {
        Self {
            value,
            stable: false,
        }
    }

    /// The part of this word register that an access of `width` at `offset` sees.
    pub const fn lane(self, offset: u32, width: Width) -> Self {
        Self {
            value: (self.value >> lane_shift(offset)) & width_mask(width),
            stable: self.stable,
        }
    }
}

/// A word register's new content after a store of `width` at `offset` onto `old`.
pub const fn merge(old: u32, offset: u32, width: Width, value: u32) -> u32 {
    let mask = width_mask(width) << lane_shift(offset);
    (old & !mask) | ((value << lane_shift(offset)) & mask)
}

const fn lane_shift(offset: u32) -> u32 {
    (offset & 3) * 8
}

const fn width_mask(width: Width) -> u32 {
    match width {
        Width::Byte => 0xFF,
        Width::Half => 0xFFFF,
        Width::Word => 0xFFFF_FFFF,
    }
}

/// The answer of a peripheral that has no model of the register at `offset`.
pub const fn unmodelled<T>(block: &'static str, offset: u32) -> Result<T, AccessError> {
    Err(AccessError::Unmodelled { block, offset })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_accesses_touch_only_their_lane() {
        assert_eq!(merge(0x1122_3344, 2, Width::Byte, 0xFFFF_FFAA), 0x11AA_3344);
        assert_eq!(merge(0x1122_3344, 2, Width::Half, 0xAABB), 0xAABB_3344);
        let lane = RegisterValue::stable(0x1122_3344).lane(3, Width::Byte);
        assert_eq!(lane, RegisterValue::stable(0x11));
    }
}
