//! The execution loop over one block, and the frequent instructions in it.

mod access;
mod alu;
mod float;
mod multiple;
mod system;
mod transfer;
mod wide;

use super::fault::{DIVBYZERO, Fault};
use super::fetch::FetchQueue;
use super::op::{Op, Slot};
use super::scb::DIV_0_TRP;
use super::state::Core;
use crate::bus::{Bus, Width};
use access::Place;

/// What an instruction outside the loop did.
enum Outcome {
    /// Done, with this many cycles beyond the static ones.
    Done(u32),
    /// Done, but the block must be left: time or state may have changed under it.
    Leave(u32),
    /// Not done: a fault is raised or the run stops.
    Failed,
}

/// Where a block led.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// Slot of the next block, zero if it is not known.
    pub to: u32,
    /// Slot that should know it; zero if the way is not always the same.
    pub from: u32,
    /// Address behind the last instruction that was executed.
    pub end: u32,
}

/// The run of blocks ends here: something came up.
const NOWHERE: Way = Way {
    to: 0,
    from: 0,
    end: 0,
};

/// [`run_block`] with a check before every instruction.
#[inline(never)]
pub(super) fn run_block_checked<B: Bus>(
    core: &mut Core,
    bus: &mut B,
    slots: &[Slot],
    at: usize,
    stop: u64,
) -> Way {
    run_block::<B, true>(core, bus, slots, at, stop)
}

