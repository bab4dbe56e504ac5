//! What the part is specified for: a firmware that leaves these limits has no defined behaviour.

use crate::soc::clocks::{Clocks, HSI_HZ};

/// Supply of the core domain, from the highest performance (0) down (D3CR.VOS; EMB rcc/h.rs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VoltageScale {
    Vos0,
    Vos1,
    Vos2,
    Vos3,
}

impl std::fmt::Display for VoltageScale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VOS{}", *self as u8)
    }
}

/// A setting of clocks, supply or flash outside the part's specification. It ends the run, since
/// nobody knows what the part would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockViolation {
    #[error("{clock} at {hz} Hz is above the limit of {limit_hz} Hz at {scale}")]
    TooFast {
        clock: &'static str,
        hz: u64,
        limit_hz: u64,
        scale: VoltageScale,
    },
    #[error(
        "flash latency of {programmed} wait states is below the {needed} that HCLK at {hclk_hz} Hz needs at {scale}"
    )]
    FlashLatency {
        hclk_hz: u64,
        programmed: u32,
        needed: u32,
        scale: VoltageScale,
    },
    #[error("PLL{number} reference at {hz} Hz is outside its range of {min_hz} to {max_hz} Hz")]
    PllReference {
        number: usize,
        hz: u64,
        min_hz: u64,
        max_hz: u64,
    },
    #[error("PLL{number} oscillator at {hz} Hz is outside its range of {min_hz} to {max_hz} Hz")]
    PllOscillator {
        number: usize,
        hz: u64,
        min_hz: u64,
        max_hz: u64,
    },
    #[error("PLL1 divider P of {divider} is odd and not 1")]
    PllOddDivider { divider: u32 },
}

struct Limits {
    core_hz: u64,
    hclk_hz: u64,
    pclk_hz: u64,
    /// Highest HCLK for 0, 1, 2 ... wait states.
    hclk_by_latency_hz: &'static [u64],
}

/// Limits by scale, and the flash wait states they need (EMB rcc/h.rs); `boost` is the option
/// CPU_FREQ_BOOST.
fn limits(scale: VoltageScale, boost: bool) -> Limits {
    match scale {
        VoltageScale::Vos0 => Limits {
            core_hz: if boost { 550_000_000 } else { 520_000_000 },
            hclk_hz: 275_000_000,
            pclk_hz: 137_500_000,
            hclk_by_latency_hz: &[70_000_000, 140_000_000, 210_000_000, 275_000_000],
        },
        VoltageScale::Vos1 => Limits {
            core_hz: 400_000_000,
            hclk_hz: 200_000_000,
            pclk_hz: 100_000_000,
            hclk_by_latency_hz: &[67_000_000, 133_000_000, 200_000_000],
        },
        VoltageScale::Vos2 => Limits {
            core_hz: 300_000_000,
            hclk_hz: 150_000_000,
            pclk_hz: 75_000_000,
            hclk_by_latency_hz: &[50_000_000, 100_000_000, 150_000_000],
        },
        VoltageScale::Vos3 => Limits {
            core_hz: 170_000_000,
            hclk_hz: 85_000_000,
            pclk_hz: 42_500_000,
            hclk_by_latency_hz: &[35_000_000, 70_000_000, 85_000_000],
        },
    }
}

/// Out of reset the part runs everything at HSI's 64 MHz at VOS3, APBs included, whose limit there is
/// 42.5 MHz: so what runs after reset is within the specification whatever the table says.
const ALWAYS_ALLOWED_HZ: u64 = HSI_HZ;

/// Checks frequencies and flash wait states against the supply in force.
///
/// WRHIGHFREQ is not checked: it concerns programming the flash, which this board does not model.
pub fn check(
    clocks: &Clocks,
    scale: VoltageScale,
    boost: bool,
    latency: u32,
) -> Result<(), ClockViolation> {
    let limits = limits(scale, boost);
    for (clock, hz, limit_hz) in [
        ("core clock", clocks.core_hz, limits.core_hz),
        ("HCLK", clocks.hclk_hz, limits.hclk_hz),
        ("APB1 clock", clocks.pclk1_hz, limits.pclk_hz),
        ("APB2 clock", clocks.pclk2_hz, limits.pclk_hz),
        ("APB3 clock", clocks.pclk3_hz, limits.pclk_hz),
        ("APB4 clock", clocks.pclk4_hz, limits.pclk_hz),
    ] {
        if hz > limit_hz.max(ALWAYS_ALLOWED_HZ) {
            return Err(ClockViolation::TooFast {
                clock,
                hz,
                limit_hz,
                scale,
            });
        }
    }
    let needed = limits
        .hclk_by_latency_hz
        .iter()
        .take_while(|limit_hz| clocks.hclk_hz > **limit_hz)
        .count() as u32;
    if latency < needed {
        return Err(ClockViolation::FlashLatency {
            hclk_hz: clocks.hclk_hz,
            programmed: latency,
            needed,
            scale,
        });
    }
    Ok(())
}
