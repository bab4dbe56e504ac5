//! Facts about the chip and its clock that no run measures, each with its source.

use serde::Serialize;

/// What W5500.md says besides measurements.
#[derive(Serialize)]
pub struct W5500View {
    pub published_clock: PublishedClock,
    pub memory: ChipMemory,
}

/// Where the SPI clock that published figures name comes from.
///
/// The published firmware (mixxen/nucleo-h723zg-udp-echo, src/board.rs and its two W5500 binaries) runs
/// SPI1 from PLL1 Q and asks embassy for a frequency that no divider gives.
#[derive(Serialize)]
pub struct PublishedClock {
    pub kernel_hz: u64,
    pub requested_hz: u64,
    pub divider: u64,
    /// What then is on the pin.
    pub pin_hz: u64,
}

/// The chip's buffer memory and how the variants share it out, in bytes for each direction.
#[derive(Serialize)]
pub struct ChipMemory {
    /// All there is (W5500 data sheet 1.0.9 §3).
    pub whole_bytes: u64,
    /// Socket 0 in MACRAW mode (embassy-net-wiznet 0.3.0, src/chip/w5500.rs).
    pub macraw_socket_bytes: u64,
    /// Each hardware socket, which is also the reset value (data sheet 1.0.9 §4.2).
    pub offload_socket_bytes: u64,
}

/// The lowest quotients of kernel clock and request for which embassy-stm32 0.6.0 (spi/mod.rs,
/// `compute_baud_rate`) takes the next power of two, from a divider of 4 on.
const QUOTIENTS_OF_NEXT_DIVIDER: [u64; 7] = [3, 6, 12, 24, 40, 96, 192];

impl PublishedClock {
    const fn new(kernel_hz: u64, requested_hz: u64) -> Self {
        let divider = divider(kernel_hz / requested_hz);
        Self {
            kernel_hz,
            requested_hz,
            divider,
            pin_hz: kernel_hz / divider,
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

impl Default for W5500View {
    fn default() -> Self {
        Self {
            published_clock: PublishedClock::new(200_000_000, 20_000_000),
            memory: ChipMemory {
                whole_bytes: 16 << 10,
                macraw_socket_bytes: 16 << 10,
                offload_socket_bytes: 2 << 10,
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
        assert_eq!(W5500View::default().published_clock.pin_hz, 25_000_000);
    }
}
