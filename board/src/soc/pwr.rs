//! PWR: supply configuration and voltage scaling (PAC pwr_h7rm0468, SVD, EMB rcc/h.rs).

use crate::bus::{AccessError, Width};
use crate::schedule::Event;
use crate::soc::context::{Context, RegisterValue, merge};
use crate::soc::limits::VoltageScale;
use crate::soc::registers::{Register, RegisterFile, register};
use crate::time::{Instant, Span};

const BLOCK: &str = "PWR";

const CR1: u32 = 0x00;
const CSR1: u32 = 0x04;
const CR3: u32 = 0x0C;
const D3CR: u32 = 0x18;

static TABLE: [Register; 9] = [
    register(CR1, 0xF000_C000, 0x0007_C3F1),
    register(CSR1, 0, 0),
    register(0x08, 0, 0x11), // CR2
    register(CR3, 0x06, 0x0300_033F),
    register(0x10, 0, 0xBE7), // CPUCR
    register(D3CR, 0b01 << 14, 0xC000),
    register(0x20, 0, 0), // WKUPCR: write-only, clears flags that are never set here
    register(0x24, 0, 0), // WKUPFR
    register(0x28, 0, 0x0FFF_3F3F), // WKUPEPR
];

/// VOSRDY of D3CR and ACTVOSRDY of CSR1.
const READY: u32 = 1 << 13;
const CR1_DBP: u32 = 1 << 8;
/// BYPASS, LDOEN, SDEN, SDEXTHP, SDLEVEL: they can be written once after power-on
/// (recalled).
const CR3_SUPPLY: u32 = 0x3F;

/// How long the regulator takes to reach a new level. Assumed; it delays the start of the firmware.
const SETTLING: Span = Span::from_us(40);

/// The power controller.
#[derive(Clone, Debug)]
pub struct Pwr {
    registers: RegisterFile,
    supply_configured: bool,
    /// The level that the core domain has.
    scale: VoltageScale,
    /// When a change of supply or level is over.
    settled_at: Instant,
}

impl Default for Pwr {
    /// VOS3; the regulator's state is not valid before the supply is configured.
    fn default() -> Self {
        Self {
            registers: RegisterFile::new(&TABLE),
            supply_configured: false,
            scale: VoltageScale::Vos3,
            settled_at: Instant::ZERO,
        }
    }
}

impl Pwr {
    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        ctx: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        let word = offset & !3;
        let stored = self.registers.accessed(BLOCK, offset)?;
        let settled = ctx.now >= self.settled_at;
        let value = match word {
            D3CR if settled => stored | READY,
            CSR1 if settled && self.supply_configured => encode(self.scale) << 14 | READY,
            CSR1 => encode(self.scale) << 14,
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
        let mut value = merge(old, offset, width, value);
        if word == CR3 {
            if self.supply_configured {
                value = (value & !CR3_SUPPLY) | (old & CR3_SUPPLY);
            } else {
                self.supply_configured = true;
                self.settle_from(ctx);
            }
        }
        self.registers.write(word, value);
        if word == D3CR && self.requested() != self.scale {
            // A lower level is at once too low for what needed the higher one.
            self.scale = self.scale.max(self.requested());
            self.settle_from(ctx);
        }
        Ok(())
    }

    /// The regulator has settled.
    pub fn on_event(&mut self) {
        self.scale = self.requested();
    }

    /// The level that limits the clocks now.
    pub fn scale(&self) -> VoltageScale {
        self.scale
    }

    /// CR1.DBP: the backup domain accepts writes.
    pub fn backup_writable(&self) -> bool {
        self.registers
            .get(CR1)
            .is_some_and(|cr1| cr1 & CR1_DBP != 0)
    }

    fn requested(&self) -> VoltageScale {
        match self.registers.field(D3CR, 14, 2) {
            0b00 => VoltageScale::Vos0,
            0b01 => VoltageScale::Vos3,
            0b10 => VoltageScale::Vos2,
            _ => VoltageScale::Vos1,
        }
    }

    fn settle_from(&mut self, ctx: &mut Context) {
        self.settled_at = ctx.now + SETTLING;
        ctx.schedule.set(Event::Pwr, self.settled_at);
    }
}

/// VOS and ACTVOS fields on the STM32H723: 00 means VOS0.
const fn encode(scale: VoltageScale) -> u32 {
    match scale {
        VoltageScale::Vos0 => 0b00,
        VoltageScale::Vos1 => 0b11,
        VoltageScale::Vos2 => 0b10,
        VoltageScale::Vos3 => 0b01,
    }
}
