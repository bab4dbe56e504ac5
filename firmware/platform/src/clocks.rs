//! The clock tree: HSI 64 MHz / 4 x 50 / 2 = 400 MHz core, 200 MHz AHB, 100 MHz APB, VOS1.

use embassy_stm32::Config;
use embassy_stm32::rcc::{
    AHBPrescaler, APBPrescaler, HSIPrescaler, Pll, PllDiv, PllMul, PllPreDiv, PllSource, Sysclk,
    VoltageScale,
};

/// Core clock in hertz; it also drives the DWT cycle counter.
pub const CORE_HZ: u32 = 400_000_000;

/// Two flash wait states follow from HCLK and VOS1 (embassy-stm32, rcc/h.rs), which sets them.
pub(crate) fn config() -> Config {
    let mut config = Config::default();
    config.rcc.hsi = Some(HSIPrescaler::DIV1);
    config.rcc.hsi48 = None;
    config.rcc.pll1 = Some(Pll {
        source: PllSource::HSI,
        prediv: PllPreDiv::DIV4,
        mul: PllMul::MUL50,
        divp: Some(PllDiv::DIV2),
        divq: None,
        divr: None,
    });
    config.rcc.sys = Sysclk::PLL1_P;
    config.rcc.ahb_pre = AHBPrescaler::DIV2;
    config.rcc.apb1_pre = APBPrescaler::DIV2;
    config.rcc.apb2_pre = APBPrescaler::DIV2;
    config.rcc.apb3_pre = APBPrescaler::DIV2;
    config.rcc.apb4_pre = APBPrescaler::DIV2;
    config.rcc.voltage_scale = VoltageScale::Scale1;
    config
}
