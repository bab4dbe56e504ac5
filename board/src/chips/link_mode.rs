//! What the two ends of an Ethernet link agree on.

use std::fmt;

/// Speed and duplex of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkMode {
    /// 100 Mbit/s rather than 10.
    pub speed_100: bool,
    pub full_duplex: bool,
}

impl LinkMode {
    /// The mode of a healthy link of this board.
    pub const BEST: Self = Self {
        speed_100: true,
        full_duplex: true,
    };
}

impl fmt::Display for LinkMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = if self.speed_100 { 100 } else { 10 };
        let duplex = if self.full_duplex { "full" } else { "half" };
        write!(f, "{speed} Mbit/s {duplex} duplex")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_written_as_speed_and_duplex() {
        assert_eq!(LinkMode::BEST.to_string(), "100 Mbit/s full duplex");
        let worst = LinkMode {
            speed_100: false,
            full_duplex: false,
        };
        assert_eq!(worst.to_string(), "10 Mbit/s half duplex");
    }
}
