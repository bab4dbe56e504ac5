//! The part's memories, reached without going through a peripheral.

mod cached;
mod gated;

pub use cached::Maintenance;

use crate::data_cache::DataCache;
use gated::Gates;

/// Memories of the STM32H723 that answer loads and stores (PAC memory list; backup
/// SRAM and factory data recalled).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    Itcm,
    Flash,
    Dtcm,
    AxiSram,
    /// SRAM1 and SRAM2 of the D2 domain, adjacent.
    D2Sram,
    Sram4,
    BackupSram,
    /// Unique id and other factory data, read-only.
    System,
}

/// Where a region lies.
#[derive(Clone, Copy, Debug)]
pub struct RegionInfo {
    pub region: Region,
    pub base: u32,
    pub len: u32,
    pub writable: bool,
}

/// The memory map, factory option bytes (all shared RAM given to AXI SRAM: PAC memory list).
pub const REGIONS: [RegionInfo; 8] = [
    info(Region::Itcm, 0x0000_0000, 64 << 10, true),
    info(Region::Flash, 0x0800_0000, 1 << 20, false),
    info(Region::System, 0x1FF1_E800, 12, false),
    info(Region::Dtcm, 0x2000_0000, 128 << 10, true),
    info(Region::AxiSram, 0x2400_0000, 320 << 10, true),
    info(Region::D2Sram, 0x3000_0000, 32 << 10, true),
    info(Region::Sram4, 0x3800_0000, 16 << 10, true),
    info(Region::BackupSram, 0x3880_0000, 4 << 10, true),
];

const fn info(region: Region, base: u32, len: u32, writable: bool) -> RegionInfo {
    RegionInfo {
        region,
        base,
        len,
        writable,
    }
}

/// Contents of all memories, behind one map from address to place.
#[derive(Clone, Debug)]
pub struct Memory {
    bytes: Vec<u8>,
    map: Box<[Window; WINDOWS]>,
    /// The windows the core's fast path uses: empty where it must take the slow one.
    fast: [FastWindow; WINDOWS],
    fast_enabled: bool,
    /// One bit for each [`CODE_LINE`] bytes that hold decoded code.
    code_lines: Vec<u64>,
    code_written: bool,
    data_cache: Option<Box<DataCache>>,
    gates: Gates,
}

/// What lies in one 8 MB window of the address space: each holds one region at most.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    base: u32,
    len: u32,
    offset: u32,
    writable: bool,
}

/// One window as the core sees it: where it lies, what it costs, and which part holds decoded code.
#[derive(Clone, Copy, Debug, Default)]
struct FastWindow {
    base: u32,
    read_len: u32,
    write_len: u32,
    offset: u32,
    load_cycles: u32,
    store_cycles: u32,
    /// Of each two further words of a multiple transfer.
    pair_cycles: u32,
    /// Stores inside this range take the slow path, which looks at the code lines.
    code_start: u32,
    code_len: u32,
}

const WINDOW_SHIFT: u32 = 23;
const WINDOWS: usize = 1 << (32 - WINDOW_SHIFT);

/// Bytes watched together for stores into decoded code.
const CODE_LINE: u32 = 64;

impl Default for Memory {
    /// All memories present and zero; flash erased (0xFF).
    fn default() -> Self {
        let mut bytes = Vec::new();
        let mut map = Box::new([Window::default(); WINDOWS]);
        for info in REGIONS {
            let offset = bytes.len() as u32;
            let fill = if info.region == Region::Flash {
                0xFF
            } else {
                0
            };
            bytes.resize((offset + info.len) as usize, fill);
            map[(info.base >> WINDOW_SHIFT) as usize] = Window {
                base: info.base,
                len: info.len,
                offset,
                writable: info.writable,
            };
        }
        let mut memory = Self {
            code_lines: vec![0; bytes.len() / (CODE_LINE as usize * 64) + 1],
            bytes,
            map,
            fast: [FastWindow::default(); WINDOWS],
            fast_enabled: true,
            code_written: false,
            data_cache: None,
            gates: Gates::default(),
        };
        memory.set_fast_path(true);
        memory
    }
}

impl Memory {
    #[inline(always)]
    fn place(&self, address: u32, len: u32) -> Option<(usize, bool)> {
        let window = &self.map[(address >> WINDOW_SHIFT) as usize];
        let inside = address.wrapping_sub(window.base);
        (u64::from(inside) + u64::from(len) <= u64::from(window.len))
            .then_some(((window.offset + inside) as usize, window.writable))
    }

