//! Reads the program headers and allocated sections of a linked 32-bit ARM image.

use anyhow::{Context, bail, ensure};
use object::LittleEndian;
use object::elf::{
    EM_386, EM_AARCH64, EM_ARM, EM_RISCV, EM_X86_64, ET_EXEC, FileHeader32, Machine, PT_LOAD,
    SHF_ALLOC, SHF_EXECINSTR, SHF_TLS, SHT_ARM_EXIDX, SHT_FINI_ARRAY, SHT_INIT_ARRAY, SHT_NOBITS,
    SHT_NOTE, SHT_PREINIT_ARRAY, SHT_PROGBITS, SectionHeader32,
};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable};

/// The layout of the file's own structures.
pub type Header = FileHeader32<LittleEndian>;

/// What of an ELF file takes up memory, and where the rest of it is found.
pub struct Elf<'data> {
    /// The whole file.
    pub bytes: &'data [u8],
    /// The loadable segments, in the order of the program headers.
    pub segments: Vec<Segment<'data>>,
    /// The allocated sections, in file order, empty ones left out.
    pub sections: Vec<Section<'data>>,
    /// All sections, for symbols and debug information.
    pub table: SectionTable<'data, Header>,
}

/// A loadable segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'data> {
    /// Where it is at run time (`p_vaddr`).
    pub address: u64,
    /// Where its content is loaded (`p_paddr`); means nothing for one without content.
    pub load_address: u64,
    /// Its content in the file, which may be shorter than the segment is at run time.
    pub content: &'data [u8],
    /// Where that begins in the file.
    offset: u64,
}

/// A section that takes up memory in the running image.
#[derive(Clone, Debug)]
pub struct Section<'data> {
    /// Its name.
    pub name: String,
    /// Where it is at run time (VMA).
    pub address: u64,
    /// Where its content is loaded (LMA); none for a section without content in the file.
    pub load_address: Option<u64>,
    /// Its length in bytes, never zero.
    pub size: u64,
    /// Whether it holds instructions.
    pub executable: bool,
    /// Its content in the file.
    pub content: &'data [u8],
}

impl<'data> Elf<'data> {
    /// Reads an image.
    ///
    /// # Errors
    ///
    /// When the bytes are no linked 32-bit little-endian ARM ELF image, are cut short, or have an
    /// allocated section that no loader would know what to do with.
    pub fn parse(bytes: &'data [u8]) -> anyhow::Result<Self> {
        check_identity(bytes)?;
        let header = Header::parse(bytes).context("damaged ELF header")?;
        let kind = header.e_type(LittleEndian);
        ensure!(
            kind == ET_EXEC,
            "not linked into an image (ELF type {kind})"
        );
        let segments = segments(header, bytes)?;
        let table = header
            .sections(LittleEndian, bytes)
            .context("damaged or truncated section table")?;
        ensure!(!table.is_empty(), "no section table");
        let mut sections = Vec::new();
        for section in table.iter() {
            let is_allocated = section.sh_flags(LittleEndian).contains(SHF_ALLOC);
            if is_allocated && section.sh_size(LittleEndian) > 0 {
                let name = table.section_name(LittleEndian, section);
                let name = name.context("damaged section name")?;
                let name = String::from_utf8_lossy(name).into_owned();
                sections.push(allocated(bytes, &segments, name, section)?);
            }
        }
        Ok(Self {
            bytes,
            segments,
            sections,
            table,
        })
    }
}

fn segments<'data>(header: &Header, bytes: &'data [u8]) -> anyhow::Result<Vec<Segment<'data>>> {
    let headers = header
        .program_headers(LittleEndian, bytes)
        .context("damaged or truncated program headers")?;
    let mut segments = Vec::new();
    for (number, segment) in headers.iter().enumerate() {
        if segment.p_type(LittleEndian) != PT_LOAD {
            continue;
        }
        let content = segment.data(LittleEndian, bytes);
        let content = content
            .ok()
            .with_context(|| format!("truncated in segment {number}"))?;
        let size = u64::from(segment.p_memsz(LittleEndian));
        ensure!(
            content.len() as u64 <= size,
            "segment {number} has {} bytes of content for {size} bytes of memory",
            content.len()
        );
        segments.push(Segment {
            address: segment.p_vaddr(LittleEndian).into(),
            load_address: segment.p_paddr(LittleEndian).into(),
            content,
            offset: segment.p_offset(LittleEndian).into(),
        });
    }
    Ok(segments)
}

