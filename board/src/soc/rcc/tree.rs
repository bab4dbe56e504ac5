//! From register fields to frequencies (EMB rcc/h.rs).

use crate::soc::clocks::{CSI_HZ, Clocks, HSE_HZ, HSI_HZ, PllOutputs};
use crate::soc::limits::ClockViolation;
use crate::soc::rcc::sources::{Source, Sources};
use crate::soc::rcc::table;
use crate::soc::registers::RegisterFile;

/// HSI after HSIDIV.
fn hsi_hz(registers: &RegisterFile) -> u64 {
    HSI_HZ >> registers.field(table::CR, 3, 2)
}

/// The oscillator that feeds all PLLs, by PLLCKSELR.PLLSRC.
pub fn pll_source(registers: &RegisterFile) -> Option<Source> {
    match registers.field(table::PLLCKSELR, 0, 2) {
        0 => Some(Source::Hsi),
        1 => Some(Source::Csi),
        2 => Some(Source::Hse),
        _ => None,
    }
}

/// The source that CFGR.SW asks for.
pub fn requested_system_source(registers: &RegisterFile) -> Option<Source> {
    match registers.field(table::CFGR, 0, 3) {
        0 => Some(Source::Hsi),
        1 => Some(Source::Csi),
        2 => Some(Source::Hse),
        3 => Some(Source::Pll1),
        _ => None,
    }
}

/// The outputs of PLL `index` (from 0) as programmed, or `None` without a reference.
pub fn pll_outputs(
    registers: &RegisterFile,
    index: usize,
) -> Result<Option<PllOutputs>, ClockViolation> {
    let n = index as u32;
    let prescaler = registers.field(table::PLLCKSELR, 4 + 8 * n, 6);
    let source_hz = match pll_source(registers) {
        Some(Source::Hsi) => hsi_hz(registers),
        Some(Source::Csi) => CSI_HZ,
        Some(Source::Hse) => HSE_HZ,
        _ => return Ok(None),
    };
    if prescaler == 0 {
        return Ok(None);
    }
    let reference_hz = source_hz / u64::from(prescaler);
    check_reference(
        index,
        reference_hz,
        registers.field(table::PLLCFGR, 2 + 4 * n, 2),
    )?;

    let dividers = table::PLL1DIVR + 8 * n;
    let integer = u64::from(registers.field(dividers, 0, 9) + 1);
    let fraction = if registers.bit(table::PLLCFGR, 4 * n) {
        u64::from(registers.field(table::PLL1FRACR + 8 * n, 3, 13))
    } else {
        0
    };
    let oscillator_hz = reference_hz * integer + reference_hz * fraction / 8192;
    check_oscillator(
        index,
        oscillator_hz,
        registers.bit(table::PLLCFGR, 1 + 4 * n),
    )?;

    let divided = |low, enable| {
        let divider = u64::from(registers.field(dividers, low, 7) + 1);
        registers
            .bit(table::PLLCFGR, enable + 3 * n)
            .then(|| oscillator_hz / divider)
    };
    let p_divider = registers.field(dividers, 9, 7) + 1;
    if index == 0 && p_divider != 1 && p_divider % 2 == 1 {
        return Err(ClockViolation::PllOddDivider { divider: p_divider });
    }
    Ok(Some(PllOutputs {
        p_hz: divided(9, 16),
        q_hz: divided(16, 17),
        r_hz: divided(24, 18),
    }))
}

/// PLLxRGE names the range of the reference clock (EMB rcc/h.rs).
fn check_reference(index: usize, hz: u64, range: u32) -> Result<(), ClockViolation> {
    let min_hz = 1_000_000 << range;
    let max_hz = min_hz * 2;
    if (min_hz..=max_hz).contains(&hz) {
        Ok(())
    } else {
        Err(ClockViolation::PllReference {
            number: index + 1,
            hz,
            min_hz,
            max_hz,
        })
    }
}

