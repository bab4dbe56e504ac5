//! What the system control block remembers (ARMv7-M B3.2), with the FPU's control registers.

use super::mpu::Mpu;

/// CCR bits.
pub(super) const UNALIGN_TRP: u32 = 1 << 3;
pub(super) const DIV_0_TRP: u32 = 1 << 4;
pub(super) const STKALIGN: u32 = 1 << 9;
const DC: u32 = 1 << 16;
const IC: u32 = 1 << 17;

/// SCR bits.
pub(super) const SLEEPONEXIT: u32 = 1 << 1;
pub(super) const SEVONPEND: u32 = 1 << 4;

/// HFSR bits.
pub(super) const HFSR_VECTTBL: u32 = 1 << 1;
pub(super) const HFSR_FORCED: u32 = 1 << 30;

/// FPCCR bits.
const LSPACT: u32 = 1 << 0;
const LSPEN: u32 = 1 << 30;
const ASPEN: u32 = 1 << 31;

#[derive(Clone, Debug)]
pub(super) struct Scb {
    pub vtor: u32,
    pub scr: u32,
    pub ccr: u32,
    /// SHCSR's enable bits for MemManage, BusFault and UsageFault (16 to 18).
    pub fault_enables: u32,
    pub cfsr: u32,
    pub hfsr: u32,
    pub dfsr: u32,
    pub mmfar: u32,
    pub bfar: u32,
    pub cpacr: u32,
    pub csselr: u32,
    pub fpccr: u32,
    pub fpcar: u32,
    pub fpdscr: u32,
    pub demcr: u32,
    pub actlr: u32,
    pub cacr: u32,
    pub itcmcr: u32,
    pub dtcmcr: u32,
    pub ahbpcr: u32,
    pub mpu: Mpu,
    /// Trace registers that are only kept: ITM TER, TPR and TCR.
    pub itm: [u32; 3],
    /// The caches, the MPU or the trap of unaligned accesses were switched: costs or paths have changed.
    pub settings_changed: bool,
}

impl Default for Scb {
    fn default() -> Self {
        Self {
            vtor: 0,
            scr: 0,
            // STKALIGN is set out of reset and the branch predictor reads as on (Cortex-M7 TRM).
            ccr: STKALIGN | 1 << 18,
            fault_enables: 0,
            cfsr: 0,
            hfsr: 0,
            dfsr: 0,
            mmfar: 0,
            bfar: 0,
            cpacr: 0,
            csselr: 0,
            fpccr: ASPEN | LSPEN,
            fpcar: 0,
            fpdscr: 0,
            demcr: 0,
            actlr: 0,
            cacr: 0,
            // Both TCMs are on out of reset on this part (RM0468 §2.3): enable, size 64 KB and 128 KB.
            itcmcr: 7 << 3 | 1,
            dtcmcr: 8 << 3 | 1,
            ahbpcr: 0,
            mpu: Mpu::default(),
            itm: [0; 3],
            settings_changed: true,
        }
    }
}

impl Scb {
    pub fn instruction_cache(&self) -> bool {
        self.ccr & IC != 0
    }

    pub fn data_cache(&self) -> bool {
        self.ccr & DC != 0
    }

    pub fn write_ccr(&mut self, value: u32) {
        let writable = 0x0007_031B;
        let new = value & writable;
        self.settings_changed |= (new ^ self.ccr) & (IC | DC | UNALIGN_TRP) != 0;
        self.ccr = new;
    }

    /// CPACR gives CP10 and CP11 to everyone or to privileged code. Code that runs unprivileged on a
    /// privileged-only FPU is not told apart.
    pub fn float_enabled(&self) -> bool {
        self.cpacr >> 20 & 1 != 0
    }

    /// FPCCR.ASPEN: the first floating-point instruction sets CONTROL.FPCA.
    pub fn float_automatic(&self) -> bool {
        self.fpccr & ASPEN != 0
    }

    pub fn lazy_float_enabled(&self) -> bool {
        self.fpccr & LSPEN != 0
    }

    pub fn lazy_float_pending(&self) -> bool {
        self.fpccr & LSPACT != 0
    }

    pub fn set_lazy_float_pending(&mut self, pending: bool) {
        self.fpccr = self.fpccr & !LSPACT | u32::from(pending);
    }

    /// CCSIDR of the cache CSSELR selects: 32 KB, 32-byte lines; data 4 ways, instructions 2
    /// (ARMv7-M for the encoding; the cache sizes are recalled from the data sheet).
    pub fn ccsidr(&self) -> u32 {
        if self.csselr & 1 == 0 {
            0xF01F_E019
        } else {
            0xF03F_E009
        }
    }
}
