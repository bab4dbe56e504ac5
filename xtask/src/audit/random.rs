//! Draws that a seed repeats.

/// A generator of draws: SplitMix64, which is small, known, and good enough to choose with.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same draws, on every machine.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which is above 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let product = u128::from(mixed) * bound as u128;
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// `number` of the items, each at most once, in the order they were drawn; all of them when there
    /// are no more.
    pub fn choose<T>(&mut self, mut items: Vec<T>, number: usize) -> Vec<T> {
        let number = number.min(items.len());
        for place in 0..number {
            let drawn = place + self.below(items.len() - place);
            items.swap(place, drawn);
        }
        items.truncate(number);
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_draws_and_none_comes_twice() {
        let draws = |seed| Random::new(seed).choose(Vec::from_iter(0..100), 20);
        assert_eq!(draws(1), draws(1));
        assert_ne!(draws(1), draws(2));
        let mut sorted = draws(3);
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 20);
        assert_eq!(Random::new(4).choose(vec![7, 8], 5).len(), 2);
    }

    #[test]
    fn every_number_below_the_bound_is_drawn() {
        let mut random = Random::new(5);
        let mut seen = [0; 7];
        (0..700).for_each(|_| seen[random.below(7)] += 1);
        assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
    }
}
