//! The frequencies in force on the part.

/// HSI frequency with its divider at 1 (EMB rcc/h.rs).
pub const HSI_HZ: u64 = 64_000_000;
/// CSI frequency (EMB rcc/h.rs).
pub const CSI_HZ: u64 = 4_000_000;
/// HSE input of the NUCLEO-H723ZG: the 8 MHz clock that the ST-LINK gives out (ZDTS).
pub const HSE_HZ: u64 = 8_000_000;

/// Outputs of one PLL in hertz; `None` where the output is disabled or the PLL not locked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PllOutputs {
    pub p_hz: Option<u64>,
    pub q_hz: Option<u64>,
    pub r_hz: Option<u64>,
}

/// Clock frequencies in hertz, as the firmware's settings of the clock tree give them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// System clock, before D1CPRE.
    pub sysclk_hz: u64,
    /// The core's clock, after D1CPRE.
    pub core_hz: u64,
    /// AXI and AHB clock, after HPRE.
    pub hclk_hz: u64,
    /// APB1 bus clock.
    pub pclk1_hz: u64,
    /// APB2 bus clock.
    pub pclk2_hz: u64,
    /// APB3 bus clock.
    pub pclk3_hz: u64,
    /// APB4 bus clock.
    pub pclk4_hz: u64,
    /// Clock of the timers on APB1.
    pub timers1_hz: u64,
    /// Clock of the timers on APB2.
    pub timers2_hz: u64,
    /// `per_ck`, the kernel clock that CKPERSEL picks; `None` while its source is off.
    pub per_hz: Option<u64>,
    /// Kernel clock of SPI1 to SPI3, which SPI123SEL picks; `None` while its source is off.
    pub spi123_hz: Option<u64>,
    /// PLL1 to PLL3.
    pub pll: [PllOutputs; 3],
}

impl Clocks {
    /// After reset everything runs from HSI, undivided (EMB rcc/h.rs).
    pub const fn after_reset() -> Self {
        const OFF: PllOutputs = PllOutputs {
            p_hz: None,
            q_hz: None,
            r_hz: None,
        };
        Self {
            sysclk_hz: HSI_HZ,
            core_hz: HSI_HZ,
            hclk_hz: HSI_HZ,
            pclk1_hz: HSI_HZ,
            pclk2_hz: HSI_HZ,
            pclk3_hz: HSI_HZ,
            pclk4_hz: HSI_HZ,
            timers1_hz: HSI_HZ,
            timers2_hz: HSI_HZ,
            per_hz: Some(HSI_HZ),
            spi123_hz: None,
            pll: [OFF; 3],
        }
    }

    /// Core clock periods in one HCLK period: 1, 2, 4 ...
    pub const fn core_cycles_per_hclk(&self) -> u32 {
        (self.core_hz / self.hclk_hz) as u32
    }
}
