//! `ADDRESS/LENGTH`: the network that the board's DHCP server leases from.

use std::net::Ipv4Addr;
use std::str::FromStr;

use anyhow::{Context, ensure};
use board::net::host::DhcpConfig;

/// How long a lease lasts, in seconds.
const LEASE_SECONDS: u32 = 86_400;
/// Where the leased addresses begin in a network that is large enough.
const USUAL_FIRST: u32 = 50;
const MOST_ADDRESSES: u32 = 16;

/// An address in a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostInNetwork {
    address: Ipv4Addr,
    prefix_len: u8,
}

impl FromStr for HostInNetwork {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let parts = text.split_once('/');
        let parts =
            parts.and_then(|(address, len)| Some((address.parse().ok()?, len.parse().ok()?)));
        let (address, prefix_len): (Ipv4Addr, u8) =
            parts.context("it takes ADDRESS/LENGTH, such as 192.168.7.1/24")?;
        ensure!(
            (8..=30).contains(&prefix_len),
            "the length of the network is 8 to 30 bits"
        );
        let network = Self {
            address,
            prefix_len,
        };
        let host = u32::from(address) & network.host_mask();
        ensure!(
            host != 0 && host != network.host_mask(),
            "{address} is no host's address in a network of {prefix_len} bits"
        );
        Ok(network)
    }
}

impl HostInNetwork {
    fn host_mask(&self) -> u32 {
        u32::MAX >> self.prefix_len
    }

    /// What a server at this address hands out: addresses from 50 on in a network that has them, else the
    /// ones behind its own or, for want of those, before it.
    pub fn dhcp(&self) -> DhcpConfig {
        let own = u32::from(self.address) & self.host_mask();
        let last = self.host_mask() - 1;
        let (first, end) = if own < USUAL_FIRST && last >= USUAL_FIRST {
            (USUAL_FIRST, last + 1)
        } else if own < last {
            (own + 1, last + 1)
        } else {
            (1, own)
        };
        let addresses = (end - first).min(MOST_ADDRESSES);
        let network = u32::from(self.address) & !self.host_mask();
        DhcpConfig {
            first_address: Ipv4Addr::from(network | first),
            addresses: addresses as u8,
            subnet_mask: Ipv4Addr::from(!self.host_mask()),
            server: self.address,
            router: self.address,
            dns: self.address,
            lease_seconds: LEASE_SECONDS,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dhcp(text: &str) -> (String, u8) {
        let config = text.parse::<HostInNetwork>().unwrap().dhcp();
        (config.first_address.to_string(), config.addresses)
    }

    #[test]
    fn leases_begin_where_the_network_has_room() {
        assert_eq!(dhcp("192.168.7.1/24"), ("192.168.7.50".into(), 16));
        assert_eq!(dhcp("192.168.7.200/24"), ("192.168.7.201".into(), 16));
        assert_eq!(dhcp("192.168.7.254/24"), ("192.168.7.1".into(), 16));
        assert_eq!(dhcp("10.0.0.1/30"), ("10.0.0.2".into(), 1));
        assert_eq!(dhcp("10.0.0.2/30"), ("10.0.0.1".into(), 1));
    }

    #[test]
    fn anything_but_a_host_in_a_network_is_refused() {
        for (text, reason) in [
            ("192.168.7.1", "it takes"),
            ("192.168.7/24", "it takes"),
            ("192.168.7.1/x", "it takes"),
            ("192.168.7.1/31", "8 to 30 bits"),
            ("192.168.7.0/24", "no host's address"),
            ("192.168.7.255/24", "no host's address"),
        ] {
            let error = text.parse::<HostInNetwork>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    proptest! {
        /// Every leased address is a host of the network and not the server.
        #[test]
        fn no_lease_collides(address: u32, prefix_len in 8_u8..=30) {
            let text = format!("{}/{prefix_len}", Ipv4Addr::from(address));
            if let Ok(network) = text.parse::<HostInNetwork>() {
                let config = network.dhcp();
                prop_assert!(config.addresses > 0);
                for n in 0..u32::from(config.addresses) {
                    let leased = u32::from(config.first_address) + n;
                    let host = leased & network.host_mask();
                    prop_assert!(leased != address && host != 0 && host != network.host_mask());
                    prop_assert_eq!((leased ^ address) & !network.host_mask(), 0);
                }
            }
        }
    }
}