/// Runs the block whose header is at slot `at`. With `CHECKED`, stops before the first instruction
/// that would start at cycle `stop` or later; without, the caller knows that none would.
#[inline(always)]
pub(super) fn run_block<B: Bus, const CHECKED: bool>(
    core: &mut Core,
    bus: &mut B,
    slots: &[Slot],
    at: usize,
    stop: u64,
) -> Way {
    let Some(&Slot {
        op: Op::Header { pc, worst, .. },
        ..
    }) = slots.get(at)
    else {
        return NOWHERE;
    };
    // The cycle now, but for the static cycles, which the slots know.
    let mut cycle = core.cycle;
    let mut i = at + 1;
    // Fetching belongs to the instruction that is fetched: which one that is, and what was before.
    let mut begun: Option<(u8, u64, FetchQueue)> = None;
    macro_rules! r {
        ($n:expr) => {
            core.r[usize::from($n & 15)]
        };
    }
    while let Some(slot) = slots.get(i) {
        if CHECKED {
            let now = cycle.wrapping_add(u64::from(slot.cycles));
            if now >= stop && begun.is_none_or(|(index, ..)| index != slot.index) {
                return core.leave(bus, slots, at, i, cycle);
            }
        }
        i += 1;
        macro_rules! place {
            () => {
                Place {
                    pc: pc + 2 * u32::from(slot.offset),
                    cycle: cycle.wrapping_add(u64::from(slot.cycles)),
                }
            };
        }
        // After an access whose cost nobody could know before: the block is left if something came up,
        // or if what is left of it might not fit before `stop` any more.
        macro_rules! go_on_or_leave {
            () => {
                let now = cycle.wrapping_add(u64::from(slot.cycles));
                let fits = CHECKED || now.wrapping_add(u64::from(worst) << 4) <= stop;
                if core.attention || !fits {
                    return core.leave(bus, slots, at, i, cycle);
                }
            };
        }
        macro_rules! load {
            ($read:ident, $width:ident, $t:expr, $address:expr) => {{
                let address: u32 = $address;
                if let Some((value, cycles)) = bus.memory().$read(address) {
                    cycle = cycle.wrapping_add(u64::from(cycles));
                    r!($t) = value;
                } else {
                    match access::load(core, bus, address, Width::$width, place!()) {
                        Some((value, cycles)) => {
                            r!($t) = value;
                            cycle = cycle.wrapping_add(u64::from(cycles));
                            go_on_or_leave!();
                        }
                        None => return core.leave(bus, slots, at, i - 1, cycle),
                    }
                }
            }};
        }
        macro_rules! store {
            ($write:ident, $width:ident, $t:expr, $address:expr) => {{
                let address: u32 = $address;
                let value = r!($t);
                if let Some(cycles) = bus.memory_mut().$write(address, value) {
                    cycle = cycle.wrapping_add(u64::from(cycles));
                } else {
                    match access::store(core, bus, address, Width::$width, value, place!()) {
                        Some(cycles) => {
                            cycle = cycle.wrapping_add(u64::from(cycles));
                            go_on_or_leave!();
                        }
                        None => return core.leave(bus, slots, at, i - 1, cycle),
                    }
                }
            }};
        }
        macro_rules! outside {
            ($outcome:expr) => {
                match $outcome {
                    Outcome::Done(cycles) => cycle = cycle.wrapping_add(u64::from(cycles)),
                    Outcome::Leave(cycles) => {
                        let cycle = cycle.wrapping_add(u64::from(cycles));
                        return core.leave(bus, slots, at, i, cycle);
                    }
                    Outcome::Failed => return core.leave(bus, slots, at, i - 1, cycle),
                }
            };
        }
        // A load of the program counter: the target is in `r[15]`.
        macro_rules! jump {
            ($outcome:expr, $thumb:expr) => {
                match $outcome {
                    Outcome::Done(cycles) | Outcome::Leave(cycles) => {
                        cycle = cycle.wrapping_add(u64::from(cycles));
                        exchange!(core.r[15] | $thumb);
                    }
                    Outcome::Failed => return core.leave(bus, slots, at, i - 1, cycle),
                }
            };
        }
        // A direct branch: what follows it in the block runs if it is not taken.
        macro_rules! branch {
            ($condition:expr, $target:expr, $taken:expr, $to:expr) => {
                if $condition {
                    let cycle = cycle.wrapping_add(u64::from($taken));
                    let end = core.finish(slots, pc, i, cycle);
                    core.pc = $target;
                    core.fetched.flush();
                    return Way {
                        to: $to,
                        from: (i - 1) as u32,
                        end,
                    };
                }
            };
        }
        macro_rules! exchange {
            ($target:expr) => {{
                let target: u32 = $target;
                if target & 1 == 0 || target >= 0xF000_0000 {
                    core.finish(slots, pc, i, cycle);
                    core.unusual_branch(bus, target);
                    return NOWHERE;
                }
                let cycle = cycle.wrapping_add(u64::from(core.cost.branch_taken));
                let end = core.finish(slots, pc, i, cycle);
                core.pc = target & !1;
                core.fetched.flush();
                return Way {
                    to: 0,
                    from: 0,
                    end,
                };
            }};
        }
        match slot.op {
            Op::End { next } => {
                let end = core.finish(slots, pc, i - 1, cycle);
                return Way {
                    to: next,
                    from: (i - 1) as u32,
                    end,
                };
            }
            Op::Header { .. } => break,
            Op::Fetch(fetch) => {
                if CHECKED {
                    begun = Some((slot.index, cycle, core.fetched));
                }
                let now = cycle.wrapping_add(u64::from(slot.cycles));
                cycle = cycle.wrapping_add(core.fetched.wait(fetch, now));
            }
            Op::Nop | Op::Barrier => {}
            Op::SkipUnless {
                condition,
                slots: skipped,
                refund,
            } => {
                if !core.passes(condition) {
                    let after = i + usize::from(skipped);
                    let later = cycle.wrapping_sub(u64::from(refund));
                    if CHECKED {
                        let cycles = slots.get(after).map_or(0, |slot| slot.cycles);
                        if later.wrapping_add(u64::from(cycles)) > stop {
                            core.single = true;
                            core.attention = true;
                            if let Some((index, cycle, fetched)) = begun
                                && index == slot.index
                            {
                                core.fetched = fetched;
                                return core.leave(bus, slots, at, i - 2, cycle);
                            }
                            return core.leave(bus, slots, at, i - 1, cycle);
                        }
                    }
                    i = after;
                    cycle = later;
                }
            }

            Op::MovImm { d, imm } | Op::Literal { t: d, imm } => r!(d) = imm,
            Op::MovsImm { d, imm } => {
                r!(d) = imm;
                core.set_nz(imm);
            }
            Op::MovReg { d, m } => r!(d) = r!(m),
            Op::MovsReg { d, m } => {
                let value = r!(m);
                r!(d) = value;
                core.set_nz(value);
            }
            Op::Movt { d, imm } => r!(d) = r!(d) & 0xFFFF | imm << 16,
            Op::AddImm { d, n, imm } => r!(d) = r!(n).wrapping_add(imm),
            Op::AddsImm { d, n, imm } => r!(d) = core.adds(r!(n), imm),
            Op::SubsImm { d, n, imm } => r!(d) = core.subs(r!(n), imm),
            Op::CmpImm { n, imm } => {
                core.subs(r!(n), imm);
            }
            Op::CmpReg { n, m } => {
                core.subs(r!(n), r!(m));
            }
            Op::TstReg { n, m } => core.set_nz(r!(n) & r!(m)),
            Op::TstImm { n, imm } => core.set_nz(r!(n) & imm),
            Op::AndImm { d, n, imm } => r!(d) = r!(n) & imm,
            Op::OrrImm { d, n, imm } => r!(d) = r!(n) | imm,
            Op::EorImm { d, n, imm } => r!(d) = r!(n) ^ imm,
            Op::AddReg { d, n, m } => r!(d) = r!(n).wrapping_add(r!(m)),
            Op::AddsReg { d, n, m } => r!(d) = core.adds(r!(n), r!(m)),
            Op::SubReg { d, n, m } => r!(d) = r!(n).wrapping_sub(r!(m)),
            Op::SubsReg { d, n, m } => r!(d) = core.subs(r!(n), r!(m)),
            Op::AndReg { d, n, m } => r!(d) = r!(n) & r!(m),
            Op::OrrReg { d, n, m } => r!(d) = r!(n) | r!(m),
            Op::EorReg { d, n, m } => r!(d) = r!(n) ^ r!(m),
            Op::BicReg { d, n, m } => r!(d) = r!(n) & !r!(m),
            Op::AndsReg { d, n, m } => {
                let value = r!(n) & r!(m);
                r!(d) = value;
                core.set_nz(value);
            }
            Op::OrrsReg { d, n, m } => {
                let value = r!(n) | r!(m);
                r!(d) = value;
                core.set_nz(value);
            }
            Op::EorsReg { d, n, m } => {
                let value = r!(n) ^ r!(m);
                r!(d) = value;
                core.set_nz(value);
            }
            Op::BicsReg { d, n, m } => {
                let value = r!(n) & !r!(m);
                r!(d) = value;
                core.set_nz(value);
            }
            Op::AdcsReg { d, n, m } => r!(d) = core.add_with_carry(r!(n), r!(m)),
            Op::AddLsl { d, n, m, amount } => r!(d) = r!(n).wrapping_add(r!(m) << (amount & 31)),
            Op::OrrLsl { d, n, m, amount } => r!(d) = r!(n) | r!(m) << (amount & 31),
            Op::OrrLsr { d, n, m, amount } => r!(d) = r!(n) | r!(m) >> (amount & 31),
            Op::LslImm { d, m, amount } => r!(d) = r!(m) << (amount & 31),
            Op::LsrImm { d, m, amount } => r!(d) = r!(m) >> (amount & 31),
            Op::AsrImm { d, m, amount } => r!(d) = ((r!(m) as i32) >> (amount & 31)) as u32,
            // Flag-setting shifts by 1 to 31: the carry is the last bit shifted out.
            Op::LslsImm { d, m, amount } => {
                let value = r!(m);
                core.c = value >> ((32 - amount) & 31) & 1;
                let value = value << (amount & 31);
                r!(d) = value;
                core.set_nz(value);
            }
            Op::LsrsImm { d, m, amount } => {
                let value = r!(m);
                core.c = value >> ((amount - 1) & 31) & 1;
                let value = value >> (amount & 31);
                r!(d) = value;
                core.set_nz(value);
            }
            Op::AsrsImm { d, m, amount } => {
                let value = r!(m);
                core.c = value >> ((amount - 1) & 31) & 1;
                let value = ((value as i32) >> (amount & 31)) as u32;
                r!(d) = value;
                core.set_nz(value);
            }
            Op::AluImm {
                op,
                s,
                d,
                n,
                carry,
                imm,
            } => core.alu_immediate(op, s, d, n, carry, imm),
            Op::AluReg {
                op,
                s,
                d,
                n,
                m,
                kind,
                amount,
            } => core.alu_register(op, s, (d, n, m), kind, amount),
            Op::ShiftReg { kind, s, d, n, m } => core.shift_register(kind, s, d, n, m),

            Op::Ubfx { d, n, lsb, mask } => r!(d) = r!(n) >> (lsb & 31) & mask,
            Op::Sbfx { d, n, lsb, width } => {
                let value = r!(n) << ((32 - lsb - width) & 31);
                r!(d) = ((value as i32) >> ((32 - width) & 31)) as u32;
            }
            Op::Bfi { d, n, lsb, mask } => {
                let source = if n == 15 { 0 } else { r!(n) << (lsb & 31) };
                r!(d) = r!(d) & !mask | source & mask;
            }
            Op::Uxtb { d, m } => r!(d) = r!(m) & 0xFF,
            Op::Uxth { d, m } => r!(d) = r!(m) & 0xFFFF,
            Op::Sxtb { d, m } => r!(d) = r!(m) as i8 as u32,
            Op::Sxth { d, m } => r!(d) = r!(m) as i16 as u32,
            Op::Extend {
                kind,
                d,
                n,
                m,
                rotate,
            } => core.extend(kind, d, n, m, rotate),
            Op::Bit { op, d, m } => core.bit_operation(op, d, m),
            Op::Mul { d, n, m } => r!(d) = r!(n).wrapping_mul(r!(m)),
            Op::Muls { d, n, m } => {
                let value = r!(n).wrapping_mul(r!(m));
                r!(d) = value;
                core.set_nz(value);
            }
            Op::Mla { d, n, m, a } => r!(d) = r!(n).wrapping_mul(r!(m)).wrapping_add(r!(a)),
            Op::Mls { d, n, m, a } => r!(d) = r!(a).wrapping_sub(r!(n).wrapping_mul(r!(m))),
            Op::Long { op, lo, hi, n, m } => core.long_multiply(op, lo, hi, n, m),
            Op::Divide { signed, d, n, m } => {
                if r!(m) == 0 && core.scb.ccr & DIV_0_TRP != 0 {
                    core.raise(Fault::plain(DIVBYZERO));
                    return core.leave(bus, slots, at, i - 1, cycle);
                }
                core.divide(signed, d, n, m);
            }
            Op::Dsp { op, d, n, m, a } => core.dsp(op, d, n, m, a),
            Op::Saturate {
                kind,
                d,
                n,
                bits,
                arithmetic,
                amount,
            } => core.saturate(kind, d, n, bits, arithmetic, amount),
            Op::Pkh {
                top,
                d,
                n,
                m,
                amount,
            } => core.pack_halfwords(top, d, n, m, amount),

            Op::LdrImm { t, n, imm } => load!(read_u32, Word, t, r!(n).wrapping_add(imm)),
            Op::LdrhImm { t, n, imm } => load!(read_u16, Half, t, r!(n).wrapping_add(imm)),
            Op::LdrbImm { t, n, imm } => load!(read_u8, Byte, t, r!(n).wrapping_add(imm)),
            Op::LdrReg { t, n, m, shift } => {
                load!(read_u32, Word, t, r!(n).wrapping_add(r!(m) << (shift & 3)))
            }
            Op::LdrhReg { t, n, m, shift } => {
                load!(read_u16, Half, t, r!(n).wrapping_add(r!(m) << (shift & 3)))
            }
            Op::LdrbReg { t, n, m, shift } => {
                load!(read_u8, Byte, t, r!(n).wrapping_add(r!(m) << (shift & 3)))
            }
            Op::StrImm { t, n, imm } => store!(write_u32, Word, t, r!(n).wrapping_add(imm)),
            Op::StrhImm { t, n, imm } => store!(write_u16, Half, t, r!(n).wrapping_add(imm)),
            Op::StrbImm { t, n, imm } => store!(write_u8, Byte, t, r!(n).wrapping_add(imm)),
            Op::StrReg { t, n, m, shift } => {
                store!(write_u32, Word, t, r!(n).wrapping_add(r!(m) << (shift & 3)))
            }
            Op::StrhReg { t, n, m, shift } => {
                store!(write_u16, Half, t, r!(n).wrapping_add(r!(m) << (shift & 3)))
            }
            Op::StrbReg { t, n, m, shift } => {
                store!(write_u8, Byte, t, r!(n).wrapping_add(r!(m) << (shift & 3)))
            }
            Op::LoadAbs { kind, t, address } => {
                outside!(transfer::load(core, bus, kind, t, address, place!()))
            }
            Op::Load(transfer) => {
                outside!(transfer::load_indexed(core, bus, transfer, place!()))
            }
            Op::LoadReg {
                kind,
                t,
                n,
                m,
                shift,
            } => {
                let address = r!(n).wrapping_add(r!(m) << (shift & 3));
                outside!(transfer::load(core, bus, kind, t, address, place!()))
            }
            Op::Store(transfer) => {
                outside!(transfer::store_indexed(core, bus, transfer, place!()))
            }
            Op::LoadDual(dual) => outside!(multiple::load_dual(core, bus, dual, place!())),
            Op::StoreDual(dual) => outside!(multiple::store_dual(core, bus, dual, place!())),
            Op::Push { list } => outside!(multiple::push(core, bus, list, place!())),
            Op::Pop { list } => outside!(multiple::pop(core, bus, list, place!())),
            Op::LoadMultiple(multiple) => {
                let outcome = multiple::load_multiple(core, bus, multiple, place!());
                if multiple.list & 0x8000 == 0 {
                    outside!(outcome);
                } else {
                    jump!(outcome, 0);
                }
            }
            Op::PopPc { list } => jump!(multiple::pop(core, bus, list, place!()), 0),
            Op::StoreMultiple(multiple) => {
                outside!(multiple::store_multiple(core, bus, multiple, place!()))
            }
            Op::LoadExclusive { kind, t, n, imm } => {
                let address = r!(n).wrapping_add(imm);
                outside!(transfer::load_exclusive(
                    core,
                    bus,
                    kind,
                    t,
                    address,
                    place!()
                ))
            }
            Op::StoreExclusive { kind, d, t, n, imm } => {
                let address = r!(n).wrapping_add(imm);
                outside!(transfer::store_exclusive(
                    core,
                    bus,
                    kind,
                    d,
                    t,
                    address,
                    place!()
                ))
            }
            Op::ClearExclusive => core.exclusive = false,
            Op::Fp(op) => {
                if !core.float_ready {
                    core.float_wanted = true;
                    core.attention = true;
                    return core.leave(bus, slots, at, i - 1, cycle);
                }
                outside!(float::execute(core, bus, op, place!()))
            }

            Op::B { target, taken, to } => branch!(true, target, taken, to),
            Op::Beq { target, taken, to } => branch!(core.passes(0), target, taken, to),
            Op::Bne { target, taken, to } => branch!(core.passes(1), target, taken, to),
            Op::Bcs { target, taken, to } => branch!(core.passes(2), target, taken, to),
            Op::Bcc { target, taken, to } => branch!(core.passes(3), target, taken, to),
            Op::Bmi { target, taken, to } => branch!(core.passes(4), target, taken, to),
            Op::Bpl { target, taken, to } => branch!(core.passes(5), target, taken, to),
            Op::Bvs { target, taken, to } => branch!(core.passes(6), target, taken, to),
            Op::Bvc { target, taken, to } => branch!(core.passes(7), target, taken, to),
            Op::Bhi { target, taken, to } => branch!(core.passes(8), target, taken, to),
            Op::Bls { target, taken, to } => branch!(core.passes(9), target, taken, to),
            Op::Bge { target, taken, to } => branch!(core.passes(10), target, taken, to),
            Op::Blt { target, taken, to } => branch!(core.passes(11), target, taken, to),
            Op::Bgt { target, taken, to } => branch!(core.passes(12), target, taken, to),
            Op::Ble { target, taken, to } => branch!(core.passes(13), target, taken, to),
            Op::Bl { target, taken, to } => {
                core.r[14] = (pc + 2 * u32::from(slot.offset) + 4) | 1;
                branch!(true, target, taken, to);
            }
            Op::Cbz {
                n,
                target,
                taken,
                to,
            } => branch!(r!(n) == 0, target, taken, to),
            Op::Cbnz {
                n,
                target,
                taken,
                to,
            } => branch!(r!(n) != 0, target, taken, to),
            Op::Bx { m } => exchange!(r!(m)),
            Op::Blx { m, link } => {
                let target = r!(m);
                core.r[14] = link;
                exchange!(target);
            }
            Op::AddPc { m, addend } => exchange!(r!(m).wrapping_add(addend) | 1),
            Op::LoadPc { n, index, imm } => {
                jump!(transfer::load_pc(core, bus, n, index, imm, place!()), 0)
            }
            Op::LoadPcReg { n, m, shift } => {
                let address = r!(n).wrapping_add(r!(m) << (shift & 3));
                jump!(transfer::load_word_to_pc(core, bus, address, place!()), 0)
            }
            Op::TableBranch { half, n, m, base } => {
                let outcome = transfer::table_branch(core, bus, half, n, m, base, place!());
                jump!(outcome, 1)
            }
            Op::System(op) => {
                core.finish(slots, pc, i, cycle);
                system::execute(core, bus, op, pc + 2 * u32::from(slot.offset));
                return NOWHERE;
            }
        }
    }
    NOWHERE
}