fn allocated<'data>(
    bytes: &'data [u8],
    segments: &[Segment],
    name: String,
    section: &SectionHeader32<LittleEndian>,
) -> anyhow::Result<Section<'data>> {
    let kind = section.sh_type(LittleEndian);
    let flags = section.sh_flags(LittleEndian);
    let is_known = matches!(
        kind,
        SHT_PROGBITS
            | SHT_NOBITS
            | SHT_INIT_ARRAY
            | SHT_FINI_ARRAY
            | SHT_PREINIT_ARRAY
            | SHT_ARM_EXIDX
            | SHT_NOTE
    );
    ensure!(
        is_known && !flags.contains(SHF_TLS),
        "unknown allocated section {name} (type {:#x}, flags {:#x})",
        kind.0,
        flags.0
    );
    let content = section.data(LittleEndian, bytes);
    let content = content
        .ok()
        .with_context(|| format!("truncated in section {name}"))?;
    let address = u64::from(section.sh_addr(LittleEndian));
    let size = u64::from(section.sh_size(LittleEndian));
    let load_address = if kind == SHT_NOBITS {
        None
    } else {
        let offset = section.sh_offset(LittleEndian).into();
        Some(load_address(segments, &name, address, size, offset)?)
    };
    Ok(Section {
        name,
        address,
        load_address,
        size,
        executable: flags.contains(SHF_EXECINSTR),
        content,
    })
}

/// Where the segment that holds a section has its content loaded.
fn load_address(
    segments: &[Segment],
    name: &str,
    address: u64,
    size: u64,
    offset: u64,
) -> anyhow::Result<u64> {
    let holds = |segment: &&Segment| {
        let end = segment.address + segment.content.len() as u64;
        segment.address <= address && address + size <= end
    };
    let mut holding = segments.iter().filter(holds).peekable();
    if holding.peek().is_none() {
        bail!("unknown allocated section {name}: its content is in no loadable segment");
    }
    let same_bytes = |segment: &&Segment| segment.offset + (address - segment.address) == offset;
    let segment = holding.find(same_bytes).with_context(|| {
        format!("section {name} and the segment it is in hold different bytes of the file")
    })?;
    Ok(segment.load_address + (address - segment.address))
}

/// Refuses what is not a 32-bit little-endian ARM ELF file, saying what it is instead.
fn check_identity(bytes: &[u8]) -> anyhow::Result<()> {
    ensure!(bytes.starts_with(b"\x7fELF"), "not an ELF file");
    ensure!(bytes.len() >= 20, "truncated in the ELF header");
    let class = match bytes[4] {
        1 => "32-bit",
        2 => "64-bit",
        other => bail!("unknown ELF class {other}"),
    };
    let (order, machine) = match bytes[5] {
        1 => ("little-endian", u16::from_le_bytes([bytes[18], bytes[19]])),
        2 => ("big-endian", u16::from_be_bytes([bytes[18], bytes[19]])),
        other => bail!("unknown ELF byte order {other}"),
    };
    let machine = match Machine(machine) {
        EM_ARM => "ARM",
        EM_AARCH64 => "AArch64",
        EM_386 => "x86",
        EM_X86_64 => "x86-64",
        EM_RISCV => "RISC-V",
        Machine(other) => {
            bail!("an ELF file for machine {other}, not for 32-bit little-endian ARM")
        }
    };
    ensure!(
        (class, order, machine) == ("32-bit", "little-endian", "ARM"),
        "a {class} {order} ELF file for {machine}, not for 32-bit little-endian ARM"
    );
    Ok(())
}
