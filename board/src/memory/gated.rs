//! SRAM1 and SRAM2, which answer the core only while RCC gives them a clock.
//!
//! An access without one reads 0 and stores nothing, and is counted: what a part does is not known
//! (assumed, as for peripherals). DMA is not held to it.

use super::{Memory, REGIONS, Region};

/// Bytes of SRAM1, behind which SRAM2 lies (PAC memory list).
const SRAM1_LEN: u32 = 16 << 10;

/// What is off, and who did not mind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gates {
    sram1_off: bool,
    sram2_off: bool,
    accesses: u64,
    first: Option<u32>,
}

impl Memory {
    /// Gives SRAM1 and SRAM2 their clocks, or takes them away; tells whether that is a change. The fast
    /// path follows with the next [`Memory::set_fast_path`].
    pub fn set_sram_clocks(&mut self, sram1: bool, sram2: bool) -> bool {
        let changed = (self.gates.sram1_off, self.gates.sram2_off) != (!sram1, !sram2);
        self.gates.sram1_off = !sram1;
        self.gates.sram2_off = !sram2;
        changed
    }

    /// Whether an access of the core at `address` goes to a memory without a clock; counts it if so.
    #[inline]
    pub fn misses_clock(&mut self, address: u32) -> bool {
        let Gates {
            sram1_off,
            sram2_off,
            ..
        } = self.gates;
        if !sram1_off && !sram2_off {
            return false;
        }
        let in_d2 = Self::region_at(address).filter(|info| info.region == Region::D2Sram);
        let Some(info) = in_d2 else {
            return false;
        };
        let is_off = if address - info.base < SRAM1_LEN {
            sram1_off
        } else {
            sram2_off
        };
        if is_off {
            self.gates.accesses += 1;
            self.gates.first.get_or_insert(address);
        }
        is_off
    }

    /// How often the core reached for a memory without a clock, and where first.
    pub fn unclocked_accesses(&self) -> (u64, Option<u32>) {
        (self.gates.accesses, self.gates.first)
    }

    /// Closes the fast path to what may be without a clock.
    pub(super) fn limit_gated(&mut self) {
        if self.gates.sram1_off || self.gates.sram2_off {
            for info in REGIONS {
                if info.region == Region::D2Sram {
                    self.limit_fast_path(info, false, false);
                }
            }
        }
    }
}
