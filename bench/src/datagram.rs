//! The datagram of a stream: every byte is known beforehand, so every byte of a reply is checked.
//!
//! Little-endian: `u32` magic, `u32` stream id, `u64` sequence number, then filler that is a pure
//! function of seed and sequence number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The first four bytes of every stream datagram.
pub const MAGIC: u32 = 0x4543_4831;
/// Magic, stream id and sequence number.
pub const HEADER_BYTES: usize = 16;
/// The largest UDP payload that fits one untagged Ethernet frame: 1500 - 20 (IPv4) - 8 (UDP).
pub const MAX_PAYLOAD_BYTES: usize = 1472;

/// Bytes by which a datagram of ours is told from a stranger's: magic and stream id.
const IDENTITY_BYTES: usize = 8;

/// The filler is made in words of this many bytes.
const WORD_BYTES: usize = 8;

/// How a reply differs from what was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Corruption {
    /// The sequence number the reply carried; `None` when it was too short to carry one.
    pub sequence: Option<u64>,
    /// The length of the reply's payload in bytes.
    pub received_bytes: u64,
    /// The length of what was sent, in bytes.
    pub expected_bytes: u64,
    /// The offset in the payload of the first byte that is wrong, absent or too many.
    pub offset: u64,
    /// Bytes from the first such byte to the last, both included.
    pub length: u64,
    /// How many bytes of that span are wrong, absent or too many.
    pub differing_bytes: u64,
}

/// What a received payload is to one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classification {
    /// Byte for byte the datagram with this sequence number.
    Good {
        /// The sequence number.
        sequence: u64,
    },
    /// A datagram of this stream that is damaged, cut or lengthened.
    Corrupt(Corruption),
    /// Not of this format, or of another stream.
    Foreign,
}

impl Corruption {
    /// Whether the reply was shorter than what was sent.
    pub fn is_truncated(&self) -> bool {
        self.received_bytes < self.expected_bytes
    }
}

impl Classification {
    /// The sequence number the payload carried, if it is this stream's and long enough.
    pub fn sequence(&self) -> Option<u64> {
        match self {
            Self::Good { sequence } => Some(*sequence),
            Self::Corrupt(corruption) => corruption.sequence,
            Self::Foreign => None,
        }
    }
}

/// The format of one stream's datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatagramFormat {
    seed: u64,
    stream_id: u32,
    payload_bytes: usize,
}

impl DatagramFormat {
    /// The format of the stream that `seed` names, with datagrams of `payload_bytes`.
    ///
    /// # Panics
    /// When `payload_bytes` is below [`HEADER_BYTES`] or above [`MAX_PAYLOAD_BYTES`].
    pub fn new(seed: u64, payload_bytes: usize) -> Self {
        assert!(
            (HEADER_BYTES..=MAX_PAYLOAD_BYTES).contains(&payload_bytes),
            "a stream datagram has {HEADER_BYTES} to {MAX_PAYLOAD_BYTES} bytes"
        );
        Self {
            seed,
            stream_id: stream_id(seed),
            payload_bytes,
        }
    }

    /// The length of each datagram's payload.
    pub fn payload_bytes(&self) -> usize {
        self.payload_bytes
    }

    /// Writes the datagram with number `sequence` into `payload`.
    ///
    /// # Panics
    /// When `payload` is not [`payload_bytes`](Self::payload_bytes) long.
    pub fn encode(&self, sequence: u64, payload: &mut [u8]) {
        assert_eq!(payload.len(), self.payload_bytes);
        payload[..HEADER_BYTES].copy_from_slice(&self.header(sequence));
        fill(self.seed, sequence, &mut payload[HEADER_BYTES..]);
    }

    /// Compares a received payload with what this stream sent under the number it carries.
    ///
    /// A payload is this stream's when it starts with the magic and the stream id, or with as much
    /// of them as its length leaves.
    pub fn classify(&self, payload: &[u8]) -> Classification {
        let identity = self.header(0);
        let present = payload.len().min(IDENTITY_BYTES);
        if payload[..present] != identity[..present] {
            return Classification::Foreign;
        }
        let sequence = carried_sequence(payload);
        match sequence {
            Some(sequence) if self.is_whole(sequence, payload) => Classification::Good { sequence },
            _ => Classification::Corrupt(self.corruption(sequence, payload)),
        }
    }

