//! The interrupt lines between the part's peripherals and the core's NVIC.

/// Interrupt lines of the STM32H723: 0 to 162 (PAC).
pub const IRQ_COUNT: usize = 163;

const WORDS: usize = IRQ_COUNT.div_ceil(32);

/// Interrupt numbers of the peripherals modelled here (PAC).
pub mod line {
    pub const TIM2: usize = 28;
    pub const SPI1: usize = 35;
    pub const ETH: usize = 61;

    /// The line of stream `n` (0 to 7) of DMA1 (`controller` 0) or DMA2.
    pub const fn dma(controller: usize, n: usize) -> usize {
        match (controller, n) {
            (0, 0..=6) => 11 + n,
            (0, _) => 47,
            (_, 0..=4) => 56 + n,
            _ => 63 + n,
        }
    }

    /// The line that EXTI line `n` (0 to 15) raises.
    pub const fn exti(n: usize) -> usize {
        match n {
            0..=4 => 6 + n,
            5..=9 => 23,
            _ => 40,
        }
    }
}

/// Levels of all lines. The NVIC latches a pending bit from a high level.
#[derive(Clone, Debug, Default)]
pub struct IrqLines {
    level: [u32; WORDS],
    changed: bool,
}

impl IrqLines {
    pub fn set(&mut self, line: usize, high: bool) {
        let bit = 1 << (line % 32);
        let word = &mut self.level[line / 32];
        let new = if high { *word | bit } else { *word & !bit };
        self.changed |= new != *word;
        *word = new;
    }

    /// Levels of lines `32 * word` to `32 * word + 31`, lowest line in bit 0.
    pub fn word(&self, word: usize) -> u32 {
        self.level.get(word).copied().unwrap_or(0)
    }

    /// Whether a level changed since the last [`IrqLines::take_changed`].
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// Whether a level changed since the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_once() {
        let mut lines = IrqLines::default();
        lines.set(line::ETH, true);
        assert!(lines.take_changed());
        lines.set(line::ETH, true);
        assert!(!lines.take_changed());
        assert_eq!(lines.word(1), 1 << 29);
        assert_eq!(line::exti(14), 40);
    }
}
