//! SPI traffic of an echoed datagram as the drivers' sources give it, to set beside what was counted.
//!
//! Each access is one transaction: the header, then the data (W5500 data sheet 1.0.9 §2.2).

use serde::Serialize;

use crate::trace::Traced;

/// Address and control byte of a transaction (data sheet §2.2).
const SPI_HEADER_BYTES: u64 = 3;
/// Ethernet, IPv4 and UDP headers of a frame without its check sequence (IEEE 802.3, RFC 791, RFC 768).
const FRAME_HEADER_BYTES: u64 = 14 + 20 + 8;
/// What the chip puts before a frame in the receive buffer (data sheet, MACRAW mode).
const FRAME_LENGTH_BYTES: u64 = 2;
/// What the chip puts before a datagram in the receive buffer: address, port, length (data sheet, UDP
/// mode).
const DATAGRAM_HEADER_BYTES: u64 = 8;

/// Transactions and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub transactions: u64,
    pub bytes: u64,
}

/// The same as a template sees it.
#[derive(Serialize)]
pub struct CostView {
    pub transactions: Traced,
    pub bytes: Traced,
}

/// What a variant's driver asks of the chip.
pub struct Derivation {
    variant: &'static str,
    /// Where the accesses were read.
    pub source: &'static str,
    accesses: &'static [Access],
}

/// One transaction of a driver.
struct Access {
    block: &'static str,
    register: Option<&'static str>,
    write: bool,
    data: Data,
    per: Per,
}

/// What a transaction carries.
#[derive(Clone, Copy)]
enum Data {
    Bytes(u64),
    /// The frame of the datagram.
    Frame,
    /// The payload of the datagram.
    Payload,
}

/// How often a driver makes an access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Per {
    Datagram,
    /// Once however many datagrams wait.
    Wake,
}

const MACRAW: Derivation = Derivation {
    variant: "w5500-macraw",
    source: "embassy-net-wiznet 0.3.0, src/device.rs",
    accesses: &[
        read("socket 0", "RX_RSR", 2),
        read("socket 0", "RX_RSR", 2),
        write("socket 0", "IR", 1),
        read("socket 0", "RX_RD", 2),
        buffer("socket 0 RX buffer", false, Data::Bytes(FRAME_LENGTH_BYTES)),
        buffer("socket 0 RX buffer", false, Data::Frame),
        write("socket 0", "RX_RD", 2),
        write("socket 0", "CR", 1),
        read("socket 0", "TX_FSR", 2),
        read("socket 0", "TX_WR", 2),
        buffer("socket 0 TX buffer", true, Data::Frame),
        write("socket 0", "TX_WR", 2),
        write("socket 0", "CR", 1),
    ],
};

const OFFLOAD: Derivation = Derivation {
    variant: "w5500-offload",
    source: "w5500-hl 0.12, src/udp.rs, and the variant's own server",
    accesses: &[
        read("common", "SIR", 1).per_wake(),
        read("socket 1", "IR", 1).per_wake(),
        write("socket 1", "IR", 1).per_wake(),
        read("socket 1", "RX_RSR", 2),
        read("socket 1", "RX_RD", 2),
        buffer(
            "socket 1 RX buffer",
            false,
            Data::Bytes(DATAGRAM_HEADER_BYTES),
        ),
        buffer("socket 1 RX buffer", false, Data::Payload),
        write("socket 1", "RX_RD", 2),
        write("socket 1", "CR", 1),
        // Free size, read pointer and write pointer in one.
        read("socket 1", "TX_FSR", 6),
        buffer("socket 1 TX buffer", true, Data::Payload),
        write("socket 1", "TX_WR", 2),
        write("socket 1", "CR", 1),
        // Nothing is there any more.
        read("socket 1", "RX_RSR", 2).per_wake(),
    ],
};

/// The derivation for a variant; absent for one whose driver was not read.
pub fn of_variant(id: &str) -> Option<&'static Derivation> {
    [&MACRAW, &OFFLOAD]
        .into_iter()
        .find(|derivation| derivation.variant == id)
}

impl Derivation {
    /// What a datagram that comes alone costs at one place: a register, or a buffer, in one
    /// direction.
    pub fn at(&self, operation: Operation, payload_bytes: u64) -> Cost {
        let accesses = self
            .accesses
            .iter()
            .filter(|access| access.operation() == operation);
        Cost::of(accesses, payload_bytes)
    }

