//! What instructions and memory accesses cost, as one table of named constants.
//!
//! Costs are baked into decoded instructions and into the map of memories, so a table costs nothing
//! at run time; every figure here is a modelling decision and says where it comes from.
//!
//! The model behind the first version:
//! * an instruction costs its class's cycles, whatever stands before or behind it (no dual issue);
//! * code is fetched in aligned 64-bit units (the Cortex-M7's AXIM and TCM fetch width). With the
//!   instruction cache on every fetch hits; with it off a unit is paid for by the instruction that
//!   contains its first halfword, and by a taken branch to its middle;
//! * a load or store pays for the memory it touches. The data cache, when on, always hits.

use crate::memory::Region;

/// Cycles by instruction class and by memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostTable {
    /// Names this set of figures in results.
    pub version: &'static str,
    /// Core cycles of an instruction that only computes. One: the pipeline could pair two, but
    /// compiled code seldom lets it.
    pub simple: u8,
    /// Core cycles of a 32-bit multiplication.
    pub multiply: u8,
    /// Core cycles of a multiplication with a 64-bit result.
    pub multiply_long: u8,
    /// Core cycles of a division, for any operands (the part takes 2 to 12).
    pub divide: u8,
    /// Core cycles a load takes beyond its memory's: the address generation and load-use delay.
    pub load: u8,
    /// Core cycles a store takes beyond its memory's.
    pub store: u8,
    /// Core cycles for each register of a multiple transfer, beyond its memory's.
    pub transfer: u8,
    /// Core cycles of a branch that is not taken.
    pub branch: u8,
    /// Core cycles a taken branch adds: the refill after a predicted branch.
    pub branch_taken: u8,
    /// Core cycles of a barrier, a system register access or a cache operation.
    pub system: u8,
    /// Core cycles of an access to the private peripheral bus beyond the instruction.
    pub private_bus: u8,
    /// Core cycles of a floating-point addition, multiplication, comparison, conversion or move.
    pub float: u8,
    /// Core cycles of a floating-point division or square root, single precision.
    pub float_divide: u8,
    /// Core cycles from the end of an instruction to the first one of the handler
    /// (ARM: 12 with zero-wait memory).
    pub exception_entry: u8,
    /// Core cycles of an exception return that unstacks.
    pub exception_return: u8,
    /// Core cycles from one handler to the next without unstacking (ARM: about 6).
    pub tail_chain: u8,
    /// Core cycles that stacking the floating-point registers adds (17 words).
    pub float_context: u8,
    /// Core cycles from a wake-up event to the next instruction.
    pub wake_up: u8,
    /// HCLK periods of a 64-bit code fetch from flash with the instruction cache off.
    ///
    /// Fitted: with it the published RMII build's 5.7 cycles an instruction at 400/200 MHz come out
    /// for compiled code of about three instructions a unit.
    pub flash_fetch_hclk: u8,
    /// HCLK periods of a 64-bit code fetch from AXI or D2 SRAM with the instruction cache off.
    pub sram_fetch_hclk: u8,
    /// HCLK periods of an uncached data load from flash.
    pub flash_load_hclk: u8,
    /// HCLK periods of an uncached data load from SRAM behind AXI or AHB.
    pub sram_load_hclk: u8,
    /// HCLK periods of an uncached store to SRAM behind AXI or AHB, mostly hidden by the store buffer.
    pub sram_store_hclk: u8,
    /// HCLK periods of a load from a peripheral: bus matrix and the bridge between domains. A guess: ST
    /// gives no figure.
    pub peripheral_load_hclk: u8,
    /// APB clock periods that a load from an APB peripheral adds: setup and access phase (AMBA APB).
    pub apb_load_pclk: u8,
    /// HCLK periods of a store to a peripheral: it is posted, and only its hand-over is waited for.
    pub peripheral_store_hclk: u8,
}

impl Default for CostTable {
    fn default() -> Self {
        Self {
            version: "class-and-region-1",
            simple: 1,
            multiply: 1,
            multiply_long: 1,
            divide: 7,
            load: 1,
            store: 1,
            transfer: 1,
            branch: 1,
            branch_taken: 1,
            system: 2,
            private_bus: 2,
            float: 1,
            float_divide: 14,
            exception_entry: 12,
            exception_return: 10,
            tail_chain: 6,
            float_context: 17,
            wake_up: 10,
            flash_fetch_hclk: 6,
            sram_fetch_hclk: 4,
            flash_load_hclk: 5,
            sram_load_hclk: 3,
            sram_store_hclk: 1,
            peripheral_load_hclk: 6,
            apb_load_pclk: 2,
            peripheral_store_hclk: 1,
        }
    }
}

/// What of the part's state the costs depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostState {
    pub instruction_cache: bool,
    pub data_cache: bool,
    /// Core clock periods in one HCLK period.
    pub core_cycles_per_hclk: u32,
}

impl CostTable {
    /// Core cycles of fetching one 64-bit unit of code from `region`.
    pub fn fetch_cycles(&self, region: Region, state: CostState) -> u32 {
        let hclk = match region {
            Region::Itcm | Region::Dtcm => return 0,
            _ if state.instruction_cache => return 0,
            Region::Flash | Region::System => self.flash_fetch_hclk,
            _ => self.sram_fetch_hclk,
        };
        u32::from(hclk) * state.core_cycles_per_hclk
    }

    /// Core cycles a load from `region` takes beyond the instruction.
    pub fn load_cycles(&self, region: Region, state: CostState) -> u32 {
        let hclk = match region {
            Region::Itcm | Region::Dtcm => return 0,
            _ if state.data_cache => return 0,
            Region::Flash | Region::System => self.flash_load_hclk,
            _ => self.sram_load_hclk,
        };
        u32::from(hclk) * state.core_cycles_per_hclk
    }

    /// Core cycles a store to `region` takes beyond the instruction.
    pub fn store_cycles(&self, region: Region, state: CostState) -> u32 {
        match region {
            Region::Itcm | Region::Dtcm => 0,
            _ if state.data_cache => 0,
            _ => u32::from(self.sram_store_hclk) * state.core_cycles_per_hclk,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNCACHED: CostState = CostState {
        instruction_cache: false,
        data_cache: false,
        core_cycles_per_hclk: 2,
    };

    #[test]
    fn costs_scale_with_the_bus_clock_and_vanish_in_caches_and_tcm() {
        let table = CostTable::default();
        assert_eq!(table.fetch_cycles(Region::Flash, UNCACHED), 12);
        assert_eq!(table.load_cycles(Region::AxiSram, UNCACHED), 6);
        assert_eq!(table.store_cycles(Region::AxiSram, UNCACHED), 2);
        assert_eq!(table.load_cycles(Region::Dtcm, UNCACHED), 0);
        let cached = CostState {
            instruction_cache: true,
            data_cache: true,
            ..UNCACHED
        };
        assert_eq!(table.fetch_cycles(Region::Flash, cached), 0);
        assert_eq!(table.load_cycles(Region::AxiSram, cached), 0);
        assert_eq!(table.store_cycles(Region::AxiSram, cached), 0);
    }
}
