//! The outer loop: events, exceptions and sleep between bursts of instructions.

use super::block::Costs;
use super::execute::{run_block, run_block_checked};
use super::idle::{MAX_SPAN, Verdict};
use super::op::{Op, Slot, SystemOp};
use super::replay::Lookup;
use super::scb::{SEVONPEND, UNALIGN_TRP};
use super::state::Sleep;
use super::timing::has_effects;
use super::{Cpu, Exit, StopReason};
use crate::bus::Bus;
use crate::memory::REGIONS;

impl Cpu {
    /// Runs until the next instruction would start at `limit_cycle` or later.
    pub fn run<B: Bus>(&mut self, bus: &mut B, limit_cycle: u64) -> Exit {
        // Between runs anything may have been changed from outside.
        self.idle.interrupt();
        loop {
            if let Some(exit) = self.attend(bus, limit_cycle) {
                return exit;
            }
            let stop = self.next_stop(bus, limit_cycle);
            if self.core.cycle < stop {
                self.burst(bus, stop);
            }
        }
    }

    /// The cycle up to which nothing but the program itself changes anything.
    fn next_stop<B: Bus>(&self, bus: &B, limit: u64) -> u64 {
        limit.min(bus.next_event_cycle()).min(self.core.systick.due)
    }

    /// Deals with everything that is not an instruction; gives an exit where the run ends.
    fn attend<B: Bus>(&mut self, bus: &mut B, limit: u64) -> Option<Exit> {
        loop {
            self.core.attention = false;
            if let Some(reason) = self.stop_reason() {
                return Some(Exit::Stopped(reason));
            }
            self.run_due(bus);
            self.refresh_code(bus);
            if self.take_exceptions(bus) {
                self.idle.interrupt();
                continue;
            }
            if bus.take_pause_request() {
                return Some(Exit::Pause);
            }
            if self.core.cycle >= limit {
                return Some(Exit::Limit);
            }
            if self.core.sleep == Sleep::Awake {
                return None;
            }
            self.sleep_on(bus, limit);
        }
    }

    fn stop_reason(&mut self) -> Option<StopReason> {
        if let Some(index) = self.core.watch_reached {
            let name = self.watched[usize::from(index)].clone();
            let pc = self.core.pc;
            self.core.stop_with(StopReason::Watched { pc, name });
        }
        self.core.stop.clone()
    }

    /// Runs the events that are due.
    fn run_due<B: Bus>(&mut self, bus: &mut B) {
        let core = &mut self.core;
        if core.cycle >= bus.next_event_cycle() {
            bus.run_events(core.cycle);
            self.idle.interrupt();
        }
        if core.cycle >= core.systick.due {
            core.advance_systick(core.cycle);
            self.idle.interrupt();
        }
    }

    /// Drops decoded code that no longer says what it should, or no longer costs what it says.
    fn refresh_code<B: Bus>(&mut self, bus: &mut B) {
        if self.core.scb.settings_changed || self.clock_epoch != Some(bus.clock_epoch()) {
            self.core.scb.settings_changed = false;
            self.clock_epoch = Some(bus.clock_epoch());
            self.apply_costs(bus);
        } else if bus.memory_mut().take_code_written() {
            self.code.forget_all();
            bus.memory_mut().clear_code();
        }
        if let Some(pc) = self.core.hot_loads.take() {
            self.code.split_behind(pc, bus.memory_mut());
            self.idle.interrupt();
        }
    }

    fn apply_costs<B: Bus>(&mut self, bus: &mut B) {
        let state = self.core.cost_state(bus.core_cycles_per_hclk());
        let table = &self.core.cost;
        for info in REGIONS {
            bus.memory_mut().set_access_cycles(
                info.region,
                table.load_cycles(info.region, state),
                table.store_cycles(info.region, state),
                table.pair_cycles(state),
            );
        }
        let costs = Costs::new(table.clone(), state, &self.core.scb.mpu);
        // The slow path sees every access and traps unaligned ones.
        let trap_unaligned = self.core.scb.ccr & UNALIGN_TRP != 0;
        bus.memory_mut().set_fast_path(!trap_unaligned);
        self.apply_protection(bus, state);
        self.core.watch_data_cache(bus);
        self.core.fetched.flush();
        self.code.costs = costs;
        self.code.forget_all();
        bus.memory_mut().clear_code();
        self.idle.interrupt();
    }

    /// Takes what is to be taken; true if the program was diverted or the core woke.
    fn take_exceptions<B: Bus>(&mut self, bus: &mut B) -> bool {
        let core = &mut self.core;
        if core.fault.is_some() {
            core.take_fault(bus);
            return true;
        }
        if std::mem::take(&mut core.float_wanted) {
            core.prepare_float(bus);
            return true;
        }
        let changed = bus.irq_lines().take_changed() || core.nvic.changed;
        if !changed {
            return false;
        }
        core.nvic.sample(bus.irq_lines());
        core.nvic.changed = false;
        if std::mem::take(&mut core.nvic.newly_pending) && core.scb.scr & SEVONPEND != 0 {
            core.event = true;
        }
        if core.sleep == Sleep::Awake {
            let exception = core.takeable();
            if let Some(exception) = exception {
                core.enter(bus, exception);
            }
            return exception.is_some();
        }
        let wakes = match core.sleep {
            Sleep::Interrupt => core.wakes(),
            _ => core.takeable().is_some(),
        };
        if wakes {
            core.wake();
        }
        wakes
    }

