//! The DMA's way to the memories, and the descriptors it finds there.

use super::registers::{dma, offset};
use crate::memory::Memory;
use crate::soc::registers::RegisterFile;

/// Descriptor word 3, both directions.
pub const OWN: u32 = 1 << 31;
pub const CONTEXT: u32 = 1 << 30;
pub const FIRST: u32 = 1 << 29;
pub const LAST: u32 = 1 << 28;

/// An access the DMA's bus could not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusFault {
    pub descriptor: bool,
    pub read: bool,
}

impl BusFault {
    /// DMACSR.TEB or REB: error in a transfer, in a descriptor, in a read (SVD; not tried on a
    /// part).
    pub const fn error_bits(self) -> u32 {
        1 << 2 | (self.descriptor as u32) << 1 | self.read as u32
    }
}

/// The four words of a descriptor.
pub type Descriptor = [u32; 4];

/// A place in one of the two rings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RingPlace {
    pub list: u32,
    pub index: u32,
}

impl RingPlace {
    /// The descriptor's address: the stride is four words and as many as DMACCR.DSL says.
    pub fn address(self, registers: &RegisterFile) -> u32 {
        let skip = (registers.value(offset::DMACCR) >> dma::DSL_SHIFT) & 0b111;
        self.list
            .wrapping_add(self.index.wrapping_mul(16 + 4 * skip))
    }

    /// The next place; after the last of the ring comes the first.
    pub fn next(self, ring_length_register: u32) -> Self {
        let index = if self.index >= ring_length_register {
            0
        } else {
            self.index + 1
        };
        Self { index, ..self }
    }
}

/// Whether the Ethernet DMA's bus leads there: neither tightly coupled memory hangs on it.
fn is_reachable(address: u32) -> bool {
    const FLASH: u32 = 0x0800_0000;
    const DTCM: u32 = 0x2000_0000;
    const AXI_SRAM: u32 = 0x2400_0000;
    address >= FLASH && !(DTCM..AXI_SRAM).contains(&address)
}

/// The bytes of a buffer or descriptor.
pub fn read(
    memory: &mut Memory,
    address: u32,
    len: u32,
    descriptor: bool,
) -> Result<&[u8], BusFault> {
    let fault = BusFault {
        descriptor,
        read: true,
    };
    if !is_reachable(address) {
        return Err(fault);
    }
    memory.dma_read(address, len).ok_or(fault)
}

/// Stores bytes of a buffer or descriptor.
pub fn write(
    memory: &mut Memory,
    address: u32,
    bytes: &[u8],
    descriptor: bool,
) -> Result<(), BusFault> {
    let fault = BusFault {
        descriptor,
        read: false,
    };
    if !is_reachable(address) {
        return Err(fault);
    }
    memory.dma_write(address, bytes).ok_or(fault)
}

/// Fetches a descriptor.
pub fn fetch(memory: &mut Memory, address: u32) -> Result<Descriptor, BusFault> {
    let bytes = read(memory, address, 16, true)?;
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    Ok(words)
}

/// Stores a word of a descriptor.
pub fn store_word(memory: &mut Memory, address: u32, value: u32) -> Result<(), BusFault> {
    write(memory, address, &value.to_le_bytes(), true)
}
