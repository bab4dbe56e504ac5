//! The emulated board as it is compared with the real one, and the parameters that were free to fit it.

use board::net::host::HostConfig;
use board::time::Span;
use board::{BoardConfig, NetworkDevice};

/// What host and switch add to each round trip, both ways together. Published round trips were taken by a
/// program on a desktop computer behind a switch; those of the study are the wire's and the board's alone.
const HOST_AND_SWITCH: Span = Span::from_ns(89_500);

/// The board with the cable in the jack of `jack`.
pub fn config(jack: NetworkDevice) -> BoardConfig {
    BoardConfig {
        jack,
        host: HostConfig {
            latency: HOST_AND_SWITCH,
            ..HostConfig::default()
        },
        ..BoardConfig::default()
    }
}

/// A parameter that was fitted.
pub struct Free {
    /// Its group and name in results.
    pub group: &'static str,
    pub name: &'static str,
    pub unit: &'static str,
    /// Parts of its figure in the unit of [`Free::unit`].
    pub scale: u128,
    pub meaning: &'static str,
    /// The lowest and highest plausible figure, in the unit.
    pub range: [u128; 2],
    /// Why not less, and why not more.
    pub reason: &'static str,
}

/// Every parameter that was free; all others are assumed.
pub const FREE: [Free; 4] = [
    Free {
        group: "core",
        name: "flash_fetch_hclk",
        unit: "HCLK periods",
        scale: 1,
        meaning: "fetching the next aligned unit of code from flash without a cache",
        range: [1, 8],
        reason: "one beat of the bus at least; at most the wait states, the read of a flash line and the way over the bus for each unit by itself",
    },
    Free {
        group: "core",
        name: "sram_load_hclk",
        unit: "HCLK periods",
        scale: 1,
        meaning: "an uncached load from SRAM",
        range: [2, 10],
        reason: "address and data phase at least; at most a crossing of clock domains each way besides",
    },
    Free {
        group: "core",
        name: "peripheral_load_hclk",
        unit: "HCLK periods",
        scale: 1,
        meaning: "a load from a peripheral, before what a slower bus adds",
        range: [4, 14],
        reason: "the shorter way of the peripheral port at least; at most twice the way to SRAM",
    },
    Free {
        group: "host",
        name: "latency_ps",
        unit: "us",
        scale: 1_000_000,
        meaning: "host and switch, both ways together",
        range: [40, 150],
        reason: "two passes through a switch that stores and forwards, and a datagram's way through a desktop's network stack",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::parameters::parameters;

    #[test]
    fn every_free_parameter_is_one_of_the_board_and_inside_its_range() {
        let known = parameters(&config(NetworkDevice::W5500));
        for free in &FREE {
            let figure = u128::from(known[free.group][free.name]);
            let [lowest, highest] = free.range.map(|bound| bound * free.scale);
            assert!(
                (lowest..=highest).contains(&figure),
                "{}: {figure}",
                free.name
            );
        }
    }
}
