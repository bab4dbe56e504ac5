//! EXTI: edges on GPIO pins become interrupts (PAC exti_h7, SVD). Lines 16 to 88 have no source here; their
//! configuration is kept.

use crate::bus::{AccessError, Width};
use crate::irq::{IrqLines, line};
use crate::soc::context::{Context, RegisterValue, merge, unmodelled};
use crate::soc::registers::{Register, RegisterFile, register};

const BLOCK: &str = "EXTI";

const RTSR1: u32 = 0x00;
const FTSR1: u32 = 0x04;
const SWIER1: u32 = 0x08;
const CPUIMR1: u32 = 0x80;
const CPUPR1: u32 = 0x88;

static TABLE: [Register; 12] = [
    register(RTSR1, 0, 0x003F_FFFF),
    register(FTSR1, 0, 0x003F_FFFF),
    register(SWIER1, 0, 0),
    register(0x20, 0, 0x000A_0000), // RTSR2
    register(0x24, 0, 0x000A_0000), // FTSR2
    register(0x40, 0, 0x0074_0000), // RTSR3
    register(0x44, 0, 0x0074_0000), // FTSR3
    register(CPUIMR1, 0xFFC0_0000, 0xFFFF_FFFF),
    register(CPUPR1, 0, 0),
    register(0x90, 0, 0xFFFF_FFFF), // CPUIMR2
    register(0xA0, 0, 0x01FF_FFFF), // CPUIMR3
    register(0x84, 0, 0),           // CPUEMR1: only zero is accepted
];

const GPIO_LINES: u32 = 0xFFFF;

/// The interrupt controller of external lines.
#[derive(Clone, Debug)]
pub struct Exti {
    registers: RegisterFile,
    pending: u32,
}

impl Default for Exti {
    fn default() -> Self {
        Self {
            registers: RegisterFile::new(&TABLE),
            pending: 0,
        }
    }
}

impl Exti {
    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        _: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        let word = offset & !3;
        let value = match word {
            CPUPR1 => self.pending,
            _ => self.registers.accessed(BLOCK, offset)?,
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
        match word {
            CPUPR1 => self.pending &= !merge(0, offset, width, value),
            SWIER1 => self.pending |= merge(0, offset, width, value) & GPIO_LINES,
            0x84 if value != 0 => return unmodelled(BLOCK, offset),
            _ => {
                self.registers.write(word, merge(old, offset, width, value));
            }
        }
        self.update_lines(ctx.irq);
        Ok(())
    }

    /// The input of line `n` (0 to 15) changed to `high`.
    pub fn edge(&mut self, n: usize, high: bool, ctx: &mut Context) {
        let selected = if high { RTSR1 } else { FTSR1 };
        if self.registers.bit(selected, n as u32) {
            self.pending |= 1 << n;
            self.update_lines(ctx.irq);
        }
    }

    fn update_lines(&self, irq: &mut IrqLines) {
        let active = self.pending & self.registers.get(CPUIMR1).unwrap_or(0);
        for n in 0..5 {
            irq.set(line::exti(n), active >> n & 1 != 0);
        }
        irq.set(line::exti(5), active & 0x03E0 != 0);
        irq.set(line::exti(10), active & 0xFC00 != 0);
    }
}
