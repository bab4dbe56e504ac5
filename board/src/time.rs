//! Virtual time: instants and spans in whole picoseconds, and the core clock that ties cycles to them.
//!
//! A picosecond divides every bus period that matters closely enough that rounding never accumulates:
//! conversions always start from the last change of the core frequency and use exact integer arithmetic.

use std::num::NonZeroU64;
use std::ops::{Add, Sub};

const PS_PER_SECOND: u128 = 1_000_000_000_000;

/// A virtual instant, in picoseconds since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

/// A length of virtual time, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

impl Instant {
    /// Power-on.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens: the due time of an event that is not pending.
    pub const NEVER: Self = Self(u64::MAX);

    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    pub const fn from_ns(ns: u64) -> Self {
        Self(ns * 1_000)
    }

    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Whole nanoseconds since power-on, rounded down.
    pub const fn as_ns(self) -> u64 {
        self.0 / 1_000
    }
}

impl Span {
    pub const ZERO: Self = Self(0);

    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    pub const fn from_ns(ns: u64) -> Self {
        Self(ns * 1_000)
    }

    pub const fn from_us(us: u64) -> Self {
        Self(us * 1_000_000)
    }

    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1_000_000_000)
    }

    /// The time of `ticks` periods of a clock of `hz`, rounded up: an event never comes early.
    pub fn of_ticks(ticks: u64, hz: u64) -> Self {
        Self((u128::from(ticks) * PS_PER_SECOND).div_ceil(u128::from(hz)) as u64)
    }

    pub const fn as_ps(self) -> u64 {
        self.0
    }
}

impl Add<Span> for Instant {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub for Instant {
    type Output = Span;

    fn sub(self, earlier: Self) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// The relation between the core's cycle count and virtual time since the frequency last changed.
#[derive(Clone, Debug)]
pub struct CoreClock {
    hz: u64,
    /// The length of a cycle, if that is a whole number of picoseconds.
    cycle_ps: Option<NonZeroU64>,
    base_cycle: u64,
    base: Instant,
}

impl CoreClock {
    /// A core that starts cycle 0 at power-on with `hz` cycles a second.
    pub const fn new(hz: u64) -> Self {
        Self {
            hz,
            cycle_ps: whole_cycle_ps(hz),
            base_cycle: 0,
            base: Instant::ZERO,
        }
    }

    /// Core cycles a second.
    pub const fn hz(&self) -> u64 {
        self.hz
    }

    /// The instant at which `cycle` begins, rounded down to a picosecond.
    pub fn instant_at(&self, cycle: u64) -> Instant {
        let cycles = cycle - self.base_cycle;
        let ps = match self.cycle_ps {
            Some(cycle_ps) => cycles * cycle_ps.get(),
            None => (u128::from(cycles) * PS_PER_SECOND / u128::from(self.hz)) as u64,
        };
        Instant(self.base.0 + ps)
    }

    /// The first cycle that begins at `instant` or later; `u64::MAX` for [`Instant::NEVER`].
    pub fn cycle_at(&self, instant: Instant) -> u64 {
        if instant == Instant::NEVER {
            return u64::MAX;
        }
        let ps = instant.0.saturating_sub(self.base.0);
        let cycles = match self.cycle_ps {
            Some(cycle_ps) => ps.div_ceil(cycle_ps.get()),
            None => (u128::from(ps) * u128::from(self.hz)).div_ceil(PS_PER_SECOND) as u64,
        };
        self.base_cycle + cycles
    }

    /// Changes the frequency from `cycle` on.
    pub fn retune(&mut self, cycle: u64, hz: u64) {
        self.base = self.instant_at(cycle);
        self.base_cycle = cycle;
        self.hz = hz;
        self.cycle_ps = whole_cycle_ps(hz);
    }
}

const fn whole_cycle_ps(hz: u64) -> Option<NonZeroU64> {
    let second = PS_PER_SECOND as u64;
    if second.is_multiple_of(hz) {
        NonZeroU64::new(second / hz)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_at_is_the_first_cycle_not_before_the_instant() {
        // A cycle of 2500 ps, and one of 1923 and a part.
        for hz in [400_000_000, 520_000_000] {
            let mut clock = CoreClock::new(64_000_000);
            clock.retune(1_000, hz);
            assert_eq!(
                clock.instant_at(1_000 + hz) - clock.instant_at(1_000),
                Span::from_ms(1_000)
            );
            for ps in [0, 1, 1_922, 1_923, 1_924, 2_500, 2_501, 1_000_000_007] {
                let instant = clock.instant_at(1_000) + Span::from_ps(ps);
                let cycle = clock.cycle_at(instant);
                assert!(clock.instant_at(cycle) >= instant);
                assert!(cycle == 1_000 || clock.instant_at(cycle - 1) < instant);
            }
        }
    }

    #[test]
    fn an_hour_at_400_mhz_is_exact() {
        let clock = CoreClock::new(400_000_000);
        let hour = Instant::from_ns(3_600_000_000_000);
        assert_eq!(clock.cycle_at(hour), 1_440_000_000_000);
        assert_eq!(clock.instant_at(1_440_000_000_000), hour);
    }

    #[test]
    fn ticks_round_up_so_that_no_event_is_early() {
        assert_eq!(Span::of_ticks(1, 3).as_ps(), 333_333_333_334);
        assert_eq!(Span::of_ticks(64, 1_960_784).as_ps(), 32_640_006);
    }
}
