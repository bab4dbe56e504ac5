//! The core's registers and everything else it remembers from one instruction to the next.

use super::fault::{Fault, INVSTATE};
use super::fetch::FetchQueue;
use super::fpu::FpuRegs;
use super::nvic::Nvic;
use super::replay::{HotLoads, LatestLoad};
use super::scb::Scb;
use super::stop::{FaultRecord, StopReason};
use super::systick::SysTick;
use super::trace::Dwt;
use crate::cost::CostTable;

/// Why the core executes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sleep {
    Awake,
    /// WFI or sleep-on-exit: until an exception that PRIMASK alone would hold back.
    Interrupt,
    /// WFE: the same, or an event.
    Event,
}

/// CONTROL (ARMv7-M B1.4.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Control {
    pub unprivileged: bool,
    pub process_stack: bool,
    pub float_active: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Core {
    /// R0 to R12, the current SP, LR; the last place is not used.
    pub r: [u32; 16],
    /// APSR.N in bit 31.
    pub n: u32,
    /// Zero where APSR.Z is set.
    pub z: u32,
    /// APSR.C, 0 or 1.
    pub c: u32,
    /// APSR.V in bit 31.
    pub v: u32,
    /// The next instruction's address.
    pub pc: u32,
    /// Something happened that the block loop does not deal with.
    pub attention: bool,
    /// The next instruction must be executed by itself.
    pub single: bool,
    /// Floating-point instructions may run without further checks.
    pub float_ready: bool,
    pub cycle: u64,
    pub instructions: u64,
    pub q: bool,
    pub ge: u8,
    /// ITSTATE for the next instruction.
    pub it: u8,
    /// EPSR.T: false only between a branch to an even address and the fault it causes.
    pub thumb: bool,
    /// IPSR: the exception being handled, 0 in thread mode.
    pub exception: u16,
    /// The stack pointer that is not in `r[13]`.
    pub other_sp: u32,
    pub primask: bool,
    pub faultmask: bool,
    pub basepri: u8,
    pub control: Control,
    pub fpu: FpuRegs,
    /// The local exclusive monitor is open.
    pub exclusive: bool,
    /// The event register of WFE.
    pub event: bool,
    pub sleep: Sleep,
    pub fault: Option<Fault>,
    pub last_fault: Option<FaultRecord>,
    pub stop: Option<StopReason>,
    /// The pass at hand stored, or loaded what may change by itself: it cannot be skipped.
    pub pass_has_effects: bool,
    pub hot_loads: HotLoads,
    pub latest_load: LatestLoad,
    pub nvic: Nvic,
    pub scb: Scb,
    pub systick: SysTick,
    pub dwt: Dwt,
    pub cost: CostTable,
    pub fetched: FetchQueue,
    /// A watched program counter was reached: its index.
    pub watch_reached: Option<u16>,
    /// End the run at an undefined instruction.
    pub stop_on_undefined: bool,
    /// A floating-point instruction waits for [`Core::prepare_float`].
    pub float_wanted: bool,
}

impl Core {
    pub fn new(cost: CostTable) -> Self {
        Self {
            r: [0; 16],
            n: 0,
            z: 1,
            c: 0,
            v: 0,
            pc: 0,
            attention: true,
            single: false,
            float_ready: false,
            cycle: 0,
            instructions: 0,
            q: false,
            ge: 0,
            it: 0,
            thumb: true,
            exception: 0,
            other_sp: 0,
            primask: false,
            faultmask: false,
            basepri: 0,
            control: Control::default(),
            fpu: FpuRegs::default(),
            exclusive: false,
            event: false,
            sleep: Sleep::Awake,
            fault: None,
            last_fault: None,
            stop: None,
            pass_has_effects: false,
            hot_loads: HotLoads::default(),
            latest_load: LatestLoad::default(),
            nvic: Nvic::default(),
            scb: Scb::default(),
            systick: SysTick::default(),
            dwt: Dwt::default(),
            cost,
            fetched: FetchQueue::default(),
            watch_reached: None,
            stop_on_undefined: true,
            float_wanted: false,
        }
    }

    /// Whether `condition` (A7.3) holds.
    #[inline(always)]
    pub fn passes(&self, condition: u8) -> bool {
        let holds = match condition >> 1 {
            0 => self.z == 0,
            1 => self.c != 0,
            2 => (self.n as i32) < 0,
            3 => (self.v as i32) < 0,
            4 => self.c != 0 && self.z != 0,
            5 => ((self.n ^ self.v) as i32) >= 0,
            6 => self.z != 0 && ((self.n ^ self.v) as i32) >= 0,
            _ => return true,
        };
        holds ^ (condition & 1 != 0)
    }

    #[inline(always)]
    pub fn set_nz(&mut self, result: u32) {
        self.n = result;
        self.z = result;
    }

