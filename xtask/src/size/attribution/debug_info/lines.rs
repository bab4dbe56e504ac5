//! Code by the source files of its lines.

use super::CompiledUnit;
use crate::size::attribution::extents::Claim;
use crate::size::attribution::origin::Origin;

impl CompiledUnit<'_, '_> {
    /// Adds what the unit's line table says. Code without a line, or of files of no package, is left out.
    pub(super) fn lines(&mut self, lines: &mut Vec<Claim<Origin>>) -> gimli::Result<()> {
        let Some(program) = self.unit.line_program.clone() else {
            return Ok(());
        };
        let mut rows = program.rows();
        let mut sequence = Sequence::default();
        while let Some((header, row)) = rows.next_row()? {
            let origin = if row.end_sequence() || row.line().is_none() {
                None
            } else {
                self.origin_of_file(header, row.file_index())
            };
            sequence.add(row.address(), origin);
            if row.end_sequence() {
                sequence.take_into(lines);
            }
        }
        Ok(())
    }
}

/// Code that lies together, in the order of its addresses.
#[derive(Default)]
struct Sequence {
    claims: Vec<Claim<Origin>>,
    start: Option<u64>,
    open: Option<(u64, Option<Origin>)>,
}

impl Sequence {
    /// From this address on, code is of that origin.
    fn add(&mut self, address: u64, origin: Option<Origin>) {
        self.start.get_or_insert(address);
        if self.open.as_ref().is_some_and(|(_, open)| *open == origin) {
            return;
        }
        self.close(address);
        self.open = Some((address, origin));
    }

    fn close(&mut self, end: u64) {
        if let Some((start, Some(what))) = self.open.take() {
            self.claims.push(Claim { start, end, what });
        }
    }

    /// Ends the sequence. Linkers leave the lines of code that they drop at address 0, where the part
    /// has the memory for its fastest code: what begins there is left to the symbols.
    fn take_into(&mut self, lines: &mut Vec<Claim<Origin>>) {
        let sequence = std::mem::take(self);
        if sequence.start != Some(0) {
            lines.extend(sequence.claims);
        }
    }
}
