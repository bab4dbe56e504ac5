//! SysTick, as a function of the core's cycle count (ARMv7-M B3.3).

const ENABLE: u32 = 1 << 0;
const TICKINT: u32 = 1 << 1;
const CLKSOURCE: u32 = 1 << 2;
const COUNTFLAG: u32 = 1 << 16;

/// The external reference is the core clock divided by eight (RM0468, RCC clock tree).
const REFERENCE_DIVIDER: u64 = 8;

#[derive(Clone, Debug)]
pub(super) struct SysTick {
    control: u32,
    reload: u32,
    /// The counter at `since`, while it runs; its value while it does not.
    value: u32,
    /// Cycle at which `value` was the counter's.
    since: u64,
    count_flag: bool,
    /// Cycle at which the counter next goes from 1 to 0; `u64::MAX` while it does not run.
    pub due: u64,
}

impl Default for SysTick {
    fn default() -> Self {
        Self {
            control: 0,
            reload: 0,
            value: 0,
            since: 0,
            count_flag: false,
            due: u64::MAX,
        }
    }
}

impl SysTick {
    fn period(&self) -> u64 {
        if self.control & CLKSOURCE != 0 {
            1
        } else {
            REFERENCE_DIVIDER
        }
    }

    /// Brings the counter up to `cycle`; true if it reached zero with its interrupt enabled.
    pub fn advance(&mut self, cycle: u64) -> bool {
        if self.control & ENABLE == 0 || cycle < self.since {
            return false;
        }
        let ticks = (cycle - self.since) / self.period();
        self.since += ticks * self.period();
        let to_zero = self.ticks_to_zero();
        let mut reached = false;
        if to_zero != 0 && ticks >= to_zero {
            reached = true;
            let beyond = (ticks - to_zero) % (u64::from(self.reload) + 1);
            self.value = match beyond {
                0 => 0,
                _ => self.reload + 1 - beyond as u32,
            };
        } else if self.value != 0 {
            self.value -= ticks as u32;
        } else if ticks != 0 && self.reload != 0 {
            self.value = self.reload + 1 - ticks as u32;
        }
        self.count_flag |= reached;
        self.arm();
        reached && self.control & TICKINT != 0
    }

    /// Ticks until the counter next becomes zero; 0 if it never does.
    fn ticks_to_zero(&self) -> u64 {
        match (self.value, self.reload) {
            (0, 0) => 0,
            (0, reload) => u64::from(reload) + 1,
            (value, _) => u64::from(value),
        }
    }

    fn arm(&mut self) {
        let ticks = self.ticks_to_zero();
        self.due = if self.control & ENABLE == 0 || ticks == 0 {
            u64::MAX
        } else {
            self.since + ticks * self.period()
        };
    }

    /// SYST_CSR; reading clears COUNTFLAG.
    pub fn read_control(&mut self) -> u32 {
        let flag = std::mem::take(&mut self.count_flag);
        self.control | if flag { COUNTFLAG } else { 0 }
    }

    pub fn write_control(&mut self, value: u32, cycle: u64) {
        self.control = value & (ENABLE | TICKINT | CLKSOURCE);
        self.since = cycle;
        self.arm();
    }

    pub fn reload(&self) -> u32 {
        self.reload
    }

    pub fn write_reload(&mut self, value: u32) {
        self.reload = value & 0x00FF_FFFF;
        self.arm();
    }

    pub fn value(&self) -> u32 {
        self.value
    }

    /// Any write clears the counter and COUNTFLAG.
    pub fn clear_value(&mut self, cycle: u64) {
        self.value = 0;
        self.count_flag = false;
        self.since = cycle;
        self.arm();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(reload: u32) -> SysTick {
        let mut tick = SysTick::default();
        tick.write_reload(reload);
        tick.clear_value(100);
        tick.write_control(ENABLE | TICKINT | CLKSOURCE, 100);
        tick
    }

    #[test]
    fn it_wraps_every_reload_plus_one_ticks() {
        let mut tick = running(9);
        assert_eq!(tick.due, 110);
        assert!(!tick.advance(101));
        assert_eq!(tick.value(), 9);
        assert!(!tick.advance(109));
        assert_eq!(tick.value(), 1);
        assert!(tick.advance(110));
        assert_eq!((tick.value(), tick.due), (0, 120));
        assert!(tick.advance(143));
        assert_eq!((tick.value(), tick.due), (7, 150));
        assert_eq!(tick.read_control() >> 16, 1);
        assert_eq!(tick.read_control() >> 16, 0);
    }

    #[test]
    fn the_reference_clock_is_slower() {
        let mut tick = SysTick::default();
        tick.write_reload(3);
        tick.write_control(ENABLE, 0);
        assert_eq!(tick.due, 32);
        assert!(!tick.advance(16));
        assert_eq!(tick.value(), 2);
    }

    #[test]
    fn a_stopped_counter_or_a_zero_reload_never_fires() {
        let mut tick = SysTick::default();
        assert!(!tick.advance(1_000));
        tick.write_control(ENABLE | TICKINT, 1_000);
        assert_eq!(tick.due, u64::MAX);
        assert!(!tick.advance(2_000));
    }
}
