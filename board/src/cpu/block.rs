//! Decoded code: straight runs of instructions, found by the address they start at.

use std::collections::{BTreeMap, BTreeSet};

use super::decode::{decode, is_wide};
use super::mpu::Mpu;
use super::op::{Fetch, LoadKind, Op, Slot, SystemOp};
use super::replay::Replays;
use super::state::advance_it;
use super::timing::{issue_cycles, loads, sets_flags, stores};
use crate::cost::{CostState, CostTable};
use crate::memory::{Memory, REGIONS, Region};

/// A block being built: instructions from `pc` up to `end`.
#[derive(Clone, Copy, Debug)]
struct Block {
    pc: u32,
    /// Address behind the last instruction.
    end: u32,
    /// Static cycles of all its instructions.
    cycles: u32,
    /// The most cycles it can take, accesses to peripherals aside: they end its run.
    worst: u32,
    instructions: u8,
    has_it: bool,
    /// Where its replays are kept, or zero.
    place: u16,
}

/// Static cycles after which a block ends, so that they fit their field in any slot.
const MAX_CYCLES: u32 = 50_000;

/// Blocks by start address for one memory: zero, or the slot of the block's header.
#[derive(Clone, Debug, Default)]
struct Table {
    base: u32,
    entries: Vec<u32>,
}

/// What fetching and accessing memory costs now, as far as building blocks needs it.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    pub table: CostTable,
    /// Of a unit of code, by 8 MB window of the address space.
    fetch: Box<[u16; 512]>,
    /// Of a literal load from flash.
    flash_load: u32,
    pub worst_load: u32,
    pub worst_store: u32,
    worst_fetch: u32,
    /// The MPU, if it is on: where code may not be.
    protection: Option<Mpu>,
}

impl Costs {
    pub fn new(table: CostTable, state: CostState, mpu: &Mpu) -> Self {
        let protection = mpu.is_enabled().then(|| mpu.clone());
        // Regions may keep any memory out of the data cache.
        let worst = CostState {
            data_cache: state.data_cache && protection.is_none(),
            ..state
        };
        let mut fetch = Box::new([0; 512]);
        let (mut worst_load, mut worst_store, mut worst_fetch) = (0, 0, 0);
        for info in REGIONS {
            let cycles = table.fetch_cycles(info.region, state);
            fetch[(info.base >> 23) as usize] = cycles as u16;
            worst_fetch = worst_fetch.max(cycles);
            worst_load = worst_load.max(table.load_cycles(info.region, worst));
            worst_store = worst_store.max(table.store_cycles(info.region, worst));
        }
        Self {
            flash_load: table.load_cycles(Region::Flash, state),
            table,
            fetch,
            worst_load,
            worst_store,
            worst_fetch,
            protection,
        }
    }

    fn is_executable(&self, pc: u32) -> bool {
        (self.protection.as_ref()).is_none_or(|mpu| mpu.may_execute(pc))
    }

    /// What has to be fetched before the instruction at `pc`, the `first` of its block or not.
    fn fetch(&self, pc: u32, size: u32, first: bool) -> Option<Fetch> {
        let cycles = self.fetch[(pc >> 23) as usize];
        let begins_unit = pc & 7 == 0 || (pc & 7) + size > 8;
        if cycles == 0 || !(begins_unit || first) {
            return None;
        }
        let last = pc.wrapping_add(size - 1) & !7;
        let unit = if first { pc & !7 } else { last };
        Some(Fetch {
            unit,
            units: 1 + (last.wrapping_sub(unit) >> 3) as u8,
            cycles,
            ahead_units: self.table.fetch_ahead_units,
        })
    }
}

/// All decoded blocks.
#[derive(Clone, Debug)]
pub(super) struct CodeCache {
    /// Headers, steps and ends of all blocks; the first slot belongs to none.
    slots: Vec<Slot>,
    /// Where blocks start.
    starts: Vec<u32>,
    tables: Vec<Table>,
    /// Index of the table for each 8 MB window; the first table is empty.
    windows: Box<[u8; 512]>,
    watches: BTreeMap<u32, u16>,
    /// Addresses at which a block begins, and with it a place for replays.
    splits: BTreeSet<u32>,
    pub replays: Replays,
    block_len: usize,
    pub costs: Costs,
}

/// The slot that belongs to no block.
const END: Slot = Slot {
    op: Op::End { next: 0 },
    cycles: 0,
    offset: 0,
    index: 0,
};

/// Slots at which the cache starts afresh: a bound on memory for code that rewrites itself.
const MAX_SLOTS: usize = 4 << 20;

