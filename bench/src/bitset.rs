//! A fixed set of small numbers, one bit each.

/// A set of numbers below a fixed capacity.
#[derive(Clone, Debug)]
pub(crate) struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    /// An empty set for numbers below `capacity`.
    pub(crate) fn new(capacity: u64) -> Self {
        let words = usize::try_from(capacity.div_ceil(64)).expect("the set fits the address space");
        Self {
            words: vec![0; words].into_boxed_slice(),
        }
    }

    pub(crate) fn insert(&mut self, number: u64) {
        self.words[(number / 64) as usize] |= 1 << (number % 64);
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        self.words[(number / 64) as usize] >> (number % 64) & 1 == 1
    }

    /// The numbers in `self` that are not in `other`, rising; both have the same capacity.
    pub(crate) fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = u64> + 'a {
        let words = self.words.iter().zip(&other.words).enumerate();
        words.flat_map(|(index, (&word, &without))| ones(index as u64 * 64, word & !without))
    }

    /// The heap memory of the set in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}

/// The positions of the ones of `word`, counted from `base`.
fn ones(base: u64, mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let position = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            base + u64::from(position)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_lists_what_only_the_first_holds() {
        let (mut sent, mut seen) = (BitSet::new(130), BitSet::new(130));
        for number in [0, 63, 64, 127, 128, 129] {
            sent.insert(number);
        }
        for number in [63, 128] {
            seen.insert(number);
        }
        assert_eq!(
            sent.difference(&seen).collect::<Vec<_>>(),
            [0, 64, 127, 129]
        );
        assert!(sent.contains(64) && !sent.contains(65));
        assert_eq!(sent.heap_bytes(), 3 * 8);
    }
}
