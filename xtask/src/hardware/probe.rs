//! What a study needs of a debug probe.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use anyhow::Context;
use bench::Nanos;
use serde::{Deserialize, Serialize};

use super::image::FlashImage;

/// A debug probe. Every method ends within the time it is given, or says that it did not.
pub trait Probe {
    /// The probes that are plugged in.
    fn list(&mut self, within: Nanos) -> Result<Vec<ProbeInfo>, Fault>;

    /// Connects to the chip behind a probe and reads what it is.
    fn attach(&mut self, probe: &ProbeInfo, within: Nanos) -> Result<ChipId, Fault>;

    /// Erases the sectors that the image needs, and writes it.
    fn flash(&mut self, image: &FlashImage, within: Nanos) -> Result<(), Fault>;

    /// Compares the flash with the image.
    fn verify(&mut self, image: &FlashImage, within: Nanos) -> Result<(), Fault>;

    /// Lets the chip start from reset; an RTT control block left in RAM at that address is
    /// forgotten before.
    fn reset(&mut self, control_block: Option<u32>, within: Nanos) -> Result<(), Fault>;

    /// Takes what the firmware wrote to its first RTT channel since it was last asked; nothing while
    /// it has not set up its control block.
    fn read_log(&mut self, control_block: u32, within: Nanos) -> Result<Vec<u8>, Fault>;

    /// Leaves the chip to itself, with its debug logic switched off.
    fn detach(&mut self, within: Nanos) -> Result<(), Fault>;
}

/// Why a probe did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The operating system does not let this user open it.
    NoPermission,
    /// The chip could be reached, but it is none that was asked for.
    OtherChip(String),
    /// It failed, for this reason.
    Failed(String),
    /// It had not ended after this time.
    TimedOut(Nanos),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPermission => formatter.write_str("permission denied"),
            Self::OtherChip(what) | Self::Failed(what) => formatter.write_str(what),
            Self::TimedOut(after) => write!(formatter, "no answer within {} s", seconds(*after)),
        }
    }
}

/// Whole seconds of a deadline.
pub fn seconds(span: Nanos) -> u64 {
    span.0 / Nanos::SECOND.0
}

/// A debug probe as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeInfo {
    /// What it calls itself.
    pub name: String,
    /// Its USB vendor number.
    pub vendor_id: u16,
    /// Its USB product number.
    pub product_id: u16,
    /// Its serial number, if it has one.
    pub serial: Option<String>,
}

impl ProbeInfo {
    /// What selects this probe.
    pub fn selector(&self) -> Selector {
        Selector {
            vendor_id: self.vendor_id,
            product_id: self.product_id,
            serial: self.serial.clone(),
        }
    }
}

impl fmt::Display for ProbeInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.name, self.selector())
    }
}

/// Which probe to use: `VID:PID` or `VID:PID:SERIAL`, the numbers in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    vendor_id: u16,
    product_id: u16,
    serial: Option<String>,
}

impl Selector {
    /// Whether it selects `probe`.
    pub fn matches(&self, probe: &ProbeInfo) -> bool {
        let serial = self.serial.is_none() || self.serial == probe.serial;
        (self.vendor_id, self.product_id) == (probe.vendor_id, probe.product_id) && serial
    }
}

impl FromStr for Selector {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut parts = text.splitn(3, ':');
        let mut number = || -> anyhow::Result<u16> {
            let digits = parts.next().context("it is VID:PID or VID:PID:SERIAL")?;
            let number = u16::from_str_radix(digits, 16);
            number.map_err(|error: ParseIntError| {
                anyhow::anyhow!("{digits:?} is no hexadecimal number of four digits: {error}")
            })
        };
        Ok(Self {
            vendor_id: number()?,
            product_id: number()?,
            serial: parts.next().map(str::to_owned),
        })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04x}:{:04x}", self.vendor_id, self.product_id)?;
        match &self.serial {
            Some(serial) => write!(formatter, ":{serial}"),
            None => Ok(()),
        }
    }
}

/// What a chip says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChipId {
    /// DEV_ID of DBGMCU_IDC.
    pub device: u16,
    /// The flash size data register, in KiB.
    pub flash_kib: u16,
}

impl ChipId {
    /// DEV_ID of the STM32H723, H725, H730, H733 and H735 (stlink-tools and OpenOCD tell them by it).
    pub const STM32H72X_H73X: u16 = 0x483;
}

impl fmt::Display for ChipId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "device {:#05x} with {} KiB of flash",
            self.device, self.flash_kib
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn probe(serial: Option<&str>) -> ProbeInfo {
        ProbeInfo {
            name: "STLINK-V3".to_owned(),
            vendor_id: 0x0483,
            product_id: 0x374e,
            serial: serial.map(str::to_owned),
        }
    }

    #[test]
    fn a_selector_takes_one_probe_or_all_of_a_kind() {
        let all: Selector = "0483:374e".parse().unwrap();
        let one: Selector = "483:374E:A:B".parse().unwrap();
        assert!(all.matches(&probe(None)) && all.matches(&probe(Some("A:B"))));
        assert!(one.matches(&probe(Some("A:B"))));
        assert!(!one.matches(&probe(Some("A"))) && !one.matches(&probe(None)));
        let other: Selector = "0483:374f".parse().unwrap();
        assert!(!other.matches(&probe(None)));
        assert_eq!(one.to_string(), "0483:374e:A:B");
    }

    #[test]
    fn what_is_no_selector_is_refused() {
        for text in [
            "",
            "0483",
            "0483:",
            "0483:xyz",
            ":374e",
            "10483:374e",
            "-1:2",
        ] {
            assert!(text.parse::<Selector>().is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_probe_is_selected_by_what_it_is_listed_as(
            vendor_id: u16, product_id: u16, serial in proptest::option::of(".*"), text in ".*"
        ) {
            let probe = ProbeInfo { name: String::new(), vendor_id, product_id, serial };
            let selector: Selector = probe.selector().to_string().parse().unwrap();
            prop_assert!(selector.matches(&probe));
            let _ = text.parse::<Selector>();
        }
    }
}
