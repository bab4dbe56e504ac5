//! The part's memories, reached without going through a peripheral.

/// Memories of the STM32H723 that answer loads and stores (RM0468 §2.3; hardware manual table of sizes).
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

/// The memory map, factory option bytes (RM0468 §2.3: all shared RAM given to AXI SRAM).
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
    map: Vec<Window>,
}

/// What lies in one 8 MB window of the address space: each holds one region at most.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    base: u32,
    len: u32,
    offset: u32,
    writable: bool,
}

const WINDOW_SHIFT: u32 = 23;

impl Default for Memory {
    /// All memories present and zero; flash erased (0xFF).
    fn default() -> Self {
        let mut memory = Self {
            bytes: Vec::new(),
            map: vec![Window::default(); 1 << (32 - WINDOW_SHIFT)],
        };
        for info in REGIONS {
            let offset = memory.bytes.len() as u32;
            let fill = if info.region == Region::Flash {
                0xFF
            } else {
                0
            };
            memory.bytes.resize((offset + info.len) as usize, fill);
            memory.map[(info.base >> WINDOW_SHIFT) as usize] = Window {
                base: info.base,
                len: info.len,
                offset,
                writable: info.writable,
            };
        }
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
        writable.then(|| &mut self.bytes[at..at + len as usize])
    }

    /// Puts bytes into any memory, read-only ones included: programming, not a store.
    pub fn program(&mut self, address: u32, bytes: &[u8]) -> bool {
        let Some((at, _)) = self.place(address, bytes.len() as u32) else {
            return false;
        };
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
}
