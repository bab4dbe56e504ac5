//! DBGMCU: identification and what a debugger keeps clocked (PAC dbgmcu_h7).
//!
//! Nothing here is ever stopped or powered down, so the freeze and low-power bits have no effect.

use crate::bus::{AccessError, Width};
use crate::soc::context::{Context, RegisterValue, merge};
use crate::soc::registers::{Register, RegisterFile, register};

const BLOCK: &str = "DBGMCU";

/// Device 0x483 (STM32H72x and H73x), revision Z. Recalled; SVD has the H743's 0x450.
const IDC: u32 = 0x1001_0483;

static TABLE: [Register; 6] = [
    register(0x00, IDC, 0),
    register(0x04, 0, 0x1070_0007),
    register(0x34, 0, 0x40),        // APB3FZ1
    register(0x3C, 0, 0x02E0_03FF), // APB1LFZ1
    register(0x4C, 0, 0x0007_0003), // APB2FZ1
    register(0x54, 0, 0x0005_1E80), // APB4FZ1
];

/// The debug configuration.
#[derive(Clone, Debug)]
pub struct Dbgmcu {
    registers: RegisterFile,
}

impl Default for Dbgmcu {
    fn default() -> Self {
        Self {
            registers: RegisterFile::new(&TABLE),
        }
    }
}

impl Dbgmcu {
    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        _: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        let value = self.registers.accessed(BLOCK, offset)?;
        Ok(RegisterValue::stable(value).lane(offset, width))
    }

    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        _: &mut Context,
    ) -> Result<(), AccessError> {
        let word = offset & !3;
        let old = self.registers.accessed(BLOCK, offset)?;
        self.registers.write(word, merge(old, offset, width, value));
        Ok(())
    }
}
