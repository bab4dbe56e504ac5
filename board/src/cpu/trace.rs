//! The cycle counter of the data watchpoint and trace unit (ARMv7-M C1.8).

const CYCCNTENA: u32 = 1;
/// NUMCOMP: four comparators (Cortex-M7 TRM, DWT_CTRL).
const COMPARATORS: u32 = 4 << 28;

/// CYCCNT counts core cycles; comparators read as zero and ignore writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Dwt {
    control: u32,
    /// CYCCNT less the core's cycle count while enabled, CYCCNT itself while not.
    offset: u32,
}

impl Dwt {
    pub fn control(&self) -> u32 {
        self.control | COMPARATORS
    }

    pub fn write_control(&mut self, value: u32, cycle: u64) {
        let count = self.cycle_count(cycle);
        self.control = value & 0x0FFF_FFFF;
        self.set_cycle_count(count, cycle);
    }

    pub fn cycle_count(&self, cycle: u64) -> u32 {
        if self.control & CYCCNTENA != 0 {
            self.offset.wrapping_add(cycle as u32)
        } else {
            self.offset
        }
    }

    pub fn set_cycle_count(&mut self, value: u32, cycle: u64) {
        self.offset = if self.control & CYCCNTENA != 0 {
            value.wrapping_sub(cycle as u32)
        } else {
            value
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_runs_only_while_enabled_and_wraps() {
        let mut dwt = Dwt::default();
        dwt.set_cycle_count(5, 100);
        assert_eq!(dwt.cycle_count(200), 5);
        dwt.write_control(CYCCNTENA, 200);
        assert_eq!(dwt.cycle_count(207), 12);
        dwt.set_cycle_count(u32::MAX, 300);
        assert_eq!(dwt.cycle_count(302), 1);
        dwt.write_control(0, 310);
        assert_eq!(dwt.cycle_count(400), 9);
    }
}
