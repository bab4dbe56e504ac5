//! How much memory a run takes, known before any of it is asked for.
//!
//! What became of each datagram is three bits in the [ledger](crate::ledger), so that a slip in a
//! rate or a duration can ask for more memory than there is. Such a run is refused.

use crate::{
    BurstOptions, FunctionalOptions, LatencyOptions, RecoveryOptions, SoakOptions, StreamOptions,
    SweepOptions, ThroughputOptions,
};

/// The most memory the bits of one run may take, in bytes.
const MAX_LEDGER_BYTES: u128 = 1 << 30;

/// The bits of one datagram: was it sent, did it come back whole, did it come back corrupt.
const BITS_A_DATAGRAM: u128 = 3;

/// The most datagrams whose bits fit: 39 hours at 20 kHz.
const MAX_DATAGRAMS: u128 = MAX_LEDGER_BYTES * 8 / BITS_A_DATAGRAM;

/// A run that would take too much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{datagrams} datagrams in one run would take {} bytes of memory, 3 bits each; at most \
     {MAX_DATAGRAMS} in {MAX_LEDGER_BYTES} bytes are taken: lower the rate, the duration or the \
     warm-up, or make several runs",
    ledger_bytes(*datagrams)
)]
pub struct TooManyDatagrams {
    /// Datagrams whose bits would be kept at one time, the warm-up included.
    datagrams: u128,
}

/// Options of a workload whose datagrams are kept in a ledger.
pub trait Ledgered {
    /// The most datagrams that the workload keeps in ledgers at one time, the warm-up included; 0
    /// where what is kept does not grow with their number.
    fn ledgered_datagrams(&self) -> u128;

    /// Refuses what would take more memory than one run may.
    ///
    /// # Errors
    /// When the ledgers would be too large.
    fn check_memory(&self) -> Result<(), TooManyDatagrams> {
        let datagrams = self.ledgered_datagrams();
        match datagrams > MAX_DATAGRAMS {
            true => Err(TooManyDatagrams { datagrams }),
            false => Ok(()),
        }
    }
}

impl Ledgered for FunctionalOptions {
    fn ledgered_datagrams(&self) -> u128 {
        0
    }
}

impl Ledgered for LatencyOptions {
    fn ledgered_datagrams(&self) -> u128 {
        0
    }
}

impl Ledgered for BurstOptions {
    fn ledgered_datagrams(&self) -> u128 {
        u128::from(self.planned_packets())
    }
}

impl Ledgered for StreamOptions {
    fn ledgered_datagrams(&self) -> u128 {
        sum(self.warm_up_packets, self.planned_packets())
    }
}

impl Ledgered for SoakOptions {
    fn ledgered_datagrams(&self) -> u128 {
        sum(self.warm_up_packets, self.planned_packets())
    }
}

impl Ledgered for RecoveryOptions {
    fn ledgered_datagrams(&self) -> u128 {
        sum(self.warm_up_packets, self.planned_packets())
    }
}

/// Its streams follow one another.
impl Ledgered for SweepOptions {
    fn ledgered_datagrams(&self) -> u128 {
        most((0..self.rates_hz.len()).map(|index| self.step(index)))
    }
}

/// Its trials follow one another; the largest is at the ceiling.
impl Ledgered for ThroughputOptions {
    fn ledgered_datagrams(&self) -> u128 {
        let at_ceiling = |size| StreamOptions {
            rate_hz: self.rate_hz(size, self.ceiling_bits_per_s),
            duration_ns: self.stream.duration_ns.max(self.verify_ns),
            ..self.stream.clone()
        };
        most((0..self.payload_bytes.len()).map(at_ceiling))
    }
}

fn most(streams: impl Iterator<Item = StreamOptions>) -> u128 {
    let datagrams = streams.map(|stream| stream.ledgered_datagrams());
    datagrams.max().unwrap_or(0)
}

fn sum(warm_up: u64, measured: u64) -> u128 {
    u128::from(warm_up) + u128::from(measured)
}

fn ledger_bytes(datagrams: u128) -> u128 {
    (datagrams * BITS_A_DATAGRAM).div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Nanos;

    /// A stream of one datagram a second and this warm-up, an hour long.
    fn hour(warm_up_packets: u64) -> StreamOptions {
        StreamOptions {
            rate_hz: 1,
            duration_ns: Nanos::from_secs(3_600),
            warm_up_packets,
            ..StreamOptions::default()
        }
    }

    #[test]
    fn the_edge_is_the_last_datagram_whose_bits_fit() {
        let most = u64::try_from(MAX_DATAGRAMS).unwrap();
        assert_eq!(hour(most - 3_600).check_memory(), Ok(()));
        let refused = hour(most - 3_599).check_memory().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "2863311531 datagrams in one run would take 1073741825 bytes of memory, 3 bits each; \
             at most 2863311530 in 1073741824 bytes are taken: lower the rate, the duration or the \
             warm-up, or make several runs"
        );
    }

    #[test]
    fn the_bits_are_those_of_a_real_stream() {
        let targets = crate::Targets {
            echo: "127.0.0.1:7".parse().unwrap(),
            telemetry: None,
        };
        let memory = |warm_up| {
            let stream = crate::Stream::new(hour(warm_up), targets).unwrap();
            stream.memory_bytes() as u128
        };
        // Both have the largest ring of instants.
        let (few, many) = (1 << 20, 9 << 20);
        let grown = ledger_bytes(many) - ledger_bytes(few);
        assert_eq!(memory(many as u64) - memory(few as u64), grown);
    }

    #[test]
    fn of_trials_in_a_row_the_largest_counts() {
        let sweep = SweepOptions {
            rates_hz: vec![1, 5],
            stream: hour(10),
        };
        assert_eq!(sweep.ledgered_datagrams(), 10 + 5 * 3_600);
        let throughput = ThroughputOptions {
            payload_bytes: vec![100, 50],
            ceiling_bits_per_s: 4_000,
            verify_ns: Nanos::from_secs(7_200),
            stream: hour(10),
            ..ThroughputOptions::default()
        };
        assert_eq!(throughput.ledgered_datagrams(), 10 + 10 * 7_200);
    }

    #[test]
    fn no_option_is_too_large_to_be_counted() {
        let endless = Nanos(u64::MAX);
        let soak = SoakOptions {
            rate_hz: u64::MAX,
            duration_ns: endless,
            warm_up_packets: u64::MAX,
            ..SoakOptions::default()
        };
        let recovery = RecoveryOptions {
            rate_hz: u64::MAX,
            before_ns: endless,
            limit_ns: endless,
            warm_up_packets: u64::MAX,
            ..RecoveryOptions::default()
        };
        assert!(soak.check_memory().is_err());
        assert!(recovery.check_memory().is_err());
    }
}