impl CodeCache {
    pub fn new(block_len: usize, costs: Costs) -> Self {
        let mut tables = vec![Table::default()];
        let mut windows = Box::new([0; 512]);
        for info in REGIONS {
            if info.region == Region::System {
                continue;
            }
            windows[(info.base >> 23) as usize] = tables.len() as u8;
            tables.push(Table {
                base: info.base,
                entries: vec![0; info.len as usize / 2],
            });
        }
        Self {
            slots: vec![END],
            starts: Vec::new(),
            tables,
            windows,
            watches: BTreeMap::new(),
            splits: BTreeSet::new(),
            replays: Replays::default(),
            block_len: block_len.clamp(1, 48),
            costs,
        }
    }

    pub fn watch(&mut self, pc: u32, index: u16) {
        self.watches.insert(pc, index);
        self.forget_all();
    }

    /// The header of the block that starts at `pc`, if it is decoded.
    #[inline(always)]
    pub fn find(&self, pc: u32) -> Option<usize> {
        let table = &self.tables[usize::from(self.windows[(pc >> 23) as usize])];
        let entry = *table
            .entries
            .get((pc.wrapping_sub(table.base) >> 1) as usize)?;
        (entry != 0).then_some(entry as usize)
    }

    #[inline(always)]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Notes that the way out at slot `from` leads to the block at slot `to`.
    pub fn link(&mut self, from: u32, to: usize) {
        if let Some(slot) = self.slots.get_mut(from as usize) {
            slot.op.link(to as u32);
        }
    }

    /// Decodes the block at `pc` and keeps it, if code can be there.
    pub fn add(&mut self, memory: &mut Memory, pc: u32) {
        if self.slots.len() > MAX_SLOTS {
            self.forget_all();
        }
        let start = self.slots.len();
        let mut builder = Builder::new(
            memory,
            &self.costs,
            &self.watches,
            &self.splits,
            &mut self.slots,
            pc,
        );
        // A replay would have to know what of the code is fetched already.
        if self.splits.contains(&pc) && self.costs.worst_fetch == 0 {
            builder.block.place = self.replays.open();
        }
        let end = builder.build(self.block_len);
        if memory.mark_code(pc, (end - pc).max(2)) {
            // A store that a stretch holds may now be one into code.
            self.replays.forget_stretches();
        }
        let table = &mut self.tables[usize::from(self.windows[(pc >> 23) as usize])];
        let index = (pc.wrapping_sub(table.base) >> 1) as usize;
        if let Some(entry) = table.entries.get_mut(index) {
            *entry = start as u32;
            self.starts.push(pc);
        }
    }

    /// Whether blocks that start at `pc` can be kept.
    pub fn holds(&self, pc: u32) -> bool {
        let table = &self.tables[usize::from(self.windows[(pc >> 23) as usize])];
        ((pc.wrapping_sub(table.base) >> 1) as usize) < table.entries.len()
    }

    /// Decodes the one instruction at `pc` in IT state `it` into `slots`, as a block of its own.
    pub fn single(&self, memory: &Memory, pc: u32, it: u8, slots: &mut Vec<Slot>) {
        slots.clear();
        let mut builder = Builder::new(memory, &self.costs, &self.watches, &self.splits, slots, pc);
        builder.single(it);
        builder.finish();
    }

    pub fn forget_all(&mut self) {
        for pc in self.starts.drain(..) {
            let table = &mut self.tables[usize::from(self.windows[(pc >> 23) as usize])];
            table.entries[(pc.wrapping_sub(table.base) >> 1) as usize] = 0;
        }
        self.slots.truncate(1);
        self.replays.forget_all();
    }

    /// From now on a block begins behind the instruction at `pc`, and replays with it.
    pub fn split_behind(&mut self, pc: u32, memory: &mut Memory) {
        let mut slots = Vec::new();
        self.single(memory, pc, 0, &mut slots);
        let size = slots.last().map_or(0, |slot| 2 * u32::from(slot.offset));
        if self.splits.insert(pc.wrapping_add(size)) {
            self.forget_all();
            memory.clear_code();
        }
    }

    /// The block at slot `at` looks for replays no more.
    pub fn close_place(&mut self, at: usize) {
        if let Some(Slot {
            op: Op::Header { place, .. },
            ..
        }) = self.slots.get_mut(at)
        {
            *place = 0;
        }
    }
}

/// One instruction on its way into a block.
#[derive(Clone, Copy)]
struct Fetched {
    op: Op,
    pc: u32,
    size: u32,
}

struct Builder<'a> {
    memory: &'a Memory,
    costs: &'a Costs,
    watches: &'a BTreeMap<u32, u16>,
    splits: &'a BTreeSet<u32>,
    slots: &'a mut Vec<Slot>,
    block: Block,
    first: usize,
}

