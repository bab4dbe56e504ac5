//! Waits: a stretch that leads back to the load it begins behind, again and again.
//!
//! A driver that waits for a status bit loads the register, runs the same stretch, and loads it again. Once
//! two passes in a row were seen, what a pass takes is known. From then on, all passes whose loads come
//! before the register can change are counted instead of replayed.

use super::stretch::Stretch;
use crate::bus::Bus;
use crate::cpu::state::Core;

/// The latest load from a peripheral.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cpu) struct LatestLoad {
    pub pc: u32,
    /// When it was executed.
    pub cycle: u64,
}

/// What one more pass takes, from load to load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu) struct Pass {
    cycles: u64,
    instructions: u64,
    /// From the load to the stretch.
    lead: u64,
}

/// The latest replay of a stretch that could be a wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LatestReplay {
    place: u16,
    end: u32,
    cycle: u64,
    instructions: u64,
}

impl LatestReplay {
    /// What a pass takes, if the replay before this one was the same and only a load lay between them.
    pub fn pass(&mut self, place: u16, stretch: &Stretch, core: &Core) -> Option<Pass> {
        let now = Self {
            place,
            end: stretch.end,
            cycle: core.cycle,
            instructions: core.instructions,
        };
        let before = std::mem::replace(self, now);
        let pass = Pass {
            cycles: now.cycle.wrapping_sub(before.cycle),
            instructions: stretch.instructions + 1,
            lead: (now.cycle - stretch.cycles).wrapping_sub(core.latest_load.cycle),
        };
        let alike = before.place == place && before.end == stretch.end;
        let only_load = now.instructions == before.instructions + pass.instructions
            && core.latest_load.pc == stretch.end;
        (alike && only_load).then_some(pass)
    }
}

impl Pass {
    /// Counts the passes that change nothing: those whose load comes before the register can change, and
    /// that end by cycle `stop`. `cycles` are those of the stretch that was just replayed.
    /// False if the bus does not know when that is.
    #[inline]
    pub fn skip<B: Bus>(self, core: &mut Core, bus: &mut B, cycles: u64, stop: u64) -> bool {
        let loaded = core.latest_load.cycle;
        if core.cycle - cycles != loaded + self.lead || self.cycles == 0 {
            return true;
        }
        let steady = bus.steady_until(loaded);
        if steady == 0 {
            return false;
        }
        let by_value = steady.saturating_sub(1).saturating_sub(loaded) / self.cycles;
        let by_stop = stop.saturating_sub(core.cycle) / self.cycles;
        let passes = by_value.min(by_stop);
        if passes > 0 {
            core.cycle += passes * self.cycles;
            core.instructions += passes * self.instructions;
            core.latest_load.cycle += passes * self.cycles;
            bus.count_repeated_loads(passes);
        }
        true
    }
}
