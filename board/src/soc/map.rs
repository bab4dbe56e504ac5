//! Which peripheral answers where (PAC peripheral list of the STM32H723ZG).

use crate::bus::AccessError;
use crate::soc::rcc::Gate;

/// A peripheral that this board models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    Tim2,
    Eth,
    Spi1,
    /// DMA1 is 0.
    Dma(u8),
    Dmamux1,
    Flash,
    Exti,
    Syscfg,
    /// By port, A = 0.
    Gpio(u8),
    Rcc,
    Pwr,
    Dbgmcu,
}

impl Block {
    /// The clock gate in front of the block, if it has one.
    pub const fn gate(self) -> Option<Gate> {
        match self {
            Self::Tim2 => Some(Gate::Tim2),
            Self::Eth => Some(Gate::Eth),
            Self::Syscfg => Some(Gate::Syscfg),
            Self::Gpio(port) => Some(Gate::Gpio(port)),
            Self::Spi1 => Some(Gate::Spi1),
            Self::Dma(0) => Some(Gate::Dma1),
            Self::Dma(_) => Some(Gate::Dma2),
            Self::Dmamux1 => Some(Gate::Dmamux1),
            Self::Flash | Self::Exti | Self::Rcc | Self::Pwr | Self::Dbgmcu => None,
        }
    }
}

/// Addresses that share these bits belong to one peripheral.
pub const PAGE_MASK: u32 = 0xFFFF_FC00;

/// The peripheral at `address` and the byte offset in it.
///
/// # Errors
/// Where the part has a peripheral that is not modelled, it is named; elsewhere the bus faults.
pub fn locate(address: u32) -> Result<(Block, u32), AccessError> {
    let page = address & PAGE_MASK;
    let block = match page {
        0x4000_0000 => Block::Tim2,
        0x4001_3000 => Block::Spi1,
        0x4002_0000 => Block::Dma(0),
        0x4002_0400 => Block::Dma(1),
        0x4002_0800 => Block::Dmamux1,
        0x4002_8000..=0x4002_9000 => return Ok((Block::Eth, address - 0x4002_8000)),
        0x5200_2000 => Block::Flash,
        0x5800_0000 => Block::Exti,
        0x5800_0400 => Block::Syscfg,
        0x5802_0000..=0x5802_1C00 | 0x5802_2400 | 0x5802_2800 => {
            Block::Gpio(((page - 0x5802_0000) >> 10) as u8)
        }
        0x5802_4400 => Block::Rcc,
        0x5802_4800 => Block::Pwr,
        0x5C00_1000 => Block::Dbgmcu,
        _ => return Err(without_model(address)),
    };
    Ok((block, address - page))
}

fn without_model(address: u32) -> AccessError {
    let block = OTHERS
        .iter()
        .find(|block| address.wrapping_sub(block.base) < block.len);
    match block {
        Some(block) => AccessError::Unmodelled {
            block: block.name,
            offset: address - block.base,
        },
        None => AccessError::Fault,
    }
}

/// A peripheral or memory of the part that this board does not model.
struct Unmodelled {
    base: u32,
    len: u32,
    name: &'static str,
}

const fn other(base: u32, len: u32, name: &'static str) -> Unmodelled {
    Unmodelled { base, len, name }
}