impl<'a> Builder<'a> {
    fn new(
        memory: &'a Memory,
        costs: &'a Costs,
        watches: &'a BTreeMap<u32, u16>,
        splits: &'a BTreeSet<u32>,
        slots: &'a mut Vec<Slot>,
        pc: u32,
    ) -> Self {
        let first = slots.len();
        slots.push(END);
        Self {
            memory,
            costs,
            watches,
            splits,
            slots,
            first,
            block: Block {
                pc,
                end: pc,
                cycles: 0,
                worst: 0,
                instructions: 0,
                has_it: false,
                place: 0,
            },
        }
    }

    fn fetch(&self, pc: u32, in_it: bool) -> Fetched {
        let half = |at| {
            let bytes = self.memory.slice(at, 2)?;
            Some(u16::from_le_bytes([bytes[0], bytes[1]]))
        };
        let fault = |at: u32| Fetched {
            // Device memory and the system space never execute (B3.1).
            op: Op::System(SystemOp::FetchFault {
                execute_never: matches!(at >> 29, 2 | 5 | 6 | 7) || !self.costs.is_executable(at),
            }),
            pc,
            size: 2,
        };
        if !self.costs.is_executable(pc) {
            return fault(pc);
        }
        let Some(hw1) = half(pc) else {
            return fault(pc);
        };
        let hw2 = if is_wide(hw1) {
            match half(pc.wrapping_add(2)) {
                Some(hw2) => hw2,
                None => return fault(pc.wrapping_add(2)),
            }
        } else {
            0
        };
        let decoded = decode(pc, hw1, hw2, in_it);
        Fetched {
            op: self.literal(decoded.op),
            pc,
            size: decoded.size,
        }
    }

    /// Turns a literal load from flash, which cannot change under the program, into a constant.
    fn literal(&self, op: Op) -> Op {
        let Op::LoadAbs { kind, t, address } = op else {
            return op;
        };
        let in_flash = Memory::region_at(address).is_some_and(|info| info.region == Region::Flash);
        if kind != LoadKind::Word || t == 13 || !in_flash {
            return op;
        }
        match self.memory.load_u32(address) {
            Some(imm) => Op::Literal { t, imm },
            None => op,
        }
    }

    fn slot(&self, op: Op) -> Slot {
        Slot {
            op,
            cycles: self.block.cycles as u16,
            offset: ((self.block.end - self.block.pc) / 2) as u8,
            index: self.block.instructions,
        }
    }

    fn issue(&self, op: &Op) -> u32 {
        match op {
            Op::Literal { .. } => u32::from(self.costs.table.load) + self.costs.flash_load,
            _ => issue_cycles(op, &self.costs.table),
        }
    }

    /// Accounts for an instruction whose slot is pushed.
    fn account(&mut self, fetched: &Fetched) {
        let taken = u32::from(self.costs.table.branch_taken);
        let cycles = self.issue(&fetched.op);
        self.block.cycles += cycles;
        self.block.worst += cycles
            + loads(&fetched.op) * self.costs.worst_load
            + stores(&fetched.op) * self.costs.worst_store
            + if fetched.op.leads_away() { taken } else { 0 };
        self.block.instructions += 1;
        self.block.end = fetched.pc.wrapping_add(fetched.size);
    }

    /// What has to be fetched before the next instruction, which is `fetched`.
    fn fetch_of(&self, fetched: &Fetched) -> Option<Fetch> {
        let first = self.block.instructions == 0;
        self.costs.fetch(fetched.pc, fetched.size, first)
    }

    fn push_fetch(&mut self, fetched: &Fetched) {
        if let Some(fetch) = self.fetch_of(fetched) {
            let slot = self.slot(Op::Fetch(fetch));
            self.slots.push(slot);
            self.block.worst += u32::from(fetch.units) * u32::from(fetch.cycles);
        }
    }

    /// Puts in an instruction whose code was fetched.
    fn push(&mut self, mut fetched: Fetched) {
        fetched.op.set_taken(self.costs.table.branch_taken.into());
        let slot = self.slot(fetched.op);
        self.slots.push(slot);
        self.account(&fetched);
    }

    /// A watched address: stops there before the instruction.
    fn push_watch(&mut self, index: u16) {
        let slot = self.slot(Op::System(SystemOp::Watch { index }));
        self.slots.push(slot);
    }

