//! The station management controller (MACMDIOAR, MACMDIODR): one MDIO transaction at a time.

use crate::chips::lan8742a::Lan8742a;
use crate::time::{Instant, Span};

/// MACMDIOAR fields (PAC eth_v2).
const BUSY: u32 = 1 << 0;
pub const CLAUSE_45: u32 = 1 << 1;
pub const BACK_TO_BACK: u32 = 1 << 26;
pub const TRAILING_CLOCKS: u32 = 0b111 << 12;
const OPERATION_SHIFT: u32 = 2;
const OPERATION_WRITE: u32 = 0b01;
const OPERATION_READ: u32 = 0b11;
const CLOCK_RANGE_SHIFT: u32 = 8;
const REGISTER_SHIFT: u32 = 16;
const PHY_SHIFT: u32 = 21;
const SUPPRESS_PREAMBLE: u32 = 1 << 27;
/// Writable bits of MACMDIOAR.
const ADDRESS_WRITABLE: u32 = 0x0FFF_7F1F;

/// Bits of one transaction on the management bus: preamble, then start to data (802.3, clause 22).
const PREAMBLE_BITS: u64 = 32;
const FRAME_BITS: u64 = 32;

/// HCLK periods in one MDC period, by the clock range field (EMB eth/sma; 8 to 15 recalled); `None`
/// where it is reserved.
const fn divider(clock_range: u32) -> Option<u64> {
    match clock_range {
        0 => Some(42),
        1 => Some(62),
        2 => Some(16),
        3 => Some(26),
        4 => Some(102),
        5 => Some(124),
        8..=15 => Some(2 * (clock_range as u64 - 8) + 4),
        _ => None,
    }
}

/// The controller's registers and the transaction under way.
#[derive(Clone, Debug, Default)]
pub struct Mdio {
    address: u32,
    data: u16,
}

impl Mdio {
    pub fn address_register(&self) -> u32 {
        self.address
    }

    pub fn data_register(&self) -> u32 {
        u32::from(self.data)
    }

    pub fn write_data(&mut self, value: u32) {
        if self.address & BUSY == 0 {
            self.data = value as u16;
        }
    }

    /// Writes MACMDIOAR and gives when the transaction it starts ends. While one is under way the
    /// register does not change.
    pub fn write_address(
        &mut self,
        value: u32,
        now: Instant,
        hclk_hz: u64,
    ) -> Result<Option<Instant>, ReservedClockRange> {
        if self.address & BUSY != 0 {
            return Ok(None);
        }
        let value = value & ADDRESS_WRITABLE;
        if value & BUSY == 0 {
            self.address = value;
            return Ok(None);
        }
        let clock_range = (value >> CLOCK_RANGE_SHIFT) & 0xF;
        let divider = divider(clock_range).ok_or(ReservedClockRange)?;
        self.address = value;
        let bits = if value & SUPPRESS_PREAMBLE != 0 {
            FRAME_BITS
        } else {
            PREAMBLE_BITS + FRAME_BITS
        };
        Ok(Some(now + Span::of_ticks(bits * divider, hclk_hz)))
    }

    /// Ends the transaction: the PHY is read or written now. An address nobody has reads ones.
    pub fn finish(&mut self, phy: &mut Lan8742a, now: Instant) {
        let to_phy = ((self.address >> PHY_SHIFT) & 0x1F) as u8 == phy.address();
        let register = ((self.address >> REGISTER_SHIFT) & 0x1F) as u8;
        match (self.address >> OPERATION_SHIFT) & 0b11 {
            OPERATION_READ if to_phy => self.data = phy.read(register),
            OPERATION_READ => self.data = 0xFFFF,
            OPERATION_WRITE if to_phy => phy.write(register, self.data, now),
            _ => {}
        }
        self.address &= !BUSY;
    }
}

/// The clock range field holds a reserved value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservedClockRange;
