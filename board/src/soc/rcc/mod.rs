//! RCC: resets, oscillators, PLLs, the clock tree and the clock gates (PAC rcc_h7, SVD, EMB rcc/h.rs).

mod gates;
mod sources;
mod table;
mod tree;

#[cfg(test)]
mod tests;

pub use gates::Gate;

use crate::bus::{AccessError, Width};
use crate::schedule::Event;
use crate::soc::clocks::{Clocks, PllOutputs};
use crate::soc::context::{Context, RegisterValue, merge, unmodelled};
use crate::soc::limits::ClockViolation;
use crate::soc::registers::RegisterFile;
use sources::{Source, Sources};

const BLOCK: &str = "RCC";

/// D1CKRDY and D2CKRDY: the clocks of both domains run whenever the core does.
/// PLLCKSELR.PLLSRC, and DIVM1, which DIVM2 and DIVM3 follow 8 bits apart.
const PLLSRC: u32 = 0b11;
const DIVM1: u32 = 0x3F << 4;
const CR_DOMAINS_READY: u32 = 0b11 << 14;
const CSR_LSIRDY: u32 = 1 << 1;
const BDCR_LSERDY: u32 = 1 << 1;
const BDCR_BDRST: u32 = 1 << 16;
const RSR_RMVF: u32 = 1 << 16;

/// The reset and clock controller.
#[derive(Clone, Debug)]
pub struct Rcc {
    registers: RegisterFile,
    sources: Sources,
    system: Source,
    /// What each PLL was programmed for when it started; its registers are locked while it runs.
    pll: [PllOutputs; 3],
    reset_flags_cleared: bool,
    backup_writable: bool,
    violation: Option<ClockViolation>,
    /// The open clock gates.
    open: u32,
}

impl Default for Rcc {
    fn default() -> Self {
        Self {
            registers: RegisterFile::new(&table::TABLE),
            sources: Sources::after_reset(),
            system: Source::Hsi,
            pll: [PllOutputs::default(); 3],
            reset_flags_cleared: false,
            backup_writable: false,
            violation: None,
            open: 0,
        }
    }
}

impl Rcc {
    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        _: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        let word = self_view(offset & !3);
        let Some(stored) = self.registers.get(word) else {
            return unmodelled(BLOCK, offset);
        };
        let value = match word {
            table::CR => stored | CR_DOMAINS_READY | self.ready_flags(),
            table::CFGR => stored | self.system_field() << 3,
            table::CSR if self.sources.is_ready(Source::Lsi) => stored | CSR_LSIRDY,
            table::BDCR if self.sources.is_ready(Source::Lse) => stored | BDCR_LSERDY,
            table::RSR if self.reset_flags_cleared => 0,
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
        let word = self_view(offset & !3);
        let Some(old) = self.registers.get(word) else {
            return unmodelled(BLOCK, offset);
        };
        let value = merge(old, offset, width, value);
        match word {
            table::CR => self.store_cr(value),
            table::CIER if value != 0 => return unmodelled(BLOCK, offset),
            table::CSR => {
                self.registers.write(word, value);
                self.sources.switch(Source::Lsi, value & 1 != 0);
            }
            table::BDCR => self.store_bdcr(value),
            table::RSR => self.reset_flags_cleared |= value & RSR_RMVF != 0,
            table::PLLCKSELR => self.store_pllckselr(value),
            _ if self.is_locked(word) => {}
            _ => {
                self.registers.write(word, value);
            }
        }
        self.open = Gate::open(&self.registers);
        self.settle(ctx);
        Ok(())
    }

    /// Some oscillator or PLL becomes ready.
    pub fn on_event(&mut self, ctx: &mut Context) {
        self.settle(ctx);
    }

    /// The frequencies that the present settings give.
    pub fn clocks(&self) -> Result<Clocks, ClockViolation> {
        if let Some(violation) = self.violation {
            return Err(violation);
        }
        let clocks = tree::clocks(&self.registers, &self.sources, self.system, self.pll);
        Ok(clocks.expect("the system clock's source is ready and its output enabled"))
    }

    /// Whether CSI runs, which the I/O compensation cell needs.
    pub fn csi_ready(&self) -> bool {
        self.sources.is_ready(Source::Csi)
    }

    /// Whether the clock gate of a peripheral is open.
    #[inline]
    pub fn is_enabled(&self, gate: Gate) -> bool {
        gate.is_among(self.open)
    }

    /// Whether SRAM1 and SRAM2 have their clocks for the core (AHB2ENR.SRAM1EN, SRAM2EN).
    pub fn sram_clocks(&self) -> (bool, bool) {
        let is_on = |bit| self.registers.bit(table::AHB2ENR, bit);
        (is_on(29), is_on(30))
    }

