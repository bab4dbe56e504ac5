//! One recorded stretch, and its replay.

use super::symbols::Flags;
use super::wait::Pass;
use crate::cpu::state::Core;
use crate::memory::Memory;

/// Words that a stretch may load.
pub(super) const MAX_LOADS: usize = 16;

/// Where a value comes from that a stretch leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It follows from the guards.
    Known(u32),
    /// What the register held before.
    Register(u8),
    /// What the loaded word held before, by its index.
    Load(u8),
}

/// A stretch of code: what it depends on, and what it does.
#[derive(Clone, Debug, Default)]
pub(in crate::cpu) struct Stretch {
    /// Registers and the values they must hold.
    pub(super) registers: Vec<(u8, u32)>,
    /// Flags that must be as they are in `flag_values`, as bits of the APSR.
    pub(super) flag_mask: u32,
    pub(super) flag_values: u32,
    /// Addresses of the words it loads, all of them in memories with a fast path.
    pub(super) loads: Vec<u32>,
    /// Loaded words, by index, and the values they must have.
    pub(super) words: Vec<(u8, u32)>,

    /// What registers hold behind it, and what words.
    pub(super) sets: Vec<(u8, Source)>,
    pub(super) stores: Vec<(u32, Source)>,
    /// Which flags it leaves, and the core's fields for them.
    pub(super) flags: Flags,
    pub(super) n: u32,
    pub(super) z: u32,
    pub(super) c: u32,
    pub(super) v: u32,
    pub(super) cycles: u64,
    pub(super) instructions: u64,
    /// Address behind its last instruction.
    pub end: u32,
    /// Slot of the block there, zero until it is known.
    pub to: u32,
    /// Whether it leads back to the load it begins behind, and doing it again changes nothing.
    pub is_wait: bool,
    /// What a pass takes, if this is a wait and one was seen.
    pub pass: Option<Pass>,
}

/// What came of an attempt to replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu) enum Replay {
    Done,
    /// It fits, but ends behind the next event.
    TooLong,
    /// It is not for this state.
    Other,
}

impl Stretch {
    /// Whether to do it again, behind a load of the same value, changes nothing more.
    pub fn is_idempotent(&self) -> bool {
        let changes = |n| self.sets.iter().any(|&(set, _)| set == n);
        let known = self
            .sets
            .iter()
            .all(|(_, source)| matches!(source, Source::Known(_)));
        let stores_same = self.stores.iter().all(|&(_, source)| match source {
            Source::Known(_) => true,
            Source::Register(n) => !changes(n),
            Source::Load(_) => false,
        });
        known && stores_same && self.loads.is_empty()
    }

    /// Does all that the stretch does, if it is for the core's state and ends by cycle `stop`.
    #[inline]
    pub fn replay(&self, core: &mut Core, memory: &mut Memory, stop: u64) -> Replay {
        for &(n, value) in &self.registers {
            if core.r[usize::from(n & 15)] != value {
                return Replay::Other;
            }
        }
        if self.flag_mask != 0 && core.nzcv() & self.flag_mask != self.flag_values {
            return Replay::Other;
        }
        let mut words = [0; MAX_LOADS];
        for (word, &address) in words.iter_mut().zip(&self.loads) {
            let Some((value, _)) = memory.read_u32(address) else {
                return Replay::Other;
            };
            *word = value;
        }
        let fits = self
            .words
            .iter()
            .all(|&(n, value)| words[usize::from(n)] == value);
        if !fits {
            return Replay::Other;
        }
        if core.cycle + self.cycles > stop {
            return Replay::TooLong;
        }
        self.apply(core, memory, &words);
        Replay::Done
    }

    #[inline(always)]
    fn apply(&self, core: &mut Core, memory: &mut Memory, words: &[u32; MAX_LOADS]) {
        let before = core.r;
        let value = |source| match source {
            Source::Known(value) => value,
            Source::Register(n) => before[usize::from(n & 15)],
            Source::Load(n) => words[usize::from(n)],
        };
        for &(address, source) in &self.stores {
            let stored = memory.write_u32(address, value(source));
            debug_assert!(stored.is_some(), "no store at {address:#010x}");
        }
        for &(n, source) in &self.sets {
            core.r[usize::from(n & 15)] = value(source);
        }
        if self.flags.nz {
            (core.n, core.z) = (self.n, self.z);
        }
        if self.flags.c {
            core.c = self.c;
        }
        if self.flags.v {
            core.v = self.v;
        }
        core.cycle += self.cycles;
        core.instructions += self.instructions;
        core.pc = self.end;
    }
}
