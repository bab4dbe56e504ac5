//! What an SPI network device was asked for: transactions and bytes, by register.

use bench::{BrokenIdentity, Counts, Nanos, Outcome, Ratio, Undefined};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of a measurement of SPI traffic: a stream, then as long a time without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrafficOptions {
    /// Names the stream.
    pub seed: u64,
    /// Offered load in datagrams a second.
    pub rate_hz: u64,
    /// The UDP payload of every datagram in bytes.
    pub payload_bytes: u64,
    /// Datagrams of the stream.
    pub packets: u64,
}

/// What an SPI network device was asked for during a stream and without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrafficResult {
    pub options: TrafficOptions,
    /// What became of the datagrams.
    pub counts: Counts,
    /// The frequency on the SCK pin in Hz, from the clock tree; absent when nothing was clocked.
    pub sck_hz: Option<u64>,
    /// The length of each of the two windows, the wait for the last replies included.
    pub window_ns: Nanos,
    /// In the window of the stream.
    pub entries: Vec<TrafficRow>,
    /// In the window without one.
    pub idle: Vec<TrafficRow>,
}

/// The transactions that began in one place and went in one direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrafficRow {
    /// The block of the device's address space, such as a socket's registers.
    pub block: String,
    /// The first register; absent for buffer memory.
    pub register: Option<String>,
    /// Whether the device was written to.
    pub write: bool,
    /// From chip select to chip select.
    pub transactions: u64,
    /// Headers included.
    pub bytes: u64,
}

/// What an SPI network device has been asked for since power-on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpiTraffic {
    /// The frequency on the SCK pin in Hz; `None` before the first transfer.
    pub sck_hz: Option<u64>,
    /// One row a place and direction, in a fixed order.
    pub rows: Vec<TrafficRow>,
}

impl TrafficRow {
    fn is_of_the_place_of(&self, other: &Self) -> bool {
        let place = |row: &Self| (row.block.clone(), row.register.clone(), row.write);
        place(self) == place(other)
    }
}

impl SpiTraffic {
    /// What came after `earlier`; places where nothing did are left out.
    pub fn since(&self, earlier: &Self) -> Vec<TrafficRow> {
        let rows = self.rows.iter().map(|row| {
            let before = earlier.rows.iter().find(|one| one.is_of_the_place_of(row));
            let (transactions, bytes) = before.map_or((0, 0), |one| (one.transactions, one.bytes));
            TrafficRow {
                transactions: row.transactions - transactions,
                bytes: row.bytes - bytes,
                ..row.clone()
            }
        });
        rows.filter(|row| row.transactions > 0 || row.bytes > 0)
            .collect()
    }
}

/// Clean when the stream is, at a rate that is far from what the device can do.
impl Outcome for TrafficResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        if self.counts.planned != self.options.packets {
            return Err(BrokenIdentity {
                identity: "planned = packets",
                left: self.counts.planned.into(),
                right: self.options.packets.into(),
            });
        }
        self.counts.check()
    }

    fn is_clean(&self) -> bool {
        self.void_reason().is_none() && self.counts.error_events() == 0
    }

    fn void_reason(&self) -> Option<String> {
        (self.counts.sent == 0).then(|| "no datagram was sent".to_owned())
    }
}

impl TrafficResult {
    /// Transactions of the window with the stream beyond those of the other, over the datagrams that
    /// came back; absent when none did.
    pub fn transactions_per_datagram(&self) -> Result<Ratio, Undefined> {
        self.per_datagram(|row| row.transactions)
    }

    /// Bytes, likewise.
    pub fn bytes_per_datagram(&self) -> Result<Ratio, Undefined> {
        self.per_datagram(|row| row.bytes)
    }

    fn per_datagram(&self, figure: fn(&TrafficRow) -> u64) -> Result<Ratio, Undefined> {
        let total = |rows: &[TrafficRow]| rows.iter().map(figure).fold(0, u64::saturating_add);
        let added = total(&self.entries).saturating_sub(total(&self.idle));
        Ratio::new(added, self.counts.valid, "no datagram came back")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(register: &str, transactions: u64, bytes: u64) -> TrafficRow {
        TrafficRow {
            block: "socket 0".to_owned(),
            register: Some(register.to_owned()),
            write: false,
            transactions,
            bytes,
        }
    }

    fn traffic(rows: &[TrafficRow]) -> SpiTraffic {
        SpiTraffic {
            sck_hz: None,
            rows: rows.to_vec(),
        }
    }

    #[test]
    fn a_window_holds_what_was_added_and_nothing_else() {
        let earlier = traffic(&[row("CR", 2, 8), row("SR", 1, 4)]);
        let written = TrafficRow {
            write: true,
            ..row("CR", 5, 20)
        };
        let later = traffic(&[row("CR", 3, 12), written.clone(), row("SR", 1, 4)]);
        assert_eq!(later.since(&earlier), [row("CR", 1, 4), written]);
        assert_eq!(later.since(&later), []);
    }
}
