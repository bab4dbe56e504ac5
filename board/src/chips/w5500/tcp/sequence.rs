//! Sequence numbers: 32-bit arithmetic that wraps.

/// How far `later` is after `earlier`; negative if it is before it.
pub fn distance(earlier: u32, later: u32) -> i32 {
    later.wrapping_sub(earlier) as i32
}

/// Where connections begin: numbers that follow from a seed, so that a run can be repeated.
#[derive(Clone, Copy, Debug)]
pub struct InitialSequence {
    state: u64,
}

impl InitialSequence {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next connection's first sequence number (SplitMix64).
    pub fn choose(&mut self) -> u32 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_cross_the_wrap() {
        assert_eq!(distance(u32::MAX, 4), 5);
        assert_eq!(distance(4, u32::MAX), -5);
        assert_eq!(distance(7, 7), 0);
    }

    #[test]
    fn a_seed_gives_the_same_connections_again() {
        let numbers = |seed| {
            let mut initial = InitialSequence::new(seed);
            [initial.choose(), initial.choose()]
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
        assert_ne!(numbers(1)[0], numbers(1)[1]);
    }
}
