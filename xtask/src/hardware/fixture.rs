//! A small firmware for tests: an ELF file with a log whose messages have no arguments.

/// Where the firmware of the fixture has its RTT control block.
pub const CONTROL_BLOCK: u32 = 0x2400_0100;

const FILE_HEADER: u32 = 52;
const PROGRAM_HEADER: u32 = 32;
/// Index of the section `.defmt`.
const DEFMT: u16 = 4;
const ABSOLUTE: u16 = 0xFFF1;
const OBJECT: u8 = 1;

/// An ELF file as it is put together.
pub struct Firmware {
    segments: Vec<(u32, Vec<u8>)>,
    symbols: Vec<(String, u32, u16)>,
}

impl Firmware {
    /// Nothing but a vector table at the beginning of flash.
    pub fn silent() -> Self {
        Self {
            segments: vec![(0x0800_0000, vec![1; 8])],
            symbols: Vec::new(),
        }
    }

    /// One that can log these messages; [`frame`] of a message's place among them, from 1, logs it.
    pub fn logging(messages: &[&str]) -> Self {
        let mut firmware = Self::silent();
        let symbols = &mut firmware.symbols;
        symbols.push(("_SEGGER_RTT".to_owned(), CONTROL_BLOCK, ABSOLUTE));
        for name in ["_defmt_version_ = 4", "_defmt_encoding_ = rzcobs"] {
            symbols.push((name.to_owned(), 0, DEFMT));
        }
        for (number, message) in (1..).zip(messages) {
            let name = format!(
                r#"{{"package":"p","tag":"defmt_info","data":"{message}","disambiguator":"{number}","crate_name":"p"}}"#
            );
            symbols.push((name, number, DEFMT));
        }
        firmware
    }

    /// With a segment more that is loaded to `address`.
    pub fn loaded_to(mut self, address: u32, bytes: &[u8]) -> Self {
        self.segments.push((address, bytes.to_vec()));
        self
    }

    /// Without a vector table.
    pub fn without_vectors(mut self) -> Self {
        self.segments.remove(0);
        self
    }

    /// The bytes of the file.
    pub fn elf(&self) -> Vec<u8> {
        let mut strings = vec![0];
        let mut symbols = vec![0; 16];
        for (name, value, section) in &self.symbols {
            symbols.extend(words(&[strings.len() as u32, *value, 1]));
            symbols.extend([0x10 | OBJECT, 0]);
            symbols.extend(section.to_le_bytes());
            strings.extend(name.bytes().chain([0]));
        }
        let first = FILE_HEADER + PROGRAM_HEADER * self.segments.len() as u32;
        let mut content = Vec::new();
        let mut programs = Vec::new();
        for (address, bytes) in &self.segments {
            let (offset, len) = (first + content.len() as u32, bytes.len() as u32);
            programs.extend(words(&[1, offset, *address, *address, len, len, 5, 4]));
            content.extend(bytes);
            content.resize(content.len().next_multiple_of(4), 0);
        }
        let mut sections = vec![0; 40];
        let names = b"\0.symtab\0.strtab\0.shstrtab\0.defmt\0";
        let strings = [
            (1, 2, symbols.as_slice(), 2, 16),
            (9, 3, &strings, 0, 0),
            (17, 3, names, 0, 0),
            (27, 1, &[0; 64], 0, 0),
        ];
        for (name, kind, bytes, link, entry) in strings {
            let (offset, len) = (first + content.len() as u32, bytes.len() as u32);
            sections.extend(words(&[name, kind, 0, 0, offset, len, link, 1, 1, entry]));
            content.extend(bytes);
            content.resize(content.len().next_multiple_of(4), 0);
        }
        let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0".to_vec();
        let table = first + content.len() as u32;
        file.extend(words(&[1, 0, FILE_HEADER, table, 0x0500_0400]));
        let counts = [52, 32, self.segments.len() as u16, 40, 5, 3];
        file.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
        [file, programs, content, sections].concat()
    }
}

/// What the firmware writes to RTT for the message of that number: rzCOBS of the number as two bytes,
/// the second of them zero.
pub fn frame(number: u8) -> Vec<u8> {
    assert_ne!(number, 0);
    vec![number, 0x7E, 0]
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
