//! The private peripheral bus: register addresses and what reads and writes of them do
//! (ARMv7-M B3.2 to B3.5, C1; Cortex-M7 TRM for what the architecture leaves open).

use super::nvic::{self, FIRST_IRQ, NMI, PEND_SV, PRIORITY_MASK, SYS_TICK};
use super::state::Core;
use super::stop::StopReason;
use crate::bus::Width;
use crate::irq::IRQ_COUNT;

const VECTKEY: u32 = 0x05FA << 16;
const SYSRESETREQ: u32 = 1 << 2;

/// A register's block and its offset in it, for naming one that is not modelled.
fn name(address: u32) -> (&'static str, u32) {
    let (block, base) = match address {
        0xE000_0000..0xE000_1000 => ("ITM", 0xE000_0000),
        0xE000_1000..0xE000_2000 => ("DWT", 0xE000_1000),
        0xE000_2000..0xE000_3000 => ("FPB", 0xE000_2000),
        0xE000_E000..0xE000_F000 => ("SCS", 0xE000_E000),
        0xE004_0000..0xE004_1000 => ("TPIU", 0xE004_0000),
        0xE004_1000..0xE004_2000 => ("ETM", 0xE004_1000),
        _ => ("PPB", 0xE000_0000),
    };
    (block, address - base)
}

/// Index of a register in a bank that starts at `bank`.
fn index(address: u32, bank: u32) -> usize {
    ((address - bank) / 4) as usize
}

impl Core {
    /// Loads from the private peripheral bus; `None` if the run ends.
    pub(super) fn ppb_load(
        &mut self,
        address: u32,
        width: Width,
        pc: u32,
        cycle: u64,
    ) -> Option<u32> {
        let Some(word) = self.ppb_read(address & !3, cycle) else {
            return self.unmodelled_ppb(address, pc);
        };
        let part = word >> (8 * (address & 3));
        Some(match width {
            Width::Byte => part & 0xFF,
            Width::Half => part & 0xFFFF,
            Width::Word => part,
        })
    }

    /// Stores to the private peripheral bus; `None` if the run ends.
    pub(super) fn ppb_store(
        &mut self,
        address: u32,
        width: Width,
        value: u32,
        pc: u32,
        cycle: u64,
    ) -> Option<()> {
        let word = match (width, address) {
            (Width::Word, _) => value,
            // Priorities are byte-accessible; CFSR's bits are cleared by writing ones.
            (_, 0xE000_E400..0xE000_E800 | 0xE000_ED18..0xE000_ED24) => {
                let shift = 8 * (address & 3);
                let mask = if width == Width::Byte { 0xFF } else { 0xFFFF } << shift;
                let old = self.ppb_read(address & !3, cycle).unwrap_or(0);
                old & !mask | value << shift & mask
            }
            (_, 0xE000_ED28..0xE000_ED2C) => value << (8 * (address & 3)),
            _ => return self.unmodelled_ppb(address, pc),
        };
        match self.ppb_write(address & !3, word, pc, cycle) {
            Some(()) => Some(()),
            None => self.unmodelled_ppb(address, pc),
        }
    }

    fn unmodelled_ppb<T>(&mut self, address: u32, pc: u32) -> Option<T> {
        let (block, offset) = name(address);
        self.stop_with(StopReason::UnmodelledRegister {
            pc,
            address,
            block,
            offset,
        });
        None
    }

