//! The command line of a study on hardware.

use std::net::Ipv4Addr;
use std::str::FromStr;

use anyhow::{Context, ensure};

use super::probe::Selector;
use crate::metadata::Study;

/// What a study on hardware is told besides what any study is.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "With --on hardware")]
pub struct HardwareArgs {
    /// The debug probe, as VID:PID or VID:PID:SERIAL; may be left out when only one is plugged in.
    #[arg(long, value_name = "SELECTOR")]
    pub probe: Option<Selector>,
    /// The board's IPv4 address, in place of the one that the firmware logs; VARIANT=ADDRESS is for one
    /// variant, and can be given several times.
    #[arg(long, value_name = "[VARIANT=]ADDRESS")]
    pub board: Vec<GivenAddress>,
    /// How often a flash that failed is tried again.
    #[arg(long, value_name = "N", default_value_t = Self::default().retries)]
    pub retries: u32,
}

impl Default for HardwareArgs {
    /// One retry, everything else not given.
    fn default() -> Self {
        Self {
            probe: None,
            board: Vec::new(),
            retries: 1,
        }
    }
}

impl HardwareArgs {
    /// The address that was given for a variant: its own, or the one for all.
    pub fn address_of(&self, variant: &str) -> Option<Ipv4Addr> {
        let of = |variant: Option<&str>| {
            let mut given = self.board.iter();
            let given = given.find(|given| given.variant.as_deref() == variant);
            given.map(|given| given.address)
        };
        of(Some(variant)).or_else(|| of(None))
    }

    /// Refuses addresses of variants that the study does not have, and two of one variant.
    pub fn check(&self, study: &Study) -> anyhow::Result<()> {
        for (place, given) in self.board.iter().enumerate() {
            if let Some(variant) = &given.variant {
                study.variant(variant).context("--board")?;
            }
            let earlier = &self.board[..place];
            ensure!(
                earlier.iter().all(|one| one.variant != given.variant),
                "--board gives two addresses for one board"
            );
        }
        Ok(())
    }
}

/// An address that the user gave, of one variant's board or of whichever board there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAddress {
    variant: Option<String>,
    address: Ipv4Addr,
}

impl FromStr for GivenAddress {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (variant, address) = match text.split_once('=') {
            Some((variant, address)) => (Some(variant.to_owned()), address),
            None => (None, text),
        };
        let address = address.parse();
        let address = address.with_context(|| format!("{text:?} is no IPv4 address"))?;
        Ok(Self { variant, address })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(board: &[&str]) -> HardwareArgs {
        HardwareArgs {
            board: board.iter().map(|text| text.parse().unwrap()).collect(),
            ..HardwareArgs::default()
        }
    }

    #[test]
    fn the_address_of_a_variant_goes_before_the_one_for_all() {
        let given = arguments(&["10.0.0.1", "embassy-rmii=10.0.0.2"]);
        let of = |variant| given.address_of(variant).map(|address| address.octets()[3]);
        assert_eq!((of("embassy-rmii"), of("c-lwip-rmii")), (Some(2), Some(1)));
        let one = arguments(&["embassy-rmii=10.0.0.2"]);
        assert_eq!(one.address_of("c-lwip-rmii"), None);
    }

    #[test]
    fn what_is_no_address_of_a_known_variant_is_refused() {
        for text in ["", "board", "10.0.0", "10.0.0.1:7", "a=b", "embassy-rmii="] {
            assert!(text.parse::<GivenAddress>().is_err(), "{text:?}");
        }
        let study = Study::load().unwrap();
        arguments(&["10.0.0.1", "embassy-rmii=10.0.0.2"])
            .check(&study)
            .unwrap();
        for board in [["10.0.0.1", "10.0.0.2"], ["x=10.0.0.1", "10.0.0.2"]] {
            assert!(arguments(&board).check(&study).is_err(), "{board:?}");
        }
    }
}
