//! Which datagrams meet which fault.

use serde::{Deserialize, Serialize};

use crate::Nanos;
use crate::datagram::{HEADER_BYTES, derive_seed};

/// The whole, in parts per million.
const WHOLE_PPM: u64 = 1_000_000;

/// How many datagrams later the reply to a reordered one leaves, at most.
pub const REORDER_DEPTH_MAX: u64 = 4;

/// How often each fault happens. A datagram meets one fault at most; which one is a pure function
/// of the seed and of its number in the order of arrival.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Faults {
    /// Draws the faults.
    pub seed: u64,
    /// Datagrams of a million that are not answered.
    pub lose_ppm: u64,
    /// Datagrams of a million whose reply has one wrong byte.
    pub corrupt_ppm: u64,
    /// Datagrams of a million whose reply is too short.
    pub truncate_ppm: u64,
    /// Datagrams of a million that are answered twice.
    pub duplicate_ppm: u64,
    /// Datagrams of a million that are answered later by `delay_ns`.
    pub delay_ppm: u64,
    /// Datagrams of a million that are answered after 1 to [`REORDER_DEPTH_MAX`] later ones.
    pub reorder_ppm: u64,
    /// Datagrams of a million of which a copy comes from another port, before the reply.
    pub stray_ppm: u64,
    /// How late the reply to a delayed datagram is.
    pub delay_ns: Nanos,
}

/// Rates that make no distribution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the faults add up to {0} of a million datagrams, at most all can meet one")]
pub struct FaultsError(u128);

/// What the server does with one datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is answered.
    Echoed,
    /// It is not answered.
    Lost,
    /// Its reply differs in one byte.
    Corrupted {
        /// Where.
        offset: usize,
        /// The bits that are turned; never 0.
        mask: u8,
    },
    /// Its reply is cut to this many bytes.
    Truncated {
        /// Shorter than the datagram.
        bytes: usize,
    },
    /// It is answered twice.
    Duplicated,
    /// It is answered late.
    Delayed,
    /// It is answered after this many later datagrams.
    Reordered {
        /// From 1 to [`REORDER_DEPTH_MAX`].
        depth: u64,
    },
    /// It is answered, after a copy from another port.
    Strayed,
}

impl Fate {
    /// The fate in one word.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Echoed => "echoed",
            Self::Lost => "lost",
            Self::Corrupted { .. } => "corrupted",
            Self::Truncated { .. } => "truncated",
            Self::Duplicated => "duplicated",
            Self::Delayed => "delayed",
            Self::Reordered { .. } => "reordered",
            Self::Strayed => "strayed",
        }
    }
}

impl Faults {
    /// Checks that no more than all datagrams meet a fault.
    ///
    /// # Errors
    /// When the rates add up to more.
    pub fn validate(&self) -> Result<(), FaultsError> {
        let sum = self.rates().into_iter().map(u128::from).sum();
        if sum > u128::from(WHOLE_PPM) {
            return Err(FaultsError(sum));
        }
        Ok(())
    }

    fn rates(&self) -> [u64; 7] {
        [
            self.lose_ppm,
            self.corrupt_ppm,
            self.truncate_ppm,
            self.duplicate_ppm,
            self.delay_ppm,
            self.reorder_ppm,
            self.stray_ppm,
        ]
    }

    /// What happens to the datagram that arrives as number `index`, from 0, with this many bytes.
    ///
    /// Bytes are made wrong or cut away after the header of the bench's own datagrams, so that a
    /// reply is still known for one of the stream; in a datagram as short as that, anywhere. One
    /// without any byte is echoed instead.
    pub fn fate(&self, index: u64, payload_bytes: usize) -> Fate {
        let draw = derive_seed(self.seed, index);
        let detail = derive_seed(draw, 0);
        let kept = if payload_bytes > HEADER_BYTES {
            HEADER_BYTES
        } else {
            0
        };
        let place = |bytes: usize| kept + (detail % (bytes - kept) as u64) as usize;
        let fates: [&dyn Fn() -> Fate; 7] = [
            &|| Fate::Lost,
            &|| match payload_bytes {
                0 => Fate::Echoed,
                bytes => Fate::Corrupted {
                    offset: place(bytes),
                    mask: 1 << (detail >> 61),
                },
            },
            &|| match payload_bytes {
                0 => Fate::Echoed,
                bytes => Fate::Truncated {
                    bytes: place(bytes),
                },
            },
            &|| Fate::Duplicated,
            &|| Fate::Delayed,
            &|| Fate::Reordered {
                depth: 1 + detail % REORDER_DEPTH_MAX,
            },
            &|| Fate::Strayed,
        ];
        let mut left = draw % WHOLE_PPM;
        for (rate, fate) in self.rates().into_iter().zip(fates) {
            match left.checked_sub(rate) {
                Some(rest) => left = rest,
                None => return fate(),
            }
        }
        Fate::Echoed
    }
}
