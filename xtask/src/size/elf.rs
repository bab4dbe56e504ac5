//! Reads the sections of a linked 32-bit ARM image.

use anyhow::{Context, bail, ensure};
use object::LittleEndian;
use object::elf::{
    EM_386, EM_AARCH64, EM_ARM, EM_RISCV, EM_X86_64, ET_EXEC, FileHeader32, Machine, PT_LOAD,
    SHF_ALLOC, SHF_EXECINSTR, SHT_NOBITS,
};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};

/// A section that takes up memory in the running image.
#[derive(Clone, Debug)]
pub struct Section {
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
}

type Header = FileHeader32<LittleEndian>;

/// The allocated sections of an image, in file order, empty ones left out.
///
/// # Errors
///
/// When the bytes are no linked 32-bit little-endian ARM ELF image, or are cut short.
pub fn allocated_sections(bytes: &[u8]) -> anyhow::Result<Vec<Section>> {
    check_identity(bytes)?;
    let endian = LittleEndian;
    let header = Header::parse(bytes).context("damaged ELF header")?;
    ensure!(
        header.e_type(endian) == ET_EXEC,
        "not linked into an image (ELF type {})",
        header.e_type(endian)
    );
    let segments = header
        .program_headers(endian, bytes)
        .context("damaged or truncated program headers")?;
    let table = header
        .sections(endian, bytes)
        .context("damaged or truncated section table")?;
    ensure!(!table.is_empty(), "no section table");
    let mut sections = Vec::new();
    for section in table.iter() {
        let size = u64::from(section.sh_size(endian));
        if !section.sh_flags(endian).contains(SHF_ALLOC) || size == 0 {
            continue;
        }
        let name = table
            .section_name(endian, section)
            .context("damaged section name")?;
        let name = String::from_utf8_lossy(name).into_owned();
        section
            .data(endian, bytes)
            .with_context(|| format!("truncated in section {name}"))?;
        let address = u64::from(section.sh_addr(endian));
        let load_address = if section.sh_type(endian) == SHT_NOBITS {
            None
        } else {
            Some(load_address(segments, address, size).with_context(|| {
                format!("section {name} is allocated but in no loadable segment")
            })?)
        };
        sections.push(Section {
            executable: section.sh_flags(endian).contains(SHF_EXECINSTR),
            name,
            address,
            load_address,
            size,
        });
    }
    Ok(sections)
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

fn load_address(
    segments: &[object::elf::ProgramHeader32<LittleEndian>],
    address: u64,
    size: u64,
) -> Option<u64> {
    let endian = LittleEndian;
    segments.iter().find_map(|segment| {
        let start = u64::from(segment.p_vaddr(endian));
        let end = start + u64::from(segment.p_memsz(endian));
        let holds = segment.p_type(endian) == PT_LOAD && start <= address && address + size <= end;
        holds.then(|| u64::from(segment.p_paddr(endian)) + address - start)
    })
}
