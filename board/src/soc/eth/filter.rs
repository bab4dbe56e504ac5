//! The MAC's destination address filter (MACPFR, MACAxHR/LR, MACHT0R/1R).

use super::registers::{macpfr, offset};
use crate::soc::registers::RegisterFile;

/// How a frame passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    ByAddress,
    /// Only because MACPFR.RA lets everything pass; the status says so.
    Anyway,
}

const ADDRESS_ENABLE: u32 = 1 << 31;
const BYTE_MASK_SHIFT: u32 = 24;
const PERFECT_FILTERS: u32 = 4;
const PAUSE_ADDRESS: [u8; 6] = [0x01, 0x80, 0xC2, 0x00, 0x00, 0x01];
const MAC_CONTROL: [u8; 2] = [0x88, 0x08];

/// Decides about a frame; `None` means that the filter stops it.
pub fn check(registers: &RegisterFile, frame: &[u8]) -> Option<Passed> {
    let control = registers.value(offset::MACPFR);
    if is_stopped_pause(control, frame) {
        return None;
    }
    if control & macpfr::PR != 0 {
        return Some(Passed::ByAddress);
    }
    let destination: [u8; 6] = *frame.first_chunk()?;
    if matches(registers, control, destination) {
        Some(Passed::ByAddress)
    } else {
        (control & macpfr::RA != 0).then_some(Passed::Anyway)
    }
}

/// Whether a frame is for one station.
pub fn is_unicast(frame: &[u8]) -> bool {
    frame.first().is_some_and(|byte| byte & 1 == 0)
}

/// PCF 0 and, here, 1 stop pause frames; 2 and 3 let them through or through the filter.
fn is_stopped_pause(control: u32, frame: &[u8]) -> bool {
    (control >> macpfr::PCF_SHIFT) & 0b11 < 2
        && frame.starts_with(&PAUSE_ADDRESS)
        && frame.get(12..14) == Some(&MAC_CONTROL)
}

fn matches(registers: &RegisterFile, control: u32, destination: [u8; 6]) -> bool {
    if destination == [0xFF; 6] {
        return control & macpfr::DBF == 0;
    }
    let multicast = destination[0] & 1 != 0;
    if multicast && control & macpfr::PM != 0 {
        return true;
    }
    let hashed = control & if multicast { macpfr::HMC } else { macpfr::HUC } != 0;
    let by_hash = hashed && in_hash_table(registers, destination);
    let by_address =
        (!hashed || control & macpfr::HPF != 0) && is_perfect_match(registers, destination);
    (by_hash || by_address) != (control & macpfr::DAIF != 0)
}

fn is_perfect_match(registers: &RegisterFile, destination: [u8; 6]) -> bool {
    (0..PERFECT_FILTERS).any(|n| {
        let high = registers.value(offset::MACA0HR + 8 * n);
        let low = registers.value(offset::MACA0LR + 8 * n);
        let ignored = if n == 0 {
            0
        } else {
            (high >> BYTE_MASK_SHIFT) & 0x3F
        };
        high & ADDRESS_ENABLE != 0
            && address(high, low)
                .iter()
                .zip(destination)
                .enumerate()
                .all(|(byte, (own, other))| ignored & 1 << byte != 0 || *own == other)
    })
}

/// The address that a pair of registers holds, first byte in the lowest bits.
pub fn address(high: u32, low: u32) -> [u8; 6] {
    let [a, b, c, d] = low.to_le_bytes();
    let [e, f, ..] = high.to_le_bytes();
    [a, b, c, d, e, f]
}

/// The table's index is the upper six bits of the bit-reversed CRC-32 of the address.
fn in_hash_table(registers: &RegisterFile, destination: [u8; 6]) -> bool {
    let index = crc32fast::hash(&destination).reverse_bits() >> 26;
    let table = if index < 32 {
        offset::MACHT0R
    } else {
        offset::MACHT1R
    };
    registers.value(table) & 1 << (index % 32) != 0
}