    /// Whether a peripheral is held in reset.
    pub fn is_held_in_reset(&self, gate: Gate) -> bool {
        gate.is_held_in_reset(&self.registers)
    }

    /// PWR_CR1.DBP: whether the backup domain accepts writes.
    pub fn set_backup_writable(&mut self, writable: bool) {
        self.backup_writable = writable;
    }

    fn ready_flags(&self) -> u32 {
        let ready = Source::ALL
            .into_iter()
            .filter(|s| self.sources.is_ready(*s));
        ready
            .filter_map(Source::ready_bit)
            .fold(0, |flags, bit| flags | 1 << bit)
    }

    fn system_field(&self) -> u32 {
        match self.system {
            Source::Csi => 1,
            Source::Hse => 2,
            Source::Pll1 => 3,
            _ => 0,
        }
    }

    /// A source that drives the system clock cannot be switched off (recalled).
    fn store_cr(&mut self, value: u32) {
        let mut value = value;
        let pll_source = tree::pll_source(&self.registers);
        for source in Source::ALL {
            let Some(bit) = source.on_bit() else { continue };
            let feeds_pll1 = self.system == Source::Pll1 && pll_source == Some(source);
            if self.system == source || feeds_pll1 {
                value |= 1 << bit;
            }
            self.sources.switch(source, value >> bit & 1 != 0);
        }
        self.registers.write(table::CR, value);
    }

    fn store_bdcr(&mut self, value: u32) {
        if !self.backup_writable {
            return;
        }
        let value = if value & BDCR_BDRST != 0 {
            BDCR_BDRST
        } else {
            value
        };
        self.registers.write(table::BDCR, value);
        self.sources.switch(Source::Lse, value & 1 != 0);
    }

    /// A running PLL's dividers do not change.
    fn is_locked(&self, word: u32) -> bool {
        let running = |source| !self.sources.is_off(source);
        match word {
            0x30 => running(Source::Pll1),
            0x38 => running(Source::Pll2),
            0x40 => running(Source::Pll3),
            _ => false,
        }
    }

    /// The prescaler of a running PLL does not change, nor does the source of all while any runs.
    fn store_pllckselr(&mut self, value: u32) {
        let mut locked = 0;
        for (index, source) in [Source::Pll1, Source::Pll2, Source::Pll3]
            .into_iter()
            .enumerate()
        {
            if !self.sources.is_off(source) {
                locked |= PLLSRC | DIVM1 << (8 * index);
            }
        }
        let kept = self.registers.get(table::PLLCKSELR).unwrap_or(0) & locked;
        self.registers
            .write(table::PLLCKSELR, value & !locked | kept);
    }

    /// Brings sources, PLLs and the system clock to where they belong at `ctx.now`.
    fn settle(&mut self, ctx: &mut Context) {
        self.sources.settle(ctx.now);
        for source in Source::ALL {
            if !self.can_start(source) || !self.sources.start(source, ctx.now) {
                continue;
            }
            if let Some(index) = source.pll() {
                match tree::pll_outputs(&self.registers, index) {
                    Ok(outputs) => self.pll[index] = outputs.unwrap_or_default(),
                    Err(violation) => self.violation = Some(violation),
                }
            }
        }
        for source in [Source::Pll1, Source::Pll2, Source::Pll3] {
            if let (Some(index), true) = (source.pll(), self.sources.is_off(source)) {
                self.pll[index] = PllOutputs::default();
            }
        }
        if let Some(requested) = tree::requested_system_source(&self.registers)
            && self.gives_system_clock(requested)
        {
            self.system = requested;
        }
        ctx.schedule.set(Event::Rcc, self.sources.next_ready());
    }

    fn gives_system_clock(&self, source: Source) -> bool {
        self.sources.is_ready(source) && (source != Source::Pll1 || self.pll[0].p_hz.is_some())
    }

    /// HSE has no crystal here: it comes from the ST-LINK and needs HSEBYP; LSE has a
    /// crystal (ZDTS; LSE recalled).
    fn can_start(&self, source: Source) -> bool {
        match source {
            Source::Hse => self.registers.bit(table::CR, 18),
            Source::Pll1 | Source::Pll2 | Source::Pll3 => {
                tree::pll_source(&self.registers).is_some_and(|s| self.sources.is_ready(s))
            }
            _ => true,
        }
    }
}

/// The core's own view of enable and reset flags shows the same registers.
fn self_view(word: u32) -> u32 {
    if table::CORE_VIEW_RANGE.contains(&word) {
        word - table::CORE_VIEW
    } else {
        word
    }
}
