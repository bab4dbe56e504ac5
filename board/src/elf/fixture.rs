//! Small ELF files for tests, built by hand.

const FILE_HEADER_LEN: u32 = 52;
const PROGRAM_HEADER_LEN: u32 = 32;
const SECTION_HEADER_LEN: u32 = 40;

pub const FUNCTION: u8 = 2;
pub const OBJECT: u8 = 1;

/// Index of the section `.defmt`, which has no name in files without defmt.
const DEFMT_SECTION: u16 = 4;
const ABSOLUTE: u16 = 0xFFF1;

/// What goes into a file.
#[derive(Clone, Debug)]
pub struct Fixture {
    pub machine: u16,
    /// Load address and bytes.
    pub segments: Vec<(u32, Vec<u8>)>,
    symbols: Vec<(String, u32, u32, u8, u16)>,
}

impl Default for Fixture {
    /// An ARM file with nothing in it.
    fn default() -> Self {
        Self {
            machine: 40,
            segments: Vec::new(),
            symbols: Vec::new(),
        }
    }
}

impl Fixture {
    pub fn segment(mut self, address: u32, bytes: &[u8]) -> Self {
        self.segments.push((address, bytes.to_vec()));
        self
    }

    pub fn symbol(mut self, name: &str, address: u32, size: u32, kind: u8) -> Self {
        self.symbols
            .push((name.into(), address, size, kind, ABSOLUTE));
        self
    }

    /// A defmt string with its number; the first one also declares version and encoding.
    pub fn defmt(mut self, tag: &str, format: &str, number: u32) -> Self {
        if number == 1 {
            for name in ["_defmt_version_ = 4", "_defmt_encoding_ = rzcobs"] {
                self.symbols
                    .push((name.into(), 0, 0, OBJECT, DEFMT_SECTION));
            }
        }
        let name = format!(
            r#"{{"package":"p","tag":"{tag}","data":"{format}","disambiguator":"{number}","crate_name":"p"}}"#
        );
        self.symbols.push((name, number, 1, OBJECT, DEFMT_SECTION));
        self
    }

    pub fn build(&self) -> Vec<u8> {
        let mut strings = vec![0];
        let mut symbols = vec![0; 16];
        for (name, address, size, kind, section) in &self.symbols {
            let name_at = strings.len() as u32;
            strings.extend(name.as_bytes());
            strings.push(0);
            words(&mut symbols, &[name_at, *address, *size]);
            symbols.extend([0x10 | kind, 0]);
            symbols.extend(section.to_le_bytes());
        }
        let section_names = b"\0.symtab\0.strtab\0.shstrtab\0.defmt\0";

        let headers = FILE_HEADER_LEN + PROGRAM_HEADER_LEN * self.segments.len() as u32;
        let mut content: Vec<u8> = Vec::new();
        let mut programs = Vec::new();
        for (address, bytes) in &self.segments {
            let (at, len) = (headers + content.len() as u32, bytes.len() as u32);
            words(&mut programs, &[1, at, *address, *address, len, len, 5, 4]);
            content.extend(bytes);
            content.resize(content.len().next_multiple_of(4), 0);
        }
        let mut sections = vec![0; SECTION_HEADER_LEN as usize];
        let mut section = |name, kind, bytes: &[u8], link, entry| {
            let at = headers + content.len() as u32;
            let len = bytes.len() as u32;
            words(
                &mut sections,
                &[name, kind, 0, 0, at, len, link, 1, 1, entry],
            );
            content.extend(bytes);
            content.resize(content.len().next_multiple_of(4), 0);
        };
        section(1, 2, &symbols, 2, 16);
        section(9, 3, &strings, 0, 0);
        section(17, 3, section_names, 0, 0);
        let uses_defmt = self.symbols.iter().any(|s| s.4 == DEFMT_SECTION);
        section(if uses_defmt { 27 } else { 0 }, 1, &[0; 64], 0, 0);
        let sections_at = headers + content.len() as u32;

        let mut file = b"\x7FELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        halves(&mut file, &[2, self.machine]);
        words(
            &mut file,
            &[1, 0, FILE_HEADER_LEN, sections_at, 0x0500_0400],
        );
        let segments = self.segments.len() as u16;
        halves(&mut file, &[52, 32, segments, 40, 5, 3]);
        file.extend(programs);
        file.extend(content);
        file.extend(sections);
        file
    }
}

fn words(bytes: &mut Vec<u8>, values: &[u32]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn halves(bytes: &mut Vec<u8>, values: &[u16]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}