    fn ppb_read(&mut self, address: u32, cycle: u64) -> Option<u32> {
        self.advance_systick(cycle);
        Some(match address {
            0xE000_0E00 | 0xE000_0E40 | 0xE000_0E80 => self.scb.itm[itm_index(address)],
            0xE000_1000 => self.dwt.control(),
            0xE000_1004 => self.dwt.cycle_count(cycle),
            // CPICNT to FOLDCNT count nothing; comparators are not modelled and read as zero.
            0xE000_1008..=0xE000_1018 | 0xE000_1020..=0xE000_105C => 0,
            0xE000_1FB4 | 0xE000_0FB4 => 0,
            // ICTR: interrupt lines in units of 32, less one.
            0xE000_E004 => (IRQ_COUNT.div_ceil(32) - 1) as u32,
            0xE000_E008 => self.scb.actlr,
            0xE000_E010 => self.systick.read_control(),
            0xE000_E014 => self.systick.reload(),
            0xE000_E018 => self.systick.value(),
            // CALIB: no calibration value is known (NOREF clear, TENMS zero).
            0xE000_E01C => 0,
            0xE000_E100..0xE000_E500 => self.nvic_read(address),
            0xE000_ED00..0xE000_ED90 => self.scb_read(address)?,
            0xE000_ED90..=0xE000_EDB8 => self.scb.mpu.read(address)?,
            // DHCSR: no debugger is connected.
            0xE000_EDF0 => 0,
            0xE000_EDFC => self.scb.demcr,
            0xE000_EF34 => self.scb.fpccr,
            0xE000_EF38 => self.scb.fpcar,
            0xE000_EF3C => self.scb.fpdscr,
            // MVFR0 to MVFR2: FPv5, single and double precision (Cortex-M7 TRM).
            0xE000_EF40 => 0x1011_0221,
            0xE000_EF44 => 0x1200_0011,
            0xE000_EF48 => 0x0000_0040,
            0xE000_EF90 => self.scb.itcmcr,
            0xE000_EF94 => self.scb.dtcmcr,
            0xE000_EF98 => self.scb.ahbpcr,
            0xE000_EF9C => self.scb.cacr,
            0xE000_EFA8 => 0,
            _ => return None,
        })
    }

    fn ppb_write(&mut self, address: u32, value: u32, pc: u32, cycle: u64) -> Option<()> {
        self.advance_systick(cycle);
        match address {
            0xE000_0E00 | 0xE000_0E40 | 0xE000_0E80 => self.scb.itm[itm_index(address)] = value,
            0xE000_1000 => self.dwt.write_control(value, cycle),
            0xE000_1004 => self.dwt.set_cycle_count(value, cycle),
            0xE000_1008..=0xE000_1018 | 0xE000_1020..=0xE000_105C => {}
            // Lock access registers.
            0xE000_1FB0 | 0xE000_0FB0 => {}
            0xE000_E008 => self.scb.actlr = value,
            0xE000_E010 => self.systick.write_control(value, cycle),
            0xE000_E014 => self.systick.write_reload(value),
            0xE000_E018 => self.systick.clear_value(cycle),
            0xE000_E01C => {}
            0xE000_E100..0xE000_E500 => self.nvic_write(address, value),
            0xE000_ED00..0xE000_ED90 => self.scb_write(address, value, pc)?,
            0xE000_ED90..=0xE000_EDB8 => {
                self.scb.settings_changed |= self.scb.mpu.write(address, value)?;
            }
            0xE000_EDFC => self.scb.demcr = value,
            // STIR
            0xE000_EF00 if (value & 0x1FF) < IRQ_COUNT as u32 => {
                self.nvic.pend(FIRST_IRQ + (value & 0x1FF) as u16);
            }
            0xE000_EF34 => self.scb.fpccr = value & 0xC000_017B,
            0xE000_EF38 => self.scb.fpcar = value & !7,
            0xE000_EF3C => self.scb.fpdscr = value & 0x07C0_0000,
            // Cache maintenance by address, by set and way, and of the branch predictor: contents are
            // always coherent here.
            0xE000_EF50 | 0xE000_EF58..=0xE000_EF78 => {}
            0xE000_EF90 => self.scb.itcmcr = value,
            0xE000_EF94 => self.scb.dtcmcr = value,
            0xE000_EF98 => self.scb.ahbpcr = value,
            0xE000_EF9C => self.scb.cacr = value,
            0xE000_EFA8 => {}
            _ => return None,
        }
        self.update_float_ready();
        Some(())
    }

