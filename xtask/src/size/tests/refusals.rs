use super::fixture::{Sketch, content, image, no_bits, reference};
use super::*;

fn refused(sections: &[Sketch]) -> String {
    refusal(&image(sections))
}

#[test]
fn what_is_no_image_is_refused_with_what_it_is() {
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
    let uninit = content(".uninit", true, 0x2000_0000, 0x2000_0000, 40);
    assert_eq!(
        refused(&[uninit]),
        "40 loadable bytes are outside flash, where 0 are: 40 at 0x20000000 in DTCM (.uninit)"
    );
    let nowhere = content(".text", false, 0x0800_0000, 0x9000_0000, 8);
    assert_eq!(
        refused(&[nowhere]),
        "8 loadable bytes are outside flash, where 0 are: 8 at 0x90000000 in no region (.text)"
    );
}

#[test]
fn an_image_larger_than_its_region_is_refused_with_the_bytes_over() {
    let long = content(".text", false, 0x080f_fff0, 0x080f_fff0, 17);
    assert_eq!(
        refused(&[long]),
        "FLASH is too small: 1048577 bytes are needed up to the end of section .text, \
         and it has 1048576: 1 too many"
    );
    let bss = no_bits(".bss", 0x2000_0000, 0x2000_0000, 0x2_0000);
    let uninit = no_bits(".uninit", 0x2002_0004, 0x2002_0004, 4);
    assert_eq!(
        refused(&[bss, uninit]),
        "DTCM is too small: 131080 bytes are needed up to the end of section .uninit, \
         and it has 131072: 8 too many"
    );
}

#[test]
fn memory_outside_the_part_is_refused() {
    let far = no_bits(".far", 0x6000_0000, 0x6000_0000, 4);
    assert_eq!(
        refused(&[far]),
        "section .far, 0x60000000 to 0x60000004, is outside every region of the part"
    );
    let bss = no_bits(".bss", 0x0800_0000, 0x0800_0000, 4);
    assert_eq!(
        refused(&[bss]),
        "section .bss has no content but lies in FLASH"
    );
}

#[test]
fn regions_without_a_gap_between_them_hold_a_section_together() {
    let image_of = |size| image(&[no_bits(".dma", 0x3000_1000, 0x3000_1000, size)]);
    let fits = account(&image_of(0x7000));
    assert_eq!(ram(&fits), [("SRAM1", 0x3000, 0), ("SRAM2", 0x4000, 0)]);
    assert_eq!(
        refusal(&image_of(0x7001)),
        "SRAM1 with SRAM2 is too small: 32769 bytes are needed up to the end of section .dma, \
         and it has 32768: 1 too many"
    );
}

#[test]
fn an_allocated_section_of_an_unknown_kind_is_refused() {
    let mut section = content(".rel.dyn", false, 0x0800_0000, 0x0800_0000, 8);
    section.kind = object::elf::SHT_REL;
    assert_eq!(
        refused(&[section]),
        "unknown allocated section .rel.dyn (type 0x9, flags 0x2)"
    );
    let mut section = no_bits(".tbss", 0x2000_0000, 0x2000_0000, 8);
    section.flags |= object::elf::SHF_TLS;
    assert!(refused(&[section]).starts_with("unknown allocated section .tbss (type 0x8"));
}

#[test]
fn content_that_no_segment_loads_is_refused() {
    let mut bytes = image(&[content(".text", false, 0x0800_0000, 0x0800_0000, 8)]);
    // The first program header's type.
    bytes[52] = 4;
    assert_eq!(
        refusal(&bytes),
        "unknown allocated section .text: its content is in no loadable segment"
    );
}

#[test]
fn a_section_and_a_segment_of_different_bytes_are_refused() {
    let mut bytes = image(&[content(".text", false, 0x0800_0000, 0x0800_0000, 8)]);
    // The first program header's offset in the file.
    bytes[56] -= 4;
    assert_eq!(
        refusal(&bytes),
        "section .text and the segment it is in hold different bytes of the file"
    );
}

#[test]
fn sizes_that_disagree_are_all_named() {
    let text = content(".text", false, 0x0800_0000, 0x0800_0000, 8);
    let overlapping = content(".rodata", false, 0x0800_0004, 0x0800_0004, 8);
    assert_eq!(
        refused(&[text, overlapping]),
        "the sizes of the image in FLASH disagree: its segments reach over 12 bytes, \
         its sections are 16 bytes with 0 in gaps, and extracted it is 12 bytes long"
    );
    let mut bytes = image(&[text]);
    // The first program header: four bytes more than its section, in the file and in memory.
    bytes[52 + 16] += 4;
    bytes[52 + 20] += 4;
    assert_eq!(
        refusal(&bytes),
        "the sizes of the image in FLASH disagree: its segments reach over 12 bytes, \
         its sections are 8 bytes with 0 in gaps, and extracted it is 8 bytes long"
    );
}
