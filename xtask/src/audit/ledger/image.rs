//! Sizes and source lines.

use std::collections::BTreeSet;

use super::super::node::Node;
use super::{Book, Checked};

/// What an image is made of.
const SECTIONS: [&str; 7] = [
    "vector_table_bytes",
    "text_bytes",
    "rodata_bytes",
    "data_bytes",
    "bss_bytes",
    "uninit_bytes",
    "reserved_bytes",
];
/// The flash of the STM32H723ZG (RM0468 §4.2) and all its RAM (§2.4), in bytes.
const FLASH_BYTES: u128 = 1 << 20;
const RAM_BYTES: u128 = 564 << 10;
/// The tables of vectors are those of the core's sixteen exceptions and of the part's interrupts.
const BYTES_PER_VECTOR: u128 = 4;

/// Checks the sizes of one image.
pub fn check_sizes(book: &mut Book, file: &Node) -> Checked {
    let sections = &file.get("sections")?;
    let bytes = SECTIONS.map(|name| sections.number(name));
    let mut known = [0; SECTIONS.len()];
    for (known, bytes) in known.iter_mut().zip(bytes) {
        *known = bytes?;
    }
    let [vectors, text, rodata, data, bss, uninit, _] = known;
    book.equal(
        sections,
        "a vector has 4 bytes",
        vectors % BYTES_PER_VECTOR,
        0,
    );
    book.at_most(sections, "1 <= text_bytes", 1, text);
    let flash = vectors + text + rodata + data;
    book.at_most(sections, "flash <= 1 MiB", flash, FLASH_BYTES);
    book.at_most(
        sections,
        "static RAM <= 564 KiB",
        data + bss + uninit,
        RAM_BYTES,
    );
    Ok(())
}

/// Checks the source lines of one image.
pub fn check_lines(book: &mut Book, file: &Node) -> Checked {
    let files = &file.get("files")?;
    let mut paths = BTreeSet::new();
    for of_file in files.items()? {
        let (path, role) = (of_file.text("path")?, of_file.text("role")?);
        // One file can have lines of two roles: those of its entry and those of bring-up.
        book.holds(
            &of_file,
            "one entry a path and role",
            paths.insert((path, role)),
        );
        for lines in ["code_lines", "tokei_code_lines", "test_lines"] {
            of_file.number(lines)?;
        }
    }
    book.at_most(files, "1 <= files", 1, paths.len() as u128);
    Ok(())
}