    fn nvic_read(&self, address: u32) -> u32 {
        let word = |words: &[u32], bank| words.get(index(address, bank)).copied().unwrap_or(0);
        match address {
            0xE000_E100..0xE000_E180 => word(&self.nvic.enabled, 0xE000_E100),
            0xE000_E180..0xE000_E200 => word(&self.nvic.enabled, 0xE000_E180),
            0xE000_E200..0xE000_E280 => word(&self.nvic.pending, 0xE000_E200),
            0xE000_E280..0xE000_E300 => word(&self.nvic.pending, 0xE000_E280),
            0xE000_E300..0xE000_E400 => word(&self.nvic.active, 0xE000_E300),
            _ => {
                let at = index(address, 0xE000_E400) * 4;
                let bytes = self.nvic.priority.get(at..at + 4);
                bytes.map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            }
        }
    }

    fn nvic_write(&mut self, address: u32, value: u32) {
        let nvic = &mut self.nvic;
        nvic.changed = true;
        if address >= 0xE000_E400 {
            let first = index(address, 0xE000_E400) * 4;
            for (line, byte) in (first..IRQ_COUNT).zip(value.to_le_bytes()) {
                nvic.priority[line] = byte & PRIORITY_MASK;
            }
            return;
        }
        let at = index(address, address & !0x7F);
        let lines = IRQ_COUNT.saturating_sub(at * 32).min(32);
        if lines == 0 {
            return;
        }
        // Bits of lines the part does not have stay zero.
        let value = value & u32::MAX >> (32 - lines);
        match address {
            0xE000_E100..0xE000_E180 => nvic.enabled[at] |= value,
            0xE000_E180..0xE000_E200 => nvic.enabled[at] &= !value,
            0xE000_E200..0xE000_E280 => {
                nvic.newly_pending |= value & !nvic.pending[at] != 0;
                nvic.pending[at] |= value;
            }
            0xE000_E280..0xE000_E300 => nvic.pending[at] &= !value,
            // Active bits are read-only.
            _ => {}
        }
    }

    fn scb_read(&self, address: u32) -> Option<u32> {
        Some(match address {
            // CPUID: Cortex-M7 r1p1 (recalled; SOURCES.md).
            0xE000_ED00 => 0x411F_C271,
            0xE000_ED04 => self.icsr(),
            0xE000_ED08 => self.scb.vtor,
            0xE000_ED0C => 0xFA05_0000 | u32::from(self.nvic.priority_group) << 8,
            0xE000_ED10 => self.scb.scr,
            0xE000_ED14 => self.scb.ccr,
            0xE000_ED18..=0xE000_ED20 => {
                let at = 4 + index(address, 0xE000_ED18) * 4;
                let p = &self.nvic.system_priority[at..at + 4];
                u32::from_le_bytes([p[0], p[1], p[2], p[3]])
            }
            0xE000_ED24 => self.shcsr(),
            0xE000_ED28 => self.scb.cfsr,
            0xE000_ED2C => self.scb.hfsr,
            0xE000_ED30 => self.scb.dfsr,
            0xE000_ED34 => self.scb.mmfar,
            0xE000_ED38 => self.scb.bfar,
            0xE000_ED3C => 0,
            // Identification (Cortex-M7 TRM, table of system control registers).
            0xE000_ED40..=0xE000_ED70 => ID_REGISTERS[index(address, 0xE000_ED40)],
            0xE000_ED78 => 0x0900_0003,
            0xE000_ED7C => 0x8303_C003,
            0xE000_ED80 => self.scb.ccsidr(),
            0xE000_ED84 => self.scb.csselr,
            0xE000_ED88 => self.scb.cpacr,
            _ => return None,
        })
    }

    fn scb_write(&mut self, address: u32, value: u32, pc: u32) -> Option<()> {
        match address {
            0xE000_ED04 => self.write_icsr(value),
            0xE000_ED08 => self.scb.vtor = value & !0x7F,
            0xE000_ED0C if value & 0xFFFF_0000 == VECTKEY => {
                self.nvic.priority_group = (value >> 8 & 7) as u8;
                self.nvic.changed = true;
                if value & SYSRESETREQ != 0 {
                    self.stop_with(StopReason::ResetRequested { pc });
                }
            }
            0xE000_ED0C => {}
            0xE000_ED10 => self.scb.scr = value & 0x16,
            0xE000_ED14 => self.scb.write_ccr(value),
            0xE000_ED18..=0xE000_ED20 => {
                let at = 4 + index(address, 0xE000_ED18) * 4;
                for (byte, priority) in value.to_le_bytes().into_iter().zip(at..) {
                    self.nvic.system_priority[priority] = byte & PRIORITY_MASK;
                }
                self.nvic.changed = true;
            }
            0xE000_ED24 => self.write_shcsr(value),
            0xE000_ED28 => self.scb.cfsr &= !value,
            0xE000_ED2C => self.scb.hfsr &= !value,
            0xE000_ED30 => self.scb.dfsr &= !value,
            0xE000_ED34 => self.scb.mmfar = value,
            0xE000_ED38 => self.scb.bfar = value,
            0xE000_ED84 => self.scb.csselr = value & 0xF,
            0xE000_ED88 => self.scb.cpacr = value & 0x00F0_0000,
            _ => return None,
        }
        Some(())
    }

