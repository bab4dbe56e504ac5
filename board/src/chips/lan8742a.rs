//! The LAN8742A Ethernet PHY of the NUCLEO-H723ZG, as its management registers and its link behave.
//!
//! The far end advertises everything up to 100 Mb/s full duplex. Sources: what EMB eth/generic_phy.rs
//! and ST's LAN8742 driver touch; the rest is recalled from the data sheet and 802.3 clause 22.

use std::collections::BTreeMap;

use crate::chips::LinkMode;
use crate::time::{Instant, Span};

/// How long the PHY takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhyTiming {
    /// From setting BCR bit 15 until it reads zero. Assumed: recalled from the data sheet as what its
    /// PLL needs, while only half a second is guaranteed.
    pub soft_reset: Span,
    /// From power-on, reset or a restart until the link is up. Assumed: PHYs and switches usually need
    /// one to three seconds (fast link pulses, descrambler lock, debounce at both ends). It decides
    /// when the link comes up and nothing after that.
    pub autonegotiation: Span,
}

impl Default for PhyTiming {
    fn default() -> Self {
        Self {
            soft_reset: Span::from_us(256),
            autonegotiation: Span::from_ms(1_500),
        }
    }
}

/// Management registers (IEEE 802.3 clause 22 and the vendor's own).
mod register {
    pub const CONTROL: u8 = 0;
    pub const STATUS: u8 = 1;
    pub const ID_HIGH: u8 = 2;
    pub const ID_LOW: u8 = 3;
    pub const ADVERTISEMENT: u8 = 4;
    pub const PARTNER_ABILITY: u8 = 5;
    pub const EXPANSION: u8 = 6;
    pub const MMD_CONTROL: u8 = 13;
    pub const MMD_DATA: u8 = 14;
    pub const MODE_CONTROL: u8 = 17;
    pub const SPECIAL_MODES: u8 = 18;
    pub const SPECIAL_CONTROL: u8 = 27;
    pub const INTERRUPT_SOURCE: u8 = 29;
    pub const INTERRUPT_MASK: u8 = 30;
    pub const SPECIAL_STATUS: u8 = 31;
}

const CONTROL_RESET: u16 = 1 << 15;
const CONTROL_LOOPBACK: u16 = 1 << 14;
const CONTROL_100M: u16 = 1 << 13;
const CONTROL_AUTONEGOTIATE: u16 = 1 << 12;
const CONTROL_POWER_DOWN: u16 = 1 << 11;
const CONTROL_ISOLATE: u16 = 1 << 10;
const CONTROL_RESTART: u16 = 1 << 9;
const CONTROL_FULL_DUPLEX: u16 = 1 << 8;
const CONTROL_WRITABLE: u16 = 0x7D80;
/// MODE straps 111 on the Nucleo: everything advertised, autonegotiation on.
const CONTROL_DEFAULT: u16 = CONTROL_100M | CONTROL_AUTONEGOTIATE;

/// 100BASE-TX and 10BASE-T in both duplexes, autonegotiation able, extended registers.
const STATUS_FIXED: u16 = 0x7809;
const STATUS_DONE: u16 = 1 << 5;
const STATUS_LINK: u16 = 1 << 2;

const ABILITY_100_FULL: u16 = 1 << 8;
const ABILITY_100_HALF: u16 = 1 << 7;
const ABILITY_10_FULL: u16 = 1 << 6;
const ABILITY_10_HALF: u16 = 1 << 5;
/// All four abilities and the 802.3 selector.
const ADVERTISEMENT_DEFAULT: u16 = 0x01E1;
const ADVERTISEMENT_WRITABLE: u16 = 0x2DE0;
/// What the far end answers: all four abilities, acknowledged.
const PARTNER: u16 = 0x41E1;
const EXPANSION_PARTNER_ABLE: u16 = 1 << 0;

const MODE_ENERGY_ON: u16 = 1 << 1;
const SPECIAL_MODES_DEFAULT: u16 = 0x00E0;
const SPECIAL_STATUS_FIXED: u16 = 1 << 6;
const SPECIAL_STATUS_DONE: u16 = 1 << 12;
const SOURCE_DONE: u16 = 1 << 6;
const SOURCE_LINK_DOWN: u16 = 1 << 4;

const MMD_DEVICE: u16 = 0x1F;
const MMD_FUNCTION_SHIFT: u32 = 14;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The software reset lasts until then.
    Resetting(Instant),
    /// The link comes up then.
    Negotiating(Instant),
    Up(LinkMode),
    /// Powered down, no cable, or nothing in common with the far end.
    Down,
}

