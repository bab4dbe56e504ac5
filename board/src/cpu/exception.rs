//! Exception entry and return (ARMv7-M B1.5.6 to B1.5.8), faults and lock-up.

use super::fault::{Fault, INVPC, LSPERR, MLSPERR, MSTKERR, MUNSTKERR, STKERR, UNSTKERR};
use super::nvic::{HARD_FAULT, MEM_MANAGE, NMI, SVCALL};
use super::scb::{HFSR_FORCED, HFSR_VECTTBL, SLEEPONEXIT, STKALIGN};
use super::state::{Core, Sleep};
use super::stop::{FaultRecord, StopReason};
use crate::bus::Bus;

/// Bit 9 of a stacked xPSR: the stack pointer was moved down to a multiple of eight.
const PADDED: u32 = 1 << 9;
const BASIC_FRAME: u32 = 0x20;
const FLOAT_FRAME: u32 = 0x68;

/// EXC_RETURN bits (table B1-8).
const RETURN_PREFIX: u32 = 0xFFFF_FFE1;
const RETURN_TO_THREAD: u32 = 1 << 3;
const RETURN_ON_PSP: u32 = 1 << 2;
const RETURN_BASIC_FRAME: u32 = 1 << 4;

/// Why a frame could not be stacked or unstacked.
enum StackError {
    /// The stack did not answer.
    Bus,
    /// The MPU denies it.
    Denied,
}

impl StackError {
    /// The bit of CFSR: one for each of the two reasons.
    const fn cfsr(&self, bus: u32, denied: u32) -> u32 {
        match self {
            Self::Bus => bus,
            Self::Denied => denied,
        }
    }
}

impl Core {
    /// The priority that an exception must beat (B1.5.4).
    pub(super) fn execution_priority(&self) -> i16 {
        let mut priority = self.nvic.active_priority();
        if self.basepri != 0 {
            priority = priority.min(self.nvic.group(self.basepri.into()));
        }
        if self.primask {
            priority = priority.min(0);
        }
        if self.faultmask {
            priority = priority.min(-1);
        }
        priority
    }

    /// The pending exception that would be taken now.
    pub(super) fn takeable(&self) -> Option<u16> {
        let (exception, priority) = self.nvic.most_urgent()?;
        (self.nvic.group(priority) < self.execution_priority()).then_some(exception)
    }

    /// Whether a sleeping core wakes: as [`Self::takeable`], but PRIMASK does not count (B1.5.19).
    pub(super) fn wakes(&self) -> bool {
        let Some((_, priority)) = self.nvic.most_urgent() else {
            return false;
        };
        let mut needed = self.nvic.active_priority();
        if self.basepri != 0 {
            needed = needed.min(self.nvic.group(self.basepri.into()));
        }
        if self.faultmask {
            needed = needed.min(-1);
        }
        self.nvic.group(priority) < needed
    }

    /// Stacks the context and goes to the handler of `exception`.
    pub(super) fn enter<B: Bus>(&mut self, bus: &mut B, exception: u16) {
        let mut link = 0xFFFF_FFF1;
        if self.exception == 0 {
            link |= RETURN_TO_THREAD;
            if self.uses_process_stack() {
                link |= RETURN_ON_PSP;
            }
        }
        if self.control.float_active {
            link &= !RETURN_BASIC_FRAME;
        }
        self.cycle += u64::from(self.cost.exception_entry);
        match self.push_frame(bus) {
            Ok(()) => self.vector_to(bus, exception, link),
            Err(error) => self.stacking_failed(bus, exception, link, &error),
        }
    }

    /// The derived fault of a failed stacking is taken in place of `exception`, which stays pending.
    fn stacking_failed<B: Bus>(
        &mut self,
        bus: &mut B,
        exception: u16,
        link: u32,
        error: &StackError,
    ) {
        let derived = Fault::plain(error.cfsr(STKERR, MSTKERR));
        self.scb.cfsr |= derived.cfsr;
        let fault = self.record(derived.cfsr, None);
        if matches!(exception, HARD_FAULT | NMI) {
            return self.lock_up(fault);
        }
        let derived = self.fault_exception(derived.exception());
        self.vector_to(bus, derived, link);
    }

    /// Goes to the handler of `exception` with nothing more to stack.
    fn vector_to<B: Bus>(&mut self, bus: &mut B, exception: u16, link: u32) {
        let slot = self.scb.vtor.wrapping_add(4 * u32::from(exception));
        let Some(vector) = bus.memory().load_u32(slot) else {
            self.scb.hfsr |= HFSR_VECTTBL;
            let fault = self.record(0, Some(slot));
            return if exception == HARD_FAULT {
                self.lock_up(fault)
            } else {
                self.vector_to(bus, HARD_FAULT, link)
            };
        };
        self.cycle += u64::from(bus.memory().access_cycles(slot).0);
        self.nvic.unpend(exception);
        self.nvic.set_active(exception, true);
        self.change_stack_selection(|core| {
            core.exception = exception;
            core.control.process_stack = false;
        });
        self.control.float_active = false;
        self.r[14] = link;
        self.it = 0;
        self.exclusive = false;
        self.event = true;
        self.sleep = Sleep::Awake;
        self.update_float_ready();
        self.branch_exchange(vector);
        self.fetched.flush();
    }