impl Core {
    /// Accounts for what ran of the block at `pc`: everything before slot `i`. Gives the address of that
    /// slot's instruction, which is the next one unless a branch was taken.
    #[inline(always)]
    fn finish(&mut self, slots: &[Slot], pc: u32, i: usize, cycle: u64) -> u32 {
        // Every instruction has a slot behind it.
        if let Some(slot) = slots.get(i) {
            self.cycle = cycle.wrapping_add(u64::from(slot.cycles));
            self.instructions += u64::from(slot.index);
            self.pc = pc + 2 * u32::from(slot.offset);
        }
        self.pc
    }

    /// Leaves the block whose header is at slot `at` before slot `i`, other than by a branch.
    #[inline(never)]
    fn leave<B: Bus>(&mut self, bus: &B, slots: &[Slot], at: usize, i: usize, cycle: u64) -> Way {
        if let Some(&Slot {
            op: Op::Header { pc, has_it, .. },
            ..
        }) = slots.get(at)
        {
            self.finish(slots, pc, i, cycle);
            if has_it {
                self.it = super::block::it_state_at(bus.memory(), pc, self.pc);
                // What is left of an IT block is executed one by one.
                self.attention |= self.it & 15 != 0;
            }
        }
        NOWHERE
    }

    /// A branch to an even address or to an EXC_RETURN value.
    #[cold]
    fn unusual_branch<B: Bus>(&mut self, bus: &mut B, target: u32) {
        if self.is_exception_return(target) {
            self.exception_return(bus, target);
        } else {
            self.cycle += u64::from(self.cost.branch_taken);
            self.fetched.flush();
            self.branch_exchange(target);
        }
        self.attention = true;
    }
}