/// The PHY.
#[derive(Clone, Debug)]
pub struct Lan8742a {
    timing: PhyTiming,
    cable: bool,
    phase: Phase,
    control: u16,
    advertisement: u16,
    /// The link was down at some instant since the status was last read.
    link_was_down: bool,
    mode_control: u16,
    special_modes: u16,
    special_control: u16,
    interrupt_source: u16,
    interrupt_mask: u16,
    mmd_control: u16,
    mmd_address: u16,
    mmd: BTreeMap<(u16, u16), u16>,
}

impl Lan8742a {
    /// A PHY powered on at `now`, with or without a cable in its jack.
    pub fn new(timing: PhyTiming, cable: bool, now: Instant) -> Self {
        Self {
            timing,
            cable,
            phase: Self::negotiating(timing, cable, now),
            control: CONTROL_DEFAULT,
            advertisement: ADVERTISEMENT_DEFAULT,
            link_was_down: true,
            mode_control: 0,
            special_modes: SPECIAL_MODES_DEFAULT,
            special_control: 0,
            interrupt_source: 0,
            interrupt_mask: 0,
            mmd_control: 0,
            mmd_address: 0,
            mmd: BTreeMap::new(),
        }
    }

    /// Without a cable a negotiation never ends.
    fn negotiating(timing: PhyTiming, cable: bool, now: Instant) -> Phase {
        if cable {
            Phase::Negotiating(now + timing.autonegotiation)
        } else {
            Phase::Down
        }
    }

    /// nRST went low and high again at `now`: everything is as at power-on.
    pub fn reset(&mut self, now: Instant) {
        *self = Self::new(self.timing, self.cable, now);
    }

    /// A cable is plugged in or pulled at `now`. The link goes at once, and comes back as after
    /// power-on.
    pub fn set_cable(&mut self, plugged: bool, now: Instant) {
        if plugged == self.cable {
            return;
        }
        self.cable = plugged;
        if matches!(self.phase, Phase::Resetting(_)) || self.control & CONTROL_POWER_DOWN != 0 {
            return;
        }
        self.drop_link();
        self.phase = Self::negotiating(self.timing, plugged, now);
    }

    /// The address the PHY answers to on the management bus: 0 on the Nucleo.
    pub fn address(&self) -> u8 {
        (self.special_modes & 0x1F) as u8
    }

    /// What the link runs at, if it is up.
    pub fn link(&self) -> Option<LinkMode> {
        match self.phase {
            Phase::Up(mode) => Some(mode),
            _ => None,
        }
    }

    /// Whether frames pass between the MAC and the 100 Mb/s wire.
    pub fn carries_frames(&self) -> bool {
        let blocked = CONTROL_ISOLATE | CONTROL_LOOPBACK;
        self.link().is_some_and(|mode| mode.speed_100) && self.control & blocked == 0
    }

    /// When the PHY's state changes next by itself.
    pub fn next_change(&self) -> Instant {
        match self.phase {
            Phase::Resetting(at) | Phase::Negotiating(at) => at,
            Phase::Up(_) | Phase::Down => Instant::NEVER,
        }
    }

    /// Makes the change that is due at `now`.
    pub fn advance(&mut self, now: Instant) {
        match self.phase {
            Phase::Resetting(at) if at <= now => {
                let special_modes = self.special_modes;
                *self = Self::new(self.timing, self.cable, now);
                self.special_modes = special_modes;
            }
            Phase::Negotiating(at) if at <= now => {
                if let Some(mode) = self.resolve() {
                    self.phase = Phase::Up(mode);
                    if self.control & CONTROL_AUTONEGOTIATE != 0 {
                        self.interrupt_source |= SOURCE_DONE;
                    }
                } else {
                    self.phase = Phase::Down;
                }
            }
            _ => {}
        }
    }

    /// The best mode both ends can do, or the one that was forced.
    fn resolve(&self) -> Option<LinkMode> {
        if self.control & CONTROL_AUTONEGOTIATE == 0 {
            return Some(LinkMode {
                speed_100: self.control & CONTROL_100M != 0,
                full_duplex: self.control & CONTROL_FULL_DUPLEX != 0,
            });
        }
        let common = self.advertisement & PARTNER;
        [
            (ABILITY_100_FULL, true, true),
            (ABILITY_100_HALF, true, false),
            (ABILITY_10_FULL, false, true),
            (ABILITY_10_HALF, false, false),
        ]
        .into_iter()
        .find(|(ability, ..)| common & ability != 0)
        .map(|(_, speed_100, full_duplex)| LinkMode {
            speed_100,
            full_duplex,
        })
    }

