//! Facts about the chip and its clock that no run measures, each with its source.

use serde::Serialize;

use super::build::BuildView;
use crate::trace::{Condition, Formula, Relation, Traced};

/// What W5500.md says besides measurements.
#[derive(Serialize)]
pub struct W5500View {
    pub published_clock: PublishedClock,
    pub memory: ChipMemory,
    pub sck: SckCounts,
}

/// Builds whose SCK was measured.
#[derive(Serialize)]
pub struct SckCounts {
    pub compared: Traced,
    /// Those that have the one they are meant to have.
    pub as_meant: Traced,
}

/// Where the SPI clock that published figures name comes from.
///
/// The published firmware (mixxen/nucleo-h723zg-udp-echo, src/board.rs and its two W5500 binaries) runs
/// SPI1 from PLL1 Q and asks embassy for a frequency that no divider gives.
#[derive(Serialize)]
pub struct PublishedClock {
    pub kernel_hz: Traced,
    pub requested_hz: Traced,
    pub divider: Traced,
    /// What then is on the pin.
    pub pin_hz: Traced,
}

/// The chip's buffer memory and how the variants share it out, in bytes for each direction.
#[derive(Serialize)]
pub struct ChipMemory {
    /// All there is (W5500 data sheet 1.0.9 §3).
    pub whole_bytes: Traced,
    /// Socket 0 in MACRAW mode (embassy-net-wiznet 0.3.0, src/chip/w5500.rs).
    pub macraw_socket_bytes: Traced,
    /// Each hardware socket, which is also the reset value (data sheet 1.0.9 §4.2).
    pub offload_socket_bytes: Traced,
}

/// The lowest quotients of kernel clock and request for which embassy-stm32 0.6.0 (spi/mod.rs,
/// `compute_baud_rate`) takes the next power of two, from a divider of 4 on.
const QUOTIENTS_OF_NEXT_DIVIDER: [u64; 7] = [3, 6, 12, 24, 40, 96, 192];

impl PublishedClock {
    fn new(kernel_hz: u64, requested_hz: u64) -> Self {
        let firmware = "mixxen/nucleo-h723zg-udp-echo, src/board.rs and the two W5500 binaries";
        let kernel = Traced::stated(kernel_hz, firmware);
        let divider = divider(kernel_hz / requested_hz);
        let of_divider = "embassy-stm32 0.6.0, spi/mod.rs, compute_baud_rate";
        let divider = Traced::stated(divider, of_divider);
        Self {
            pin_hz: kernel.over(&divider).expect("no divider is zero"),
            requested_hz: Traced::stated(requested_hz, firmware),
            kernel_hz: kernel,
            divider,
        }
    }
}

/// The divider that embassy-stm32 takes for a quotient of kernel clock and request.
const fn divider(quotient: u64) -> u64 {
    let mut divider = 2;
    let mut index = 0;
    while index < QUOTIENTS_OF_NEXT_DIVIDER.len() && quotient >= QUOTIENTS_OF_NEXT_DIVIDER[index] {
        divider *= 2;
        index += 1;
    }
    divider
}

impl SckCounts {
    fn new(builds: &[BuildView]) -> Self {
        let compared = builds.iter().filter_map(|build| {
            let measured = build.traffic.first()?.sck_hz.clone()?;
            Some((measured, build.spi_hz.clone()?))
        });
        let compared: Vec<_> = compared.collect();
        let none = Formula::stated(0_u64, "nothing was clocked");
        let was_clocked = |(measured, _): &(Traced, Traced)| {
            let measured = measured.formula.clone();
            vec![Condition::new(measured, Relation::Greater, none.clone())]
        };
        let is_as_meant = |(measured, meant): &(Traced, Traced)| {
            let (measured, meant) = (measured.formula.clone(), meant.formula.clone());
            vec![Condition::new(measured, Relation::Equal, meant)]
        };
        let as_meant = compared
            .iter()
            .filter(|(measured, meant)| measured.compare(meant).is_eq());
        Self {
            as_meant: Traced::whole(
                as_meant.count() as u64,
                Formula::Count(compared.iter().map(is_as_meant).collect()),
            ),
            compared: Traced::whole(
                compared.len() as u64,
                Formula::Count(compared.iter().map(was_clocked).collect()),
            ),
        }
    }
}

impl W5500View {
    /// What the sources say, and which of the study's builds have the SCK they are meant to have.
    pub fn new(builds: &[BuildView]) -> Self {
        Self {
            sck: SckCounts::new(builds),
            published_clock: PublishedClock::new(200_000_000, 20_000_000),
            memory: ChipMemory {
                whole_bytes: Traced::stated(16_u64 << 10, "W5500 data sheet 1.0.9 §3"),
                macraw_socket_bytes: Traced::stated(
                    16_u64 << 10,
                    "embassy-net-wiznet 0.3.0, src/chip/w5500.rs",
                ),
                offload_socket_bytes: Traced::stated(2_u64 << 10, "W5500 data sheet 1.0.9 §4.2"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divider_of_a_request_is_embassys() {
        let table = [
            (1, 2),
            (2, 2),
            (3, 4),
            (5, 4),
            (6, 8),
            (10, 8),
            (11, 8),
            (12, 16),
            (23, 16),
        ];
        for (quotient, expected) in table {
            assert_eq!(divider(quotient), expected, "{quotient}");
        }
        assert_eq!(
            [divider(39), divider(40), divider(95), divider(96)],
            [32, 64, 64, 128]
        );
        assert_eq!([divider(191), divider(192)], [128, 256]);
        let pin = W5500View::new(&[]).published_clock.pin_hz.value;
        assert_eq!(pin.numerator, 25_000_000 * pin.denominator);
    }
}
