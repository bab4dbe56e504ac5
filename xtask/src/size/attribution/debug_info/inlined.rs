//! Who asked for code of the language's own libraries that was inlined.

use gimli::constants;

use super::{CompiledUnit, Entry};
use crate::size::attribution::extents::Claim;
use crate::size::attribution::origin::Origin;

/// Code that was inlined, how deep it lies within other inlined code, and the package that calls it.
pub(super) type InlinedCall = (isize, Claim<Origin>);

impl<'data> CompiledUnit<'_, 'data> {
    /// Notes whether the function that follows is one that the linker dropped: it leaves those at
    /// address 0, where other code may be.
    pub(super) fn function(&mut self, entry: &Entry<'data>) -> gimli::Result<()> {
        let first = self.dwarf.die_ranges(self.unit, entry)?.next()?;
        self.is_dropped = first.is_some_and(|range| range.begin == 0);
        Ok(())
    }

    /// Notes where inlined code of the function is, unless it is called from the language's own
    /// libraries.
    pub(super) fn inlined_call(
        &mut self,
        entry: &Entry<'data>,
        calls: &mut Vec<InlinedCall>,
    ) -> gimli::Result<()> {
        let caller = self.origin_of_attribute(entry, constants::DW_AT_call_file);
        if self.is_dropped {
            return Ok(());
        }
        let Some(what) = caller.filter(|origin| !matches!(origin, Origin::Language(_))) else {
            return Ok(());
        };
        let mut ranges = self.dwarf.die_ranges(self.unit, entry)?;
        while let Some(range) = ranges.next()? {
            let (start, end) = (range.begin, range.end);
            let what = what.clone();
            calls.push((entry.depth(), Claim { start, end, what }));
        }
        Ok(())
    }
}
