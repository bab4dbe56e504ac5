//! Cycle differences beyond the 32-bit DWT cycle counter, which wraps every 10.7 s at 400 MHz.

/// Core cycles in one tick of the 64-bit clock; both clocks come from the same PLL, so the ratio
/// holds exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyclesPerTick(pub u32);

/// Both clocks, read together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// DWT_CYCCNT: core cycles, modulo 2^32 (ARMv7-M DWT).
    pub cycle_counter: u32,
    /// The coarse clock, in ticks since reset.
    pub ticks: u64,
}

impl Reading {
    /// Core cycles since `earlier`, exact for any duration.
    ///
    /// The ticks say how often the cycle counter wrapped, the cycle counter says the rest. Wanted is
    /// the value nearest to the ticks' estimate that agrees with the counter modulo 2^32; that is
    /// right as long as the estimate is less than 2^31 cycles off, and it is one tick off at most.
    ///
    /// Cycles in which the counter stood still, as it may in sleep, are left out; there must be
    /// fewer than 2^31 of them.
    pub fn cycles_since(self, earlier: Reading, ratio: CyclesPerTick) -> u64 {
        let estimate = self.ticks_as_cycles_since(earlier, ratio);
        let counted = self.cycle_counter.wrapping_sub(earlier.cycle_counter);
        let correction = counted.wrapping_sub(estimate as u32).cast_signed();
        estimate.saturating_add_signed(correction.into())
    }

    /// Core cycles since `earlier` by the coarse clock alone, to within one tick; right across sleep.
    pub fn ticks_as_cycles_since(self, earlier: Reading, ratio: CyclesPerTick) -> u64 {
        (self.ticks - earlier.ticks) * u64::from(ratio.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RATIO: CyclesPerTick = CyclesPerTick(400);

    /// What both clocks show at an exact cycle.
    fn at(cycle: u64) -> Reading {
        Reading {
            cycle_counter: cycle as u32,
            ticks: cycle / u64::from(RATIO.0),
        }
    }

    fn measured(start: u64, length: u64) -> u64 {
        at(start + length).cycles_since(at(start), RATIO)
    }

    #[test]
    fn a_short_poll_is_exact_to_the_cycle() {
        for length in [0, 1, 399, 400, 401, 106_606] {
            assert_eq!(measured(123_456, length), length);
        }
    }

    #[test]
    fn a_poll_across_one_wrap_is_exact() {
        assert_eq!(measured(u64::from(u32::MAX) - 10, 100), 100);
    }

    #[test]
    fn a_poll_that_outlasts_the_counter_is_exact() {
        let full = 1 << 32;
        for length in [full - 1, full, full + 1, 2 * full, 5 * full + 17] {
            assert_eq!(measured(777, length), length);
        }
    }

    #[test]
    fn a_tick_read_late_does_not_add_a_wrap() {
        let start = at(1000);
        let end = Reading {
            cycle_counter: 1010,
            ticks: start.ticks + 40_000,
        };
        assert_eq!(end.cycles_since(start, RATIO), 10);
    }

    proptest! {
        #[test]
        fn any_length_from_any_start_is_exact(start in 0..1_u64 << 50, length in 0..1_u64 << 50) {
            prop_assert_eq!(measured(start, length), length);
        }

        #[test]
        fn adjacent_spans_add_up(start in 0..1_u64 << 40, first in 0..1_u64 << 40, second in 0..1_u64 << 40) {
            prop_assert_eq!(
                measured(start, first) + measured(start + first, second),
                measured(start, first + second)
            );
        }

        /// The two clocks are never read in the very same cycle; an interrupt may fall between.
        #[test]
        fn reading_the_clocks_apart_changes_nothing(
            start in 0..1_u64 << 40,
            length in 0..1_u64 << 40,
            skew in 0..1_u64 << 30,
        ) {
            let end = Reading { ticks: at(start + length + skew).ticks, ..at(start + length) };
            prop_assert_eq!(end.cycles_since(at(start), RATIO), length);
        }
    }
}
