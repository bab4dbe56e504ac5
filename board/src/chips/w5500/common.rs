//! The common register block.

use std::net::Ipv4Addr;

use super::packet::{Addresses, Mac};
use super::registers::common as register;
use super::retry::Retry;
use super::{ChipContext, W5500};
use crate::time::Instant;

/// The registers as they are stored.
#[derive(Clone, Debug)]
pub(super) struct Common {
    bytes: [u8; register::LEN],
}

impl Default for Common {
    fn default() -> Self {
        let mut common = Self {
            bytes: [0; register::LEN],
        };
        common.set(register::RTR, &register::RTR_RESET.to_be_bytes());
        common.set(register::RCR, &[register::RCR_RESET]);
        common.set(register::PTIMER, &[register::PTIMER_RESET]);
        common.set(register::PMRU, &register::PMRU_RESET.to_be_bytes());
        common.set(register::VERSIONR, &[register::VERSION]);
        common
    }
}

impl Common {
    fn set(&mut self, address: u16, bytes: &[u8]) {
        let address = usize::from(address);
        self.bytes[address..address + bytes.len()].copy_from_slice(bytes);
    }

    fn array<const LEN: usize>(&self, address: u16) -> [u8; LEN] {
        let address = usize::from(address);
        std::array::from_fn(|n| self.bytes[address + n])
    }

    pub fn byte(&self, address: u16) -> u8 {
        self.bytes[usize::from(address)]
    }

    pub fn byte_mut(&mut self, address: u16) -> &mut u8 {
        &mut self.bytes[usize::from(address)]
    }

    pub fn mac(&self) -> Mac {
        self.array(register::SHAR)
    }

    /// SHAR, SIPR, GAR and SUBR.
    pub fn addresses(&self) -> Addresses {
        let ip = |address| Ipv4Addr::from(self.array::<4>(address));
        Addresses {
            mac: self.mac(),
            ip: ip(register::SIPR),
            gateway: ip(register::GAR),
            subnet_mask: ip(register::SUBR),
        }
    }

    /// RTR and RCR.
    pub fn retry(&self) -> Retry {
        Retry {
            time: u16::from_be_bytes(self.array(register::RTR)),
            count: self.byte(register::RCR),
        }
    }

    pub fn interrupt_level(&self) -> u16 {
        u16::from_be_bytes(self.array(register::INTLEVEL))
    }

    /// MR.FARP.
    pub fn forces_arp(&self) -> bool {
        self.byte(register::MR) & register::MR_FARP != 0
    }

    /// MR.PB.
    pub fn blocks_ping(&self) -> bool {
        self.byte(register::MR) & register::MR_PB != 0
    }

    /// Sets UIPR and UPORTR: whom an ICMP message called unreachable.
    pub fn set_unreachable(&mut self, ip: Ipv4Addr, port: u16) {
        self.set(register::UIPR, &ip.octets());
        self.set(register::UPORTR, &port.to_be_bytes());
    }
}

impl W5500 {
    /// The byte at `address` of the common block.
    pub(super) fn read_common(&self, address: u16, now: Instant) -> u8 {
        match address {
            register::MR if now < self.reset_until => register::MR_RST,
            register::SIR => self.sir,
            register::PHYCFGR => self.link.read(),
            _ if register::MAP.at(address).is_none() => self.parameters.reserved_value,
            _ => self.common.byte(address),
        }
    }

    /// Writes a register that can be written.
    pub(super) fn write_common(&mut self, address: u16, value: u8, ctx: &mut ChipContext) {
        match address {
            register::MR if value & register::MR_RST != 0 => self.software_reset(ctx),
            register::IR => *self.common.byte_mut(address) &= !value,
            register::IMR => *self.common.byte_mut(address) = value & register::IR_MASK,
            register::PHYCFGR => self.write_phy(value, ctx),
            _ => *self.common.byte_mut(address) = value,
        }
        if matches!(address, register::IR | register::IMR | register::SIMR) {
            self.refresh_interrupt(ctx);
        }
    }

    fn write_phy(&mut self, value: u8, ctx: &mut ChipContext) {
        self.link.write(value, ctx.now);
        self.follow_link(ctx);
    }
}
