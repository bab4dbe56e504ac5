//! How long the Ethernet DMA takes on the bus.
//!
//! The DMA is a 32-bit AHB master in the D2 domain; ST publishes no cycle counts for it. The figures
//! below are the model's parameters, each with its reason.

use crate::time::Span;

/// HCLK periods before the first beat of a burst: arbitration in the D2 matrix, the bridge to the D1
/// domain and the SRAM's own wait (one or two periods each).
pub const BURST_SETUP_HCLK: u64 = 6;
/// Words of one descriptor, read or closed in a single burst whatever the programmed burst length.
pub const DESCRIPTOR_WORDS: u64 = 4;
/// Words of a transmit write-back: the status alone.
pub const TX_STATUS_WORDS: u64 = 1;
/// From writing DMAMR.SWR until it reads zero: a few periods in each of the block's clock domains, the
/// slowest of which is 2.5 MHz (RMII at 10 Mb/s), for which two periods are taken.
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
