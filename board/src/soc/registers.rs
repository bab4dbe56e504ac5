//! A peripheral's registers that keep what is written to them.

/// One word register: where it lies, its reset value, and the bits software can write.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub offset: u32,
    pub reset: u32,
    pub writable: u32,
}

/// Shorthand for tables of registers.
pub const fn register(offset: u32, reset: u32, writable: u32) -> Register {
    Register {
        offset,
        reset,
        writable,
    }
}

/// The contents of a table of registers.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    table: &'static [Register],
    values: Vec<u32>,
}

impl RegisterFile {
    /// All registers at their reset values.
    pub fn new(table: &'static [Register]) -> Self {
        Self {
            table,
            values: table.iter().map(|register| register.reset).collect(),
        }
    }

    /// The register at `offset`, or `None` if the table has none there.
    pub fn get(&self, offset: u32) -> Option<u32> {
        Some(self.values[self.index(offset)?])
    }

    /// Writes the writable bits of the register at `offset`; gives its new value, or `None` if the
    /// table has none there.
    pub fn write(&mut self, offset: u32, value: u32) -> Option<u32> {
        let index = self.index(offset)?;
        let writable = self.table[index].writable;
        let stored = &mut self.values[index];
        *stored = (*stored & !writable) | (value & writable);
        Some(*stored)
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

    fn index(&self, offset: u32) -> Option<usize> {
        self.table
            .iter()
            .position(|register| register.offset == offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_writable_bits_change() {
        static TABLE: [Register; 2] = [
            register(0, 0xF0, 0xFF),
            register(8, 0x1234_0000, 0x0000_FFFF),
        ];
        let mut file = RegisterFile::new(&TABLE);
        assert_eq!(file.get(0), Some(0xF0));
        assert_eq!(file.write(8, 0xFFFF_5678), Some(0x1234_5678));
        assert_eq!(file.field(8, 4, 8), 0x67);
        assert!(file.bit(8, 3));
        assert_eq!(file.write(4, 1), None);
        assert_eq!(file.get(4), None);
    }
}