    /// Builds a whole block and gives its end.
    fn build(mut self, max_len: usize) -> u32 {
        if let Some(&index) = self.watches.get(&self.block.pc) {
            self.push_watch(index);
            return self.finish();
        }
        while usize::from(self.block.instructions) < max_len && self.block.cycles < MAX_CYCLES {
            let pc = self.block.end;
            let apart = self.watches.contains_key(&pc) || self.splits.contains(&pc);
            if self.block.instructions > 0 && apart {
                break;
            }
            let fetched = self.fetch(pc, false);
            if let Op::System(SystemOp::It { state }) = fetched.op {
                let room = max_len - usize::from(self.block.instructions);
                if room > 4 && self.fold_it(&fetched, state) {
                    if self.ends() {
                        break;
                    }
                    continue;
                }
                if self.block.instructions > 0 && room <= 4 && max_len > 4 {
                    break;
                }
            }
            self.push_fetch(&fetched);
            self.push(fetched);
            if fetched.op.ends_block() {
                break;
            }
        }
        self.finish()
    }

    /// Whether the last slot ends the block.
    fn ends(&self) -> bool {
        self.slots.last().is_some_and(|slot| slot.op.ends_block())
    }

    /// Puts a whole IT block in, if nothing in it needs to be executed by itself.
    fn fold_it(&mut self, it: &Fetched, state: u8) -> bool {
        let mut body = Vec::with_capacity(4);
        let mut conditions = Vec::with_capacity(4);
        let (mut pc, mut rest) = (it.pc + it.size, state);
        while rest & 15 != 0 {
            let fetched = self.fetch(pc, true);
            let last = rest & 7 == 0;
            if matches!(fetched.op, Op::System(_))
                || self.watches.contains_key(&pc)
                || (fetched.op.leads_away() && !last)
            {
                return false;
            }
            body.push(fetched);
            conditions.push(rest >> 4);
            pc = pc.wrapping_add(fetched.size);
            rest = advance_it(rest);
        }
        self.block.has_it = true;
        self.push_fetch(it);
        // The first condition's slot stands for the IT instruction itself.
        let mut skip_slot = Some(self.slot(Op::Nop));
        self.account(&Fetched { op: Op::Nop, ..*it });
        let mut at = 0;
        while at < body.len() {
            // What is skipped is fetched all the same.
            if self.fetch_of(&body[at]).is_some() {
                self.slots.extend(skip_slot.take());
                self.push_fetch(&body[at]);
            }
            let condition = conditions[at];
            let mut end = at + 1;
            while end < body.len()
                && conditions[end] == condition
                && !sets_flags(&body[end - 1].op)
                && self.fetch_of(&body[end]).is_none()
            {
                end += 1;
            }
            let refund = body[at..end].iter().map(|f| self.refund(&f.op)).sum();
            let slot = skip_slot.take().unwrap_or_else(|| self.slot(Op::Nop));
            self.slots.push(Slot {
                op: Op::SkipUnless {
                    condition,
                    slots: (end - at) as u8,
                    refund,
                },
                ..slot
            });
            for fetched in &body[at..end] {
                self.push(*fetched);
            }
            at = end;
        }
        true
    }

    /// What `op` costs less when its condition fails.
    fn refund(&self, op: &Op) -> u16 {
        self.issue(op)
            .saturating_sub(self.costs.table.simple.into()) as u16
    }

    fn single(&mut self, it: u8) {
        if it & 15 == 0
            && let Some(&index) = self.watches.get(&self.block.pc)
        {
            return self.push_watch(index);
        }
        let in_it = it & 15 != 0;
        let fetched = self.fetch(self.block.pc, in_it);
        self.push_fetch(&fetched);
        if in_it {
            let slot = self.slot(Op::SkipUnless {
                condition: it >> 4,
                slots: 1,
                refund: self.refund(&fetched.op),
            });
            self.slots.push(slot);
        }
        self.push(fetched);
    }

    /// Puts in the header and the last slot; gives the block's end.
    fn finish(self) -> u32 {
        self.slots.push(self.slot(END.op));
        let block = self.block;
        self.slots[self.first].op = Op::Header {
            worst: block.worst.div_ceil(16) as u16,
            pc: block.pc,
            has_it: block.has_it,
            place: block.place,
        };
        block.end
    }
}

/// ITSTATE at `pc`, for code that was entered at `start` outside any IT block.
pub(super) fn it_state_at(memory: &Memory, start: u32, pc: u32) -> u8 {
    let mut it = 0;
    let mut at = start;
    while at < pc {
        let Some(bytes) = memory.slice(at, 2) else {
            return 0;
        };
        let hw = u16::from_le_bytes([bytes[0], bytes[1]]);
        if it & 15 != 0 {
            it = advance_it(it);
        } else if hw & 0xFF00 == 0xBF00 && hw & 15 != 0 {
            it = hw as u8;
        }
        at += if is_wide(hw) { 4 } else { 2 };
    }
    it
}
