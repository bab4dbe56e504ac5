//! FLASH: wait states (PAC flash_h7, SVD). Programming and erasing are not modelled.

use crate::bus::{AccessError, Width};
use crate::soc::context::{Context, RegisterValue, merge, unmodelled};

const BLOCK: &str = "FLASH";
const ACR: u32 = 0x00;
/// LATENCY and WRHIGHFREQ.
const ACR_WRITABLE: u32 = 0x37;

/// The flash interface.
#[derive(Clone, Debug)]
pub struct Flash {
    acr: u32,
}

impl Default for Flash {
    /// Seven wait states after reset.
    fn default() -> Self {
        Self { acr: 0x37 }
    }
}

impl Flash {
    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        _: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        match offset & !3 {
            ACR => Ok(RegisterValue::stable(self.acr).lane(offset, width)),
            _ => unmodelled(BLOCK, offset),
        }
    }

    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        _: &mut Context,
    ) -> Result<(), AccessError> {
        match offset & !3 {
            ACR => {
                self.acr = merge(self.acr, offset, width, value) & ACR_WRITABLE;
                Ok(())
            }
            _ => unmodelled(BLOCK, offset),
        }
    }

    /// Wait states in force.
    pub fn latency(&self) -> u32 {
        self.acr & 7
    }
}
