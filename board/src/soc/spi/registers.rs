//! Registers of the SPI block: offsets and fields (PAC spi_v4_i2s), what software can write, and which
//! functions are refused.

use crate::soc::registers::{Register, register};

pub const CR1: u32 = 0x00;
pub const CR2: u32 = 0x04;
pub const CFG1: u32 = 0x08;
pub const CFG2: u32 = 0x0C;
pub const IER: u32 = 0x10;
pub const SR: u32 = 0x14;
pub const IFCR: u32 = 0x18;
pub const TXDR: u32 = 0x20;
pub const RXDR: u32 = 0x30;

/// Fields of CR1.
pub mod cr1 {
    pub const SPE: u32 = 1 << 0;
    pub const MASRX: u32 = 1 << 8;
    pub const CSTART: u32 = 1 << 9;
    pub const CSUSP: u32 = 1 << 10;
    pub const SSI: u32 = 1 << 12;
    pub const IOLOCK: u32 = 1 << 16;
    pub const WRITABLE: u32 = 0x7800;
}

/// Fields of CFG1.
pub mod cfg1 {
    pub const DSIZE: u32 = 0x1F;
    pub const BYTES: u32 = 7;
    pub const FTHLV_SHIFT: u32 = 5;
    pub const RXDMAEN: u32 = 1 << 14;
    pub const TXDMAEN: u32 = 1 << 15;
    pub const DMA: u32 = RXDMAEN | TXDMAEN;
    pub const CRCEN: u32 = 1 << 22;
    pub const MBR_SHIFT: u32 = 28;
}

/// Fields of CFG2.
pub mod cfg2 {
    pub const MSSI_MIDI: u32 = 0xFF;
    pub const IOSWP: u32 = 1 << 15;
    pub const COMM_SHIFT: u32 = 17;
    pub const SP: u32 = 7 << 19;
    pub const MASTER: u32 = 1 << 22;
    pub const LSBFIRST: u32 = 1 << 23;
    /// CPHA and CPOL: only mode 0 is modelled.
    pub const MODE: u32 = 0b11 << 24;
    pub const SSM: u32 = 1 << 26;
    pub const SSIOP: u32 = 1 << 28;
    pub const SSOE: u32 = 1 << 29;
    pub const AFCNTR: u32 = 1 << 31;
}

/// CFG2.COMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comm {
    FullDuplex,
    Transmitter,
    Receiver,
}

/// Fields of SR. IER has the same places; IFCR too, for those that software clears.
pub mod sr {
    pub const RXP: u32 = 1 << 0;
    pub const TXP: u32 = 1 << 1;
    pub const DXP: u32 = 1 << 2;
    pub const EOT: u32 = 1 << 3;
    pub const TXTF: u32 = 1 << 4;
    pub const OVR: u32 = 1 << 6;
    pub const MODF: u32 = 1 << 9;
    pub const TXC: u32 = 1 << 12;
    pub const RXPLVL_SHIFT: u32 = 13;
    pub const RXWNE: u32 = 1 << 15;
    pub const CTSIZE_SHIFT: u32 = 16;
    /// What IFCR clears.
    pub const CLEARABLE: u32 = 0xFF8;
}

/// Reset values: SVD.
pub static TABLE: [Register; 10] = [
    register(CR1, 0, cr1::WRITABLE).refusing(cr1::MASRX | cr1::CSUSP | cr1::IOLOCK),
    register(CR2, 0, 0xFFFF).refusing(0xFFFF_0000), // TSER
    register(CFG1, 0x0007_0007, 0x707F_DFFF).refusing(cfg1::CRCEN),
    register(CFG2, 0, 0xF7FE_80FF)
        .refusing(cfg2::MSSI_MIDI | cfg2::IOSWP | cfg2::SP | cfg2::LSBFIRST | cfg2::MODE),
    register(IER, 0, 0x7FF),
    register(0x40, 0x107, u32::MAX),            // CRCPOLY
    register(0x44, 0, 0),                       // TXCRC
    register(0x48, 0, 0),                       // RXCRC
    register(0x4C, 0, u32::MAX),                // UDRDR
    register(0x50, 0, 0x03FF_7FFF).refusing(1), // I2SCFGR
];