    fn push_frame<B: Bus>(&mut self, bus: &mut B) -> Result<(), StackError> {
        let float = self.control.float_active;
        let size = if float { FLOAT_FRAME } else { BASIC_FRAME };
        let sp = self.r[13];
        let align = self.scb.ccr & STKALIGN != 0;
        let mut frame = sp.wrapping_sub(size);
        let mut xpsr = self.xpsr() & !PADDED;
        if align && sp & 4 != 0 {
            frame = frame.wrapping_sub(4);
            xpsr |= PADDED;
        }
        let r = self.r;
        self.r[13] = frame;
        let words = [r[0], r[1], r[2], r[3], r[12], r[14], self.pc, xpsr];
        self.write_words(bus, frame, &words)?;
        if !float {
            return Ok(());
        }
        let place = frame.wrapping_add(BASIC_FRAME);
        if self.scb.lazy_float_enabled() {
            self.scb.fpcar = place;
            self.scb.set_lazy_float_pending(true);
            return Ok(());
        }
        self.cycle += u64::from(self.cost.float_context);
        self.store_float_frame(bus, place)
    }

    fn store_float_frame<B: Bus>(&mut self, bus: &mut B, place: u32) -> Result<(), StackError> {
        let mut words = [0; 17];
        words[..16].copy_from_slice(&self.fpu.s[..16]);
        words[16] = self.fpu.fpscr;
        self.write_words(bus, place, &words)
    }

