//! System instructions: special registers, sleeping, exceptions, and encodings that do not execute.

use crate::bus::Bus;
use crate::cpu::Sleep;
use crate::cpu::fault::{Fault, IACCVIOL, IBUSERR, NOCP, UNDEFINSTR};
use crate::cpu::nvic::PRIORITY_MASK;
use crate::cpu::op::SystemOp;
use crate::cpu::state::Core;
use crate::cpu::stop::StopReason;

/// Executes `op`, which stands at `pc`; the core's own `pc` is already the next instruction's.
#[inline(never)]
pub(super) fn execute<B: Bus>(core: &mut Core, bus: &mut B, op: SystemOp, pc: u32) {
    core.pass_has_effects = true;
    core.attention = true;
    match op {
        SystemOp::Mrs { d, sysm } => {
            core.pass_has_effects = false;
            let value = core.special_register(sysm);
            core.set(d, value);
        }
        SystemOp::Msr { n, sysm, mask } => {
            let value = core.r[usize::from(n & 15)];
            core.set_special_register(sysm, mask, value);
        }
        SystemOp::Cps {
            disable,
            primask,
            faultmask,
        } => core.change_masks(disable, primask, faultmask),
        SystemOp::Svc => core.supervisor_call(bus),
        SystemOp::Wfi => core.sleep = Sleep::Interrupt,
        SystemOp::Wfe => {
            if !std::mem::take(&mut core.event) {
                core.sleep = Sleep::Event;
            }
        }
        SystemOp::Sev => core.event = true,
        SystemOp::It { state } => core.it = state,
        SystemOp::Bkpt { value } => core.refuse(pc, StopReason::Breakpoint { pc, value }),
        SystemOp::Watch { index } => core.watch_reached = Some(index),
        SystemOp::Undefined { encoding } if core.stop_on_undefined => {
            core.refuse(pc, StopReason::Undefined { pc, encoding });
        }
        SystemOp::Undefined { .. } => core.fault_at(pc, UNDEFINSTR),
        SystemOp::NoCoprocessor { .. } => core.fault_at(pc, NOCP),
        SystemOp::Unmodelled { encoding } => {
            core.refuse(pc, StopReason::UnmodelledInstruction { pc, encoding });
        }
        SystemOp::FetchFault {
            execute_never: true,
        } => core.fault_at(pc, IACCVIOL),
        SystemOp::FetchFault { .. } => core.fault_at(pc, IBUSERR),
    }
}

/// SYSm of MRS and MSR (B5.1.1).
mod sysm {
    pub const MSP: u8 = 8;
    pub const PSP: u8 = 9;
    pub const PRIMASK: u8 = 16;
    pub const BASEPRI: u8 = 17;
    pub const BASEPRI_MAX: u8 = 18;
    pub const FAULTMASK: u8 = 19;
    pub const CONTROL: u8 = 20;
}

impl Core {
    /// The instruction at `pc` did not execute and ends the run.
    fn refuse(&mut self, pc: u32, reason: StopReason) {
        self.pc = pc;
        self.instructions -= 1;
        self.stop_with(reason);
    }

    fn fault_at(&mut self, pc: u32, cfsr: u32) {
        self.pc = pc;
        self.instructions -= 1;
        self.raise(Fault::plain(cfsr));
    }

    fn special_register(&mut self, number: u8) -> u32 {
        let privileged = self.privileged();
        match number {
            // APSR, IPSR and EPSR in any combination; EPSR reads as zero.
            0..=7 => {
                let apsr = if number & 4 == 0 { self.apsr() } else { 0 };
                let ipsr = if number & 1 != 0 {
                    u32::from(self.exception)
                } else {
                    0
                };
                apsr | ipsr
            }
            sysm::CONTROL => {
                self.scb.settings_changed |= self.scb.mpu.is_enabled();
                u32::from(self.control.unprivileged)
                    | u32::from(self.control.process_stack) << 1
                    | u32::from(self.control.float_active) << 2
            }
            _ if !privileged => 0,
            sysm::MSP => *self.stack_pointer(false),
            sysm::PSP => *self.stack_pointer(true),
            sysm::PRIMASK => self.primask.into(),
            sysm::BASEPRI | sysm::BASEPRI_MAX => self.basepri.into(),
            sysm::FAULTMASK => self.faultmask.into(),
            _ => 0,
        }
    }

    fn set_special_register(&mut self, number: u8, mask: u8, value: u32) {
        let privileged = self.privileged();
        self.nvic.changed = true;
        match number {
            0..=3 => {
                if mask & 2 != 0 {
                    self.set_nzcv(value);
                    self.q = value >> 27 & 1 != 0;
                }
                if mask & 1 != 0 {
                    self.ge = (value >> 16 & 15) as u8;
                }
            }
            _ if !privileged => {}
            sysm::MSP => *self.stack_pointer(false) = value & !3,
            sysm::PSP => *self.stack_pointer(true) = value & !3,
            sysm::PRIMASK => self.primask = value & 1 != 0,
            sysm::BASEPRI => self.basepri = value as u8 & PRIORITY_MASK,
            sysm::BASEPRI_MAX => {
                let new = value as u8 & PRIORITY_MASK;
                if new != 0 && (self.basepri == 0 || new < self.basepri) {
                    self.basepri = new;
                }
            }
            sysm::FAULTMASK => self.set_faultmask(value & 1 != 0),
            sysm::CONTROL => {
                self.scb.settings_changed |= self.scb.mpu.is_enabled();
                self.change_stack_selection(|core| {
                    core.control.unprivileged = value & 1 != 0;
                    if core.exception == 0 {
                        core.control.process_stack = value & 2 != 0;
                    }
                });
                self.control.float_active = value & 4 != 0;
                self.update_float_ready();
            }
            _ => {}
        }
    }

    fn set_faultmask(&mut self, set: bool) {
        if !set || self.execution_priority() > -1 {
            self.faultmask = set;
        }
    }

    fn change_masks(&mut self, disable: bool, primask: bool, faultmask: bool) {
        if !self.privileged() {
            return;
        }
        self.nvic.changed = true;
        if primask {
            self.primask = disable;
        }
        if faultmask {
            self.set_faultmask(disable);
        }
    }
}
