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
    period: Period,
    base_cycle: u64,
    base: Instant,
}

/// The length of a cycle in picoseconds as a fraction in lowest terms.
#[derive(Clone, Copy, Debug)]
struct Period {
    numerator: NonZeroU64,
    denominator: NonZeroU64,
}

impl Period {
    fn of(hz: u64) -> Self {
        const SECOND: NonZeroU64 = NonZeroU64::new(PS_PER_SECOND as u64).expect("not zero");
        let hz = NonZeroU64::new(hz).expect("a clock that runs");
        let divisor = greatest_common_divisor(SECOND, hz);
        let reduced = |n: NonZeroU64| NonZeroU64::new(n.get() / divisor.get());
        Self {
            numerator: reduced(SECOND).unwrap_or(NonZeroU64::MIN),
            denominator: reduced(hz).unwrap_or(NonZeroU64::MIN),
        }
    }

    /// Picoseconds of whole cycles, rounded down.
    #[inline]
    fn ps(self, cycles: u64) -> u64 {
        match cycles.checked_mul(self.numerator.get()) {
            Some(product) if self.denominator.get() == 1 => product,
            Some(product) => product / self.denominator,
            None => {
                let product = u128::from(cycles) * u128::from(self.numerator.get());
                (product / u128::from(self.denominator.get())) as u64
            }
        }
    }

    /// Cycles that cover `ps`, rounded up.
    #[inline]
    fn cycles(self, ps: u64) -> u64 {
        match ps.checked_mul(self.denominator.get()) {
            Some(product) => product.div_ceil(self.numerator.get()),
            None => {
                let product = u128::from(ps) * u128::from(self.denominator.get());
                product.div_ceil(u128::from(self.numerator.get())) as u64
            }
        }
    }
}

fn greatest_common_divisor(a: NonZeroU64, b: NonZeroU64) -> NonZeroU64 {
    match NonZeroU64::new(a.get() % b) {
        Some(rest) => greatest_common_divisor(b, rest),
        None => b,
    }
}

impl CoreClock {
    /// A core that starts cycle 0 at power-on with `hz` cycles a second.
    ///
    /// # Panics
    /// If `hz` is zero.
    pub fn new(hz: u64) -> Self {
        Self {
            hz,
            period: Period::of(hz),
            base_cycle: 0,
            base: Instant::ZERO,
        }
    }

    /// Core cycles a second.
    pub const fn hz(&self) -> u64 {
        self.hz
    }

    /// The instant at which `cycle` begins, rounded down to a picosecond.
    #[inline]
    pub fn instant_at(&self, cycle: u64) -> Instant {
        Instant(self.base.0 + self.period.ps(cycle - self.base_cycle))
    }

    /// The first cycle that begins at `instant` or later; `u64::MAX` for [`Instant::NEVER`].
    #[inline]
    pub fn cycle_at(&self, instant: Instant) -> u64 {
        if instant == Instant::NEVER {
            return u64::MAX;
        }
        let ps = instant.0.saturating_sub(self.base.0);
        self.base_cycle + self.period.cycles(ps)
    }

    /// Changes the frequency from `cycle` on.
    ///
    /// # Panics
    /// If `hz` is zero.
    pub fn retune(&mut self, cycle: u64, hz: u64) {
        self.base = self.instant_at(cycle);
        self.base_cycle = cycle;
        self.hz = hz;
        self.period = Period::of(hz);
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
    fn a_thousand_hours_of_uneven_cycles_are_exact_on_both_ways() {
        // 394 hours of cycles overflow the product of 64 bits.
        let clock = CoreClock::new(520_000_000);
        for hours in [1, 1_000, 5_000] {
            let cycles = hours * 3_600 * 520_000_000;
            let end = Instant::from_ns(hours * 3_600 * 1_000_000_000);
            assert_eq!(clock.instant_at(cycles), end);
            assert_eq!(clock.cycle_at(end), cycles);
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
