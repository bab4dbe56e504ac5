//! What a datagram of a latency workload holds, down to a single byte.
//!
//! From 16 bytes on it is a stream's datagram, with magic, stream id and sequence number. A
//! shorter one has no room for them. Its first byte holds the low seven bits of its number and a
//! parity bit over them, exclusive-or a byte of the seed; the others are filler that is a pure
//! function of seed and number. Since only one datagram is under way at a time, the number of a
//! reply is the nearest one at or below the last that was sent.
//!
//! That leaves one thing undecided, for a payload of a single byte alone: a reply that is
//! [`TINY_NUMBERS`] exchanges late is taken for one to the datagram under way, and a byte in which
//! an even number of bits was flipped for a late reply or a copy. The filler of longer payloads
//! tells both, but for one in 256 with each byte.

use crate::Classification;
use crate::datagram::{DatagramFormat, HEADER_BYTES, compare, fill};

/// How many datagrams in a row differ in their first byte when they have no room for a number.
pub const TINY_NUMBERS: u64 = 128;

/// The format of the datagrams of one size.
#[derive(Clone, Copy, Debug)]
pub(super) enum ProbeFormat {
    /// One with magic, stream id and sequence number.
    Whole(DatagramFormat),
    /// One too short for them.
    Tiny { seed: u64, payload_bytes: usize },
}

impl ProbeFormat {
    pub(super) fn new(seed: u64, payload_bytes: usize) -> Self {
        if payload_bytes < HEADER_BYTES {
            Self::Tiny {
                seed,
                payload_bytes,
            }
        } else {
            Self::Whole(DatagramFormat::new(seed, payload_bytes))
        }
    }

    pub(super) fn payload_bytes(&self) -> usize {
        match self {
            Self::Whole(format) => format.payload_bytes(),
            Self::Tiny { payload_bytes, .. } => *payload_bytes,
        }
    }

    /// Writes datagram `sequence` into a payload of [`payload_bytes`](Self::payload_bytes).
    pub(super) fn encode(&self, sequence: u64, payload: &mut [u8]) {
        match self {
            Self::Whole(format) => format.encode(sequence, payload),
            Self::Tiny { seed, .. } => {
                fill(*seed, sequence, payload);
                payload[0] = first_byte(*seed, sequence);
            }
        }
    }

    /// What a payload is to this size while `latest` is the last number that was sent.
    pub(super) fn classify(&self, payload: &[u8], latest: u64) -> Classification {
        let (seed, payload_bytes) = match self {
            Self::Whole(format) => return format.classify(payload),
            Self::Tiny {
                seed,
                payload_bytes,
            } => (*seed, *payload_bytes),
        };
        let mut expected = [0; HEADER_BYTES];
        let expected = &mut expected[..payload_bytes];
        let number = payload.first().and_then(|&byte| number(seed, byte, latest));
        if let Some(sequence) = number {
            self.encode(sequence, expected);
            if payload == expected {
                return Classification::Good { sequence };
            }
        }
        self.encode(latest, expected);
        Classification::Corrupt(compare(Some(latest), expected, payload))
    }

    /// Whether a payload can only be of this size, right or wrong: it carries its stream id.
    pub(super) fn claims(&self, payload: &[u8], class: &Classification) -> bool {
        let carries_id = matches!(self, Self::Whole(_)) && payload.len() >= HEADER_BYTES;
        match class {
            Classification::Good { .. } => true,
            Classification::Corrupt(_) => carries_id,
            Classification::Foreign => false,
        }
    }
}

fn mask(seed: u64) -> u8 {
    let mut mask = [0];
    fill(seed, u64::MAX, &mut mask);
    mask[0]
}

fn first_byte(seed: u64, sequence: u64) -> u8 {
    let low = (sequence % TINY_NUMBERS) as u8;
    (low << 1 | (low.count_ones() % 2) as u8) ^ mask(seed)
}

/// The nearest number at or below `latest` whose datagram begins with `byte`.
fn number(seed: u64, byte: u8, latest: u64) -> Option<u64> {
    let code = byte ^ mask(seed);
    let low = u64::from(code >> 1);
    let behind = latest.wrapping_sub(low) % TINY_NUMBERS;
    code.count_ones()
        .is_multiple_of(2)
        .then(|| latest.checked_sub(behind))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(format: ProbeFormat, sequence: u64) -> Vec<u8> {
        let mut payload = vec![0; format.payload_bytes()];
        format.encode(sequence, &mut payload);
        payload
    }

    #[test]
    fn a_tiny_reply_has_the_number_of_the_nearest_datagram_sent() {
        for bytes in 1..HEADER_BYTES {
            let format = ProbeFormat::new(7, bytes);
            let latest = u64::from(u32::MAX) + 3;
            for sequence in [latest, latest - 1, latest - 2, latest - 127] {
                let class = format.classify(&encoded(format, sequence), latest);
                assert_eq!(class, Classification::Good { sequence }, "{bytes} bytes");
            }
        }
    }

    #[test]
    fn only_a_single_byte_can_be_mistaken_after_128_exchanges() {
        for bytes in 1..HEADER_BYTES {
            let format = ProbeFormat::new(7, bytes);
            let class = format.classify(&encoded(format, 5), 5 + TINY_NUMBERS);
            let mistaken = Classification::Good { sequence: 133 };
            assert_eq!(class == mistaken, bytes == 1, "{bytes} bytes");
        }
    }

    #[test]
    fn a_flipped_bit_is_seen_in_every_byte_of_every_tiny_size() {
        for bytes in 1..HEADER_BYTES {
            let format = ProbeFormat::new(7, bytes);
            for bit in 0..8 * bytes {
                let mut payload = encoded(format, 300);
                payload[bit / 8] ^= 1 << (bit % 8);
                let Classification::Corrupt(corruption) = format.classify(&payload, 300) else {
                    panic!("bit {bit} of {bytes} bytes")
                };
                assert_eq!((corruption.sequence, corruption.length), (Some(300), 1));
                assert_eq!(corruption.offset, (bit / 8) as u64);
            }
        }
    }

    #[test]
    fn a_number_that_was_not_sent_yet_is_none() {
        let format = ProbeFormat::new(7, 1);
        let class = format.classify(&encoded(format, 4), 3);
        assert!(matches!(class, Classification::Corrupt(_)));
        let empty = format.classify(&[], 3);
        assert!(matches!(empty, Classification::Corrupt(corruption) if corruption.is_truncated()));
    }
}
