//! Small ELF images for tests.

use object::elf;

/// A section of a fixture, in a loadable segment of its own when it is allocated.
#[derive(Clone, Copy)]
pub struct Sketch {
    pub name: &'static str,
    pub kind: elf::SectionType,
    pub flags: elf::SectionFlags,
    pub address: u32,
    pub load_address: u32,
    pub size: u32,
}

/// A section with content, run and loaded at these addresses.
pub fn content(name: &'static str, writable: bool, address: u32, load: u32, size: u32) -> Sketch {
    let executable = matches!(name, ".text" | ".itcm");
    let mut flags = elf::SHF_ALLOC;
    if writable {
        flags |= elf::SHF_WRITE;
    }
    if executable {
        flags |= elf::SHF_EXECINSTR;
    }
    Sketch {
        name,
        kind: elf::SHT_PROGBITS,
        flags,
        address,
        load_address: load,
        size,
    }
}

/// A section without content whose segment has this physical address.
pub fn no_bits(name: &'static str, address: u32, physical: u32, size: u32) -> Sketch {
    Sketch {
        kind: elf::SHT_NOBITS,
        ..content(name, true, address, physical, size)
    }
}

/// The reference image of the study's sizes: code in flash, code copied to ITCM, data, memory
/// without content in two RAMs, a reservation and a section that is not allocated.
pub fn reference() -> Vec<Sketch> {
    let defmt = Sketch {
        flags: elf::SectionFlags(0),
        ..content(".defmt", false, 0, 0, 100)
    };
    vec![
        content(".vectors", false, 0x0800_0000, 0x0800_0000, 8),
        content(".text", false, 0x0800_0008, 0x0800_0008, 98),
        content(".rodata", false, 0x0800_006a, 0x0800_006a, 3),
        content(".itcm", false, 0x0000_0000, 0x0800_0080, 64),
        content(".data", true, 0x2000_0000, 0x0800_00c0, 12),
        no_bits(".bss", 0x2000_000c, 0x2000_000c, 20),
        no_bits(".uninit", 0x2000_0020, 0x0800_00cc, 40),
        no_bits("._user_heap_stack", 0x2000_0048, 0x0800_00d0, 1536),
        no_bits(".eth", 0x3000_0000, 0x3000_0000, 256),
        defmt,
    ]
}

/// The bytes of an executable 32-bit little-endian ARM ELF file with these sections.
pub fn image(sections: &[Sketch]) -> Vec<u8> {
    const HEADER: u32 = 52;
    const SEGMENT: u32 = 32;
    let allocated = |s: &&Sketch| s.flags.contains(elf::SHF_ALLOC);
    let segments: Vec<&Sketch> = sections.iter().filter(allocated).collect();
    let mut names = b"\0.shstrtab\0".to_vec();
    let mut content = Vec::new();
    let first = HEADER + SEGMENT * segments.len() as u32;
    let mut headers = vec![[0_u32; 10]];
    let mut programs = Vec::new();
    for section in sections {
        let offset = first + content.len() as u32;
        let name = names.len() as u32;
        names.extend(section.name.bytes().chain([0]));
        let (kind, flags, address) = (section.kind.0, section.flags.0 as u32, section.address);
        headers.push([name, kind, flags, address, offset, section.size, 0, 0, 1, 0]);
        let in_file = if section.kind == elf::SHT_NOBITS {
            0
        } else {
            section.size
        };
        content.resize(content.len() + in_file as usize, 0xa5);
        if allocated(&section) {
            let load = section.load_address;
            programs.push([1, offset, address, load, in_file, section.size, 7, 1]);
        }
    }
    let strings = first + content.len() as u32;
    headers.push([1, 3, 0, 0, strings, names.len() as u32, 0, 0, 1, 0]);
    content.extend(&names);
    let table = first + content.len() as u32;
    let mut bytes = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0".to_vec();
    bytes.extend(words(&[1, 0x0800_0008, HEADER, table, 0x0500_0400]));
    let counts = [52, 32, programs.len(), 40, headers.len(), headers.len() - 1];
    bytes.extend(
        counts
            .iter()
            .flat_map(|count| (*count as u16).to_le_bytes()),
    );
    bytes.extend(programs.iter().flat_map(|program| words(program)));
    bytes.extend(content);
    bytes.extend(headers.iter().flat_map(|header| words(header)));
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
