//! Clock gates and resets of the peripherals that this board models.

use crate::soc::rcc::table;
use crate::soc::registers::RegisterFile;

/// A peripheral behind an enable bit and a reset bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// GPIO port by index, A = 0.
    Gpio(u8),
    Tim2,
    Syscfg,
    Spi1,
    Dma1,
    Dma2,
    /// DMAMUX1 runs whenever one of its DMA controllers does (recalled).
    Dmamux1,
    /// Registers of the Ethernet MAC (ETHMACEN); the MAC's transmit and receive clocks have bits of
    /// their own.
    Eth,
}

impl Gate {
    const ALL: [Self; 18] = [
        Self::Gpio(0),
        Self::Gpio(1),
        Self::Gpio(2),
        Self::Gpio(3),
        Self::Gpio(4),
        Self::Gpio(5),
        Self::Gpio(6),
        Self::Gpio(7),
        Self::Gpio(8),
        Self::Gpio(9),
        Self::Gpio(10),
        Self::Tim2,
        Self::Syscfg,
        Self::Spi1,
        Self::Dma1,
        Self::Dma2,
        Self::Dmamux1,
        Self::Eth,
    ];

    /// The gate's bit in [`Gate::open`].
    const fn bit(self) -> u32 {
        match self {
            Self::Gpio(port) => 1 << port,
            Self::Tim2 => 1 << 11,
            Self::Syscfg => 1 << 12,
            Self::Spi1 => 1 << 13,
            Self::Dma1 => 1 << 14,
            Self::Dma2 => 1 << 15,
            Self::Dmamux1 => 1 << 16,
            Self::Eth => 1 << 17,
        }
    }

    /// The open gates, each a bit: every access to a peripheral asks.
    pub(super) fn open(registers: &RegisterFile) -> u32 {
        let open = Self::ALL.into_iter().filter(|gate| gate.is_open(registers));
        open.fold(0, |bits, gate| bits | gate.bit())
    }

    /// Whether the gate is among `open` ones.
    #[inline]
    pub(super) const fn is_among(self, open: u32) -> bool {
        open & self.bit() != 0
    }

    const fn enable(self) -> (u32, u32) {
        match self {
            Self::Gpio(port) => (table::AHB4ENR, port as u32),
            Self::Tim2 => (table::APB1LENR, 0),
            Self::Syscfg => (table::APB4ENR, 1),
            Self::Spi1 => (table::APB2ENR, 12),
            Self::Dma1 => (table::AHB1ENR, 0),
            Self::Dma2 | Self::Dmamux1 => (table::AHB1ENR, 1),
            Self::Eth => (table::AHB1ENR, 15),
        }
    }

    const fn reset(self) -> (u32, u32) {
        match self {
            Self::Gpio(port) => (table::AHB4RSTR, port as u32),
            Self::Tim2 => (table::APB1LRSTR, 0),
            Self::Syscfg => (table::APB4RSTR, 1),
            Self::Spi1 => (table::APB2RSTR, 12),
            Self::Dma1 => (table::AHB1RSTR, 0),
            Self::Dma2 | Self::Dmamux1 => (table::AHB1RSTR, 1),
            Self::Eth => (table::AHB1RSTR, 15),
        }
    }

    fn is_open(self, registers: &RegisterFile) -> bool {
        let (offset, bit) = self.enable();
        registers.bit(offset, bit) || self == Self::Dmamux1 && Self::Dma1.is_open(registers)
    }

    pub(super) fn is_held_in_reset(self, registers: &RegisterFile) -> bool {
        let (offset, bit) = self.reset();
        registers.bit(offset, bit)
            && (self != Self::Dmamux1 || Self::Dma1.is_held_in_reset(registers))
    }
}
