//! How long the Ethernet DMA takes on the bus.
//!
//! The DMA is a 32-bit AHB master in the D2 domain; no source gives cycle counts for it. The figures
//! below are assumed, each with its reason, and not calibrated on a part. A full-size frame takes about
//! 13 us at 200 MHz and bursts of one word: an error here moves the RTT by at most such an amount.

use crate::time::Span;

/// HCLK periods before the first beat of a burst: arbitration in the D2 matrix, the bridge to the D1
/// domain and the SRAM's own wait, one or two periods each. Assumed: nothing is known of how far a part
/// overlaps them, so bursts of one word are probably too slow here.
pub const BURST_SETUP_HCLK: u64 = 6;
/// Words of one descriptor, read or closed in a single burst whatever the programmed burst length
/// (assumed).
pub const DESCRIPTOR_WORDS: u64 = 4;
/// Words of a transmit write-back: the status alone.
pub const TX_STATUS_WORDS: u64 = 1;
/// From writing DMAMR.SWR until it reads zero: assumed to be two periods of the slowest clock that the
/// block can have, 2.5 MHz (RMII at 10 Mb/s). Drivers only wait for the bit.
pub const SOFTWARE_RESET: Span = Span::from_ns(800);

/// Moves `words` in bursts of at most `burst` words.
pub fn transfer(words: u64, burst: u64, hclk_hz: u64) -> Span {
    let bursts = words.div_ceil(burst.max(1));
    Span::of_ticks(bursts * BURST_SETUP_HCLK + words, hclk_hz)
}

/// Reads a descriptor.
pub fn descriptor_fetch(hclk_hz: u64) -> Span {
    transfer(DESCRIPTOR_WORDS, DESCRIPTOR_WORDS, hclk_hz)
}

/// Words a 32-bit bus moves for `len` bytes at `address`.
pub fn words(address: u32, len: u32) -> u64 {
    u64::from(address & 3)
        .wrapping_add(u64::from(len))
        .div_ceil(4)
}
