//! Offsets, reset values and writable bits of the RCC registers of the STM32H723 (PAC rcc_h7, SVD).

use crate::soc::registers::{Register, register};

pub const CR: u32 = 0x00;
pub const CFGR: u32 = 0x10;
pub const D1CFGR: u32 = 0x18;
pub const D2CFGR: u32 = 0x1C;
pub const D3CFGR: u32 = 0x20;
pub const PLLCKSELR: u32 = 0x28;
pub const PLLCFGR: u32 = 0x2C;
pub const PLL1DIVR: u32 = 0x30;
pub const PLL1FRACR: u32 = 0x34;
pub const D1CCIPR: u32 = 0x4C;
pub const D2CCIP1R: u32 = 0x50;
pub const CIER: u32 = 0x60;
pub const CIFR: u32 = 0x64;
pub const CICR: u32 = 0x68;
pub const BDCR: u32 = 0x70;
pub const CSR: u32 = 0x74;
pub const AHB3RSTR: u32 = 0x7C;
pub const AHB1RSTR: u32 = 0x80;
pub const AHB4RSTR: u32 = 0x88;
pub const APB1LRSTR: u32 = 0x90;
pub const APB2RSTR: u32 = 0x98;
pub const APB4RSTR: u32 = 0x9C;
pub const RSR: u32 = 0xD0;
pub const AHB1ENR: u32 = 0xD8;
pub const AHB2ENR: u32 = 0xDC;
pub const AHB4ENR: u32 = 0xE0;
pub const APB1LENR: u32 = 0xE8;
pub const APB2ENR: u32 = 0xF0;
pub const APB4ENR: u32 = 0xF4;

/// The core's own view of RSR, the enable and the low-power enable registers lies this much higher.
pub const CORE_VIEW: u32 = 0x60;
/// The range of the core's own view.
pub const CORE_VIEW_RANGE: std::ops::RangeInclusive<u32> = 0x130..=0x17C;

/// HSION, HSIDIVF: HSI runs undivided. Recalled; SVD has 0x83 instead, with CSI and HSIKER switched on.
const CR_RESET: u32 = 1 << 0 | 1 << 5;
/// Set after power-on: CPU, D1, D2, BOR, pin and POR reset flags (recalled; SVD has 0).
const RSR_RESET: u32 = 0x00FA_0000;

/// Every register that keeps what is written; ready flags and SWS are the hardware's and come on top.
pub static TABLE: [Register; 55] = [
    register(CR, CR_RESET, 0x150D_129B),
    register(0x04, 0x4000_0000, 0x7F00_0000), // HSICFGR
    register(0x08, 0, 0),                     // CRRCR
    register(0x0C, 0x2000_0000, 0x3F00_0000), // CSICFGR
    register(CFGR, 0, 0xFFFC_FFC7),
    register(D1CFGR, 0, 0xF7F),
    register(D2CFGR, 0, 0x770),
    register(D3CFGR, 0, 0x70),
    register(PLLCKSELR, 0x0202_0200, 0x03F3_F3F3),
    register(PLLCFGR, 0x01FF_0000, 0x01FF_0FFF),
    register(PLL1DIVR, 0x0101_0280, 0x7F7F_FFFF),
    register(PLL1FRACR, 0, 0xFFF8),
    register(0x38, 0x0101_0280, 0x7F7F_FFFF), // PLL2DIVR
    register(0x3C, 0, 0xFFF8),                // PLL2FRACR
    register(0x40, 0x0101_0280, 0x7F7F_FFFF), // PLL3DIVR
    register(0x44, 0, 0xFFF8),                // PLL3FRACR
    register(D1CCIPR, 0, 0x3001_0033),
    register(D2CCIP1R, 0, 0xB137_71C7),
    register(0x54, 0, 0x70F0_333F), // D2CCIP2R
    register(0x58, 0, 0x7FE3_FF07), // D3CCIPR
    register(CIER, 0, 0),
    register(CIFR, 0, 0),
    register(CICR, 0, 0),
    register(BDCR, 0, 0x0001_833D),
    register(CSR, 0, 0x1),
    register(AHB3RSTR, 0, 0x00E9_5011),
    register(AHB1RSTR, 0, 0x0A00_8023),
    register(0x84, 0, 0x0003_0271), // AHB2RSTR
    register(AHB4RSTR, 0, 0x0328_06FF),
    register(0x8C, 0, 0x8), // APB3RSTR
    register(APB1LRSTR, 0, 0xEAFF_C3FF),
    register(0x94, 0, 0x0300_0136), // APB1HRSTR
    register(APB2RSTR, 0, 0x1057_30F3),
    register(APB4RSTR, 0, 0x0420_DEAA),
    register(0xA0, 0, 0x3),         // GCR
    register(0xA8, 0, 0x3529_FEA9), // D3AMR
    register(RSR, RSR_RESET, 0),
    register(0xD4, 0, 0x00E9_5011), // AHB3ENR
    register(AHB1ENR, 0, 0x0603_8023),
    register(AHB2ENR, 0, 0x6003_0271),
    register(AHB4ENR, 0, 0x1328_06FF),
    register(0xE4, 0, 0x48), // APB3ENR
    register(APB1LENR, 0, 0xEAFF_C3FF),
    register(0xEC, 0, 0x0300_0136), // APB1HENR
    register(APB2ENR, 0, 0x1057_30F3),
    register(APB4ENR, 0x0001_0000, 0x0421_DEAA),
    register(0xFC, 0xF0E9_5111, 0xF0E9_5111),  // AHB3LPENR
    register(0x100, 0x0603_8023, 0x0603_8023), // AHB1LPENR
    register(0x104, 0x6003_0271, 0x6003_0271), // AHB2LPENR
    register(0x108, 0x3128_06FF, 0x3128_06FF), // AHB4LPENR
    register(0x10C, 0x48, 0x48),               // APB3LPENR
    register(0x110, 0xEAFF_C3FF, 0xEAFF_C3FF), // APB1LLPENR
    register(0x114, 0x0300_0136, 0x0300_0136), // APB1HLPENR
    register(0x118, 0x1057_30F3, 0x1057_30F3), // APB2LPENR
    register(0x11C, 0x0421_DEAA, 0x0421_DEAA), // APB4LPENR
];