    /// N, Z, C and V in the top four bits.
    pub fn nzcv(&self) -> u32 {
        (self.n & 1 << 31) | u32::from(self.z == 0) << 30 | self.c << 29 | (self.v >> 31) << 28
    }

    pub fn set_nzcv(&mut self, word: u32) {
        self.n = word & 1 << 31;
        self.z = !word & 1 << 30;
        self.c = word >> 29 & 1;
        self.v = word << 3 & 1 << 31;
    }

    pub fn apsr(&self) -> u32 {
        self.nzcv() | u32::from(self.q) << 27 | u32::from(self.ge) << 16
    }

    pub fn xpsr(&self) -> u32 {
        let it = u32::from(self.it);
        self.apsr()
            | (it & 3) << 25
            | (it >> 2) << 10
            | u32::from(self.thumb) << 24
            | u32::from(self.exception)
    }

    pub fn set_xpsr(&mut self, word: u32) {
        self.set_nzcv(word);
        self.q = word >> 27 & 1 != 0;
        self.ge = (word >> 16 & 15) as u8;
        self.it = (word >> 25 & 3 | (word >> 10 & 0x3F) << 2) as u8;
        self.thumb = word >> 24 & 1 != 0;
        self.exception = (word & 0x1FF) as u16;
    }

    pub fn uses_process_stack(&self) -> bool {
        self.control.process_stack && self.exception == 0
    }

    pub fn privileged(&self) -> bool {
        self.exception != 0 || !self.control.unprivileged
    }

    /// MSP or PSP, whichever register holds it now.
    pub fn stack_pointer(&mut self, process: bool) -> &mut u32 {
        if process == self.uses_process_stack() {
            &mut self.r[13]
        } else {
            &mut self.other_sp
        }
    }

    /// Does `change` to what selects the stack pointer, and swaps the pointers if it did.
    pub fn change_stack_selection(&mut self, change: impl FnOnce(&mut Self)) {
        let before = self.uses_process_stack();
        change(self);
        if before != self.uses_process_stack() {
            std::mem::swap(&mut self.r[13], &mut self.other_sp);
        }
    }

    /// Writes a core register; the two low bits of SP are always zero.
    #[inline(always)]
    pub fn set(&mut self, d: u8, value: u32) {
        let value = if d == 13 { value & !3 } else { value };
        self.r[usize::from(d & 15)] = value;
    }

    /// Ends the run after this instruction.
    #[cold]
    pub fn stop_with(&mut self, reason: StopReason) {
        self.stop.get_or_insert(reason);
        self.attention = true;
    }

    /// Raises a synchronous fault of the instruction at hand.
    #[cold]
    pub fn raise(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
        self.attention = true;
    }

    /// Ends sleep; the core needs a moment.
    pub fn wake(&mut self) {
        self.sleep = Sleep::Awake;
        self.cycle += u64::from(self.cost.wake_up);
        self.nvic.changed = true;
    }

    /// Moves ITSTATE on by one instruction (A7.3.3).
    pub fn advance_it(&mut self) {
        self.it = advance_it(self.it);
    }

    /// Goes to `target`, whose bit 0 becomes the Thumb bit (BXWritePC outside exception returns).
    pub fn branch_exchange(&mut self, target: u32) {
        self.pc = target & !1;
        self.thumb = target & 1 != 0;
        if !self.thumb {
            self.raise(Fault::plain(INVSTATE));
        }
    }

    /// Recomputes whether floating-point instructions need no checks.
    pub fn update_float_ready(&mut self) {
        self.float_ready = self.scb.float_enabled()
            && (self.control.float_active || !self.scb.float_automatic())
            && !self.scb.lazy_float_pending();
    }
}

/// ITSTATE after one more instruction of the IT block.
pub(super) fn advance_it(it: u8) -> u8 {
    if it & 7 == 0 {
        0
    } else {
        it & 0xE0 | it << 1 & 0x1F
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_status_survives_a_round_trip() {
        let mut core = Core::new(CostTable::default());
        for word in [
            0x0100_0000u32,
            0xF90F_0000 | 0x1FF,
            0x4100_0003,
            0xA700_FC00 | 0x0100_0000,
        ] {
            core.set_xpsr(word);
            assert_eq!(core.xpsr(), word, "{word:#x}");
        }
    }

    #[test]
    fn it_state_advances_to_nothing_after_its_last_instruction() {
        let mut it = 0x0A_u8; // ITET EQ: then, else, then
        let mut conditions = Vec::new();
        while it & 15 != 0 {
            conditions.push(it >> 4);
            it = advance_it(it);
        }
        assert_eq!(conditions, [0, 1, 0]);
        assert_eq!(it, 0);
    }
}
