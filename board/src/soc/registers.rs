//! A peripheral's registers that keep what is written to them.

use crate::bus::AccessError;

/// One word register: where it lies, its reset value, and the bits software can write.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub offset: u32,
    pub reset: u32,
    pub writable: u32,
    /// Bits that switch on functions this board does not have.
    pub refused: u32,
}

impl Register {
    /// The same register, where setting any of `bits` is refused.
    pub const fn refusing(self, bits: u32) -> Self {
        Self {
            refused: bits,
            ..self
        }
    }
}

/// Shorthand for tables of registers.
pub const fn register(offset: u32, reset: u32, writable: u32) -> Register {
    Register {
        offset,
        reset,
        writable,
        refused: 0,
    }
}

/// Marks a word that holds no register.
const ABSENT: u8 = u8::MAX;

/// The contents of a table of registers.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    table: &'static [Register],
    values: Box<[u32]>,
    /// From word offset to place in the table.
    places: Box<[u8]>,
}

impl RegisterFile {
    /// All registers at their reset values. A table has at most 255.
    pub fn new(table: &'static [Register]) -> Self {
        let words = table.iter().map(|register| register.offset / 4 + 1);
        let mut places = vec![ABSENT; words.max().unwrap_or(0) as usize];
        for (place, register) in (0..ABSENT).zip(table) {
            places[(register.offset / 4) as usize] = place;
        }
        Self {
            table,
            values: table.iter().map(|register| register.reset).collect(),
            places: places.into(),
        }
    }

    /// The register at a word offset, or `None` if the table has none there.
    pub fn get(&self, offset: u32) -> Option<u32> {
        Some(self.values[self.place(offset)?])
    }

    /// What the register holds that an access at `offset` of the peripheral `block` meets.
    ///
    /// # Errors
    /// An access where the table has no register.
    pub fn accessed(&self, block: &'static str, offset: u32) -> Result<u32, AccessError> {
        let value = self.get(offset & !3);
        value.ok_or(AccessError::Unmodelled { block, offset })
    }

    /// What a register of the table holds; zero elsewhere.
    pub fn value(&self, offset: u32) -> u32 {
        self.get(offset).unwrap_or(0)
    }

    /// Writes the writable bits of the register at `offset`; gives its new value, or `None`, and
    /// changes nothing, if the table has none there or `value` sets a refused bit.
    pub fn write(&mut self, offset: u32, value: u32) -> Option<u32> {
        let place = self.place(offset)?;
        let Register {
            writable, refused, ..
        } = self.table[place];
        if value & refused != 0 {
            return None;
        }
        let stored = &mut self.values[place];
        *stored = (*stored & !writable) | (value & writable);
        Some(*stored)
    }

    /// Sets a register's content from the hardware's side.
    pub fn set(&mut self, offset: u32, value: u32) {
        if let Some(place) = self.place(offset) {
            self.values[place] = value;
        }
    }

    /// Counts a 32-bit counter up.
    pub fn count(&mut self, offset: u32) {
        self.set(offset, self.value(offset).wrapping_add(1));
    }

    /// Bits `low` to `low + width - 1` of a register that the table is known to hold.
    ///
    /// # Panics
    /// If the table has no register at `offset`.
    pub fn field(&self, offset: u32, low: u32, width: u32) -> u32 {
        let value = self.get(offset).expect("a register of the table");
        (value >> low) & ((1 << width) - 1)
    }

    /// Whether bit `bit` of a register that the table is known to hold is set.
    ///
    /// # Panics
    /// If the table has no register at `offset`.
    pub fn bit(&self, offset: u32, bit: u32) -> bool {
        self.field(offset, bit, 1) == 1
    }

    fn place(&self, offset: u32) -> Option<usize> {
        let place = *self.places.get((offset / 4) as usize)?;
        (place != ABSENT).then_some(usize::from(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TABLE: [Register; 3] = [
        register(0, 0xF0, 0xFF),
        register(8, 0x1234_0000, 0x0000_FFFF),
        register(16, 0, 0xFF).refusing(0x180),
    ];

    #[test]
    fn only_writable_bits_change() {
        let mut file = RegisterFile::new(&TABLE);
        assert_eq!(file.get(0), Some(0xF0));
        assert_eq!(file.write(8, 0xFFFF_5678), Some(0x1234_5678));
        assert_eq!(file.field(8, 4, 8), 0x67);
        assert!(file.bit(8, 3));
        assert_eq!(file.write(4, 1), None);
        assert_eq!(file.get(4), None);
        assert_eq!(file.get(20), None);
    }

    #[test]
    fn a_refused_bit_leaves_the_register_as_it_was() {
        let mut file = RegisterFile::new(&TABLE);
        assert_eq!(file.write(16, 0x7F), Some(0x7F));
        assert_eq!(file.write(16, 0x81), None);
        assert_eq!(file.write(16, 0x101), None);
        assert_eq!(file.get(16), Some(0x7F));
    }

    #[test]
    fn the_hardware_sets_and_counts_what_software_cannot_write() {
        let mut file = RegisterFile::new(&TABLE);
        file.set(8, u32::MAX);
        file.count(8);
        assert_eq!(file.value(8), 0);
        file.count(8);
        assert_eq!(file.value(8), 1);
        file.set(12, 1);
        assert_eq!(file.value(12), 0);
    }
}