    /// `cost` as a template sees it: it stands in the driver's source.
    pub fn view(&self, cost: Cost) -> CostView {
        CostView {
            transactions: Traced::stated(cost.transactions, self.source),
            bytes: Traced::stated(cost.bytes, self.source),
        }
    }

    /// The places in the order of the accesses.
    pub fn places(&self) -> Vec<Operation<'static>> {
        let mut places = Vec::new();
        for place in self.accesses.iter().map(Access::operation) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// What each datagram costs, however many come at once.
    pub fn datagram(&self, payload_bytes: u64) -> Cost {
        self.of(Per::Datagram, payload_bytes)
    }

    /// What each wake costs besides.
    pub fn wake(&self) -> Cost {
        self.of(Per::Wake, 0)
    }

    fn of(&self, per: Per, payload_bytes: u64) -> Cost {
        let accesses = self.accesses.iter().filter(|access| access.per == per);
        Cost::of(accesses, payload_bytes)
    }
}

/// Block, register or none for a buffer, and whether it is written.
pub type Operation<'a> = (&'a str, Option<&'a str>, bool);

impl Cost {
    fn of(accesses: impl Iterator<Item = &'static Access>, payload_bytes: u64) -> Self {
        accesses.fold(Self::default(), |cost, access| Self {
            transactions: cost.transactions + 1,
            bytes: cost.bytes + access.bytes(payload_bytes),
        })
    }
}

impl Access {
    const fn operation(&self) -> Operation<'static> {
        (self.block, self.register, self.write)
    }

    const fn bytes(&self, payload_bytes: u64) -> u64 {
        SPI_HEADER_BYTES
            + match self.data {
                Data::Bytes(bytes) => bytes,
                Data::Frame => FRAME_HEADER_BYTES + payload_bytes,
                Data::Payload => payload_bytes,
            }
    }

    const fn per_wake(self) -> Self {
        Self {
            per: Per::Wake,
            ..self
        }
    }
}

const fn read(block: &'static str, register: &'static str, bytes: u64) -> Access {
    Access {
        block,
        register: Some(register),
        write: false,
        data: Data::Bytes(bytes),
        per: Per::Datagram,
    }
}

const fn write(block: &'static str, register: &'static str, bytes: u64) -> Access {
    Access {
        write: true,
        ..read(block, register, bytes)
    }
}

const fn buffer(block: &'static str, write: bool, data: Data) -> Access {
    Access {
        block,
        register: None,
        write,
        data,
        per: Per::Datagram,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use board::chips::w5500::SpiBlock;

    use super::*;

    fn cost(transactions: u64, bytes: u64) -> Cost {
        Cost {
            transactions,
            bytes,
        }
    }

    #[test]
    fn the_published_totals_come_out() {
        assert_eq!(MACRAW.datagram(100), cost(13, 342));
        assert_eq!(MACRAW.wake(), cost(0, 0));
        assert_eq!(OFFLOAD.datagram(100), cost(10, 254));
        assert_eq!(OFFLOAD.wake(), cost(4, 17));
    }

    #[test]
    fn blocks_have_the_names_that_the_emulated_chip_counts_under() {
        let named = [0, 1].map(|n| {
            [
                SpiBlock::Socket(n),
                SpiBlock::RxBuffer(n),
                SpiBlock::TxBuffer(n),
            ]
        });
        let mut named: BTreeSet<String> = named
            .as_flattened()
            .iter()
            .map(SpiBlock::to_string)
            .collect();
        named.insert(SpiBlock::Common.to_string());
        let places = [MACRAW.places(), OFFLOAD.places()].concat();
        let used: BTreeSet<String> = places
            .into_iter()
            .map(|(block, ..)| block.to_owned())
            .collect();
        assert_eq!(used, named);
    }

    #[test]
    fn the_places_share_all_of_it() {
        for derivation in [&MACRAW, &OFFLOAD] {
            let at = |place| derivation.at(place, 1472);
            let places = derivation.places();
            let bytes: u64 = places.iter().map(|&place| at(place).bytes).sum();
            let whole = derivation.datagram(1472).bytes + derivation.wake().bytes;
            assert_eq!(bytes, whole, "{}", derivation.source);
        }
        let frames = ("socket 0 RX buffer", None, false);
        assert_eq!(MACRAW.at(frames, 100), cost(2, 3 + 2 + 3 + 142));
    }
}
