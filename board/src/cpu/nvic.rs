//! Which exceptions are pending, enabled and active, and at which priority (ARMv7-M B1.5, B3.4).

use crate::irq::{IRQ_COUNT, IrqLines};

pub(super) const NMI: u16 = 2;
pub(super) const HARD_FAULT: u16 = 3;
pub(super) const MEM_MANAGE: u16 = 4;
pub(super) const BUS_FAULT: u16 = 5;
pub(super) const USAGE_FAULT: u16 = 6;
pub(super) const SVCALL: u16 = 11;
pub(super) const PEND_SV: u16 = 14;
pub(super) const SYS_TICK: u16 = 15;
/// Exception number of interrupt line 0.
pub(super) const FIRST_IRQ: u16 = 16;

/// Below every exception's: the priority of thread mode.
pub(super) const THREAD_PRIORITY: i16 = 256;

/// Priority bits that the part implements: the upper four (PAC, `nvic_priority_bits`).
pub(super) const PRIORITY_MASK: u8 = 0xF0;

const WORDS: usize = IRQ_COUNT.div_ceil(32);

#[derive(Clone, Debug)]
pub(super) struct Nvic {
    pub enabled: [u32; WORDS],
    pub pending: [u32; WORDS],
    pub active: [u32; WORDS],
    pub priority: [u8; WORDS * 32],
    /// Bit n for system exception n, 2 to 15.
    pub system_pending: u16,
    pub system_active: u16,
    pub system_priority: [u8; 16],
    /// AIRCR.PRIGROUP.
    pub priority_group: u8,
    /// Pending or priorities changed since the last look for an exception to take.
    pub changed: bool,
    /// Something became pending since the last look (SEVONPEND).
    pub newly_pending: bool,
}

impl Default for Nvic {
    fn default() -> Self {
        Self {
            enabled: [0; WORDS],
            pending: [0; WORDS],
            active: [0; WORDS],
            priority: [0; WORDS * 32],
            system_pending: 0,
            system_active: 0,
            system_priority: [0; 16],
            priority_group: 0,
            changed: true,
            newly_pending: false,
        }
    }
}

impl Nvic {
    /// Latches pending bits from the lines that are high and not being handled.
    pub fn sample(&mut self, lines: &IrqLines) {
        for word in 0..WORDS {
            let rising = lines.word(word) & !self.active[word] & !self.pending[word];
            if rising != 0 {
                self.pending[word] |= rising;
                self.changed = true;
                self.newly_pending = true;
            }
        }
    }

    pub fn pend(&mut self, exception: u16) {
        if exception < FIRST_IRQ {
            self.newly_pending |= self.system_pending & 1 << exception == 0;
            self.system_pending |= 1 << exception;
        } else {
            let line = usize::from(exception - FIRST_IRQ);
            self.newly_pending |= self.pending[line / 32] & 1 << (line % 32) == 0;
            self.pending[line / 32] |= 1 << (line % 32);
        }
        self.changed = true;
    }

    pub fn unpend(&mut self, exception: u16) {
        if exception < FIRST_IRQ {
            self.system_pending &= !(1 << exception);
        } else {
            let line = usize::from(exception - FIRST_IRQ);
            self.pending[line / 32] &= !(1 << (line % 32));
        }
        self.changed = true;
    }

    pub fn set_active(&mut self, exception: u16, active: bool) {
        if exception < FIRST_IRQ {
            self.system_active &= !(1 << exception);
            self.system_active |= u16::from(active) << exception;
        } else {
            let line = usize::from(exception - FIRST_IRQ);
            self.active[line / 32] &= !(1 << (line % 32));
            self.active[line / 32] |= u32::from(active) << (line % 32);
        }
        self.changed = true;
    }

    pub fn is_active(&self, exception: u16) -> bool {
        if exception < FIRST_IRQ {
            self.system_active >> exception & 1 != 0
        } else {
            let line = usize::from(exception - FIRST_IRQ);
            self.active[line / 32] >> (line % 32) & 1 != 0
        }
    }

    /// How many exceptions are active.
    pub fn active_count(&self) -> u32 {
        self.system_active.count_ones() + self.active.iter().map(|w| w.count_ones()).sum::<u32>()
    }

    /// Priority of `exception`, lower is more urgent.
    pub fn priority_of(&self, exception: u16) -> i16 {
        match exception {
            NMI => -2,
            HARD_FAULT => -1,
            0..FIRST_IRQ => self.system_priority[usize::from(exception)].into(),
            _ => self.priority[usize::from(exception - FIRST_IRQ)].into(),
        }
    }

    /// The part of a priority that decides pre-emption.
    pub fn group(&self, priority: i16) -> i16 {
        if priority < 0 {
            priority
        } else {
            priority & (0xFF << (self.priority_group + 1))
        }
    }

    /// The group priority of the most urgent active exception.
    pub fn active_priority(&self) -> i16 {
        numbers(self.system_active.into(), 0)
            .chain(lines_of(&self.active))
            .map(|exception| self.group(self.priority_of(exception)))
            .min()
            .unwrap_or(THREAD_PRIORITY)
    }

    /// The most urgent pending exception that is enabled, with its priority.
    pub fn most_urgent(&self) -> Option<(u16, i16)> {
        let mut ready = self.pending;
        for (word, enabled) in ready.iter_mut().zip(self.enabled) {
            *word &= enabled;
        }
        let mut best: Option<(u16, i16)> = None;
        for exception in numbers(self.system_pending.into(), 0).chain(lines_of(&ready)) {
            let priority = self.priority_of(exception);
            if best.is_none_or(|(_, least)| priority < least) {
                best = Some((exception, priority));
            }
        }
        best
    }
}

/// Numbers of the set bits of `word`, from `first` on.
fn numbers(mut word: u32, first: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let number = first + word.trailing_zeros() as u16;
            word &= word - 1;
            number
        })
    })
}

fn lines_of(words: &[u32; WORDS]) -> impl Iterator<Item = u16> + '_ {
    words
        .iter()
        .enumerate()
        .flat_map(|(index, word)| numbers(*word, FIRST_IRQ + index as u16 * 32))
}
