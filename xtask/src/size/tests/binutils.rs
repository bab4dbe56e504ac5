//! What binutils says of the same images.

use std::path::Path;
use std::process::Command;

use super::fixture::{image, reference};
use super::*;

/// Text, data and bss as `arm-none-eabi-size` prints them, where it is installed.
fn size(path: &Path) -> Option<(u64, u64, u64)> {
    let output = Command::new("arm-none-eabi-size").arg(path).output().ok()?;
    let output = String::from_utf8(output.stdout).unwrap();
    let row = output.lines().nth(1).unwrap();
    let mut figures = row.split_whitespace().map(|word| word.parse().unwrap());
    Some((figures.next()?, figures.next()?, figures.next()?))
}

#[test]
fn the_reference_image_is_sized_as_binutils_does_where_binutils_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.elf");
    let plain = reference();
    let plain = plain.into_iter().filter(|section| section.name != ".itcm");
    let bytes = image(&plain.collect::<Vec<_>>());
    std::fs::write(&path, &bytes).unwrap();
    let Some((text, data, bss)) = size(&path) else {
        eprintln!("skipped: arm-none-eabi-size is not installed");
        return;
    };
    let ours = account(&bytes);
    assert_eq!(ours.flash_content_bytes(), text + data);
    // It counts memory that is set aside as bss.
    let ram = ours.static_ram_bytes() + ours.reserved_bytes();
    assert_eq!(ram, data + bss);
}
