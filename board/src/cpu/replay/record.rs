//! Recording: a stretch is executed one instruction at a time, with a note of what each value comes from.

use super::effects::{Effect, Transfer, effect};
use super::stretch::{MAX_LOADS, Source, Stretch};
use super::symbols::{Flags, Symbol, registers};
use crate::bus::Bus;
use crate::cpu::Cpu;
use crate::cpu::op::{Op, Slot, SystemOp};
use crate::cpu::state::Core;
use crate::memory::Memory;

/// Shorter stretches are executed as fast as they are found.
const MIN_INSTRUCTIONS: u64 = 8;
const MAX_INSTRUCTIONS: u64 = 96;
const MAX_STORES: usize = 32;

impl Cpu {
    /// Executes the stretch that begins here and keeps it for `place`, if it is long enough.
    #[cold]
    pub(in crate::cpu) fn record<B: Bus>(&mut self, bus: &mut B, place: u16, stop: u64) {
        let mut recorder = Recorder::new(&self.core);
        let mut stretch = None;
        while recorder.goes_on(&self.core, stop) {
            self.decode_single(bus);
            if !recorder.admits(&self.core, bus.memory(), &self.scratch) {
                break;
            }
            self.execute_single(bus);
            // An IT instruction asks for attention only because what follows is executed one by one.
            if self.scratch.iter().any(|slot| is_it(&slot.op)) {
                self.core.attention = false;
            }
            if self.core.attention {
                stretch = None;
                break;
            }
            if self.core.it & 15 == 0 {
                stretch = recorder.stretch(&self.core);
            }
        }
        self.code.replays.keep(place, stretch);
    }
}

/// A word that the stretch stores.
#[derive(Clone, Copy)]
struct Stored {
    address: u32,
    symbol: Symbol,
    value: u32,
}

/// What is known of the stretch so far.
struct Recorder {
    /// Registers at the beginning, and what they hold now.
    before: [u32; 16],
    registers: [Symbol; 16],
    /// Guards among the registers, as bits.
    guards: u16,
    nzcv_before: u32,
    /// Flags that the stretch wrote, and those that it read before.
    flags_written: Flags,
    flags_read: Flags,
    /// Addresses and values of loaded words, and whether they are guards.
    loads: Vec<(u32, u32, bool)>,
    stores: Vec<Stored>,
    cycle: u64,
    instructions: u64,
}

impl Recorder {
    fn new(core: &Core) -> Self {
        let mut symbols = [Symbol::Known; 16];
        for (symbol, n) in symbols.iter_mut().zip(0..15) {
            *symbol = Symbol::Register(n);
        }
        Self {
            before: core.r,
            registers: symbols,
            guards: 0,
            nzcv_before: core.nzcv(),
            flags_written: Flags::NONE,
            flags_read: Flags::NONE,
            loads: Vec::new(),
            stores: Vec::new(),
            cycle: core.cycle,
            instructions: core.instructions,
        }
    }

    fn goes_on(&self, core: &Core, stop: u64) -> bool {
        !core.attention
            && core.cycle < stop
            && core.instructions - self.instructions < MAX_INSTRUCTIONS
    }

    /// Notes what the one instruction in `slots` is about to do; false if a stretch cannot hold it.
    fn admits(&mut self, core: &Core, memory: &Memory, slots: &[Slot]) -> bool {
        for slot in slots {
            match slot.op {
                Op::Header { .. } | Op::End { .. } => {}
                op if is_it(&op) => {}
                Op::SkipUnless { condition, .. } => {
                    self.read_flags(Flags::of_condition(condition));
                    if !core.passes(condition) {
                        return true;
                    }
                }
                op => match effect(&op) {
                    Some(effect) if self.note(core, memory, effect) => {}
                    _ => return false,
                },
            }
        }
        true
    }

    fn note(&mut self, core: &Core, memory: &Memory, effect: Effect) -> bool {
        match effect {
            Effect::Copy { d, m } => {
                self.registers[usize::from(d)] = self.registers[usize::from(m)];
                // A copy to SP loses its low bits.
                d != 13
            }
            Effect::Compute {
                reads,
                writes,
                flags_read,
                flags_written,
            } => {
                registers(reads).for_each(|n| self.read(n));
                self.read_flags(flags_read);
                registers(writes).for_each(|n| self.know(n));
                self.flags_written = self.flags_written.and(flags_written);
                true
            }
            Effect::Transfer(transfer) => self.transfer(core, memory, transfer),
            Effect::Exchange { m } => {
                self.read(m);
                leads_to_code(core.r[usize::from(m)])
            }
        }
    }

    /// Register `n` decides what happens: what it comes from becomes a guard.
    fn read(&mut self, n: u8) {
        self.guard(self.registers[usize::from(n)]);
        if n != 15 {
            self.know_if_guarded(n);
        }
    }