    /// Reads a register. Latched bits and the interrupt sources are renewed by it.
    pub fn read(&mut self, register: u8) -> u16 {
        match register {
            register::CONTROL => self.control,
            register::STATUS => self.read_status(),
            register::ID_HIGH => 0x0007,
            register::ID_LOW => 0xC131,
            register::ADVERTISEMENT => self.advertisement,
            register::PARTNER_ABILITY => self.when_negotiated(PARTNER),
            register::EXPANSION => self.when_negotiated(EXPANSION_PARTNER_ABLE),
            register::MMD_CONTROL => self.mmd_control,
            register::MMD_DATA => self.read_mmd(),
            register::MODE_CONTROL if self.cable => self.mode_control | MODE_ENERGY_ON,
            register::MODE_CONTROL => self.mode_control,
            register::SPECIAL_MODES => self.special_modes,
            register::SPECIAL_CONTROL => self.special_control,
            register::INTERRUPT_SOURCE => std::mem::take(&mut self.interrupt_source),
            register::INTERRUPT_MASK => self.interrupt_mask,
            register::SPECIAL_STATUS => self.special_status(),
            _ => 0,
        }
    }

    /// Writes a register at `now`. During a software reset nothing is written.
    pub fn write(&mut self, register: u8, value: u16, now: Instant) {
        if matches!(self.phase, Phase::Resetting(_)) {
            return;
        }
        match register {
            register::CONTROL => self.write_control(value, now),
            register::ADVERTISEMENT => {
                self.advertisement = (self.advertisement & !ADVERTISEMENT_WRITABLE)
                    | (value & ADVERTISEMENT_WRITABLE);
            }
            register::MMD_CONTROL => self.mmd_control = value & 0xC01F,
            register::MMD_DATA => self.write_mmd(value),
            register::MODE_CONTROL => self.mode_control = value & 0x2040,
            register::SPECIAL_MODES => self.special_modes = value & 0x00FF,
            register::SPECIAL_CONTROL => self.special_control = value & 0xA800,
            register::INTERRUPT_MASK => self.interrupt_mask = value & 0x03FE,
            _ => {}
        }
    }

    fn write_control(&mut self, value: u16, now: Instant) {
        if value & CONTROL_RESET != 0 {
            self.drop_link();
            self.control |= CONTROL_RESET;
            self.phase = Phase::Resetting(now + self.timing.soft_reset);
            return;
        }
        let mode = CONTROL_AUTONEGOTIATE | CONTROL_100M | CONTROL_FULL_DUPLEX | CONTROL_POWER_DOWN;
        let before = self.control;
        self.control = value & CONTROL_WRITABLE & !CONTROL_RESTART;
        if self.control & CONTROL_POWER_DOWN != 0 {
            self.drop_link();
            self.phase = Phase::Down;
        } else if value & CONTROL_RESTART != 0 || (before ^ self.control) & mode != 0 {
            self.drop_link();
            self.phase = Self::negotiating(self.timing, self.cable, now);
        }
    }

    fn drop_link(&mut self) {
        if self.link().is_some() {
            self.interrupt_source |= SOURCE_LINK_DOWN;
        }
        self.link_was_down = true;
    }

    fn read_status(&mut self) -> u16 {
        let up = self.link().is_some();
        let link = up && !self.link_was_down;
        self.link_was_down = !up;
        STATUS_FIXED | self.when_negotiated(STATUS_DONE) | if link { STATUS_LINK } else { 0 }
    }

    fn special_status(&self) -> u16 {
        let speed = match self.link() {
            Some(mode) => match (mode.speed_100, mode.full_duplex) {
                (false, false) => 0b001,
                (false, true) => 0b101,
                (true, false) => 0b010,
                (true, true) => 0b110,
            },
            None => 0,
        };
        SPECIAL_STATUS_FIXED | self.when_negotiated(SPECIAL_STATUS_DONE) | speed << 2
    }

    fn when_negotiated(&self, bits: u16) -> u16 {
        let negotiated = self.link().is_some() && self.control & CONTROL_AUTONEGOTIATE != 0;
        if negotiated { bits } else { 0 }
    }

    /// The MMD window (IEEE 802.3 annex 22D): function 0 is the address, the others the data behind it.
    /// The wake-up registers behind it are kept as written and have no effect.
    fn read_mmd(&self) -> u16 {
        match self.mmd_control >> MMD_FUNCTION_SHIFT {
            0 => self.mmd_address,
            _ => self.mmd.get(&self.mmd_place()).copied().unwrap_or(0),
        }
    }

    fn write_mmd(&mut self, value: u16) {
        match self.mmd_control >> MMD_FUNCTION_SHIFT {
            0 => self.mmd_address = value,
            _ => {
                self.mmd.insert(self.mmd_place(), value);
            }
        }
    }

    fn mmd_place(&self) -> (u16, u16) {
        (self.mmd_control & MMD_DEVICE, self.mmd_address)
    }
}

#[cfg(test)]
mod tests;
