//! TIM2: 32-bit general-purpose timer (PAC timer_v3, EMB time_driver), counting up with four output compare channels.
//!
//! Capture, external triggers, down-counting and DMA requests are not modelled: switching them on is
//! reported as an unmodelled register. Compare outputs reach no pin.

mod counter;

#[cfg(test)]
mod tests;

use crate::bus::{AccessError, Width};
use crate::irq::line;
use crate::schedule::Event;
use crate::soc::context::{Context, RegisterValue, merge, unmodelled};
use crate::soc::tim2::counter::Counter;
use crate::time::Instant;

const BLOCK: &str = "TIM2";
const CHANNELS: usize = 4;

const CR1: u32 = 0x00;
const CR2: u32 = 0x04;
const SMCR: u32 = 0x08;
const DIER: u32 = 0x0C;
const SR: u32 = 0x10;
const EGR: u32 = 0x14;
const CCMR1: u32 = 0x18;
const CCMR2: u32 = 0x1C;
const CCER: u32 = 0x20;
const CNT: u32 = 0x24;
const PSC: u32 = 0x28;
const ARR: u32 = 0x2C;
const CCR1: u32 = 0x34;
const CCR4: u32 = 0x40;

const CR1_CEN: u32 = 1 << 0;
const CR1_UDIS: u32 = 1 << 1;
const CR1_URS: u32 = 1 << 2;
const CR1_OPM: u32 = 1 << 3;
const CR1_ARPE: u32 = 1 << 7;
const CR1_MODELLED: u32 = CR1_CEN | CR1_UDIS | CR1_URS | CR1_OPM | CR1_ARPE;
/// UIF and CC1IF to CC4IF, in SR, and their enables in DIER.
const FLAGS: u32 = 0x1F;
const UIF: u32 = 1 << 0;
const EGR_UG: u32 = 1 << 0;

const fn ccif(channel: usize) -> u32 {
    2 << channel
}

/// The timer.
#[derive(Clone, Debug)]
pub struct Tim2 {
    cr1: u32,
    dier: u32,
    sr: u32,
    ccmr: [u32; 2],
    ccer: u32,
    prescaler: u32,
    reload: u32,
    /// What software wrote to the compare registers, and what is compared.
    compare_preload: [u32; CHANNELS],
    compare: [u32; CHANNELS],
    counter: Counter,
}

impl Tim2 {
    /// A stopped timer clocked at `hz`.
    pub fn new(hz: u64) -> Self {
        Self {
            cr1: 0,
            dier: 0,
            sr: 0,
            ccmr: [0; 2],
            ccer: 0,
            prescaler: 0,
            reload: u32::MAX,
            compare_preload: [0; CHANNELS],
            compare: [0; CHANNELS],
            counter: Counter::new(hz),
        }
    }

    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        ctx: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        let value = match offset & !3 {
            CNT => {
                self.catch_up(ctx.now);
                return Ok(self.counter_value().lane(offset, width));
            }
            CR1 => self.cr1,
            CR2 | SMCR | EGR => 0,
            DIER => self.dier,
            SR => self.sr,
            CCMR1 => self.ccmr[0],
            CCMR2 => self.ccmr[1],
            CCER => self.ccer,
            PSC => self.prescaler,
            ARR => self.reload,
            word @ CCR1..=CCR4 => self.compare_preload[channel(word)],
            _ => return unmodelled(BLOCK, offset),
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
        self.catch_up(ctx.now);
        let word = offset & !3;
        let merged = |old| merge(old, offset, width, value);
        match word {
            CR1 => {
                let cr1 = merged(self.cr1);
                if cr1 & !CR1_MODELLED != 0 {
                    return unmodelled(BLOCK, offset);
                }
                self.store_cr1(cr1, ctx.now);
            }
            CR2 | SMCR if merged(0) == 0 => {}
            DIER if merged(self.dier) & !FLAGS == 0 => self.dier = merged(self.dier),
            // Written bits that are 0 clear their flags.
            SR => self.sr &= merge(u32::MAX, offset, width, value),
            EGR if merged(0) & !FLAGS == 0 => self.generate(merged(0), ctx.now),
            CCMR1 if output_compare(merged(self.ccmr[0])) => self.ccmr[0] = merged(self.ccmr[0]),
            CCMR2 if output_compare(merged(self.ccmr[1])) => self.ccmr[1] = merged(self.ccmr[1]),
            CCER => self.ccer = merged(self.ccer),
            CNT => self.counter.set_value(merged(self.counter.value())),
            PSC => self.prescaler = merged(self.prescaler) & 0xFFFF,
            ARR => {
                self.reload = merged(self.reload);
                if self.cr1 & CR1_ARPE == 0 {
                    self.counter.set_reload(self.reload, ctx.now);
                }
            }
            CCR1..=CCR4 => {
                let n = channel(word);
                self.compare_preload[n] = merged(self.compare_preload[n]);
                if !self.is_preloaded(n) {
                    self.compare[n] = self.compare_preload[n];
                }
            }
            _ => return unmodelled(BLOCK, offset),
        }
        self.arrange(ctx);
        Ok(())
    }

