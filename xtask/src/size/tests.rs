use std::process::Command;

use proptest::prelude::*;

use super::fixture::{content, image, no_bits, reference};
use crate::metadata::RegionKind;

use super::*;

fn regions() -> Vec<Region> {
    let region = |name: &str, origin, length, kind| Region {
        name: name.to_string(),
        origin,
        length,
        kind,
    };
    vec![
        region("ITCM", 0, 0x1_0000, RegionKind::Ram),
        region("FLASH", 0x0800_0000, 0x10_0000, RegionKind::Flash),
        region("DTCM", 0x2000_0000, 0x2_0000, RegionKind::Ram),
        region("AXISRAM", 0x2400_0000, 0x5_0000, RegionKind::Ram),
        region("SRAM1", 0x3000_0000, 0x4000, RegionKind::Ram),
        region("SRAM2", 0x3000_4000, 0x4000, RegionKind::Ram),
    ]
}

fn refusal(bytes: &[u8]) -> String {
    format!("{:#}", measure(bytes, &regions()).unwrap_err())
}

fn misplaced(sections: &[fixture::Sketch]) -> String {
    format!("{:#}", measure(&image(sections), &regions()).unwrap_err())
}

#[test]
fn the_reference_image_has_its_known_sizes() {
    let sizes = measure(&image(&reference()), &regions()).unwrap();
    assert_eq!(
        sizes,
        Sizes {
            vector_table: 8,
            text: 98,
            rodata: 3,
            data: 12 + 64,
            bss: 20 + 256,
            uninit: 40,
            reserved: 1536,
        }
    );
    assert_eq!(sizes.flash_bytes(), 185);
    assert_eq!(sizes.static_ram_bytes(), 392);
}

#[test]
fn the_physical_address_of_memory_without_content_counts_for_nothing() {
    let lld = |section: fixture::Sketch| match section.kind {
        object::elf::SHT_NOBITS => fixture::Sketch {
            load_address: section.address,
            ..section
        },
        _ => section,
    };
    let gnu = measure(&image(&reference()), &regions()).unwrap();
    let lld: Vec<_> = reference().into_iter().map(lld).collect();
    assert_eq!(measure(&image(&lld), &regions()).unwrap(), gnu);
}

#[test]
fn an_unwind_table_is_constant_data() {
    let mut exidx = content(".ARM.exidx", false, 0x0800_0010, 0x0800_0010, 8);
    exidx.kind = object::elf::SHT_ARM_EXIDX;
    let sizes = measure(&image(&[exidx]), &regions()).unwrap();
    assert_eq!((sizes.rodata, sizes.flash_bytes()), (8, 8));
}

#[test]
fn memory_for_the_stack_is_in_no_sum() {
    let sizes = measure(
        &image(&[no_bits(".stack", 0x2000_0000, 0x2000_0000, 64)]),
        &regions(),
    )
    .unwrap();
    assert_eq!((sizes.reserved, sizes.static_ram_bytes()), (64, 0));
}

#[test]
fn what_is_no_image_of_the_part_is_refused_with_what_it_is() {
    assert_eq!(refusal(b""), "not an ELF file");
    assert_eq!(refusal(b"#!/bin/sh\n"), "not an ELF file");
    assert_eq!(refusal(b"\x7fELF\x01\x01"), "truncated in the ELF header");
    let good = image(&reference());
    let changed = |offset: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[offset] = value;
        refusal(&bytes)
    };
    assert_eq!(
        changed(18, 62),
        "a 32-bit little-endian ELF file for x86-64, not for 32-bit little-endian ARM"
    );
    assert_eq!(
        changed(4, 2),
        "a 64-bit little-endian ELF file for ARM, not for 32-bit little-endian ARM"
    );
    assert!(changed(18, 99).starts_with("an ELF file for machine 99"));
    assert_eq!(changed(16, 1), "not linked into an image (ELF type 1)");
    assert_eq!(changed(5, 3), "unknown ELF byte order 3");
}

#[test]
fn content_that_is_loaded_into_ram_is_refused() {
    let error = misplaced(&[content(".uninit", true, 0x2000_0000, 0x2000_0000, 40)]);
    assert!(
        error.starts_with("section .uninit is loaded into DTCM at 0x20000000"),
        "{error}"
    );
}

