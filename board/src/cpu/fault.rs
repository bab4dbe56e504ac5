//! Faults of instructions and the bits of CFSR that name them (ARMv7-M B3.2.15).

/// A synchronous fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Bits of CFSR to set; they also say which exception it is.
    pub cfsr: u32,
    /// Data address for MMFAR or BFAR.
    pub address: Option<u32>,
}

pub(super) const IACCVIOL: u32 = 1 << 0;
const DACCVIOL: u32 = 1 << 1;
pub(super) const MUNSTKERR: u32 = 1 << 3;
pub(super) const MSTKERR: u32 = 1 << 4;
pub(super) const MLSPERR: u32 = 1 << 5;
const MMARVALID: u32 = 1 << 7;
pub(super) const IBUSERR: u32 = 1 << 8;
const PRECISERR: u32 = 1 << 9;
pub(super) const UNSTKERR: u32 = 1 << 11;
pub(super) const STKERR: u32 = 1 << 12;
pub(super) const LSPERR: u32 = 1 << 13;
const BFARVALID: u32 = 1 << 15;
pub(super) const UNDEFINSTR: u32 = 1 << 16;
pub(super) const INVSTATE: u32 = 1 << 17;
pub(super) const INVPC: u32 = 1 << 18;
pub(super) const NOCP: u32 = 1 << 19;
pub(super) const UNALIGNED: u32 = 1 << 24;
pub(super) const DIVBYZERO: u32 = 1 << 25;

impl Fault {
    pub const fn plain(cfsr: u32) -> Self {
        Self {
            cfsr,
            address: None,
        }
    }

    /// A load or store that nothing answered. The part reports some stores imprecisely; here all
    /// faults are precise.
    pub const fn bus(address: u32) -> Self {
        Self {
            cfsr: PRECISERR | BFARVALID,
            address: Some(address),
        }
    }

    /// A load or store that the MPU denies.
    pub const fn denied(address: u32) -> Self {
        Self {
            cfsr: DACCVIOL | MMARVALID,
            address: Some(address),
        }
    }

    pub const fn unaligned(address: u32) -> Self {
        Self {
            cfsr: UNALIGNED,
            address: Some(address),
        }
    }

    /// The exception that takes the fault when it is enabled: 4, 5 or 6.
    pub const fn exception(&self) -> u16 {
        match self.cfsr {
            0..=0xFF => super::nvic::MEM_MANAGE,
            0x100..=0xFFFF => super::nvic::BUS_FAULT,
            _ => super::nvic::USAGE_FAULT,
        }
    }

    pub const fn sets_mmfar(&self) -> bool {
        self.cfsr & MMARVALID != 0
    }

    pub const fn sets_bfar(&self) -> bool {
        self.cfsr & BFARVALID != 0
    }
}
