//! Which allocated section counts as what, by the definition the published study uses.

use serde::Serialize;

use super::elf::Section;

/// Bytes of an image by the kind of section they are in.
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
    /// Flash use: vector table + text + rodata + data.
    pub fn flash_bytes(&self) -> u64 {
        self.vector_table + self.text + self.rodata + self.data
    }

    /// Static RAM use: data + bss + uninit.
    pub fn static_ram_bytes(&self) -> u64 {
        self.data + self.bss + self.uninit
    }
}

/// Adds up the sections.
pub fn sum(sections: &[Section]) -> Sizes {
    let mut sizes = Sizes::default();
    for section in sections {
        *kind(section, &mut sizes) += section.size;
    }
    sizes
}

fn kind<'a>(section: &Section, sizes: &'a mut Sizes) -> &'a mut u64 {
    const VECTOR_TABLES: [&str; 3] = [".vector_table", ".isr_vector", ".vectors"];
    let named = |words: &[&str]| words.iter().any(|word| section.name.contains(word));
    match section.load_address {
        None if named(&["stack", "heap"]) => &mut sizes.reserved,
        None if named(&["uninit", "noinit"]) => &mut sizes.uninit,
        None => &mut sizes.bss,
        Some(load_address) if load_address != section.address => &mut sizes.data,
        Some(_) if VECTOR_TABLES.contains(&section.name.as_str()) => &mut sizes.vector_table,
        Some(_) if section.executable => &mut sizes.text,
        Some(_) => &mut sizes.rodata,
    }
}
