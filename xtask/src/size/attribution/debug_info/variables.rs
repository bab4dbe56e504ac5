//! Variables by the files that declare them, and by crate the tables of methods, which no symbol names.

use std::collections::HashMap;

use gimli::{AttributeValue, Operation, UnitOffset, constants};

use super::{CompiledUnit, Entry, Variable};
use crate::size::attribution::origin::Origin;

/// A table of methods: its address, the crate of the type that it is for, and its length.
pub(super) type Vtable = (u64, String, Option<u64>);

impl<'data> CompiledUnit<'_, 'data> {
    /// Notes a variable, if it has a fixed address.
    pub(super) fn variable(
        &mut self,
        entry: &Entry<'data>,
        variables: &mut HashMap<u64, Variable>,
        vtables: &mut Vec<Vtable>,
    ) -> gimli::Result<()> {
        let Some(address) = self.address(entry)? else {
            return Ok(());
        };
        let size = self.size(entry);
        match self.vtable_crate(entry) {
            Some(name) => vtables.push((address, name, size)),
            None => {
                let origin = self.declared_in(entry);
                variables.insert(address, Variable { origin, size });
            }
        }
        Ok(())
    }

    /// The address of a variable that always has the same one; none for 0, where linkers leave what they
    /// dropped.
    fn address(&self, entry: &Entry<'data>) -> gimli::Result<Option<u64>> {
        let location = entry.attr_value(constants::DW_AT_location);
        let Some(AttributeValue::Exprloc(expression)) = location else {
            return Ok(None);
        };
        let mut operations = expression.operations(self.unit.encoding());
        let address = match operations.next()? {
            Some(Operation::Address { address }) => address,
            Some(Operation::AddressIndex { index }) => self.dwarf.address(self.unit, index)?,
            _ => return Ok(None),
        };
        Ok(Some(address).filter(|address| *address != 0))
    }

    /// The package of the file that declares a variable, or of the unit's own.
    fn declared_in(&mut self, entry: &Entry<'data>) -> Option<Origin> {
        let declared = self.origin_of_attribute(entry, constants::DW_AT_decl_file);
        declared.or_else(|| self.packages.of_path(&self.absolute(&self.name())))
    }

    /// The length of a variable whose type says it without more ado.
    fn size(&self, entry: &Entry<'data>) -> Option<u64> {
        let AttributeValue::UnitRef(offset) = entry.attr_value(constants::DW_AT_type)? else {
            return None;
        };
        self.byte_size(offset)
    }

    fn byte_size(&self, offset: UnitOffset) -> Option<u64> {
        let entry = self.unit.entry(offset).ok()?;
        entry.attr_value(constants::DW_AT_byte_size)?.udata_value()
    }

    /// The crate of the type that a table of methods is for: rustc names it `<TYPE as TRAIT>::{vtable}`.
    fn vtable_crate(&self, entry: &Entry<'data>) -> Option<String> {
        let name = entry.attr_value(constants::DW_AT_name)?;
        let name = self.dwarf.attr_string(self.unit, name).ok()?;
        let name = name.to_string_lossy();
        let of_type = name
            .strip_suffix("::{vtable}")?
            .trim_start_matches(['<', '&', '*']);
        let end = of_type.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let (name, rest) = of_type.split_at(end);
        let name = if rest.starts_with("::") { name } else { "core" };
        Some(name.to_string())
    }
}
