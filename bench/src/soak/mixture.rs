//! Datagrams of one flow whose sizes are drawn by seed.

use super::SizeWeight;
use crate::Classification;
use crate::datagram::{DatagramFormat, carried_sequence, derive_seed};

/// Names the draws apart from the filler.
const DRAW_INDEX: u64 = u64::MAX - 1;

/// The format of the datagrams of a soak: the size of each is a pure function of seed and sequence
/// number, so a reply tells what size was sent.
#[derive(Clone, Debug)]
pub struct Mixture {
    draw_seed: u64,
    /// One for each size, all with the same stream id.
    formats: Vec<DatagramFormat>,
    /// The sum of the weights up to each size.
    up_to: Vec<u64>,
}

impl Mixture {
    /// The mixture that `seed` names.
    ///
    /// # Panics
    /// When no size has a weight, a size is out of range or the weights pass 64 bits.
    pub fn new(seed: u64, sizes: &[SizeWeight]) -> Self {
        let format = |size: &SizeWeight| DatagramFormat::new(seed, size.payload_bytes as usize);
        let up_to = sizes.iter().scan(0, |sum, size| {
            *sum += size.weight;
            Some(*sum)
        });
        let up_to = Vec::from_iter(up_to);
        assert!(up_to.last() > Some(&0), "some size has a weight");
        Self {
            draw_seed: derive_seed(seed, DRAW_INDEX),
            formats: sizes.iter().map(format).collect(),
            up_to,
        }
    }

    /// The index of the size of datagram `sequence`.
    pub fn size_index(&self, sequence: u64) -> usize {
        let total = self.up_to[self.up_to.len() - 1];
        // The high half of a product is the draw scaled to the weights.
        let draw = u128::from(derive_seed(self.draw_seed, sequence)) * u128::from(total);
        let draw = (draw >> 64) as u64;
        self.up_to.partition_point(|&up_to| up_to <= draw)
    }

    /// The length of datagram `sequence` in bytes.
    pub fn payload_bytes(&self, sequence: u64) -> usize {
        self.formats[self.size_index(sequence)].payload_bytes()
    }

    /// Writes datagram `sequence` into the front of `buffer` and gives it.
    ///
    /// # Panics
    /// When the buffer is too short.
    pub fn encode<'a>(&self, sequence: u64, buffer: &'a mut [u8]) -> &'a [u8] {
        let format = &self.formats[self.size_index(sequence)];
        let payload = &mut buffer[..format.payload_bytes()];
        format.encode(sequence, payload);
        payload
    }

    /// Compares a received payload with what was sent under the number it carries.
    pub fn classify(&self, payload: &[u8]) -> Classification {
        // What is too short to carry a number differs from every size.
        let size = carried_sequence(payload).map_or(0, |sequence| self.size_index(sequence));
        self.formats[size].classify(payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(weights: [u64; 3]) -> Vec<SizeWeight> {
        let size = |(payload_bytes, weight)| SizeWeight {
            payload_bytes,
            weight,
        };
        [64, 512, 1472].into_iter().zip(weights).map(size).collect()
    }

    #[test]
    fn sizes_are_drawn_by_their_weights() {
        let mixture = Mixture::new(3, &sizes([1, 0, 3]));
        let mut drawn = [0u64; 3];
        for sequence in 0..40_000 {
            drawn[mixture.size_index(sequence)] += 1;
        }
        assert_eq!(drawn[1], 0);
        // Three standard deviations of a binomial draw are 260.
        assert!(drawn[0].abs_diff(10_000) < 260, "{drawn:?}");
    }

    #[test]
    fn another_seed_draws_another_sequence() {
        let draw = |seed| {
            let mixture = Mixture::new(seed, &sizes([1, 1, 1]));
            Vec::from_iter((0..64).map(|sequence| mixture.size_index(sequence)))
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_reply_is_held_against_the_size_that_was_sent() {
        let mixture = Mixture::new(3, &sizes([1, 1, 1]));
        let mut buffer = [0; 1472];
        for sequence in [0, 1, 2, 3, u64::from(u32::MAX) + 7] {
            let payload = mixture.encode(sequence, &mut buffer).to_vec();
            assert_eq!(payload.len(), mixture.payload_bytes(sequence));
            assert_eq!(
                mixture.classify(&payload),
                Classification::Good { sequence }
            );
            let Classification::Corrupt(cut) = mixture.classify(&payload[..payload.len() - 1])
            else {
                panic!("a cut datagram is corrupt")
            };
            assert_eq!(cut.expected_bytes, payload.len() as u64);
        }
    }
}
