//! What a board is built with.

use std::fmt;
use std::str::FromStr;

use crate::chips::lan8742a::PhyTiming;
use crate::chips::w5500;
use crate::cost::CostTable;
use crate::data_cache::CacheModel;
use crate::net::external::ExternalConfig;
use crate::net::host::HostConfig;
use crate::net::pcap::Capture;
use crate::net::wire::WireConfig;

/// Settings of a [`Board`](crate::Board). All but `idle_skip` and `capture` can change what happens.
#[derive(Debug)]
pub struct BoardConfig {
    /// What instructions and memory accesses cost.
    pub cost: CostTable,
    /// Jump over passes of idle loops; results are the same either way.
    pub idle_skip: bool,
    /// The part's option that allows 550 MHz at VOS0.
    pub cpu_freq_boost: bool,
    /// Whether the data cache has contents, which can be stale.
    pub data_cache: CacheModel,
    /// The jack that the cable is plugged into.
    pub jack: NetworkDevice,
    /// How long the Ethernet PHY takes.
    pub phy: PhyTiming,
    /// What the data sheet of the shield's W5500 leaves open.
    pub w5500: w5500::Parameters,
    /// Length and faults of the cable.
    pub wire: WireConfig,
    /// The computer on its far end.
    pub host: HostConfig,
    /// A port to outside the emulation, into which the cable is plugged in place of the host.
    pub external: Option<ExternalConfig>,
    /// Where the frames on the wire go.
    pub capture: Option<Capture>,
}

impl Default for BoardConfig {
    fn default() -> Self {
        Self {
            cost: CostTable::default(),
            idle_skip: true,
            cpu_freq_boost: false,
            data_cache: CacheModel::default(),
            jack: NetworkDevice::default(),
            phy: PhyTiming::default(),
            w5500: w5500::Parameters::default(),
            wire: WireConfig::default(),
            host: HostConfig::default(),
            external: None,
            capture: None,
        }
    }
}

/// A network device of the board, each with a jack of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkDevice {
    /// The part's Ethernet block with the LAN8742A of the Nucleo.
    #[default]
    Stm32Mac,
    /// The W5500 on its shield.
    W5500,
}

impl NetworkDevice {
    pub const ALL: [Self; 2] = [Self::Stm32Mac, Self::W5500];

    const fn name(self) -> &'static str {
        match self {
            Self::Stm32Mac => "stm32-mac",
            Self::W5500 => "w5500",
        }
    }
}

impl fmt::Display for NetworkDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No network device of the board has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no network device is called {name:?}; the board has {}", list())]
pub struct UnknownNetworkDevice {
    name: String,
}

fn list() -> String {
    NetworkDevice::ALL.map(NetworkDevice::name).join(" and ")
}

impl FromStr for NetworkDevice {
    type Err = UnknownNetworkDevice;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let device = Self::ALL.into_iter().find(|device| device.name() == name);
        device.ok_or_else(|| UnknownNetworkDevice { name: name.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_devices_are_known_by_the_names_they_show() {
        for device in NetworkDevice::ALL {
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        let error = NetworkDevice::from_str("enc28j60").unwrap_err();
        assert_eq!(
            error.to_string(),
            "no network device is called \"enc28j60\"; the board has stm32-mac and w5500"
        );
    }
}
