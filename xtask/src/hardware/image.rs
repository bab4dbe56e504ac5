//! What of an ELF file goes into the chip's flash, and where its log is.

use std::ops::Range;

use anyhow::{Context, ensure};
use object::LittleEndian;
use object::elf::{FileHeader32, SHT_SYMTAB, Sym32};
use object::read::elf::{FileHeader, Sym};

use crate::metadata::{Region, RegionKind};
use crate::size::Elf;

/// The symbol that names the RTT control block of the firmware's log.
const CONTROL_BLOCK: &[u8] = b"_SEGGER_RTT";

/// A firmware as a debug probe writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlashImage {
    /// In rising order, none overlaps another, none is empty.
    pub segments: Vec<Segment>,
    /// Where the RTT control block of the log lies in RAM; `None` for a firmware without a log.
    pub control_block: Option<u32>,
}

/// Bytes at their load address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub address: u32,
    pub bytes: Vec<u8>,
}

impl Segment {
    fn range(&self) -> Range<u64> {
        let start = u64::from(self.address);
        start..start + self.bytes.len() as u64
    }
}

impl FlashImage {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// A file that is damaged, is not for the part, or has nothing to load.
    pub fn read(bytes: &[u8]) -> anyhow::Result<Self> {
        let elf = Elf::parse(bytes)?;
        let loaded = elf.segments.iter().filter(|one| !one.content.is_empty());
        let segment = |one: &crate::size::Segment| {
            let address = u32::try_from(one.load_address);
            Ok(Segment {
                address: address.context("a segment beyond 32 bits")?,
                bytes: one.content.to_vec(),
            })
        };
        let mut segments = loaded.map(segment).collect::<anyhow::Result<Vec<_>>>()?;
        segments.sort_by_key(|segment| segment.address);
        for pair in segments.windows(2) {
            ensure!(
                pair[0].range().end <= pair[1].range().start,
                "two segments are loaded to {:#010x}",
                pair[1].address
            );
        }
        ensure!(!segments.is_empty(), "nothing in it is to be loaded");
        Ok(Self {
            segments,
            control_block: control_block(bytes)?,
        })
    }

    /// Checks that every segment lies in flash, by the study's table of regions and by the probe's
    /// map, and that there is a vector table where the chip boots from.
    pub fn check(&self, regions: &[Region], probe_map: &[Range<u64>]) -> anyhow::Result<()> {
        let table = flash_of(regions);
        for segment in &self.segments {
            let Range { start, end } = segment.range();
            for (whose, flash) in [
                ("the study's", table.as_slice()),
                ("the probe's", probe_map),
            ] {
                let mut flash = flash.iter();
                ensure!(
                    flash.any(|flash| flash.start <= start && end <= flash.end),
                    "{start:#010x} to {end:#010x} is not in flash by {whose} memory map"
                );
            }
        }
        let boots = |flash: &Range<u64>| self.segments[0].range().start == flash.start;
        ensure!(
            table.iter().any(boots),
            "there is no vector table at the beginning of flash"
        );
        Ok(())
    }
}

/// The address ranges of the flash in a table of regions.
pub fn flash_of(regions: &[Region]) -> Vec<Range<u64>> {
    let flash = regions.iter().filter(|one| one.kind == RegionKind::Flash);
    let range = |one: &Region| {
        let start = u64::from(one.origin);
        start..start + u64::from(one.length)
    };
    flash.map(range).collect()
}

fn control_block(bytes: &[u8]) -> anyhow::Result<Option<u32>> {
    let endian = LittleEndian;
    let header = FileHeader32::<LittleEndian>::parse(bytes).context("damaged ELF header")?;
    let sections = header.sections(endian, bytes);
    let sections = sections.context("damaged section table")?;
    let table = sections.symbols(endian, bytes, SHT_SYMTAB);
    let table = table.context("damaged symbol table")?;
    let is_it = |symbol: &&Sym32<LittleEndian>| {
        let name = symbol.name(endian, table.strings());
        !symbol.is_undefined(endian) && name.is_ok_and(|name| name == CONTROL_BLOCK)
    };
    let symbol = table.iter().find(is_it);
    Ok(symbol.map(|symbol| symbol.st_value(endian)))
}
