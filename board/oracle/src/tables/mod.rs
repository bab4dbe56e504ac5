//! The encodings of ARMv7E-M with FPv5-D16, from the ARMv7-M architecture reference manual (DDI 0403E,
//! chapters A5 to A7). Where two rows match, the first one holds.

mod control;
mod data;
mod float;
mod memory;
mod multiply;
mod narrow;

use crate::encoding::Encoding;

/// Every row, 16-bit encodings first.
pub fn all() -> Vec<Encoding> {
    let mut rows = narrow::rows();
    rows.extend(control::rows());
    rows.extend(data::rows());
    rows.extend(multiply::rows());
    rows.extend(memory::rows());
    rows.extend(float::rows());
    rows
}

/// The first row that matches.
pub fn find(rows: &[Encoding], bits: u32, width: u32) -> Option<&Encoding> {
    rows.iter().find(|row| row.matches(bits, width))
}
