//! The W5500's link and IPv4 address: a DHCP lease, or a fixed address where no server answers.

#![no_std]

mod client;
mod message;

use w5500_dhcp::hl::{Common, Error};
use w5500_dhcp::ll::net::{Eui48Addr, Ipv4Addr};
use w5500_dhcp::ll::{LinkStatus, Registers, Sn};

use client::DhcpClient;

/// The socket DHCP uses.
pub const DHCP_SOCKET: Sn = Sn::Sn0;

/// Counted from the moment the link comes up.
const DHCP_TIMEOUT_SECS: u32 = 30;
const FALLBACK: Ipv4Addr = Ipv4Addr::new(192, 168, 0, 10);
const FALLBACK_SUBNET: Ipv4Addr = Ipv4Addr::new(255, 255, 255, 0);

/// Keeps the address while it is polled.
pub struct Address {
    mac: Eui48Addr,
    link_up: bool,
    /// Present while an address is asked for or leased.
    client: Option<DhcpClient>,
    fallback_at_secs: u32,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The link came up, and an address is asked for.
    LinkUp,
    /// The link went down, and the address is gone.
    LinkDown,
    /// The DHCP server leased this address.
    Leased(Ipv4Addr),
    /// No server answered in time; the address is this one until the link goes down.
    Fallback(Ipv4Addr),
}

impl Address {
    /// No link yet, and no address.
    pub fn new(mac: Eui48Addr) -> Self {
        Self {
            mac,
            link_up: false,
            client: None,
            fallback_at_secs: 0,
        }
    }

    /// Looks at the link, and lets DHCP act on the time.
    ///
    /// To be called every now and then; `now_secs` is the time since reset, and `scratch` is large
    /// enough for a DHCP message.
    pub fn poll<W: Registers>(
        &mut self,
        chip: &mut W,
        now_secs: u32,
        scratch: &mut [u8],
    ) -> Result<Option<Change>, Error<W::Error>> {
        let link_up = chip.phycfgr()?.lnk() == LinkStatus::Up;
        match (self.link_up, link_up) {
            (false, true) => {
                self.client = Some(DhcpClient::start(chip, self.mac)?);
                self.fallback_at_secs = now_secs + DHCP_TIMEOUT_SECS;
                self.link_up = true;
                self.serve(chip, now_secs, scratch)?;
                return Ok(Some(Change::LinkUp));
            }
            (true, false) => {
                self.stop_client(chip)?;
                self.link_up = false;
                return Ok(Some(Change::LinkDown));
            }
            _ => {}
        }
        let Some(client) = &mut self.client else {
            return Ok(None);
        };
        if client.is_due(now_secs) {
            return self.serve(chip, now_secs, scratch);
        }
        if !client.has_lease() && now_secs >= self.fallback_at_secs {
            self.stop_client(chip)?;
            chip.set_gar(&Ipv4Addr::UNSPECIFIED)?;
            chip.set_subr(&FALLBACK_SUBNET)?;
            chip.set_sipr(&FALLBACK)?;
            return Ok(Some(Change::Fallback(FALLBACK)));
        }
        Ok(None)
    }

    /// Handles what arrived on the DHCP socket.
    pub fn serve<W: Registers>(
        &mut self,
        chip: &mut W,
        now_secs: u32,
        scratch: &mut [u8],
    ) -> Result<Option<Change>, Error<W::Error>> {
        let Some(client) = &mut self.client else {
            return Ok(None);
        };
        let leased = client.serve(chip, now_secs, scratch)?;
        Ok(leased.map(Change::Leased))
    }

    fn stop_client<W: Registers>(&mut self, chip: &mut W) -> Result<(), W::Error> {
        self.client = None;
        chip.close(DHCP_SOCKET)?;
        // What is still pending must not hold INTn low with nobody left to clear it.
        let enabled = chip.simr()?;
        chip.set_simr(enabled & !DHCP_SOCKET.bitmask())
    }
}

#[cfg(test)]
mod tests;