    fn icsr(&self) -> u32 {
        let pending = self
            .nvic
            .most_urgent()
            .map_or(0, |(exception, _)| exception);
        let system = |exception: u16| u32::from(self.nvic.system_pending >> exception & 1);
        let any_line = self
            .nvic
            .pending
            .iter()
            .zip(self.nvic.enabled)
            .any(|(p, e)| p & e != 0);
        u32::from(self.exception)
            | u32::from(self.nvic.active_count() <= 1) << 11
            | u32::from(pending) << 12
            | u32::from(any_line) << 22
            | system(SYS_TICK) << 26
            | system(PEND_SV) << 28
            | system(NMI) << 31
    }

    fn write_icsr(&mut self, value: u32) {
        if value & 1 << 31 != 0 {
            self.nvic.pend(NMI);
        }
        if value & 1 << 28 != 0 {
            self.nvic.pend(PEND_SV);
        } else if value & 1 << 27 != 0 {
            self.nvic.unpend(PEND_SV);
        }
        if value & 1 << 26 != 0 {
            self.nvic.pend(SYS_TICK);
        } else if value & 1 << 25 != 0 {
            self.nvic.unpend(SYS_TICK);
        }
    }

    fn shcsr(&self) -> u32 {
        SHCSR_BITS
            .iter()
            .fold(self.scb.fault_enables, |word, &(bit, exception, active)| {
                let set = if active {
                    self.nvic.system_active
                } else {
                    self.nvic.system_pending
                };
                word | u32::from(set >> exception & 1) << bit
            })
    }

    fn write_shcsr(&mut self, value: u32) {
        self.scb.fault_enables = value & 0x0007_0000;
        for (bit, exception, active) in SHCSR_BITS {
            let set = value >> bit & 1 != 0;
            match (active, set) {
                (true, _) => self.nvic.set_active(exception, set),
                (false, true) => self.nvic.pend(exception),
                (false, false) => self.nvic.unpend(exception),
            }
        }
    }

    /// Brings SysTick up to `cycle` and pends its exception if it came round.
    pub(super) fn advance_systick(&mut self, cycle: u64) {
        if self.systick.advance(cycle) {
            self.nvic.pend(SYS_TICK);
        }
    }
}

/// SHCSR: bit, exception, and whether it is an active or a pending bit.
const SHCSR_BITS: [(u32, u16, bool); 10] = [
    (0, nvic::MEM_MANAGE, true),
    (1, nvic::BUS_FAULT, true),
    (3, nvic::USAGE_FAULT, true),
    (7, nvic::SVCALL, true),
    (10, PEND_SV, true),
    (11, SYS_TICK, true),
    (12, nvic::USAGE_FAULT, false),
    (13, nvic::MEM_MANAGE, false),
    (14, nvic::BUS_FAULT, false),
    (15, nvic::SVCALL, false),
];

/// ID_PFR0 to ID_ISAR4.
const ID_REGISTERS: [u32; 13] = [
    0x0000_0030,
    0x0000_0200,
    0x0010_0000,
    0,
    0x0010_0030,
    0,
    0x0100_0000,
    0,
    0x0110_1110,
    0x0211_2000,
    0x2023_2231,
    0x0111_1131,
    0x0131_0132,
];

fn itm_index(address: u32) -> usize {
    match address {
        0xE000_0E00 => 0,
        0xE000_0E40 => 1,
        _ => 2,
    }
}
