//! Names of addresses.

use std::ops::Range;

use object::Endianness;
use object::elf::{FileHeader32, STT_FUNC, STT_NOTYPE, STT_OBJECT};
use object::read::elf::{FileHeader, Sym};

use crate::elf::ElfError;

/// A function and the distance from its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub function: String,
    pub offset: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}+{:#x}", self.function, self.offset)
    }
}

#[derive(Clone, Debug)]
struct Symbol {
    /// Of a function without the Thumb bit.
    address: u32,
    size: u32,
    is_function: bool,
    /// As the linker knows it, mangled.
    name: String,
}

/// The symbol table, sorted by address.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    sorted: Vec<Symbol>,
}

impl Symbols {
    pub(super) fn parse(
        header: &FileHeader32<Endianness>,
        endian: Endianness,
        file: &[u8],
    ) -> Result<Self, ElfError> {
        let sections = header.sections(endian, file)?;
        let table = sections.symbols(endian, file, object::elf::SHT_SYMTAB)?;
        let mut sorted = Vec::new();
        for symbol in table.iter() {
            let kind = symbol.st_type();
            let name = symbol.name(endian, table.strings())?;
            if symbol.is_undefined(endian) || name.is_empty() || name[0] == b'$' {
                continue;
            }
            if !matches!(kind, STT_FUNC | STT_OBJECT | STT_NOTYPE) {
                continue;
            }
            let is_function = kind == STT_FUNC;
            let thumb_bit = u32::from(is_function);
            sorted.push(Symbol {
                address: symbol.st_value(endian) & !thumb_bit,
                size: symbol.st_size(endian),
                is_function,
                name: String::from_utf8_lossy(name).into_owned(),
            });
        }
        sorted.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        Ok(Self { sorted })
    }

    /// The address of the symbol that the linker knows as `name`.
    pub fn address(&self, name: &str) -> Option<u32> {
        let symbol = self.sorted.iter().find(|symbol| symbol.name == name)?;
        Some(symbol.address)
    }

    /// The code of the function whose demangled path is `path` or ends in `::path`.
    pub fn function(&self, path: &str) -> Option<Range<u32>> {
        let mut functions = self.sorted.iter().filter(|symbol| symbol.is_function);
        let function = functions.find(|symbol| {
            demangle(&symbol.name)
                .strip_suffix(path)
                .is_some_and(|before| before.is_empty() || before.ends_with("::"))
        })?;
        Some(function.address..function.address + function.size)
    }

    /// The function that contains `address`.
    pub fn locate(&self, address: u32) -> Option<Place> {
        let behind = self
            .sorted
            .partition_point(|symbol| symbol.address <= address);
        let before = self.sorted[..behind].iter().rev();
        let symbol = before
            .filter(|symbol| symbol.is_function)
            .find(|symbol| address - symbol.address < symbol.size.max(2))?;
        Some(Place {
            function: demangle(&symbol.name),
            offset: address - symbol.address,
        })
    }
}

fn demangle(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}