static OTHERS: [Unmodelled; 92] = [
    other(0x1FF0_0000, 0x1e800, "bootloader"),
    other(0x1FF1_E80C, 0x1f4, "device signature"),
    other(0x4000_0400, 0x400, "TIM3"),
    other(0x4000_0800, 0x400, "TIM4"),
    other(0x4000_0C00, 0x400, "TIM5"),
    other(0x4000_1000, 0x400, "TIM6"),
    other(0x4000_1400, 0x400, "TIM7"),
    other(0x4000_1800, 0x400, "TIM12"),
    other(0x4000_1C00, 0x400, "TIM13"),
    other(0x4000_2000, 0x400, "TIM14"),
    other(0x4000_2400, 0x400, "LPTIM1"),
    other(0x4000_3800, 0x400, "SPI2"),
    other(0x4000_3C00, 0x400, "SPI3"),
    other(0x4000_4000, 0x400, "SPDIFRX"),
    other(0x4000_4400, 0x400, "USART2"),
    other(0x4000_4800, 0x400, "USART3"),
    other(0x4000_4C00, 0x400, "UART4"),
    other(0x4000_5000, 0x400, "UART5"),
    other(0x4000_5400, 0x400, "I2C1"),
    other(0x4000_5800, 0x400, "I2C2"),
    other(0x4000_5C00, 0x400, "I2C3"),
    other(0x4000_6400, 0x400, "I2C5"),
    other(0x4000_6C00, 0x400, "CEC"),
    other(0x4000_7400, 0x400, "DAC"),
    other(0x4000_7800, 0x400, "UART7"),
    other(0x4000_7C00, 0x400, "UART8"),
    other(0x4000_8400, 0x400, "CRS"),
    other(0x4000_8800, 0x400, "SWPMI"),
    other(0x4000_9000, 0x400, "OPAMP"),
    other(0x4000_9400, 0x400, "MDIOS"),
    other(0x4000_A000, 0x400, "FDCAN1"),
    other(0x4000_A400, 0x400, "FDCAN2"),
    other(0x4000_A800, 0x400, "CAN_CCU"),
    other(0x4000_AC00, 0x2800, "FDCAN_RAM"),
    other(0x4000_D400, 0x400, "FDCAN3"),
    other(0x4000_E000, 0x400, "TIM23"),
    other(0x4000_E400, 0x400, "TIM24"),
    other(0x4001_0000, 0x400, "TIM1"),
    other(0x4001_0400, 0x400, "TIM8"),
    other(0x4001_1000, 0x400, "USART1"),
    other(0x4001_1400, 0x400, "USART6"),
    other(0x4001_1800, 0x400, "UART9"),
    other(0x4001_1C00, 0x400, "USART10"),
    other(0x4001_3400, 0x400, "SPI4"),
    other(0x4001_4000, 0x400, "TIM15"),
    other(0x4001_4400, 0x400, "TIM16"),
    other(0x4001_4800, 0x400, "TIM17"),
    other(0x4001_5000, 0x400, "SPI5"),
    other(0x4001_5800, 0x400, "SAI1"),
    other(0x4001_7800, 0x400, "DFSDM"),
    other(0x4002_2000, 0x400, "ADC12"),
    other(0x4004_0000, 0x40000, "OTG_HS"),
    other(0x4802_0000, 0x400, "DCMI"),
    other(0x4802_0400, 0x400, "PSSI"),
    other(0x4802_1800, 0x400, "RNG"),
    other(0x4802_2400, 0x400, "SDMMC2"),
    other(0x4802_2800, 0x400, "DLYB_SDMMC2"),
    other(0x4802_3000, 0x400, "RAMECC2"),
    other(0x4802_4000, 0x400, "FMAC"),
    other(0x4802_4400, 0x400, "CORDIC"),
    other(0x5000_1000, 0x1000, "LTDC"),
    other(0x5000_3000, 0x400, "WWDG1"),
    other(0x5100_0000, 0x100000, "AXI"),
    other(0x5200_0000, 0x1000, "MDMA"),
    other(0x5200_1000, 0x1000, "DMA2D"),
    other(0x5200_4000, 0x1000, "FMC"),
    other(0x5200_5000, 0x1000, "OCTOSPI1"),
    other(0x5200_6000, 0x1000, "DLYB_OCTOSPI1"),
    other(0x5200_7000, 0x1000, "SDMMC1"),
    other(0x5200_8000, 0x1000, "DLYB_SDMMC1"),
    other(0x5200_9000, 0x400, "RAMECC1"),
    other(0x5200_A000, 0x400, "OCTOSPI2"),
    other(0x5200_B400, 0x400, "OCTOSPIM"),
    other(0x5800_0C00, 0x400, "LPUART1"),
    other(0x5800_1400, 0x400, "SPI6"),
    other(0x5800_1C00, 0x400, "I2C4"),
    other(0x5800_2400, 0x400, "LPTIM2"),
    other(0x5800_2800, 0x400, "LPTIM3"),
    other(0x5800_2C00, 0x400, "LPTIM4"),
    other(0x5800_3000, 0x400, "LPTIM5"),
    other(0x5800_3800, 0x400, "COMP"),
    other(0x5800_3C00, 0x400, "VREFBUF"),
    other(0x5800_4000, 0x400, "RTC"),
    other(0x5800_4800, 0x400, "IWDG1"),
    other(0x5800_5400, 0x400, "SAI4"),
    other(0x5800_6800, 0x400, "DTS"),
    other(0x5802_4C00, 0x400, "CRC"),
    other(0x5802_5400, 0x400, "BDMA"),
    other(0x5802_5800, 0x400, "DMAMUX2"),
    other(0x5802_6000, 0x400, "ADC3"),
    other(0x5802_6400, 0x400, "HSEM"),
    other(0x5802_7000, 0x400, "RAMECC3"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_blocks_names_or_faults() {
        assert_eq!(locate(0x5802_1814), Ok((Block::Gpio(6), 0x14)));
        assert_eq!(locate(0x5802_2804), Ok((Block::Gpio(10), 4)));
        assert_eq!(locate(0x4002_9160), Ok((Block::Eth, 0x1160)));
        assert_eq!(
            locate(0x4000_481C),
            Err(AccessError::Unmodelled {
                block: "USART3",
                offset: 0x1C
            })
        );
        // Port I does not exist on this part.
        for nowhere in [0x5802_2000, 0x4000_3000, 0x6000_0000, 0xFFFF_FFFC] {
            assert_eq!(locate(nowhere), Err(AccessError::Fault), "{nowhere:#010x}");
        }
    }
}
