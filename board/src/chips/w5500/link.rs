//! The PHY inside the chip: PHYCFGR and when there is a link (DS1.0.9 §4.1).
//!
//! The far end does everything up to 100 Mb/s full duplex.

use crate::chips::LinkMode;
use crate::time::{Instant, Span};

const RESET_N: u8 = 1 << 7;
const BY_SOFTWARE: u8 = 1 << 6;
const MODE_SHIFT: u32 = 3;
const MODE_MASK: u8 = 0b111;
const FULL_DUPLEX: u8 = 1 << 2;
const SPEED_100: u8 = 1 << 1;
const LINK: u8 = 1 << 0;
/// Bits that a write changes.
const WRITABLE: u8 = 0xF8;
/// Not in reset, everything advertised as the pins say.
const RESET_VALUE: u8 = 0xB8;
/// Operation modes that are no speed and duplex.
const MODE_ALL: u8 = 0b111;
const MODE_POWER_DOWN: u8 = 0b110;

/// The PHY's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    cable: bool,
    delay: Span,
    /// RST, OPMD and OPMDC as written.
    control: u8,
    /// The operation mode in force: a written one counts from the next PHY reset.
    mode: u8,
    up: bool,
    /// When the link comes up.
    due: Instant,
}

impl Link {
    /// A PHY out of reset at `now`, which has a link `delay` later if there is a cable.
    pub fn new(cable: bool, delay: Span, now: Instant) -> Self {
        let mut link = Self {
            cable,
            delay,
            control: RESET_VALUE,
            mode: MODE_ALL,
            up: false,
            due: Instant::NEVER,
        };
        link.start(now);
        link
    }

    /// When the link changes by itself.
    pub fn due(&self) -> Instant {
        self.due
    }

    pub fn cable(&self) -> bool {
        self.cable
    }

    /// A cable is plugged in or pulled at `now`.
    pub fn set_cable(&mut self, plugged: bool, now: Instant) {
        if plugged == self.cable {
            return;
        }
        self.cable = plugged;
        if self.control & RESET_N != 0 {
            let mode = self.mode;
            self.start(now);
            // Only a reset of the PHY takes over the mode that was written.
            self.mode = mode;
        }
    }

    /// PHYCFGR.LNK, SPD and DPX.
    pub fn resolved_mode(&self) -> Option<LinkMode> {
        let status = self.status();
        self.up.then_some(LinkMode {
            speed_100: status & SPEED_100 != 0,
            full_duplex: status & FULL_DUPLEX != 0,
        })
    }

    /// Whether frames pass between the chip and the 100 Mb/s wire.
    pub fn carries_frames(&self) -> bool {
        self.up && self.status() & SPEED_100 != 0
    }

    /// Makes the change that is due at `now`.
    pub fn advance(&mut self, now: Instant) {
        if self.due <= now {
            self.up = true;
            self.due = Instant::NEVER;
        }
    }

    /// PHYCFGR.
    pub fn read(&self) -> u8 {
        let status = if self.up { LINK | self.status() } else { 0 };
        self.control | status
    }

    /// Writes PHYCFGR: RST at 0 holds the PHY in reset, back at 1 it starts in the mode written.
    pub fn write(&mut self, value: u8, now: Instant) {
        let was_running = self.control & RESET_N != 0;
        self.control = value & WRITABLE;
        match (was_running, self.control & RESET_N != 0) {
            (true, false) => self.stop(),
            (false, true) => self.start(now),
            _ => {}
        }
    }

    fn stop(&mut self) {
        self.up = false;
        self.due = Instant::NEVER;
    }

    fn start(&mut self, now: Instant) {
        self.up = false;
        self.mode = if self.control & BY_SOFTWARE != 0 {
            (self.control >> MODE_SHIFT) & MODE_MASK
        } else {
            MODE_ALL
        };
        self.due = if self.cable && self.mode != MODE_POWER_DOWN {
            now + self.delay
        } else {
            Instant::NEVER
        };
    }

    /// DPX and SPD of the mode in force.
    fn status(&self) -> u8 {
        match self.mode {
            0b000 => 0,
            0b001 => FULL_DUPLEX,
            0b010 | 0b100 => SPEED_100,
            _ => FULL_DUPLEX | SPEED_100,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DELAY: Span = Span::from_ms(10);

    fn up() -> Link {
        let mut link = Link::new(true, DELAY, Instant::ZERO);
        assert_eq!(link.read(), 0xB8);
        assert_eq!(link.due(), Instant::ZERO + DELAY);
        link.advance(link.due());
        link
    }

    #[test]
    fn the_link_comes_up_after_its_time_at_100_full() {
        let link = up();
        assert_eq!(link.read(), 0xBF);
        assert!(link.carries_frames());
        assert_eq!(link.due(), Instant::NEVER);
    }

    #[test]
    fn there_is_no_link_without_a_cable() {
        let mut link = Link::new(false, DELAY, Instant::ZERO);
        assert_eq!(link.due(), Instant::NEVER);
        link.advance(Instant::from_ns(1_000_000_000));
        assert_eq!(link.read(), 0xB8);
    }

    #[test]
    fn a_mode_counts_from_the_next_phy_reset() {
        let mut link = up();
        let now = Instant::from_ns(20_000_000);
        link.write(RESET_N | BY_SOFTWARE, now);
        assert_eq!(link.read(), 0xC7);
        link.write(BY_SOFTWARE, now);
        assert_eq!(link.read(), 0x40);
        link.write(RESET_N | BY_SOFTWARE, now);
        assert_eq!(link.due(), now + DELAY);
        link.advance(now + DELAY);
        assert_eq!(link.read(), 0xC1);
        assert!(!link.carries_frames());
    }

    #[test]
    fn a_phy_powered_down_has_no_link() {
        let mut link = up();
        link.write(BY_SOFTWARE | MODE_POWER_DOWN << MODE_SHIFT, Instant::ZERO);
        link.write(
            RESET_N | BY_SOFTWARE | MODE_POWER_DOWN << MODE_SHIFT,
            Instant::ZERO,
        );
        assert_eq!(link.due(), Instant::NEVER);
    }
}