/// PLLxVCOSEL: wide 192 to 836 MHz, medium 150 to 420 MHz on the STM32H723 (EMB rcc/h.rs).
fn check_oscillator(index: usize, hz: u64, medium: bool) -> Result<(), ClockViolation> {
    let (min_hz, max_hz) = if medium {
        (150_000_000, 420_000_000)
    } else {
        (192_000_000, 836_000_000)
    };
    if (min_hz..=max_hz).contains(&hz) {
        Ok(())
    } else {
        Err(ClockViolation::PllOscillator {
            number: index + 1,
            hz,
            min_hz,
            max_hz,
        })
    }
}

/// All frequencies with `system` as the system clock; `None` if `system` gives no clock.
pub fn clocks(
    registers: &RegisterFile,
    sources: &Sources,
    system: Source,
    pll: [PllOutputs; 3],
) -> Option<Clocks> {
    let sysclk_hz = match system {
        Source::Hsi => hsi_hz(registers),
        Source::Csi => CSI_HZ,
        Source::Hse => HSE_HZ,
        _ => pll[0].p_hz?,
    };
    let core_hz = divided(sysclk_hz, ahb_shift(registers.field(table::D1CFGR, 8, 4)));
    let hclk_hz = divided(core_hz, ahb_shift(registers.field(table::D1CFGR, 0, 4)));
    let (pclk1_hz, timers1_hz) = apb(registers, hclk_hz, table::D2CFGR, 4);
    let (pclk2_hz, timers2_hz) = apb(registers, hclk_hz, table::D2CFGR, 8);
    let (pclk3_hz, _) = apb(registers, hclk_hz, table::D1CFGR, 4);
    let (pclk4_hz, _) = apb(registers, hclk_hz, table::D3CFGR, 4);
    Some(Clocks {
        sysclk_hz,
        core_hz,
        hclk_hz,
        pclk1_hz,
        pclk2_hz,
        pclk3_hz,
        pclk4_hz,
        timers1_hz,
        timers2_hz,
        per_hz: per_hz(registers, sources),
        spi123_hz: spi123_hz(registers, sources, pll),
        pll,
    })
}

/// Frequencies are whole hertz, and the slowest settings of all would leave less than one.
const fn divided(hz: u64, shift: u32) -> u64 {
    match hz >> shift {
        0 => 1,
        hz => hz,
    }
}

/// D1CPRE and HPRE: the division as a power of two (PAC rcc_h7). There is no division by 32.
const fn ahb_shift(field: u32) -> u32 {
    match field {
        0..=7 => 0,
        8..=11 => field - 7,
        _ => field - 6,
    }
}

/// An APB clock and the clock of its timers: twice or, with TIMPRE, four times the bus clock, and
/// never more than HCLK (TIMPRE; EMB rcc/h.rs).
fn apb(registers: &RegisterFile, hclk_hz: u64, offset: u32, low: u32) -> (u64, u64) {
    let field = registers.field(offset, low, 3);
    let shift = field.saturating_sub(3);
    let pclk_hz = divided(hclk_hz, shift);
    let factor = if registers.bit(table::CFGR, 15) { 4 } else { 2 };
    (pclk_hz, (pclk_hz * factor).min(hclk_hz))
}

/// D1CCIPR.CKPERSEL.
fn per_hz(registers: &RegisterFile, sources: &Sources) -> Option<u64> {
    let (source, hz) = match registers.field(table::D1CCIPR, 28, 2) {
        0 => (Source::Hsi, hsi_hz(registers)),
        1 => (Source::Csi, CSI_HZ),
        2 => (Source::Hse, HSE_HZ),
        _ => return None,
    };
    sources.is_ready(source).then_some(hz)
}

/// D2CCIP1R.SPI123SEL. Nothing drives I2S_CKIN on this board.
fn spi123_hz(registers: &RegisterFile, sources: &Sources, pll: [PllOutputs; 3]) -> Option<u64> {
    match registers.field(table::D2CCIP1R, 12, 3) {
        0 => pll[0].q_hz,
        1 => pll[1].p_hz,
        2 => pll[2].p_hz,
        4 => per_hz(registers, sources),
        _ => None,
    }
}
