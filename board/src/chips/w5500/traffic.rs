//! What the SPI traffic is used for: transactions and bytes by block, direction and first register.

use std::fmt;

use super::registers::{RESERVED, common, socket};

/// A block as the control byte selects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpiBlock {
    Common,
    Socket(u8),
    TxBuffer(u8),
    RxBuffer(u8),
    /// One of the eight block numbers without a meaning.
    Reserved,
}

impl SpiBlock {
    /// The block that the upper five bits of a control byte select.
    pub(super) fn from_bits(bits: u8) -> Self {
        let n = bits >> 2;
        match bits & 0b11 {
            0 if n == 0 => Self::Common,
            0 => Self::Reserved,
            1 => Self::Socket(n),
            2 => Self::TxBuffer(n),
            _ => Self::RxBuffer(n),
        }
    }
}

impl fmt::Display for SpiBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Common => write!(f, "common"),
            Self::Socket(n) => write!(f, "socket {n}"),
            Self::TxBuffer(n) => write!(f, "socket {n} TX buffer"),
            Self::RxBuffer(n) => write!(f, "socket {n} RX buffer"),
            Self::Reserved => write!(f, "reserved"),
        }
    }
}

/// One use of SPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrafficEntry {
    pub block: SpiBlock,
    pub write: bool,
    /// The register at the transaction's first data byte, without the `Sn_` of socket registers;
    /// "reserved" between registers, `None` for buffers and reserved blocks.
    pub register: Option<&'static str>,
    pub transactions: u64,
    /// Header and data bytes.
    pub bytes: u64,
}

/// Register places of a register block, and the one for its reserved addresses.
const PLACES: usize = 32;
const SOCKETS: usize = 8;
/// Common, eight sockets, eight buffers in each direction, reserved.
const SLOTS: usize = (1 + SOCKETS) * PLACES + 2 * SOCKETS + 1;

/// Where a transaction is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slot(usize);

impl Slot {
    pub fn of(block: SpiBlock, address: u16) -> Self {
        let place = |place: u8| usize::from(if place == RESERVED { 31 } else { place });
        Self(match block {
            SpiBlock::Common => place(common::MAP.place(address)),
            SpiBlock::Socket(n) => {
                (1 + usize::from(n)) * PLACES + place(socket::MAP.place(address))
            }
            SpiBlock::TxBuffer(n) => (1 + SOCKETS) * PLACES + usize::from(n),
            SpiBlock::RxBuffer(n) => (1 + SOCKETS) * PLACES + SOCKETS + usize::from(n),
            SpiBlock::Reserved => SLOTS - 1,
        })
    }

    fn block(self) -> SpiBlock {
        let registers = (1 + SOCKETS) * PLACES;
        match self.0 {
            slot if slot < PLACES => SpiBlock::Common,
            slot if slot < registers => SpiBlock::Socket((slot / PLACES - 1) as u8),
            slot if slot < registers + SOCKETS => SpiBlock::TxBuffer((slot - registers) as u8),
            slot if slot < SLOTS - 1 => SpiBlock::RxBuffer((slot - registers - SOCKETS) as u8),
            _ => SpiBlock::Reserved,
        }
    }

    fn register(self) -> Option<&'static str> {
        match self.block() {
            SpiBlock::Common => Some(common::MAP.name(self.0)),
            SpiBlock::Socket(_) => Some(socket::MAP.name(self.0 % PLACES)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    transactions: u64,
    bytes: u64,
}

/// The SPI traffic since power-on. A transaction is counted when it ends; one that ends within its header
/// is not.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Reads and writes of each slot.
    tallies: Box<[[Tally; 2]; SLOTS]>,
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            tallies: Box::new([[Tally::default(); 2]; SLOTS]),
        }
    }
}

impl Traffic {
    /// Everything that happened at least once, in a fixed order: by block, register and direction.
    pub fn entries(&self) -> impl Iterator<Item = TrafficEntry> {
        self.tallies.iter().enumerate().flat_map(|(slot, tallies)| {
            let slot = Slot(slot);
            [false, true].into_iter().filter_map(move |write| {
                let tally = tallies[usize::from(write)];
                (tally.transactions != 0).then(|| TrafficEntry {
                    block: slot.block(),
                    write,
                    register: slot.register(),
                    transactions: tally.transactions,
                    bytes: tally.bytes,
                })
            })
        })
    }

    pub(super) fn record(&mut self, slot: Slot, write: bool, bytes: u64) {
        let tally = &mut self.tallies[slot.0][usize::from(write)];
        tally.transactions += 1;
        tally.bytes += bytes;
    }
}
