//! Exact skipping of loops that only wait.
//!
//! When a pass through a short loop comes back to its head with the same registers and flags, stored
//! nothing, and loaded only what stays the same until the next event, then every further pass up to
//! that event does the same. The cycle and instruction counts move on by a whole number of passes,
//! and the rest is executed.

use super::state::Core;

/// A loop's head and last instruction lie at most this far apart, in bytes.
pub(super) const MAX_SPAN: u32 = 256;

/// Consecutive arrivals at a loop's head before a pass is examined, and for loops that were seen to
/// do work.
const ARRIVALS: u32 = 4;
const ARRIVALS_OF_WORKING_LOOP: u32 = 4_096;

/// Instructions of one pass at most.
const MAX_PASS: u64 = 64;

const REMEMBERED: usize = 256;

/// Registers at the head of a loop, and the counts when the examined pass began.
#[derive(Clone, Debug)]
struct Pass {
    registers: [u32; 15],
    psr: u32,
    cycle: u64,
    instructions: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Idle {
    head: u32,
    arrivals: u32,
    pass: Option<Pass>,
    /// Heads of loops that were seen to do work, by the low bits of their address.
    working: Box<[u32; REMEMBERED]>,
}

impl Default for Idle {
    fn default() -> Self {
        Self {
            head: 1,
            arrivals: 0,
            pass: None,
            working: Box::new([0; REMEMBERED]),
        }
    }
}

/// What the examined pass showed.
pub(super) enum Verdict {
    /// Each further pass takes this many cycles and instructions.
    Idle {
        cycles: u64,
        instructions: u64,
    },
    Working,
}

impl Idle {
    /// Whether a pass is being examined: its instructions must be executed one by one.
    #[inline(always)]
    pub fn examining(&self) -> bool {
        self.pass.is_some()
    }

    /// Notes a backward branch to `core.pc`; true if a pass is to be examined from here on.
    #[inline(always)]
    pub fn arrive(&mut self, core: &mut Core) -> bool {
        if core.pc != self.head {
            self.head = core.pc;
            self.arrivals = 0;
            return false;
        }
        self.arrivals += 1;
        self.arrivals >= ARRIVALS && self.consider(core)
    }

    #[cold]
    fn consider(&mut self, core: &mut Core) -> bool {
        let known = self.working[self.slot()] == self.head;
        if known && self.arrivals < ARRIVALS_OF_WORKING_LOOP {
            return false;
        }
        core.pass_has_effects = false;
        self.pass = Some(Pass {
            registers: registers(core),
            psr: core.apsr(),
            cycle: core.cycle,
            instructions: core.instructions,
        });
        true
    }

    fn slot(&self) -> usize {
        (self.head >> 1) as usize % REMEMBERED
    }

    /// Looks at the pass at hand after an instruction; a verdict ends the examination.
    pub fn examine(&mut self, core: &Core) -> Option<Verdict> {
        let pass = self.pass.as_ref()?;
        let instructions = core.instructions - pass.instructions;
        if !core.pass_has_effects && instructions < MAX_PASS && core.pc != self.head {
            return None;
        }
        let cycles = core.cycle - pass.cycle;
        let unchanged = !core.pass_has_effects
            && core.pc == self.head
            && core.it & 15 == 0
            && registers(core) == pass.registers
            && core.apsr() == pass.psr;
        self.pass = None;
        self.arrivals = 0;
        if unchanged {
            return Some(Verdict::Idle {
                cycles,
                instructions,
            });
        }
        let slot = self.slot();
        self.working[slot] = self.head;
        Some(Verdict::Working)
    }

    /// Something happened from outside: what was seen of the pass means nothing.
    pub fn interrupt(&mut self) {
        self.pass = None;
        self.arrivals = 0;
    }
}

fn registers(core: &Core) -> [u32; 15] {
    let mut registers = [0; 15];
    registers.copy_from_slice(&core.r[..15]);
    registers
}
