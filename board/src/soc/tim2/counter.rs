//! The up-counter behind TIM2: exact at every instant, computed only when somebody asks.

use crate::time::{Instant, Span};

const PS_PER_SECOND: u128 = 1_000_000_000_000;

/// A prescaled counter that goes from 0 to its reload value and starts again.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Counter value after `consumed` timer clocks.
    value: u32,
    /// Timer clocks in one step of the counter.
    divider: u64,
    reload: u32,
    running: bool,
    hz: u64,
    /// Where timer clocks are counted from: the last start or change of frequency.
    base: Instant,
    /// Timer clocks since `base` that `value` accounts for.
    consumed: u64,
    /// Timer clocks before `base` that belong to the step under way.
    carried: u64,
}

impl Counter {
    /// A stopped counter at 0 with the longest period.
    pub fn new(hz: u64) -> Self {
        Self {
            value: 0,
            divider: 1,
            reload: u32::MAX,
            running: false,
            hz,
            base: Instant::ZERO,
            consumed: 0,
            carried: 0,
        }
    }

    pub fn value(&self) -> u32 {
        self.value
    }

    pub fn is_running(&self) -> bool {
        self.running
    }

    /// A counter with a reload value of 0 stands still (recalled).
    fn counts(&self) -> bool {
        self.running && self.reload != 0
    }

    /// Whole steps from `value` to `now`.
    pub fn steps_until(&self, now: Instant) -> u64 {
        if !self.counts() || now < self.base {
            return 0;
        }
        let elapsed = u128::from((now - self.base).as_ps()) * u128::from(self.hz) / PS_PER_SECOND;
        (self.carried + elapsed as u64 - self.consumed) / self.divider
    }

    /// Steps from `value` to the next return to 0.
    pub fn steps_to_overflow(&self) -> u64 {
        if self.value <= self.reload {
            u64::from(self.reload - self.value) + 1
        } else {
            (1 << 32) - u64::from(self.value)
        }
    }

    /// Steps from `value` until the counter shows `target` again; `None` if it never does.
    pub fn steps_to(&self, target: u32) -> Option<u64> {
        if target > self.reload {
            None
        } else if target > self.value {
            Some(u64::from(target - self.value))
        } else {
            Some(self.steps_to_overflow() + u64::from(target))
        }
    }

    /// When the counter has made `steps` more steps.
    pub fn instant_after(&self, steps: u64) -> Instant {
        if !self.counts() {
            return Instant::NEVER;
        }
        let clocks = self.consumed + steps * self.divider - self.carried;
        self.base + Span::of_ticks(clocks, self.hz)
    }

    /// Moves on by `steps`, at most to the next overflow.
    pub fn advance(&mut self, steps: u64) {
        self.consumed += steps * self.divider;
        self.value = if steps < self.steps_to_overflow() {
            self.value + steps as u32
        } else {
            0
        };
    }

    /// Skips whole periods out of `steps`; gives the steps that remain.
    pub fn skip_periods(&mut self, steps: u64) -> u64 {
        let period = u64::from(self.reload) + 1;
        let skipped = steps / period * period;
        self.consumed += skipped * self.divider;
        steps - skipped
    }

    /// Loads the prescaler and the reload value, as an update does.
    pub fn reload_from(&mut self, prescaler: u32, reload: u32) {
        self.divider = u64::from(prescaler) + 1;
        self.reload = reload;
    }

    pub fn is_loaded_with(&self, prescaler: u32, reload: u32) -> bool {
        self.divider == u64::from(prescaler) + 1 && self.reload == reload
    }

    pub fn set_reload(&mut self, reload: u32, now: Instant) {
        self.rebase(now);
        self.reload = reload;
    }

    pub fn set_value(&mut self, value: u32) {
        self.value = value;
    }

    /// Sets counter and prescaler back to 0 at `now`.
    pub fn restart(&mut self, now: Instant) {
        self.value = 0;
        self.base = now;
        self.consumed = 0;
        self.carried = 0;
    }

    pub fn set_running(&mut self, running: bool, now: Instant) {
        self.rebase(now);
        self.running = running;
    }

    /// Changes the timer clock at `now`, up to which the counter has been advanced.
    pub fn retune(&mut self, hz: u64, now: Instant) {
        self.rebase(now);
        self.hz = hz;
    }

    /// Counts timer clocks from `now` on, keeping those of the step under way.
    fn rebase(&mut self, now: Instant) {
        if self.counts() {
            let elapsed =
                u128::from((now - self.base).as_ps()) * u128::from(self.hz) / PS_PER_SECOND;
            self.carried = self.carried + elapsed as u64 - self.consumed;
        }
        self.base = now;
        self.consumed = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_never_drift_from_a_clock_that_no_picosecond_divides() {
        let mut counter = Counter::new(275_000_000);
        counter.reload_from(2, 99);
        counter.set_running(true, Instant::ZERO);
        for _ in 0..1_000_000 {
            let steps = counter.steps_to_overflow();
            let at = counter.instant_after(steps);
            assert_eq!(counter.steps_until(at), steps);
            assert_eq!(
                counter.steps_until(Instant::from_ps(at.as_ps() - 1)),
                steps - 1
            );
            counter.advance(steps);
        }
        // 10^6 periods of 100 steps of 3 clocks.
        assert_eq!(
            counter.instant_after(0),
            Instant::ZERO + Span::of_ticks(300_000_000, 275_000_000)
        );
    }

    #[test]
    fn a_change_of_frequency_keeps_the_step_under_way() {
        let mut counter = Counter::new(100_000_000);
        counter.reload_from(9, u32::MAX);
        counter.set_running(true, Instant::ZERO);
        // 25 clocks at 100 MHz: two steps and half of the third.
        let now = Instant::from_ns(250);
        counter.advance(counter.steps_until(now));
        counter.retune(50_000_000, now);
        assert_eq!(counter.value(), 2);
        assert_eq!(counter.instant_after(1), Instant::from_ns(250 + 100));
    }

    #[test]
    fn a_value_beyond_the_reload_value_runs_to_the_end_of_32_bits() {
        let mut counter = Counter::new(1_000_000);
        counter.reload_from(0, 9);
        counter.set_value(u32::MAX - 1);
        assert_eq!(counter.steps_to_overflow(), 2);
        assert_eq!(counter.steps_to(10), None);
    }
}