    /// The bytes at `address`, if one memory holds all of them.
    pub fn slice(&self, address: u32, len: u32) -> Option<&[u8]> {
        let (at, _) = self.place(address, len)?;
        Some(&self.bytes[at..at + len as usize])
    }

    /// The writable bytes at `address`, if one RAM holds all of them.
    pub fn slice_mut(&mut self, address: u32, len: u32) -> Option<&mut [u8]> {
        let (at, writable) = self.place(address, len)?;
        if !writable {
            return None;
        }
        self.note_code_write(address, at, len);
        Some(&mut self.bytes[at..at + len as usize])
    }

    /// Puts bytes into any memory, read-only ones included: programming, not a store.
    pub fn program(&mut self, address: u32, bytes: &[u8]) -> bool {
        let Some((at, _)) = self.place(address, bytes.len() as u32) else {
            return false;
        };
        self.note_code_write(address, at, bytes.len() as u32);
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        true
    }

    pub fn load_u32(&self, address: u32) -> Option<u32> {
        let bytes = self.slice(address, 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Stores a word; `None` where no RAM answers.
    pub fn store_u32(&mut self, address: u32, value: u32) -> Option<()> {
        self.slice_mut(address, 4)?
            .copy_from_slice(&value.to_le_bytes());
        Some(())
    }

    /// The region that holds `address`.
    pub fn region_at(address: u32) -> Option<RegionInfo> {
        REGIONS
            .into_iter()
            .find(|info| address.wrapping_sub(info.base) < info.len)
    }
}

/// The core's own way in: loads and stores that need no look at anything but the window.
/// `None` sends the core to its slow path; it does not mean a fault.
impl Memory {
    #[inline(always)]
    fn fast_read(&self, address: u32, len: u32) -> Option<(&[u8], u32)> {
        let window = &self.fast[(address >> WINDOW_SHIFT) as usize];
        let inside = address.wrapping_sub(window.base);
        if u64::from(inside) + u64::from(len) > u64::from(window.read_len) {
            return None;
        }
        let at = (window.offset + inside) as usize;
        let bytes = self.bytes.get(at..at + len as usize)?;
        Some((bytes, window.load_cycles))
    }

    #[inline(always)]
    fn fast_write(&mut self, address: u32, len: u32) -> Option<(&mut [u8], u32)> {
        let window = &self.fast[(address >> WINDOW_SHIFT) as usize];
        let inside = address.wrapping_sub(window.base);
        if u64::from(inside) + u64::from(len) > u64::from(window.write_len)
            || inside.wrapping_sub(window.code_start) < window.code_len
        {
            return None;
        }
        let at = (window.offset + inside) as usize;
        let bytes = self.bytes.get_mut(at..at + len as usize)?;
        Some((bytes, window.store_cycles))
    }

    /// A word and the core cycles its access takes beyond the instruction.
    #[inline(always)]
    pub fn read_u32(&self, address: u32) -> Option<(u32, u32)> {
        let (bytes, cycles) = self.fast_read(address, 4)?;
        Some((
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            cycles,
        ))
    }

    #[inline(always)]
    pub fn read_u16(&self, address: u32) -> Option<(u32, u32)> {
        let (bytes, cycles) = self.fast_read(address, 2)?;
        Some((u32::from(u16::from_le_bytes([bytes[0], bytes[1]])), cycles))
    }

    #[inline(always)]
    pub fn read_u8(&self, address: u32) -> Option<(u32, u32)> {
        let (bytes, cycles) = self.fast_read(address, 1)?;
        Some((u32::from(bytes[0]), cycles))
    }

    /// Stores a word; gives the core cycles the access takes beyond the instruction.
    #[inline(always)]
    pub fn write_u32(&mut self, address: u32, value: u32) -> Option<u32> {
        let (bytes, cycles) = self.fast_write(address, 4)?;
        bytes.copy_from_slice(&value.to_le_bytes());
        Some(cycles)
    }

    #[inline(always)]
    pub fn write_u16(&mut self, address: u32, value: u32) -> Option<u32> {
        let (bytes, cycles) = self.fast_write(address, 2)?;
        bytes.copy_from_slice(&(value as u16).to_le_bytes());
        Some(cycles)
    }

    #[inline(always)]
    pub fn write_u8(&mut self, address: u32, value: u32) -> Option<u32> {
        let (bytes, cycles) = self.fast_write(address, 1)?;
        bytes[0] = value as u8;
        Some(cycles)
    }

    /// Whether [`Memory::write_u32`] would store at `address`.
    pub fn takes_word(&self, address: u32) -> bool {
        let window = &self.fast[(address >> WINDOW_SHIFT) as usize];
        let inside = address.wrapping_sub(window.base);
        u64::from(inside) + 4 <= u64::from(window.write_len)
            && inside.wrapping_sub(window.code_start) >= window.code_len
    }

    /// `words` words to load, and the core cycles that takes beyond the instruction.
    #[inline(always)]
    pub fn read_words(&self, address: u32, words: u32) -> Option<(&[u8], u32)> {
        let (bytes, cycles) = self.fast_read(address, words * 4)?;
        Some((bytes, cycles + self.further_cycles(address, words, cycles)))
    }

    /// What all words but the first of a multiple transfer at `address` cost, whose first costs `first`.
    #[inline(always)]
    fn further_cycles(&self, address: u32, words: u32, first: u32) -> u32 {
        let pair = self.fast[(address >> WINDOW_SHIFT) as usize].pair_cycles;
        // Nothing where a cache or a TCM answers.
        (words / 2) * pair.min(first)
    }

    /// `words` words to store into, and the core cycles that takes beyond the instruction.
    #[inline(always)]
    pub fn write_words(&mut self, address: u32, words: u32) -> Option<(&mut [u8], u32)> {
        let end = address.wrapping_add(words * 4 - 1);
        let window = &self.fast[(address >> WINDOW_SHIFT) as usize];
        if end
            .wrapping_sub(window.base)
            .wrapping_sub(window.code_start)
            < window.code_len
        {
            return None;
        }
        let first = window.store_cycles;
        let cycles = first + self.further_cycles(address, words, first);
        let (bytes, _) = self.fast_write(address, words * 4)?;
        Some((bytes, cycles))
    }

    /// Sets what accesses to `region` cost the core, in core cycles beyond the instruction.
    /// `pair` is the cost of each two further words of a multiple transfer.
    pub fn set_access_cycles(&mut self, region: Region, load: u32, store: u32, pair: u32) {
        for info in REGIONS.into_iter().filter(|info| info.region == region) {
            let window = &mut self.fast[(info.base >> WINDOW_SHIFT) as usize];
            window.load_cycles = load;
            window.pair_cycles = pair;
            window.store_cycles = store;
        }
    }

    /// What a load and a store at `address` cost the core beyond the instruction.
    pub fn access_cycles(&self, address: u32) -> (u32, u32) {
        let window = &self.fast[(address >> WINDOW_SHIFT) as usize];
        (window.load_cycles, window.store_cycles)
    }

    /// What word `n` of a multiple transfer costs, where one by itself would cost `cycles`.
    pub fn word_cycles(&self, address: u32, n: usize, cycles: u32) -> u32 {
        let window = &self.fast[(address >> WINDOW_SHIFT) as usize];
        match n {
            _ if n == 0 || self.place(address, 4).is_none() => cycles,
            _ if n % 2 == 0 => 0,
            _ => window.pair_cycles.min(cycles),
        }
    }

    /// Opens or closes the fast path; closed, every access of the core takes the slow one.
    pub fn set_fast_path(&mut self, enabled: bool) {
        self.fast_enabled = enabled;
        for (fast, window) in self.fast.iter_mut().zip(self.map.iter()) {
            fast.base = window.base;
            fast.offset = window.offset;
            fast.read_len = if enabled { window.len } else { 0 };
            fast.write_len = if enabled && window.writable {
                window.len
            } else {
                0
            };
        }
        self.limit_gated();
    }

    /// Closes the fast path to a memory for loads, stores or both, until [`Memory::set_fast_path`].
    pub fn limit_fast_path(&mut self, info: RegionInfo, loads: bool, stores: bool) {
        let window = &mut self.fast[(info.base >> WINDOW_SHIFT) as usize];
        if !loads {
            window.read_len = 0;
        }
        if !stores {
            window.write_len = 0;
        }
    }

    /// Notes that the core decoded code at `address`; true if that is where it can be stored to.
    pub fn mark_code(&mut self, address: u32, len: u32) -> bool {
        let Some((at, writable)) = self.place(address, len) else {
            return false;
        };
        for line in lines(at, len) {
            self.code_lines[line / 64] |= 1 << (line % 64);
        }
        if !writable {
            return false;
        }
        let window = &mut self.fast[(address >> WINDOW_SHIFT) as usize];
        // A store that begins just below a line can still reach into it.
        let start = ((address - window.base) & !(CODE_LINE - 1)).saturating_sub(8);
        let end = (address - window.base + len).next_multiple_of(CODE_LINE);
        if window.code_len == 0 {
            window.code_start = start;
            window.code_len = end - start;
        } else {
            let old_end = window.code_start + window.code_len;
            window.code_start = window.code_start.min(start);
            window.code_len = old_end.max(end) - window.code_start;
        }
        true
    }

    /// Forgets where decoded code lies.
    pub fn clear_code(&mut self) {
        self.code_lines.fill(0);
        self.code_written = false;
        for window in self.fast.iter_mut() {
            window.code_len = 0;
        }
    }

    fn note_code_write(&mut self, address: u32, at: usize, len: u32) {
        let window = &self.fast[(address >> WINDOW_SHIFT) as usize];
        let is_ram = self.map[(address >> WINDOW_SHIFT) as usize].writable;
        if len == 0 || (is_ram && window.code_len == 0) {
            return;
        }
        self.code_written |=
            lines(at, len).any(|line| self.code_lines[line / 64] >> (line % 64) & 1 != 0);
    }

    /// Whether decoded code was written to since the last [`Memory::take_code_written`].
    #[inline]
    pub fn is_code_written(&self) -> bool {
        self.code_written
    }

    /// Whether bytes that hold decoded code changed since the last call.
    pub fn take_code_written(&mut self) -> bool {
        std::mem::take(&mut self.code_written)
    }
}

fn lines(at: usize, len: u32) -> std::ops::RangeInclusive<usize> {
    at / CODE_LINE as usize..=(at + len as usize - 1) / CODE_LINE as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_answers_to_its_last_byte_and_not_beyond() {
        let memory = Memory::default();
        for info in REGIONS {
            assert!(memory.slice(info.base, info.len).is_some(), "{info:?}");
            assert!(memory.slice(info.base + info.len, 1).is_none(), "{info:?}");
            assert!(
                memory.slice(info.base + info.len - 1, 2).is_none(),
                "{info:?}"
            );
        }
        assert!(memory.slice(0x4000_0000, 4).is_none());
    }

    #[test]
    fn stores_reach_ram_and_not_flash() {
        let mut memory = Memory::default();
        assert!(memory.store_u32(0x2400_0000, 0x1234_5678).is_some());
        assert_eq!(memory.load_u32(0x2400_0000), Some(0x1234_5678));
        assert!(memory.store_u32(0x0800_0000, 0).is_none());
        assert_eq!(memory.load_u32(0x0800_0000), Some(0xFFFF_FFFF));
        assert!(memory.program(0x0800_0000, &[1, 2, 3, 4]));
        assert_eq!(memory.load_u32(0x0800_0000), Some(0x0403_0201));
    }

    #[test]
    fn the_fast_path_agrees_with_the_map_and_charges_its_region() {
        let mut memory = Memory::default();
        memory.set_access_cycles(Region::AxiSram, 6, 2, 3);
        assert_eq!(memory.write_u32(0x2400_0001, 0x8877_6655), Some(2));
        assert_eq!(memory.read_u32(0x2400_0001), Some((0x8877_6655, 6)));
        assert_eq!(memory.read_u16(0x2400_0002), Some((0x7766, 6)));
        assert_eq!(memory.read_u8(0x2400_0004), Some((0x88, 6)));
        for (words, load, store) in [
            (1, 6, 2),
            (2, 6 + 3, 2 + 2),
            (3, 6 + 3, 2 + 2),
            (4, 6 + 6, 2 + 4),
        ] {
            assert_eq!(memory.read_words(0x2400_0000, words).unwrap().1, load);
            assert_eq!(memory.write_words(0x2400_0000, words).unwrap().1, store);
        }
        assert_eq!(memory.read_u32(0x2404_FFFD), None);
        assert_eq!(memory.write_u32(0x0800_0000, 0), None);
        memory.set_fast_path(false);
        assert_eq!(memory.read_u32(0x2400_0001), None);
        assert_eq!(memory.write_u8(0x2400_0001, 0), None);
        assert!(memory.slice(0x2400_0001, 4).is_some());
    }

    #[test]
    fn stores_into_decoded_code_are_noticed_and_others_are_not() {
        let mut memory = Memory::default();
        memory.mark_code(0x2400_0100, 6);
        memory.mark_code(0x2400_0800, 2);
        assert_eq!(memory.write_u32(0x2400_00FE, 0), None);
        assert_eq!(memory.write_u32(0x2400_0100, 0), None);
        assert_eq!(memory.write_u32(0x2400_0840, 0), Some(0));
        assert!(memory.write_words(0x2400_00F0, 8).is_none());
        assert!(memory.slice_mut(0x2400_0400, 4).is_some());
        assert!(!memory.take_code_written());
        assert!(memory.slice_mut(0x2400_00FE, 4).is_some());
        assert!(memory.take_code_written());
        memory.clear_code();
        assert_eq!(memory.write_u32(0x2400_0100, 0), Some(0));
    }
}
