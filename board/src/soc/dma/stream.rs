//! One stream: its registers and the transfer it is making.

use crate::memory::Memory;

/// Fields of SxCR (PAC dma_v1).
pub mod cr {
    pub const EN: u32 = 1 << 0;
    pub const TEIE: u32 = 1 << 2;
    pub const HTIE: u32 = 1 << 3;
    pub const TCIE: u32 = 1 << 4;
    pub const PFCTRL: u32 = 1 << 5;
    pub const DIR_SHIFT: u32 = 6;
    pub const CIRC: u32 = 1 << 8;
    pub const PINC: u32 = 1 << 9;
    pub const MINC: u32 = 1 << 10;
    /// PSIZE and MSIZE: zero is bytes.
    pub const SIZES: u32 = 0b1111 << 11;
    pub const DBM: u32 = 1 << 18;
    pub const BURSTS: u32 = 0b1111 << 21;
    pub const WRITABLE: u32 = 0x01FF_FFFF;
    /// What stays writable while the stream runs.
    pub const LIVE: u32 = 0x1F;
    /// Functions that no transfer of SPI1 needs here.
    pub const REFUSED: u32 = PFCTRL | CIRC | PINC | SIZES | DBM | BURSTS;
}

/// Flags of one stream in LISR or HISR, counted from its lowest bit.
pub mod flag {
    pub const TEIF: u8 = 1 << 3;
    pub const HTIF: u8 = 1 << 4;
    pub const TCIF: u8 = 1 << 5;
}

/// SxFCR at reset: the FIFO is empty (FS) and half of it is the threshold.
const FCR_RESET: u32 = 0x21;
const FCR_WRITABLE: u32 = 0x87;

/// A stream.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    pub control: u32,
    /// SxNDTR.
    pub left: u32,
    pub peripheral: u32,
    pub memory: [u32; 2],
    pub fifo: u32,
    pub flags: u8,
    /// Where the next byte lies.
    at: u32,
    /// Bytes left when the half of the transfer is done.
    half: u32,
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            control: 0,
            left: 0,
            peripheral: 0,
            memory: [0; 2],
            fifo: FCR_RESET,
            flags: 0,
            at: 0,
            half: 0,
        }
    }
}

/// SxCR.DIR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    PeripheralToMemory,
    MemoryToPeripheral,
    Other,
}

impl Direction {
    /// What a value of SxCR asks for.
    pub const fn of(control: u32) -> Self {
        match control >> cr::DIR_SHIFT & 0b11 {
            0 => Self::PeripheralToMemory,
            1 => Self::MemoryToPeripheral,
            _ => Self::Other,
        }
    }
}

impl Stream {
    pub fn runs(&self) -> bool {
        self.control & cr::EN != 0
    }

    /// Whether an enabled interrupt's flag is set.
    pub fn interrupts(&self) -> bool {
        let enabled = |bit, flag| self.control & bit != 0 && self.flags & flag != 0;
        enabled(cr::TCIE, flag::TCIF)
            || enabled(cr::HTIE, flag::HTIF)
            || enabled(cr::TEIE, flag::TEIF)
    }

    /// Bytes until the next flag whose instant somebody may depend on: the half only with its
    /// interrupt enabled.
    pub fn until_flag(&self) -> u32 {
        if self.control & cr::HTIE != 0 && self.left > self.half {
            self.left - self.half
        } else {
            self.left
        }
    }

    /// SxCR, once it is known to ask for nothing that is refused. A transfer that is switched off
    /// before its end counts as complete (recalled).
    pub fn store_control(&mut self, value: u32) {
        let was_running = self.runs();
        let writable = if was_running { cr::LIVE } else { cr::WRITABLE };
        self.control = (self.control & !writable) | (value & writable);
        if !was_running && self.runs() {
            self.at = self.memory[0];
            self.half = self.left / 2;
        } else if was_running && !self.runs() {
            self.flags |= flag::TCIF;
        }
    }

    /// SxFCR.
    pub fn store_fifo(&mut self, value: u32) {
        self.fifo = (self.fifo & !FCR_WRITABLE) | (value & FCR_WRITABLE);
    }

    /// Moves one byte from memory; `None` after a bus error.
    pub fn read(&mut self, memory: &mut Memory) -> Option<u8> {
        let byte = is_reachable(self.at).then(|| memory.dma_read(self.at, 1));
        let Some(Some(&[byte])) = byte else {
            self.fail();
            return None;
        };
        self.count();
        Some(byte)
    }

    /// Moves one byte to memory.
    pub fn write(&mut self, byte: u8, memory: &mut Memory) {
        let stored = is_reachable(self.at).then(|| memory.dma_write(self.at, &[byte]));
        if stored.flatten().is_some() {
            self.count();
        } else {
            self.fail();
        }
    }

    fn count(&mut self) {
        if self.control & cr::MINC != 0 {
            self.at = self.at.wrapping_add(1);
        }
        self.left -= 1;
        if self.left == self.half {
            self.flags |= flag::HTIF;
        }
        if self.left == 0 {
            self.flags |= flag::TCIF;
            self.control &= !cr::EN;
        }
    }

    fn fail(&mut self) {
        self.flags |= flag::TEIF;
        self.control &= !cr::EN;
    }
}

/// Whether the DMA's buses lead there: neither tightly coupled memory hangs on them (EMB: Async SPI
/// cannot use DTCM).
fn is_reachable(address: u32) -> bool {
    const FLASH: u32 = 0x0800_0000;
    const DTCM: u32 = 0x2000_0000;
    const AXI_SRAM: u32 = 0x2400_0000;
    address >= FLASH && !(DTCM..AXI_SRAM).contains(&address)
}
