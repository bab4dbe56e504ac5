//! Faults put on the wire on purpose, drawn from a seed.

use crate::time::Span;

/// How often each fault happens in one direction, in frames per million.
///
/// The draws are independent: one frame can be delayed and corrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultRates {
    /// The frame takes its time on the wire and never arrives.
    pub drop_ppm: u32,
    /// A second copy follows right behind the frame.
    pub duplicate_ppm: u32,
    /// One bit of the frame arrives inverted, its check sequence unchanged.
    pub corrupt_ppm: u32,
    /// The frame arrives later by `delay`, so that the next ones can overtake it.
    pub delay_ppm: u32,
    /// How much later a delayed frame arrives.
    pub delay: Span,
}

/// Faults of both directions and the seed of their draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    pub seed: u64,
    pub to_board: FaultRates,
    pub to_host: FaultRates,
}

/// Frames that got each fault so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCounters {
    pub dropped: u64,
    pub duplicated: u64,
    pub corrupted: u64,
    pub delayed: u64,
}

/// What happens to one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub drop: bool,
    pub duplicate: bool,
    /// The bit to invert, counted from the frame's first bit.
    pub corrupt_bit: Option<usize>,
    pub delay: Span,
}

/// Draws the fate of the frames of one direction.
#[derive(Clone, Debug)]
pub struct FaultInjector {
    rates: FaultRates,
    state: u64,
    counters: FaultCounters,
}

const PER_MILLION: u64 = 1_000_000;

impl FaultInjector {
    pub fn new(rates: FaultRates, seed: u64) -> Self {
        Self {
            rates,
            state: seed,
            counters: FaultCounters::default(),
        }
    }

    pub fn counters(&self) -> FaultCounters {
        self.counters
    }

    /// Decides about the next frame, `len` bytes long, and counts what it decided.
    /// A dropped frame gets no other fault.
    pub fn judge(&mut self, len: usize) -> Verdict {
        if self.rates == FaultRates::default() {
            return Verdict::default();
        }
        let drop = self.hit(self.rates.drop_ppm);
        let duplicate = self.hit(self.rates.duplicate_ppm);
        let corrupt = self.hit(self.rates.corrupt_ppm);
        let bit = self.draw() % (len as u64 * 8).max(1);
        let delay = self.hit(self.rates.delay_ppm);
        if drop {
            self.counters.dropped += 1;
            return Verdict {
                drop,
                ..Verdict::default()
            };
        }
        self.counters.duplicated += u64::from(duplicate);
        self.counters.corrupted += u64::from(corrupt);
        self.counters.delayed += u64::from(delay);
        Verdict {
            drop,
            duplicate,
            corrupt_bit: corrupt.then_some(bit as usize),
            delay: if delay { self.rates.delay } else { Span::ZERO },
        }
    }

    fn hit(&mut self, ppm: u32) -> bool {
        self.draw() % PER_MILLION < u64::from(ppm)
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): the same sequence for a seed on every machine and forever.
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_of_a_million_hits_every_frame_and_zero_none() {
        let rates = FaultRates {
            duplicate_ppm: 1_000_000,
            delay_ppm: 1_000_000,
            delay: Span::from_us(5),
            ..FaultRates::default()
        };
        let mut injector = FaultInjector::new(rates, 1);
        for _ in 0..100 {
            let verdict = injector.judge(64);
            assert!(verdict.duplicate && !verdict.drop && verdict.corrupt_bit.is_none());
            assert_eq!(verdict.delay, Span::from_us(5));
        }
        let counters = injector.counters();
        assert_eq!((counters.duplicated, counters.delayed), (100, 100));
        assert_eq!((counters.dropped, counters.corrupted), (0, 0));
    }

    #[test]
    fn a_rate_is_met_and_counted_and_follows_the_seed() {
        let rates = FaultRates {
            drop_ppm: 100_000,
            corrupt_ppm: 50_000,
            ..FaultRates::default()
        };
        let run = |seed| {
            let mut injector = FaultInjector::new(rates, seed);
            let verdicts: Vec<_> = (0..100_000).map(|_| injector.judge(142)).collect();
            (verdicts, injector.counters())
        };
        let (verdicts, counters) = run(42);
        let dropped = verdicts.iter().filter(|v| v.drop).count() as u64;
        let corrupted = verdicts.iter().filter(|v| v.corrupt_bit.is_some()).count() as u64;
        assert_eq!((counters.dropped, counters.corrupted), (dropped, corrupted));
        assert!((9_500..10_500).contains(&dropped), "{dropped}");
        assert!((4_000..5_000).contains(&corrupted), "{corrupted}");
        assert!(
            verdicts
                .iter()
                .all(|v| v.corrupt_bit.is_none_or(|bit| bit < 142 * 8))
        );
        assert_eq!(run(42).0, verdicts);
        assert_ne!(run(43).0, verdicts);
    }
}