    fn write_words<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        words: &[u32],
    ) -> Result<(), StackError> {
        if !self.is_allowed(address, 4 * words.len() as u32, true) {
            return Err(StackError::Denied);
        }
        self.cycle += u64::from(self.access_cycles(bus, address).1) * words.len() as u64;
        for (word, place) in words.iter().zip((0..).map(|n| address.wrapping_add(4 * n))) {
            self.store_through_cache(bus, place, &word.to_le_bytes());
            bus.memory_mut()
                .store_u32(place, *word)
                .ok_or(StackError::Bus)?;
        }
        Ok(())
    }

    fn read_words<B: Bus, const N: usize>(
        &mut self,
        bus: &B,
        address: u32,
    ) -> Result<[u32; N], StackError> {
        if !self.is_allowed(address, 4 * N as u32, false) {
            return Err(StackError::Denied);
        }
        self.cycle += u64::from(self.access_cycles(bus, address).0) * N as u64;
        let mut words = [0; N];
        for (word, place) in words
            .iter_mut()
            .zip((0..).map(|n| address.wrapping_add(4 * n)))
        {
            *word = bus.memory().load_u32(place).ok_or(StackError::Bus)?;
        }
        Ok(words)
    }

    /// Ends the handler at hand: a branch to EXC_RETURN value `link` from handler mode.
    pub(super) fn exception_return<B: Bus>(&mut self, bus: &mut B, link: u32) {
        let ending = self.exception;
        let active = self.nvic.active_count();
        let to_thread = link & RETURN_TO_THREAD != 0;
        let legal = link | RETURN_BASIC_FRAME | 0xC == RETURN_PREFIX | 0x1C
            && (to_thread || link & RETURN_ON_PSP == 0)
            && self.nvic.is_active(ending)
            && (active == 1) == to_thread;
        if !legal {
            self.nvic.set_active(ending, false);
            self.r[14] = link;
            return self.invalid_return(bus, INVPC);
        }
        self.nvic.set_active(ending, false);
        if ending != NMI {
            self.faultmask = false;
        }
        self.exclusive = false;
        self.nvic.sample(bus.irq_lines());
        if let Some(next) = self.takeable() {
            self.cycle += u64::from(self.cost.tail_chain);
            return self.vector_to(bus, next, link);
        }
        self.cycle += u64::from(self.cost.exception_return);
        match self.pop_frame(bus, link) {
            Err(error) => self.invalid_return(bus, error.cfsr(UNSTKERR, MUNSTKERR)),
            Ok(number_matches) if !number_matches => self.invalid_return(bus, INVPC),
            Ok(_) => {
                self.event = true;
                if to_thread && self.scb.scr & SLEEPONEXIT != 0 {
                    self.sleep = Sleep::Interrupt;
                }
            }
        }
    }

    /// A fault of the return itself, taken with the frame still on the stack.
    fn invalid_return<B: Bus>(&mut self, bus: &mut B, cfsr: u32) {
        self.raise(Fault::plain(cfsr));
        self.take_fault(bus);
    }

    /// Unstacks; tells whether the stacked exception number fits the mode returned to.
    fn pop_frame<B: Bus>(&mut self, bus: &mut B, link: u32) -> Result<bool, StackError> {
        let to_thread = link & RETURN_TO_THREAD != 0;
        let process = link & RETURN_ON_PSP != 0;
        let float = link & RETURN_BASIC_FRAME == 0;
        let frame = *self.stack_pointer(process);
        let words: [u32; 8] = self.read_words(bus, frame)?;
        let [r0, r1, r2, r3, r12, lr, pc, xpsr] = words;
        let mut size = BASIC_FRAME;
        if float {
            size = FLOAT_FRAME;
            if self.scb.lazy_float_pending() {
                self.scb.set_lazy_float_pending(false);
            } else {
                let float: [u32; 17] = self.read_words(bus, frame.wrapping_add(BASIC_FRAME))?;
                self.fpu.s[..16].copy_from_slice(&float[..16]);
                self.fpu.write_fpscr(float[16]);
                self.cycle += u64::from(self.cost.float_context);
            }
        }
        if xpsr & PADDED != 0 {
            size += 4;
        }
        *self.stack_pointer(process) = frame.wrapping_add(size);
        self.r[..4].copy_from_slice(&[r0, r1, r2, r3]);
        self.r[12] = r12;
        self.r[14] = lr;
        self.change_stack_selection(|core| {
            core.set_xpsr(xpsr);
            core.control.process_stack = process;
        });
        self.control.float_active = float;
        self.update_float_ready();
        self.pc = pc & !1;
        self.fetched.flush();
        Ok((self.exception == 0) == to_thread)
    }

    fn record(&mut self, cfsr: u32, address: Option<u32>) -> FaultRecord {
        let record = FaultRecord {
            pc: self.pc,
            cfsr,
            address,
        };
        self.last_fault = Some(record);
        record
    }

    fn lock_up(&mut self, cause: FaultRecord) {
        self.stop_with(StopReason::LockUp { pc: self.pc, cause });
    }

    /// The exception that takes a fault meant for `exception`: itself, or HardFault.
    fn fault_exception(&mut self, exception: u16) -> u16 {
        let enabled = self.scb.fault_enables >> (16 + exception - MEM_MANAGE) & 1 != 0;
        let priority = self.nvic.group(self.nvic.priority_of(exception));
        if enabled && priority < self.execution_priority() {
            exception
        } else {
            self.scb.hfsr |= HFSR_FORCED;
            HARD_FAULT
        }
    }

    /// Takes the synchronous fault that the last instruction raised.
    pub(super) fn take_fault<B: Bus>(&mut self, bus: &mut B) {
        let Some(fault) = self.fault.take() else {
            return;
        };
        self.scb.cfsr |= fault.cfsr;
        if let Some(address) = fault.address {
            if fault.sets_bfar() {
                self.scb.bfar = address;
            } else if fault.sets_mmfar() {
                self.scb.mmfar = address;
            }
        }
        let record = self.record(fault.cfsr, fault.address);
        let exception = self.fault_exception(fault.exception());
        self.enter_or_lock_up(bus, exception, record);
    }

    fn enter_or_lock_up<B: Bus>(&mut self, bus: &mut B, exception: u16, cause: FaultRecord) {
        if exception == HARD_FAULT && self.execution_priority() <= -1 {
            self.lock_up(cause);
        } else {
            self.enter(bus, exception);
        }
    }

    /// SVC.
    pub(super) fn supervisor_call<B: Bus>(&mut self, bus: &mut B) {
        let priority = self.nvic.group(self.nvic.priority_of(SVCALL));
        if priority < self.execution_priority() {
            return self.enter(bus, SVCALL);
        }
        self.scb.hfsr |= HFSR_FORCED;
        let record = self.record(0, None);
        self.enter_or_lock_up(bus, HARD_FAULT, record);
    }

    /// Makes the floating-point registers usable: access check, the lazy stacking that is due, a new
    /// floating-point context (B1.5.7). False if the access is denied.
    pub(super) fn prepare_float<B: Bus>(&mut self, bus: &mut B) {
        if !self.scb.float_enabled() {
            self.raise(Fault::plain(super::fault::NOCP));
            return self.take_fault(bus);
        }
        if self.scb.lazy_float_pending() {
            self.cycle += u64::from(self.cost.float_context);
            if let Err(error) = self.store_float_frame(bus, self.scb.fpcar) {
                self.raise(Fault::plain(error.cfsr(LSPERR, MLSPERR)));
                return self.take_fault(bus);
            }
            self.scb.set_lazy_float_pending(false);
        }
        if self.scb.float_automatic() && !self.control.float_active {
            self.control.float_active = true;
            self.fpu.start_context(self.scb.fpdscr);
        }
        self.update_float_ready();
    }

    /// Whether a branch to `target` is an exception return rather than a branch.
    #[inline(always)]
    pub(super) fn is_exception_return(&self, target: u32) -> bool {
        target >= 0xF000_0000 && self.exception != 0
    }
}