    /// Lets time pass until something can happen.
    fn sleep_on<B: Bus>(&mut self, bus: &B, limit: u64) {
        let until = self.next_stop(bus, limit);
        let core = &mut self.core;
        if core.sleep == Sleep::Event && std::mem::take(&mut core.event) {
            core.wake();
            return;
        }
        self.sleep_cycles += until.saturating_sub(core.cycle);
        core.cycle = core.cycle.max(until);
    }

    /// Executes instructions until `stop`, or until one of them needs attention.
    fn burst<B: Bus>(&mut self, bus: &mut B, stop: u64) {
        while !self.core.attention && self.core.cycle < stop {
            if self.core.single || self.core.it & 15 != 0 || self.idle.examining() {
                self.step(bus, stop);
            } else if self.code.find(self.core.pc).is_some() {
                self.run_blocks(bus, stop);
            } else if self.code.holds(self.core.pc) {
                self.code.add(bus.memory_mut(), self.core.pc);
            } else {
                self.core.single = true;
            }
        }
    }

    /// Runs blocks for as long as they are decoded and nothing else comes up.
    fn run_blocks<B: Bus>(&mut self, bus: &mut B, stop: u64) {
        let core = &mut self.core;
        let Some(mut at) = self.code.find(core.pc) else {
            return;
        };
        loop {
            let slots = self.code.slots();
            let Some(&Slot {
                op: Op::Header { worst, place, .. },
                ..
            }) = slots.get(at)
            else {
                return;
            };
            if place != 0 && self.idle_skip {
                match self.code.replays.replay(place, core, bus, stop) {
                    Lookup::Replayed { to, again } => {
                        if core.cycle >= stop || again && self.idle.arrive(core) {
                            return;
                        }
                        at = to as usize;
                        if at == 0 {
                            let Some(found) = self.code.find(core.pc) else {
                                return;
                            };
                            self.code.replays.link(place, core.pc, found as u32);
                            at = found;
                        }
                        continue;
                    }
                    Lookup::Unknown => return self.record(bus, place, stop),
                    Lookup::Hopeless => self.code.close_place(at),
                    Lookup::TooLong => {}
                }
            }
            let slots = self.code.slots();
            let way = if core.cycle + (u64::from(worst) << 4) <= stop {
                run_block::<B, false>(core, bus, slots, at, stop)
            } else {
                run_block_checked(core, bus, slots, at, stop)
            };
            if core.attention || core.cycle >= stop {
                return;
            }
            if way.end.wrapping_sub(core.pc).wrapping_sub(1) < MAX_SPAN
                && self.idle_skip
                && self.idle.arrive(core)
            {
                return;
            }
            at = way.to as usize;
            if at == 0 {
                let Some(found) = self.code.find(core.pc) else {
                    return;
                };
                if way.from != 0 {
                    self.code.link(way.from, found);
                }
                at = found;
            }
        }
    }

    /// Executes one instruction by itself.
    #[inline(never)]
    fn step<B: Bus>(&mut self, bus: &mut B, stop: u64) {
        self.decode_single(bus);
        let core = &mut self.core;
        core.pass_has_effects |= self.scratch.iter().any(|slot| has_effects(&slot.op));
        self.execute_single(bus);
        self.conclude_pass(stop);
    }

    /// Decodes the next instruction alone.
    pub(super) fn decode_single<B: Bus>(&mut self, bus: &B) {
        let core = &self.core;
        self.code
            .single(bus.memory(), core.pc, core.it, &mut self.scratch);
    }

    /// Executes what [`Cpu::decode_single`] decoded.
    pub(super) fn execute_single<B: Bus>(&mut self, bus: &mut B) {
        let core = &mut self.core;
        core.single = false;
        let it = core.it;
        let before = core.instructions;
        let begins_it =
            (self.scratch.iter()).any(|slot| matches!(slot.op, Op::System(SystemOp::It { .. })));
        if !begins_it {
            core.advance_it();
        }
        // One instruction always runs to its end.
        run_block_checked(core, bus, &self.scratch, 0, u64::MAX);
        if core.instructions == before {
            core.it = it;
        }
    }

    /// Skips passes if the one being examined turned out to be idle.
    fn conclude_pass(&mut self, stop: u64) {
        let Some(Verdict::Idle {
            cycles,
            instructions,
        }) = self.idle.examine(&self.core)
        else {
            return;
        };
        if cycles == 0 {
            return;
        }
        let passes = stop.saturating_sub(self.core.cycle) / cycles;
        self.core.cycle += passes * cycles;
        self.core.instructions += passes * instructions;
        self.skipped_passes += passes;
        self.skipped_cycles += passes * cycles;
    }
}
