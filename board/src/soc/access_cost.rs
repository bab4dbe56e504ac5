//! How long the core waits for a peripheral.

use crate::cost::CostTable;
use crate::soc::clocks::Clocks;

/// Core cycles of accesses by bus, at the frequencies in force.
#[derive(Clone, Debug)]
pub struct AccessCost {
    ahb_load: u32,
    /// APB1 to APB4.
    apb_load: [u32; 4],
    store: u32,
}

impl AccessCost {
    pub fn new(table: &CostTable, clocks: &Clocks) -> Self {
        let core_cycles =
            |periods: u8, hz: u64| (u64::from(periods) * clocks.core_hz).div_ceil(hz) as u32;
        let ahb_load = core_cycles(table.peripheral_load_hclk, clocks.hclk_hz);
        let apb = |pclk_hz| ahb_load + core_cycles(table.apb_load_pclk, pclk_hz);
        Self {
            ahb_load,
            apb_load: [
                apb(clocks.pclk1_hz),
                apb(clocks.pclk2_hz),
                apb(clocks.pclk3_hz),
                apb(clocks.pclk4_hz),
            ],
            store: core_cycles(table.peripheral_store_hclk, clocks.hclk_hz),
        }
    }

    /// Core cycles of a load beyond the instruction.
    pub fn load(&self, address: u32) -> u32 {
        match apb(address) {
            Some(number) => self.apb_load[number],
            None => self.ahb_load,
        }
    }

    /// Core cycles of a store beyond the instruction.
    pub fn store(&self) -> u32 {
        self.store
    }
}

/// The APB (from 0) that `address` lies on, or `None` for AHB and AXI (recalled).
fn apb(address: u32) -> Option<usize> {
    match address >> 16 {
        0x4000 => Some(0),
        0x4001 => Some(1),
        0x5000 => Some(2),
        0x5800 | 0x5801 => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_follow_the_dividers() {
        let clocks = Clocks {
            core_hz: 400_000_000,
            hclk_hz: 200_000_000,
            pclk1_hz: 100_000_000,
            pclk2_hz: 50_000_000,
            ..Clocks::after_reset()
        };
        let cost = AccessCost::new(&CostTable::default(), &clocks);
        assert_eq!(cost.load(0x4002_8000), 14);
        assert_eq!(cost.load(0x4000_0024), 14 + 8);
        assert_eq!(cost.load(0x4001_3000), 14 + 16);
        assert_eq!(cost.store(), 2);
    }
}
