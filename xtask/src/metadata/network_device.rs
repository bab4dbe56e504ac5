//! The network devices of the emulated board by the names that firmware metadata gives them.

use std::fmt;
use std::str::FromStr;

/// What connects firmware to the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkDevice {
    /// The Ethernet MAC of the part, with the PHY of the Nucleo.
    #[default]
    Stm32Mac,
    /// The W5500 on the shield.
    W5500,
}

impl NetworkDevice {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::Stm32Mac, Self::W5500];
}

impl fmt::Display for NetworkDevice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Stm32Mac => "stm32-mac",
            Self::W5500 => "w5500",
        })
    }
}

impl FromStr for NetworkDevice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|one| one.to_string() == text);
        found.ok_or_else(|| format!("{text:?} is no network device"))
    }
}
