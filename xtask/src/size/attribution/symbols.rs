//! The symbols of an image.

use anyhow::Context;
use object::LittleEndian;
use object::elf::{SHF_ALLOC, SHT_SYMTAB, STT_FILE, STT_FUNC, STT_OBJECT, Sym32};
use object::read::SectionIndex;
use object::read::elf::{SectionHeader, Sym, SymbolTable};
use serde::Serialize;

use crate::size::elf::{Elf, Header};

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SymbolKind {
    /// A function.
    Function,
    /// Data.
    Object,
    /// Something with a length that the symbol does not tell.
    Untyped,
}

/// A symbol with a length.
#[derive(Clone, Debug)]
pub struct Symbol<'data> {
    /// Its name as it is in the file.
    pub name: &'data str,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Where it is at run time, without the bit that says Thumb.
    pub address: u64,
    /// Its length in bytes.
    pub size: u64,
}

/// What the symbol table says.
#[derive(Clone, Debug, Default)]
pub struct Symbols<'data> {
    /// The symbols with a length, in the order of the table.
    pub sized: Vec<Symbol<'data>>,
    /// Addresses from which on memory is of the object file of that name, by address: from the mapping
    /// symbols (`$t`, `$d`, `$a`) that follow a file's symbol.
    files: Vec<(u64, &'data str)>,
}

impl<'data> Symbols<'data> {
    /// Reads the table; an image without one has no symbols.
    ///
    /// # Errors
    ///
    /// A table that is damaged.
    pub fn read(elf: &Elf<'data>) -> anyhow::Result<Self> {
        let table = elf.table.symbols(LittleEndian, elf.bytes, SHT_SYMTAB);
        let table: SymbolTable<Header> = table.context("damaged symbol table")?;
        let mut symbols = Self::default();
        let mut file = None;
        for symbol in table.iter() {
            let name = symbol.name(LittleEndian, table.strings());
            let name = name.context("damaged name of a symbol")?;
            let name = std::str::from_utf8(name).unwrap_or_default();
            let value = u64::from(symbol.st_value(LittleEndian));
            let kind = symbol.st_type();
            if kind == STT_FILE {
                file = Some(name);
                continue;
            }
            if let Some(file) = file.filter(|_| is_mapping(name)) {
                symbols.files.push((value, file));
            }
            let size = u64::from(symbol.st_size(LittleEndian));
            if size == 0 || !is_in_memory(elf, symbol) {
                continue;
            }
            let (kind, address) = match kind {
                STT_FUNC => (SymbolKind::Function, value & !1),
                STT_OBJECT => (SymbolKind::Object, value),
                _ => (SymbolKind::Untyped, value),
            };
            symbols.sized.push(Symbol {
                name,
                kind,
                address,
                size,
            });
        }
        symbols.files.sort_by_key(|(address, _)| *address);
        Ok(symbols)
    }

    /// The object file whose memory a symbol is in, as far as mapping symbols tell.
    pub fn file_of(&self, symbol: &Symbol) -> Option<&'data str> {
        let behind = self
            .files
            .partition_point(|(address, _)| *address <= symbol.address);
        let (_, file) = self.files[..behind].last()?;
        Some(file)
    }
}

/// Whether a symbol is of an allocated section. Those of others have addresses that mean nothing in
/// memory: defmt's strings begin at 0.
fn is_in_memory(elf: &Elf, symbol: &Sym32<LittleEndian>) -> bool {
    let index = symbol.st_shndx(LittleEndian);
    let section = elf.table.section(SectionIndex(index.0.into()));
    section.is_ok_and(|section| section.sh_flags(LittleEndian).contains(SHF_ALLOC))
}

/// Whether the name is of a mapping symbol (Arm ELF, IHI 0044 §5.5.5), which says of what kind the
/// bytes from there on are.
fn is_mapping(name: &str) -> bool {
    let mut parts = name.splitn(2, '.');
    matches!(parts.next(), Some("$a" | "$t" | "$d"))
}