    /// The counter overflows or matches.
    pub fn on_event(&mut self, ctx: &mut Context) {
        self.catch_up(ctx.now);
        self.arrange(ctx);
    }

    /// The timer clock changes to `hz`.
    pub fn retune(&mut self, hz: u64, ctx: &mut Context) {
        self.catch_up(ctx.now);
        self.counter.retune(hz, ctx.now);
        self.arrange(ctx);
    }

    /// Back to the reset values.
    pub fn reset(&mut self, ctx: &mut Context) {
        *self = Self::new(ctx.clocks.timers1_hz);
        self.arrange(ctx);
    }

    fn counter_value(&self) -> RegisterValue {
        let value = self.counter.value();
        if self.counter.is_running() {
            RegisterValue::volatile(value)
        } else {
            RegisterValue::stable(value)
        }
    }

    fn store_cr1(&mut self, cr1: u32, now: Instant) {
        let enable = cr1 & CR1_CEN != 0;
        if enable != self.counter.is_running() {
            self.counter.set_running(enable, now);
        }
        self.cr1 = cr1;
    }

    /// Software events: an update (UG) or compare flags (CCxG).
    fn generate(&mut self, events: u32, now: Instant) {
        self.sr |= events & FLAGS & !UIF;
        if events & EGR_UG != 0 {
            self.counter.restart(now);
            self.update(self.cr1 & CR1_URS == 0);
        }
    }

    /// An update: preloaded registers take effect, and UIF is set if `flag`.
    fn update(&mut self, flag: bool) {
        if self.cr1 & CR1_UDIS != 0 {
            return;
        }
        self.counter.reload_from(self.prescaler, self.reload);
        self.compare = self.compare_preload;
        if flag {
            self.sr |= UIF;
        }
    }

    fn is_preloaded(&self, channel: usize) -> bool {
        self.ccmr[channel / 2] >> (8 * (channel % 2) + 3) & 1 != 0
    }

    /// Brings the counter to `now`, raising the flags it passes on the way.
    fn catch_up(&mut self, now: Instant) {
        let mut steps = self.counter.steps_until(now);
        let mut overflows = 0;
        while steps > 0 {
            let to_overflow = self.counter.steps_to_overflow();
            let part = steps.min(to_overflow);
            for channel in 0..CHANNELS {
                let matches = self.counter.steps_to(self.compare[channel]);
                if matches.is_some_and(|at| at <= part) {
                    self.sr |= ccif(channel);
                }
            }
            self.counter.advance(part);
            if part < to_overflow {
                return;
            }
            self.update(true);
            if self.cr1 & CR1_OPM != 0 {
                self.cr1 &= !CR1_CEN;
                self.counter.set_running(false, now);
                return;
            }
            // The update may have changed the length of a step.
            steps = self.counter.steps_until(now);
            overflows += 1;
            if overflows == 2 {
                // A whole period has raised every flag that can be raised.
                steps = self.counter.skip_periods(steps);
            }
        }
    }

    /// Sets the interrupt line and arranges the next event: whatever changes a flag or a register next.
    fn arrange(&mut self, ctx: &mut Context) {
        ctx.irq.set(line::TIM2, self.sr & self.dier & FLAGS != 0);
        let flags = (0..CHANNELS)
            .filter(|channel| self.sr & ccif(*channel) == 0)
            .filter_map(|channel| self.counter.steps_to(self.compare[channel]));
        let update_matters = self.sr & UIF == 0 || self.has_preload() || self.cr1 & CR1_OPM != 0;
        let update = update_matters.then(|| self.counter.steps_to_overflow());
        let next = flags.chain(update).min();
        let due = next.map_or(Instant::NEVER, |steps| self.counter.instant_after(steps));
        ctx.schedule.set(Event::Tim2, due);
    }

    /// Whether the next update changes what the timer does.
    fn has_preload(&self) -> bool {
        self.compare != self.compare_preload
            || !self.counter.is_loaded_with(self.prescaler, self.reload)
    }
}

const fn channel(ccr: u32) -> usize {
    ((ccr - CCR1) / 4) as usize
}

/// Whether both channels of a CCMR are output compare, without clearing by an external signal.
const fn output_compare(ccmr: u32) -> bool {
    ccmr & 0x0000_8383 == 0
}
