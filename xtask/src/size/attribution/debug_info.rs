//! What DWARF says of code and of variables.

mod inlined;
mod lines;
mod variables;

use std::collections::{HashMap, HashSet};

use anyhow::Context;
use gimli::{
    AttributeValue, DebuggingInformationEntry, DwAt, Dwarf, EndianSlice, LineProgramHeader,
    LittleEndian, SectionId, Unit, constants,
};
use object::read::elf::SectionHeader;

use super::crates::Crates;
use super::extents::Claim;
use super::origin::Origin;
use super::packages::Packages;
use crate::size::elf::Elf;

type Slice<'data> = EndianSlice<'data, LittleEndian>;

type Entry<'data> = DebuggingInformationEntry<Slice<'data>>;

/// What DWARF says.
#[derive(Debug, Default)]
pub struct DebugInfo {
    /// Code, by the source files of its lines, which are those of inlined functions where there are any.
    /// Lines of the language's own libraries that were inlined count for who called them.
    pub code: Vec<Claim<Origin>>,
    /// Variables by their addresses, and their lengths where the type has one itself.
    pub variables: HashMap<u64, Variable>,
    /// The crates that were compiled.
    pub crates: Crates,
    /// The source files that were compiled with debug information, without their folders.
    pub files: HashSet<String>,
}

/// A variable in memory.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The package of the file that declares it.
    pub origin: Option<Origin>,
    /// Its length in bytes.
    pub size: Option<u64>,
}

impl DebugInfo {
    /// Reads the debug information of an image; one without any gives nothing.
    ///
    /// # Errors
    ///
    /// Debug information that is damaged.
    pub fn read(elf: &Elf, packages: &Packages) -> anyhow::Result<Self> {
        let mut found = Self::default();
        found
            .fill(elf, packages)
            .context("damaged debug information")?;
        Ok(found)
    }

    fn fill(&mut self, elf: &Elf, packages: &Packages) -> gimli::Result<()> {
        let dwarf = Dwarf::load(|id| Ok::<_, gimli::Error>(section(elf, id)))?;
        let mut units = dwarf.units();
        let (mut lines, mut calls, mut vtables) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(header) = units.next()? {
            let unit = dwarf.unit(header)?;
            let mut compiled = CompiledUnit::new(&dwarf, &unit, packages);
            if let Some((name, origin)) = compiled.crate_and_origin() {
                self.crates.add(&name, origin);
            }
            let name = compiled.name();
            let file = name.rsplit('/').next().unwrap_or_default();
            self.files.insert(file.to_string());
            compiled.lines(&mut lines)?;
            let mut entries = unit.entries();
            while let Some(entry) = entries.next_dfs()? {
                match entry.tag() {
                    constants::DW_TAG_subprogram => compiled.function(entry)?,
                    constants::DW_TAG_inlined_subroutine => {
                        compiled.inlined_call(entry, &mut calls)?;
                    }
                    constants::DW_TAG_variable => {
                        compiled.variable(entry, &mut self.variables, &mut vtables)?;
                    }
                    _ => {}
                }
            }
            for origin in compiled.files.into_values().flatten() {
                self.crates
                    .add_if_new(&origin.name().replace('-', "_"), origin.clone());
            }
        }
        let is_language = |line: &Claim<Origin>| matches!(line.what, Origin::Language(_));
        let (of_language, of_packages) = lines.into_iter().partition(is_language);
        calls.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
        self.code = of_packages;
        self.code.extend(calls.into_iter().map(|(_, call)| call));
        self.code.extend::<Vec<_>>(of_language);
        // Only now are all crates known.
        for (address, name, size) in vtables {
            let origin = self.crates.origin(&name, packages);
            let variable = Variable {
                origin: Some(origin),
                size,
            };
            self.variables.entry(address).or_insert(variable);
        }
        Ok(())
    }
}

/// The content of a debug section; nothing where there is none, or where it is compressed.
fn section<'data>(elf: &Elf<'data>, id: SectionId) -> Slice<'data> {
    let endian = object::LittleEndian;
    let found = elf.table.section_by_name(endian, id.name().as_bytes());
    let found = found.map(|(_, section)| section).filter(|section| {
        let flags = section.sh_flags(endian);
        !flags.contains(object::elf::SHF_COMPRESSED)
    });
    let data = found.and_then(|section| section.data(endian, elf.bytes).ok());
    EndianSlice::new(data.unwrap_or_default(), LittleEndian)
}

/// A compilation unit and the packages of its files, as far as they were asked for.
struct CompiledUnit<'a, 'data> {
    dwarf: &'a Dwarf<Slice<'data>>,
    unit: &'a Unit<Slice<'data>>,
    packages: &'a Packages,
    files: HashMap<u64, Option<Origin>>,
    /// Whether the linker dropped the function whose entries are read.
    is_dropped: bool,
}

impl<'a, 'data> CompiledUnit<'a, 'data> {
    fn new(
        dwarf: &'a Dwarf<Slice<'data>>,
        unit: &'a Unit<Slice<'data>>,
        packages: &'a Packages,
    ) -> Self {
        Self {
            dwarf,
            unit,
            packages,
            files: HashMap::new(),
            is_dropped: false,
        }
    }

    /// The crate that the unit was made from and its package: rustc names a unit `PATH/@/CRATE.HASH`.
    fn crate_and_origin(&self) -> Option<(String, Origin)> {
        let name = self.name();
        let (path, unit) = name.split_once("/@/")?;
        let origin = self.packages.of_path(&self.absolute(path))?;
        let name = unit.split('.').next()?;
        Some((name.to_string(), origin))
    }

    fn name(&self) -> String {
        let name = self
            .unit
            .name
            .map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_default()
    }

    /// The package of the file that an attribute of an entry names.
    fn origin_of_attribute(&mut self, entry: &Entry<'data>, name: DwAt) -> Option<Origin> {
        let AttributeValue::FileIndex(index) = entry.attr_value(name)? else {
            return None;
        };
        let program = self.unit.line_program.as_ref()?;
        self.origin_of_file(program.header(), index)
    }

    /// The package of one of the unit's files.
    fn origin_of_file(
        &mut self,
        header: &LineProgramHeader<Slice<'data>>,
        index: u64,
    ) -> Option<Origin> {
        if let Some(known) = self.files.get(&index) {
            return known.clone();
        }
        let path = self.path_of_file(header, index);
        let origin = path.and_then(|path| self.packages.of_path(&path));
        self.files.insert(index, origin.clone());
        origin
    }

    fn path_of_file(&self, header: &LineProgramHeader<Slice<'data>>, index: u64) -> Option<String> {
        let file = header.file(index)?;
        let text = |value| {
            let slice = self.dwarf.attr_string(self.unit, value).ok()?;
            Some(slice.to_string_lossy().into_owned())
        };
        let name = text(file.path_name())?;
        let folder = file.directory(header).and_then(text).unwrap_or_default();
        Some(self.absolute(&joined(&folder, &name)))
    }

    /// A path as seen from the folder that the compiler ran in.
    fn absolute(&self, path: &str) -> String {
        let folder = self
            .unit
            .comp_dir
            .map(|folder| folder.to_string_lossy().into_owned());
        joined(&folder.unwrap_or_default(), path)
    }
}

fn joined(folder: &str, path: &str) -> String {
    let is_absolute = path.starts_with('/') || folder.is_empty();
    if is_absolute {
        path.to_string()
    } else {
        format!("{folder}/{path}")
    }
}
