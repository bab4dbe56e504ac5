//! What each allocated section is, and what the published study would have counted it as.

use serde::Serialize;

use super::elf::Section;

/// What a section is to the running image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The exception vector table, read where it is loaded.
    VectorTable,
    /// Code that runs where it is loaded.
    Code,
    /// Constants read where they are loaded, unwind tables among them.
    Constants,
    /// Code that is copied to the RAM it runs in.
    RamCode,
    /// Data whose first values are copied to RAM.
    InitialisedData,
    /// RAM without content in the image, which the start-up code clears.
    ZeroedData,
    /// RAM without content in the image that the start-up code leaves alone.
    UninitialisedData,
    /// RAM set aside for a stack or a heap.
    Reservation,
}

impl Class {
    /// The class of a section: from its flags and addresses, and of memory without content from its name.
    pub fn of(section: &Section) -> Self {
        const VECTOR_TABLES: [&str; 3] = [".vector_table", ".isr_vector", ".vectors"];
        let named = |words: &[&str]| words.iter().any(|word| section.name.contains(word));
        match section.load_address {
            None if named(&["stack", "heap"]) => Self::Reservation,
            None if named(&["uninit", "noinit"]) => Self::UninitialisedData,
            None => Self::ZeroedData,
            Some(load) if load != section.address && section.executable => Self::RamCode,
            Some(load) if load != section.address => Self::InitialisedData,
            Some(_) if VECTOR_TABLES.contains(&section.name.as_str()) => Self::VectorTable,
            Some(_) if section.executable => Self::Code,
            Some(_) => Self::Constants,
        }
    }

    /// What tables call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::VectorTable => "vector table",
            Self::Code => "code",
            Self::Constants => "constants",
            Self::RamCode => "code in RAM",
            Self::InitialisedData => "initialised data",
            Self::ZeroedData => "zeroed data",
            Self::UninitialisedData => "uninitialised data",
            Self::Reservation => "reservation",
        }
    }
}

/// Bytes of an image by the sections that the published study names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// The exception vector table.
    pub vector_table: u64,
    /// Code that runs where it is loaded.
    pub text: u64,
    /// Constants, unwind tables among them.
    pub rodata: u64,
    /// Content loaded at one address and used at another: initialised data, code copied to RAM.
    pub data: u64,
    /// Memory without content in the image.
    pub bss: u64,
    /// Memory without content that the start-up code leaves alone.
    pub uninit: u64,
    /// Memory set aside for a stack or a heap; part of no sum.
    pub reserved: u64,
}

impl Sizes {
    /// Adds up the sections.
    pub fn of(sections: &[Section]) -> Self {
        let mut sizes = Self::default();
        for section in sections {
            *sizes.sum_of(Class::of(section)) += section.size;
        }
        sizes
    }

    /// Flash use as the published study has it: vector table + text + rodata + data.
    pub fn flash_bytes(&self) -> u64 {
        self.vector_table + self.text + self.rodata + self.data
    }

    /// Static RAM use as the published study has it: data + bss + uninit.
    pub fn static_ram_bytes(&self) -> u64 {
        self.data + self.bss + self.uninit
    }

    fn sum_of(&mut self, class: Class) -> &mut u64 {
        match class {
            Class::VectorTable => &mut self.vector_table,
            Class::Code => &mut self.text,
            Class::Constants => &mut self.rodata,
            Class::RamCode | Class::InitialisedData => &mut self.data,
            Class::ZeroedData => &mut self.bss,
            Class::UninitialisedData => &mut self.uninit,
            Class::Reservation => &mut self.reserved,
        }
    }
}
