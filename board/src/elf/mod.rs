//! The firmware's ELF file: what goes into flash, and which name belongs to an address.

mod symbols;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;

use object::elf::{EM_ARM, FileHeader32, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, FileKind};

use crate::memory::{Memory, REGIONS, Region};
pub use symbols::{Place, Symbols};

/// Why a file is not a firmware for this part.
#[derive(Debug, thiserror::Error)]
pub enum ElfError {
    #[error("not an ELF file")]
    NotElf,
    #[error("a 64-bit ELF file; the part needs a 32-bit one")]
    WrongClass,
    #[error("a big-endian ELF file; the part is little-endian")]
    WrongByteOrder,
    #[error("an ELF file for machine {machine}; the part needs {} (ARM)", EM_ARM.0)]
    WrongMachine { machine: u16 },
    #[error("the ELF file is damaged or cut short: {0}")]
    Damaged(#[from] object::read::Error),
    #[error("the ELF file is cut short: it ends before the segment for {address:#010x}")]
    CutShort { address: u32 },
    #[error(
        "the segment of {len} bytes at {address:#010x} is not in flash ({flash_start:#010x} to {flash_end:#010x})"
    )]
    SegmentOutsideFlash {
        address: u32,
        len: usize,
        flash_start: u32,
        flash_end: u32,
    },
    #[error("nothing to run: no vector table at the boot address {address:#010x}")]
    NoVectorTable { address: u32 },
}

/// Bytes for flash, at their load address (LMA).
#[derive(Clone, Debug)]
struct Segment {
    address: u32,
    bytes: Vec<u8>,
}

/// A firmware image.
#[derive(Clone, Debug)]
pub struct Firmware {
    segments: Vec<Segment>,
    symbols: Symbols,
}

impl Firmware {
    /// Where the part boots: BOOT_ADD0 as it leaves the factory (recalled).
    pub const BOOT_ADDRESS: u32 = 0x0800_0000;

    /// Reads an ELF file.
    ///
    /// # Errors
    /// Anything that is not a whole ELF32 file for ARM whose loaded bytes all go into flash.
    pub fn parse(file: &[u8]) -> Result<Self, ElfError> {
        match FileKind::parse(file) {
            Ok(FileKind::Elf32) => {}
            Ok(FileKind::Elf64) => return Err(ElfError::WrongClass),
            _ => return Err(ElfError::NotElf),
        }
        let header = FileHeader32::<Endianness>::parse(file)?;
        let endian = header.endian()?;
        if endian == Endianness::Big {
            return Err(ElfError::WrongByteOrder);
        }
        let machine = header.e_machine(endian);
        if machine != EM_ARM {
            return Err(ElfError::WrongMachine { machine: machine.0 });
        }
        let segments = segments(header, endian, file)?;
        let boot = Self::BOOT_ADDRESS;
        if !segments
            .iter()
            .any(|s| s.address == boot && s.bytes.len() >= 8)
        {
            return Err(ElfError::NoVectorTable { address: boot });
        }
        Ok(Self {
            segments,
            symbols: Symbols::parse(header, endian, file)?,
        })
    }

    /// Programs the image into flash.
    pub fn program(&self, memory: &mut Memory) {
        for segment in &self.segments {
            let inside = memory.program(segment.address, &segment.bytes);
            debug_assert!(inside, "checked when parsed");
        }
    }

    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }
}

fn segments(
    header: &FileHeader32<Endianness>,
    endian: Endianness,
    file: &[u8],
) -> Result<Vec<Segment>, ElfError> {
    let mut segments = Vec::new();
    for program in header.program_headers(endian, file)? {
        if program.p_type(endian) != PT_LOAD || program.p_filesz(endian) == 0 {
            continue;
        }
        let address = program.p_paddr(endian);
        let bytes = program
            .data(endian, file)
            .map_err(|()| ElfError::CutShort { address })?
            .to_vec();
        check_inside_flash(address, bytes.len())?;
        segments.push(Segment { address, bytes });
    }
    Ok(segments)
}

fn check_inside_flash(address: u32, len: usize) -> Result<(), ElfError> {
    let flash = REGIONS
        .iter()
        .find(|info| info.region == Region::Flash)
        .expect("the part has flash");
    let (start, end) = (flash.base, flash.base + flash.len);
    if address >= start && address as usize + len <= end as usize {
        Ok(())
    } else {
        Err(ElfError::SegmentOutsideFlash {
            address,
            len,
            flash_start: start,
            flash_end: end,
        })
    }
}
