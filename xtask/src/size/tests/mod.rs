mod attribution;
mod binutils;
mod cases;
mod comparison;
pub mod fixture;
mod linkers;
mod properties;
mod refusals;
mod tables;

use super::report::Account;
use crate::metadata::{Region, RegionKind};

fn region(name: &str, origin: u32, length: u32, kind: RegionKind) -> Region {
    Region {
        name: name.to_string(),
        origin,
        length,
        kind,
    }
}

fn regions() -> Vec<Region> {
    vec![
        region("ITCM", 0, 0x1_0000, RegionKind::Ram),
        region("FLASH", 0x0800_0000, 0x10_0000, RegionKind::Flash),
        region("DTCM", 0x2000_0000, 0x2_0000, RegionKind::Ram),
        region("AXI_SRAM", 0x2400_0000, 0x5_0000, RegionKind::Ram),
        region("SRAM1", 0x3000_0000, 0x4000, RegionKind::Ram),
        region("SRAM2", 0x3000_4000, 0x4000, RegionKind::Ram),
    ]
}

fn account(bytes: &[u8]) -> Account {
    Account::of(bytes, &regions()).unwrap()
}

/// The one line that says why an image is refused.
#[track_caller]
fn refusal(bytes: &[u8]) -> String {
    let line = format!("{:#}", Account::of(bytes, &regions()).unwrap_err());
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

/// Content, gaps and span of flash.
fn flash(account: &Account) -> (u64, u64, u64) {
    assert_eq!(account.flash.len(), 1);
    let flash = &account.flash[0];
    (flash.content_bytes, flash.gap_bytes, flash.span_bytes)
}

/// Static and reserved bytes of each RAM region in use.
fn ram(account: &Account) -> Vec<(&str, u64, u64)> {
    let ram = account.ram.iter();
    ram.map(|ram| (ram.region.as_str(), ram.static_bytes(), ram.reserved_bytes))
        .collect()
}
