//! The clock tree, from the 64 MHz HSI.
//!
//! | feature       | PLL1                 | core    | AHB     | APB     | scale | SPI1/2/3 kernel  |
//! |---------------|----------------------|---------|---------|---------|-------|------------------|
//! | none          | HSI / 4 x 50, P = /2 | 400 MHz | 200 MHz | 100 MHz | VOS1  | PLL1-Q = 200 MHz |
//! | `performance` | HSI / 8 x 65, P = /1 | 520 MHz | 260 MHz | 130 MHz | VOS0  | PLL2-P = 80 MHz  |

use embassy_stm32::Config;
use embassy_stm32::rcc::{
    AHBPrescaler, APBPrescaler, HSIPrescaler, Pll, PllDiv, PllMul, PllPreDiv, PllSource, Sysclk,
    VoltageScale,
};

/// Core clock in hertz; it also drives the DWT cycle counter.
pub const CORE_HZ: u32 = if cfg!(feature = "performance") {
    520_000_000
} else {
    400_000_000
};

/// The flash wait states follow from HCLK and the voltage scale (embassy-stm32, rcc/h.rs), which
/// sets them.
pub(crate) fn config() -> Config {
    let mut config = Config::default();
    config.rcc.hsi = Some(HSIPrescaler::DIV1);
    config.rcc.hsi48 = None;
    config.rcc.sys = Sysclk::PLL1_P;
    config.rcc.ahb_pre = AHBPrescaler::DIV2;
    config.rcc.apb1_pre = APBPrescaler::DIV2;
    config.rcc.apb2_pre = APBPrescaler::DIV2;
    config.rcc.apb3_pre = APBPrescaler::DIV2;
    config.rcc.apb4_pre = APBPrescaler::DIV2;
    plls(&mut config);
    config
}

#[cfg(not(feature = "performance"))]
fn plls(config: &mut Config) {
    config.rcc.pll1 = Some(Pll {
        source: PllSource::HSI,
        prediv: PllPreDiv::DIV4,
        mul: PllMul::MUL50,
        divp: Some(PllDiv::DIV2),
        divq: Some(PllDiv::DIV4),
        divr: None,
    });
    config.rcc.voltage_scale = VoltageScale::Scale1;
}

#[cfg(feature = "performance")]
fn plls(config: &mut Config) {
    use embassy_stm32::rcc::mux::Saisel;

    config.rcc.pll1 = Some(Pll {
        source: PllSource::HSI,
        prediv: PllPreDiv::DIV8,
        mul: PllMul::MUL65,
        divp: Some(PllDiv::DIV1),
        divq: None,
        divr: None,
    });
    config.rcc.pll2 = Some(Pll {
        source: PllSource::HSI,
        prediv: PllPreDiv::DIV8,
        mul: PllMul::MUL40,
        divp: Some(PllDiv::DIV4),
        divq: None,
        divr: None,
    });
    config.rcc.mux.spi123sel = Saisel::PLL2_P;
    config.rcc.voltage_scale = VoltageScale::Scale0;
}