#[test]
fn what_does_not_fit_the_part_is_refused() {
    let long = content(".text", false, 0x080f_fff0, 0x080f_fff0, 17);
    assert_eq!(
        misplaced(&[long]),
        "section .text does not fit the part's memory: no region holds 0x080ffff0 to 0x08100001"
    );
    let data = content(".data", true, 0x2000_0000, 0x080f_fff8, 9);
    assert!(misplaced(&[data]).starts_with("the content of section .data does not fit flash"));
    let bss = no_bits(".bss", 0x0800_0000, 0x0800_0000, 4);
    assert!(misplaced(&[bss]).contains("lies in FLASH"));
}

#[test]
fn regions_without_a_gap_between_them_hold_a_section_together() {
    let fits = |size| {
        measure(
            &image(&[no_bits(".dma", 0x3000_1000, 0x3000_1000, size)]),
            &regions(),
        )
    };
    assert_eq!(fits(0x7000).unwrap().bss, 0x7000);
    assert!(fits(0x7001).is_err());
    let across_a_gap = no_bits(".bss", 0x2000_0000, 0x2000_0000, 0x0400_0004);
    assert!(misplaced(&[across_a_gap]).contains("no region holds"));
}

#[test]
fn the_sums_are_those_of_binutils() {
    let folder = tempfile::tempdir().unwrap();
    let plain: Vec<_> = reference()
        .into_iter()
        .filter(|section| !matches!(section.name, ".itcm" | "._user_heap_stack"))
        .collect();
    let fixture = folder.path().join("fixture.elf");
    std::fs::write(&fixture, image(&plain)).unwrap();
    let built = crate::paths::firmware_target().join("elf").read_dir();
    let built = built
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let built = built.filter(|path| path.extension().is_some_and(|name| name == "elf"));
    for path in [fixture].into_iter().chain(built) {
        let Some((text, data, bss)) = binutils_size(&path) else {
            eprintln!("skipped: arm-none-eabi-size is not installed");
            return;
        };
        let ours = measure(&std::fs::read(&path).unwrap(), &regions()).unwrap();
        assert_eq!(ours.flash_bytes(), text + data, "{}", path.display());
        // binutils counts memory set aside as bss.
        let ram = ours.static_ram_bytes() + ours.reserved;
        assert_eq!(ram, data + bss, "{}", path.display());
    }
}

/// Text, data and bss as `arm-none-eabi-size` prints them, where it is installed.
fn binutils_size(path: &Path) -> Option<(u64, u64, u64)> {
    let output = Command::new("arm-none-eabi-size").arg(path).output().ok()?;
    let output = String::from_utf8(output.stdout).unwrap();
    let row = output.lines().nth(1).unwrap();
    let mut figures = row.split_whitespace().map(|word| word.parse().unwrap());
    Some((figures.next()?, figures.next()?, figures.next()?))
}

#[test]
fn the_table_has_a_row_for_each_image() {
    let sections = measure(&image(&reference()), &regions()).unwrap();
    let sized = SizedElf {
        name: "one release".into(),
        sha256: String::new(),
        flash_bytes: sections.flash_bytes(),
        static_ram_bytes: sections.static_ram_bytes(),
        sections,
    };
    insta::assert_snapshot!(render(&[sized]), @r"
    bytes        flash  RAM  vectors  text  rodata  data  bss  uninit  reserved
    one release    185  392        8    98       3    76  276      40      1536
    ");
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = measure(&bytes, &regions());
    }

    #[test]
    fn a_damaged_image_never_panics(
        changes in prop::collection::vec((0..2000_usize, any::<u8>()), 1..8)
    ) {
        let mut bytes = image(&reference());
        for (offset, value) in changes {
            let offset = offset % bytes.len();
            bytes[offset] = value;
        }
        let _ = measure(&bytes, &regions());
    }

    #[test]
    fn a_truncated_image_is_refused(length in 0..image(&reference()).len()) {
        prop_assert!(measure(&image(&reference())[..length], &regions()).is_err());
    }
}
