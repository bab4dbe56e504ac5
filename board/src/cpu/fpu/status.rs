//! How FPSCR steers arithmetic, and the exceptions that arithmetic accumulates in it.

use super::op::{Rounding, RoundingMode};

/// Cumulative exception flags (ARMv7-M ARM, A2.5.3).
pub mod flag {
    /// IOC.
    pub const INVALID: u32 = 1 << 0;
    /// DZC.
    pub const DIVIDE_BY_ZERO: u32 = 1 << 1;
    /// OFC.
    pub const OVERFLOW: u32 = 1 << 2;
    /// UFC.
    pub const UNDERFLOW: u32 = 1 << 3;
    /// IXC.
    pub const INEXACT: u32 = 1 << 4;
    /// IDC.
    pub const INPUT_DENORMAL: u32 = 1 << 7;
}

/// FPSCR's control fields, and the flags raised so far by one instruction.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    pub rounding: RoundingMode,
    pub flush_to_zero: bool,
    pub default_nan: bool,
    pub alternative_half: bool,
    pub raised: u32,
}

impl Status {
    /// The controls of `fpscr`, with no flag raised.
    pub const fn new(fpscr: u32) -> Self {
        Self {
            rounding: match fpscr >> 22 & 3 {
                0 => RoundingMode::TiesToEven,
                1 => RoundingMode::TowardPlus,
                2 => RoundingMode::TowardMinus,
                _ => RoundingMode::TowardZero,
            },
            flush_to_zero: fpscr & 1 << 24 != 0,
            default_nan: fpscr & 1 << 25 != 0,
            alternative_half: fpscr & 1 << 26 != 0,
            raised: 0,
        }
    }

    /// What an instruction's own rounding means under FPSCR.
    pub const fn resolve(&self, rounding: Rounding) -> RoundingMode {
        match rounding {
            Rounding::Fpscr => self.rounding,
            Rounding::Given(mode) => mode,
        }
    }

    pub const fn raise(&mut self, flags: u32) {
        self.raised |= flags;
    }
}
