//! What instructions and memory accesses cost, as one table of named constants.
//!
//! Costs are baked into decoded instructions and into the map of memories, so a table costs nothing
//! at run time.
//!
//! **Three figures are fitted** to figures that were published for these firmwares on the real part, and say
//! so: [`CostTable::flash_fetch_hclk`], [`CostTable::sram_load_hclk`] and [`CostTable::peripheral_load_hclk`];
//! `FIDELITY.md` in the repository says to which, and how well the rest of what was published is predicted.
//! **All others are assumed.** Where a comment names no other reason, the figure is one or a few cycles
//! because the Cortex-M7's pipeline is said to need about that, recalled, not looked up. The model's shape
//! errs too, in directions that are known:
//! * an instruction costs its class's cycles, whatever stands before or behind it. No two are issued
//!   together, though the core can: too slow. No branch is mispredicted: too fast;
//! * code is fetched in aligned 64-bit units (the width of the core's AXI and TCM ports, recalled).
//!   With the instruction cache on every fetch hits, even the first: too fast. With it off, units in a
//!   straight line are fetched one after the other while the core executes or waits for data, as far ahead as
//!   the queue is deep; a taken branch empties the queue, though the core predicts many: too slow;
//! * a load or store pays for the memory it touches, and the core waits for each load, though it need not
//!   before it uses the value: too slow where loads follow one another. The data cache, when on, always
//!   hits: too fast;
//! * core and DMA never wait for each other at a memory: too fast.

use crate::memory::Region;

/// Cycles by instruction class and by memory. Assumed but for three that are fitted, see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostTable {
    /// Names this set of figures in results.
    pub version: &'static str,
    /// Core cycles of an instruction that only computes. One: the pipeline could pair two, and how
    /// often compiled code lets it was not measured, so this is too slow where it does.
    pub simple: u8,
    /// Core cycles of a 32-bit multiplication.
    pub multiply: u8,
    /// Core cycles of a multiplication with a 64-bit result.
    pub multiply_long: u8,
    /// Core cycles of a division, for any operands: the middle of 2 to 12 (recalled), so too slow for
    /// short quotients and too fast for long ones.
    pub divide: u8,
    /// Core cycles a load takes beyond its memory's: the address generation and load-use delay. Too
    /// slow where the next instruction does not need the value.
    pub load: u8,
    /// Core cycles a store takes beyond its memory's.
    pub store: u8,
    /// Core cycles for each register of a multiple transfer, beyond its memory's. Too slow where the
    /// part moves two at a time.
    pub transfer: u8,
    /// Core cycles of a branch that is not taken.
    pub branch: u8,
    /// Core cycles a taken branch adds: as if always predicted, and not folded.
    pub branch_taken: u8,
    /// Core cycles of a barrier, a system register access or a cache operation. Too fast for a barrier
    /// that waits for stores, and for a cache operation.
    pub system: u8,
    /// Core cycles of an access to the private peripheral bus beyond the instruction.
    pub private_bus: u8,
    /// Core cycles of a floating-point addition, multiplication, comparison, conversion or move. Too
    /// fast where the next instruction waits for the result.
    pub float: u8,
    /// Core cycles of a floating-point division or square root: of single precision (recalled), too
    /// fast for double.
    pub float_divide: u8,
    /// Core cycles from the end of an instruction to the first one of the handler: 12 with zero-wait
    /// memory (recalled). Too fast where stack or handler lie in slower memory.
    pub exception_entry: u8,
    /// Core cycles of an exception return that unstacks. As [`Self::exception_entry`].
    pub exception_return: u8,
    /// Core cycles from one handler to the next without unstacking: about 6 (recalled).
    pub tail_chain: u8,
    /// Core cycles that stacking the floating-point registers adds: one for each of 17 words.
    pub float_context: u8,
    /// Core cycles from a wake-up event to the next instruction. A guess of either sign.
    pub wake_up: u8,
    /// HCLK periods of a 64-bit code fetch from flash with the instruction cache off. **Fitted.** Plausible
    /// from 1, a beat of AXI, to 8: the wait states, the read of a 256-bit flash line and the way over AXI for
    /// each unit by itself. Without effect while the instruction cache is on.
    pub flash_fetch_hclk: u8,
    /// 64-bit units of code that are fetched ahead of the core at most, with the instruction cache off.
    /// A guess of either sign: Arm publishes neither the depth of the Cortex-M7's prefetch queue nor how many
    /// fetches it has under way.
    pub fetch_ahead_units: u8,
    /// HCLK periods of a 64-bit code fetch from AXI or D2 SRAM with the instruction cache off: as from
    /// flash. Too fast for D2 SRAM, which lies behind one more bridge.
    pub sram_fetch_hclk: u8,
    /// HCLK periods of an uncached data load from flash: as from SRAM. Too slow for neighbouring constants, if
    /// the flash keeps its last line.
    pub flash_load_hclk: u8,
    /// HCLK periods of an uncached data load from SRAM behind AXI or AHB. **Fitted.** Plausible from 2, address
    /// and data of an AXI transfer, to 10, with a crossing between the clocks of core and bus each way. Too
    /// fast for D2 SRAM and SRAM4.
    pub sram_load_hclk: u8,
    /// HCLK periods of each two further words of a multiple transfer to or from uncached memory: one beat of
    /// a burst on the core's AXI port, which is 64 bits wide (Cortex-M7 TRM §5.2, recalled; that the core makes
    /// one burst of the transfer is recalled too).
    pub pair_hclk: u8,
    /// HCLK periods of an uncached store to SRAM behind AXI or AHB: the store buffer hides the rest.
    /// Too fast for long runs of stores, which fill it.
    pub sram_store_hclk: u8,
    /// HCLK periods of a load from a peripheral: bus matrix and the bridge between domains. **Fitted.**
    /// Plausible from that of SRAM less a few, where the peripheral bus of the core is shorter, to twice that.
    pub peripheral_load_hclk: u8,
    /// APB clock periods that a load from an APB peripheral adds: AMBA APB's setup and access phase. Too
    /// fast for peripherals that add wait states.
    pub apb_load_pclk: u8,
    /// HCLK periods of a store to a peripheral: it is posted, and only its hand-over is waited for. Too
    /// fast for stores in a row.
    pub peripheral_store_hclk: u8,
}

impl Default for CostTable {
    fn default() -> Self {
        Self {
            version: "fitted-1",
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
            flash_fetch_hclk: 2,
            fetch_ahead_units: 4,
            sram_fetch_hclk: 2,
            flash_load_hclk: 7,
            sram_load_hclk: 7,
            pair_hclk: 1,
            sram_store_hclk: 1,
            peripheral_load_hclk: 7,
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

    /// Core cycles of each two further words of a multiple transfer, where the first word costs that much.
    pub fn pair_cycles(&self, state: CostState) -> u32 {
        u32::from(self.pair_hclk) * state.core_cycles_per_hclk
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
        assert_eq!(table.fetch_cycles(Region::Flash, UNCACHED), 4);
        assert_eq!(table.load_cycles(Region::AxiSram, UNCACHED), 14);
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