    fn guard(&mut self, symbol: Symbol) {
        match symbol {
            Symbol::Register(k) => self.guards |= 1 << k,
            Symbol::Load(k) => self.loads[usize::from(k)].2 = true,
            Symbol::Known => {}
        }
    }

    /// A register that holds a guard's value holds a known one; one that never changed stays as it is.
    fn know_if_guarded(&mut self, n: u8) {
        if self.registers[usize::from(n)] != Symbol::Register(n) {
            self.know(n);
        }
    }

    fn know(&mut self, n: u8) {
        self.registers[usize::from(n)] = Symbol::Known;
    }

    fn read_flags(&mut self, flags: Flags) {
        self.flags_read = self.flags_read.and(flags.without(self.flags_written));
    }

    fn transfer(&mut self, core: &Core, memory: &Memory, transfer: Transfer) -> bool {
        let Transfer {
            load,
            base,
            offset,
            step,
            list,
        } = transfer;
        self.read(base);
        let address = core.r[usize::from(base)].wrapping_add(offset);
        if address & 3 != 0 || (step != 0 && step & 3 != 0 && base == 13) {
            return false;
        }
        for (n, address) in registers(list).zip((address..).step_by(4)) {
            let done = if load {
                self.load(memory, n, address)
            } else {
                self.store(memory, n, address, core.r[usize::from(n)])
            };
            if !done {
                return false;
            }
        }
        if step != 0 {
            self.know(base);
        }
        true
    }

    fn load(&mut self, memory: &Memory, n: u8, address: u32) -> bool {
        let Some((value, _)) = memory.read_u32(address) else {
            return false;
        };
        let stored = self.stores.iter().rev().find(|s| s.address == address);
        let symbol = match stored {
            Some(stored) => stored.symbol,
            None => match self.load_symbol(address, value) {
                Some(symbol) => symbol,
                None => return false,
            },
        };
        if n == 15 {
            self.guard(symbol);
            return leads_to_code(value);
        }
        self.registers[usize::from(n)] = symbol;
        n != 13
    }

    /// The symbol of the word at `address`, which the stretch has not stored to.
    fn load_symbol(&mut self, address: u32, value: u32) -> Option<Symbol> {
        let known = self.loads.iter().position(|load| load.0 == address);
        let index = match known {
            Some(index) => index,
            None if self.loads.len() < MAX_LOADS => {
                self.loads.push((address, value, false));
                self.loads.len() - 1
            }
            None => return None,
        };
        Some(Symbol::Load(index as u8))
    }

    fn store(&mut self, memory: &Memory, n: u8, address: u32, value: u32) -> bool {
        if !memory.takes_word(address) || self.stores.len() >= MAX_STORES {
            return false;
        }
        self.stores.push(Stored {
            address,
            symbol: self.registers[usize::from(n)],
            value,
        });
        true
    }

    /// The stretch up to here, if it is long enough.
    fn stretch(&self, core: &Core) -> Option<Stretch> {
        let instructions = core.instructions - self.instructions;
        if instructions < MIN_INSTRUCTIONS {
            return None;
        }
        let words = self.loads.iter().enumerate().filter(|(_, load)| load.2);
        let sets = (0..15).filter_map(|n| {
            let held = usize::from(n);
            match self.registers[held].source(core.r[held]) {
                Source::Register(m) if m == n => None,
                source => Some((n, source)),
            }
        });
        let mut stretch = Stretch {
            registers: registers(self.guards)
                .map(|n| (n, self.before[usize::from(n)]))
                .collect(),
            sets: sets.collect(),
            flag_mask: self.flags_read.mask(),
            flag_values: self.nzcv_before & self.flags_read.mask(),
            loads: self.loads.iter().map(|load| load.0).collect(),
            words: words.map(|(n, load)| (n as u8, load.1)).collect(),
            stores: self
                .stores
                .iter()
                .map(|stored| (stored.address, stored.symbol.source(stored.value)))
                .collect(),
            flags: self.flags_written,
            n: core.n,
            z: core.z,
            c: core.c,
            v: core.v,
            cycles: core.cycle - self.cycle,
            instructions,
            end: core.pc,
            to: 0,
            is_wait: false,
            pass: None,
        };
        stretch.is_wait = stretch.end == core.latest_load.pc && stretch.is_idempotent();
        Some(stretch)
    }
}

fn is_it(op: &Op) -> bool {
    matches!(op, Op::System(SystemOp::It { .. }))
}

/// Whether a branch to `target` goes to Thumb code and is no return from an exception.
fn leads_to_code(target: u32) -> bool {
    target & 1 != 0 && target < 0xF000_0000
}
