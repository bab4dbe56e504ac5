//! SYSCFG: Ethernet interface selection, EXTI sources, I/O compensation, option bytes (PAC syscfg_h7).

use crate::bus::{AccessError, Width};
use crate::schedule::Event;
use crate::soc::context::{Context, RegisterValue, merge};
use crate::soc::registers::{Register, RegisterFile, register};
use crate::time::{Instant, Span};

const BLOCK: &str = "SYSCFG";

const PMCR: u32 = 0x04;
const EXTICR1: u32 = 0x08;
const CCCSR: u32 = 0x20;
const UR18: u32 = 0x348;

static TABLE: [Register; 10] = [
    register(PMCR, 0, 0x0FE0_03FF),
    register(EXTICR1, 0, 0xFFFF),
    register(0x0C, 0, 0xFFFF), // EXTICR2
    register(0x10, 0, 0xFFFF), // EXTICR3
    register(0x14, 0, 0xFFFF), // EXTICR4
    register(0x18, 0, 0xFFFF), // CFGR: lock-ups that break timers
    register(CCCSR, 0, 0x0001_0003),
    register(0x24, 0, 0),    // CCVR
    register(0x28, 0, 0xFF), // CCCR
    register(UR18, 0, 0),
];

const CCCSR_EN: u32 = 1 << 0;
const CCCSR_READY: u32 = 1 << 8;
/// PMCR.EPIS: 4 selects RMII.
const EPIS_RMII: u32 = 4;

/// Time for the compensation cell to find its code. Assumed.
const COMPENSATION: Span = Span::from_us(5);

/// The system configuration controller.
#[derive(Clone, Debug)]
pub struct Syscfg {
    registers: RegisterFile,
    cpu_freq_boost: bool,
    csi_ready: bool,
    compensated_at: Instant,
}

impl Syscfg {
    /// After reset; `cpu_freq_boost` is the option that allows 550 MHz, seen in UR18.
    pub fn new(cpu_freq_boost: bool) -> Self {
        Self {
            registers: RegisterFile::new(&TABLE),
            cpu_freq_boost,
            csi_ready: false,
            compensated_at: Instant::NEVER,
        }
    }

    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        ctx: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        let word = offset & !3;
        let stored = self.registers.accessed(BLOCK, offset)?;
        let value = match word {
            CCCSR if ctx.now >= self.compensated_at => stored | CCCSR_READY,
            UR18 => u32::from(self.cpu_freq_boost),
            _ => stored,
        };
        Ok(RegisterValue::stable(value).lane(offset, width))
    }

    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        ctx: &mut Context,
    ) -> Result<(), AccessError> {
        let word = offset & !3;
        let old = self.registers.accessed(BLOCK, offset)?;
        self.registers.write(word, merge(old, offset, width, value));
        if word == CCCSR {
            self.compensate(ctx);
        }
        Ok(())
    }

    /// CSI, which clocks the compensation cell, became ready or stopped.
    pub fn set_csi_ready(&mut self, ready: bool, ctx: &mut Context) {
        if ready != self.csi_ready {
            self.csi_ready = ready;
            self.compensate(ctx);
        }
    }

    /// Whether PMCR selects the RMII.
    pub fn selects_rmii(&self) -> bool {
        self.registers.field(PMCR, 21, 3) == EPIS_RMII
    }

    /// The GPIO port (A = 0) whose pin `line` drives EXTI line `line`.
    pub fn exti_port(&self, line: usize) -> usize {
        let offset = EXTICR1 + 4 * (line as u32 / 4);
        self.registers.field(offset, 4 * (line as u32 % 4), 4) as usize
    }

    fn compensate(&mut self, ctx: &mut Context) {
        let runs = self.csi_ready && self.registers.field(CCCSR, 0, 1) == CCCSR_EN;
        if !runs {
            self.compensated_at = Instant::NEVER;
        } else if self.compensated_at == Instant::NEVER {
            self.compensated_at = ctx.now + COMPENSATION;
            ctx.schedule.set(Event::Syscfg, self.compensated_at);
        }
    }
}