    /// Whether a payload that starts with this stream's header and `sequence` is right to its end.
    fn is_whole(&self, sequence: u64, payload: &[u8]) -> bool {
        if payload.len() != self.payload_bytes {
            return false;
        }
        let (chunks, rest) = payload[HEADER_BYTES..].as_chunks::<WORD_BYTES>();
        let mut words = filler_words(self.seed, sequence);
        // Whole words are compared as integers: as slices they take five times as long.
        chunks
            .iter()
            .zip(&mut words)
            .all(|(chunk, word)| u64::from_le_bytes(*chunk) == word)
            && words
                .next()
                .is_some_and(|word| word.to_le_bytes().starts_with(rest))
    }

    /// How a payload that is not whole differs from what was sent. When it is too short to carry
    /// a sequence number, whatever there is of it is right, and the rest is absent.
    fn corruption(&self, sequence: Option<u64>, payload: &[u8]) -> Corruption {
        let mut expected = [0; MAX_PAYLOAD_BYTES];
        let expected = &mut expected[..self.payload_bytes];
        match sequence {
            Some(sequence) => self.encode(sequence, expected),
            None => expected[..payload.len()].copy_from_slice(payload),
        }
        compare(sequence, expected, payload)
    }

    fn header(&self, sequence: u64) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..4].copy_from_slice(&MAGIC.to_le_bytes());
        header[4..8].copy_from_slice(&self.stream_id.to_le_bytes());
        header[8..].copy_from_slice(&sequence.to_le_bytes());
        header
    }
}

/// The sequence number in the header of a payload; `None` when it is too short to carry one.
pub(crate) fn carried_sequence(payload: &[u8]) -> Option<u64> {
    let number = payload.get(IDENTITY_BYTES..HEADER_BYTES)?;
    Some(u64::from_le_bytes(number.try_into().expect("eight bytes")))
}

/// Describes how `received` differs from `expected`; they must differ.
pub(crate) fn compare(sequence: Option<u64>, expected: &[u8], received: &[u8]) -> Corruption {
    let longest = expected.len().max(received.len());
    let differs = |&offset: &usize| expected.get(offset) != received.get(offset);
    let first = (0..longest).find(differs).expect("the payloads differ");
    let last = (0..longest).rfind(differs).expect("the payloads differ");
    Corruption {
        sequence,
        received_bytes: received.len() as u64,
        expected_bytes: expected.len() as u64,
        offset: first as u64,
        length: (last - first + 1) as u64,
        differing_bytes: (first..=last).filter(differs).count() as u64,
    }
}

/// Fills `bytes` with the filler of datagram `sequence` under `seed`.
pub(crate) fn fill(seed: u64, sequence: u64, bytes: &mut [u8]) {
    for (chunk, word) in bytes
        .chunks_mut(WORD_BYTES)
        .zip(filler_words(seed, sequence))
    {
        chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
    }
}

/// The endless filler of datagram `sequence` under `seed`: SplitMix64 from a state of its own.
fn filler_words(seed: u64, sequence: u64) -> impl Iterator<Item = u64> {
    let mut state = mix(seed ^ mix(sequence));
    std::iter::repeat_with(move || {
        state = state.wrapping_add(GOLDEN_GAMMA);
        mix(state)
    })
}

/// A seed for part `index` of what `seed` names, unlike that of any other part.
pub(crate) fn derive_seed(seed: u64, index: u64) -> u64 {
    mix(seed.wrapping_add(mix(index.wrapping_add(GOLDEN_GAMMA))))
}

fn stream_id(seed: u64) -> u32 {
    (mix(seed) >> 32) as u32
}

/// The increment of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): 2^64 over the golden ratio.
const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of SplitMix64 (the same paper), a bijection that spreads every bit.
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
