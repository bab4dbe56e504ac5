//! Images that common tools size wrongly, made by both linkers.

use super::linkers::Linker;
use super::*;
use crate::size::class::{Class, Sizes};

pub const MEMORY: &str = "
    MEMORY {
        ITCM : ORIGIN = 0x00000000, LENGTH = 64K
        FLASH : ORIGIN = 0x08000000, LENGTH = 1M
        DTCM : ORIGIN = 0x20000000, LENGTH = 128K
        SRAM1 : ORIGIN = 0x30000000, LENGTH = 16K
    }
";

/// Code and constants of 109 bytes, then 12 bytes of data.
const CONTENT: &str = r#"
    .section .vectors,"a",%progbits
    .space 8, 1
    .section .text,"ax",%progbits
    .space 98, 2
    .section .rodata,"a",%progbits
    .space 3, 3
    .section .data,"aw",%progbits
    .balign 8
    .space 12, 4
    .section .bss,"aw",%nobits
    .space 20
"#;

const IN_FLASH: &str = "
    .vectors : { KEEP(*(.vectors)) } > FLASH
    .text : { KEEP(*(.text)) } > FLASH
    .rodata : { KEEP(*(.rodata)) } > FLASH
";

const DISCARD: &str = "/DISCARD/ : { *(.ARM.attributes) *(.comment) }";

fn content(more: &str) -> String {
    format!("{CONTENT}\n{more}\n")
}

fn script(sections: &str) -> String {
    format!("{MEMORY} SECTIONS {{ {IN_FLASH} {sections} }}")
}

fn reference(linker: &Linker) -> Vec<u8> {
    let assembly = content(
        r#"
        .section .itcm,"ax",%progbits
        .balign 32
        .space 64, 5
        .section .uninit,"aw",%nobits
        .space 40
        .section .eth,"aw",%nobits
        .balign 32
        .space 256
        .section .defmt,"",%progbits
        .space 100, 6
    "#,
    );
    let script = script(
        ".itcm : ALIGN(32) { KEEP(*(.itcm)) } > ITCM AT> FLASH
        .data : ALIGN(8) { KEEP(*(.data)) } > DTCM AT> FLASH
        .bss (NOLOAD) : { KEEP(*(.bss)) } > DTCM
        .uninit (NOLOAD) : { KEEP(*(.uninit)) } > DTCM
        ._user_heap_stack (NOLOAD) : { . = ALIGN(8); . = . + 1536; } > DTCM
        .eth (NOLOAD) : ALIGN(32) { KEEP(*(.eth)) } > SRAM1
        .defmt 0 (INFO) : { KEEP(*(.defmt)) }",
    );
    linker.link(&assembly, &script).unwrap()
}

/// E1 and E2: GNU ld gives memory without content a physical address in flash, lld in RAM.
#[test]
fn the_reference_image_has_its_known_sizes_whatever_links_it() {
    for linker in Linker::installed() {
        let account = account(&reference(&linker));
        assert_eq!(flash(&account), (185, 19, 204), "{linker:?}");
        let expected = [("ITCM", 64, 0), ("DTCM", 72, 1536), ("SRAM1", 256, 0)];
        assert_eq!(ram(&account), expected, "{linker:?}");
        assert_eq!(account.static_ram_bytes(), 392);
        assert_eq!(account.reserved_bytes(), 1536);
        assert_eq!(account.published.flash_bytes, 185);
        assert_eq!(account.published.static_ram_bytes, 392);
        let sizes = Sizes {
            vector_table: 8,
            text: 98,
            rodata: 3,
            data: 12 + 64,
            bss: 20 + 256,
            uninit: 40,
            reserved: 1536,
        };
        assert_eq!(account.published.sections, sizes);
        let code = account
            .sections
            .iter()
            .find(|section| section.name == ".itcm");
        let code = code.unwrap();
        assert_eq!(code.class, Class::RamCode);
        assert_eq!(code.load_address, Some(0x0800_0080));
    }
}

#[test]
fn the_linkers_do_differ_in_physical_addresses() {
    for linker in Linker::installed() {
        let bytes = reference(&linker);
        let elf = crate::size::elf::Elf::parse(&bytes).unwrap();
        let empty = elf
            .segments
            .iter()
            .filter(|segment| segment.content.is_empty());
        let in_flash = empty.filter(|segment| segment.load_address >> 24 == 0x08);
        let expected = matches!(linker, Linker::Gnu);
        assert_eq!(in_flash.count() > 0, expected, "{linker:?}");
    }
}

/// E3: memory meant to be left alone that is marked as content.
#[test]
fn uninitialised_memory_with_content_is_flash_or_refused() {
    let assembly = content(
        r#"
        .section .uninit,"aw",%progbits
        .space 40
    "#,
    );
    let script = script(
        ".data : ALIGN(8) { KEEP(*(.data)) } > DTCM AT> FLASH
        .bss : { KEEP(*(.bss)) } > DTCM
        .uninit : { KEEP(*(.uninit)) } > DTCM
        .stack : { . = . + 1024; } > DTCM",
    );
    for linker in Linker::installed() {
        let image = linker.link(&assembly, &script).unwrap();
        if matches!(linker, Linker::Gnu) {
            assert_eq!(flash(&account(&image)), (161, 3, 164));
        } else {
            assert_eq!(
                refusal(&image),
                "1084 loadable bytes are outside flash, where 124 are: \
                 1084 at 0x2000000c in DTCM (.bss, .uninit, .stack)"
            );
        }
    }
}

/// E4.
#[test]
fn memory_left_alone_is_ram_and_not_flash() {
    let without =
        script(".data : { KEEP(*(.data)) } > DTCM AT> FLASH .bss : { KEEP(*(.bss)) } > DTCM");
    let with = without.replace(
        "> DTCM }",
        "> DTCM .noinit (NOLOAD) : { KEEP(*(.noinit)) } > DTCM }",
    );
    let assembly = content(".section .noinit,\"aw\",%nobits\n.space 4096");
    for linker in Linker::installed() {
        let without = account(&linker.link(CONTENT, &without).unwrap());
        let with = account(&linker.link(&assembly, &with).unwrap());
        assert_eq!(flash(&with), flash(&without));
        assert_eq!(with.static_ram_bytes(), without.static_ram_bytes() + 4096);
        assert_eq!(with.ram[0].uninitialised_bytes, 4096);
    }
}

/// E6: neither linker counts a load address that is written as an expression.
#[test]
fn an_image_larger_than_flash_is_refused_with_the_bytes_over() {
    let assembly = r#"
        .section .text,"ax",%progbits
        .space 40, 1
        .section .data,"aw",%progbits
        .space 100, 2
    "#;
    let script = |load: &str| {
        format!(
            "MEMORY {{
                FLASH : ORIGIN = 0x08000000, LENGTH = 64
                RAM : ORIGIN = 0x20000000, LENGTH = 256
            }}
            SECTIONS {{
                .text : {{ KEEP(*(.text)) }} > FLASH
                .data : {load}
                {DISCARD}
            }}"
        )
    };
    let by_expression = script("AT(ADDR(.text) + SIZEOF(.text)) { KEEP(*(.data)) } > RAM");
    let regions = [
        region("FLASH", 0x0800_0000, 64, RegionKind::Flash),
        region("RAM", 0x2000_0000, 256, RegionKind::Ram),
    ];
    for linker in Linker::installed() {
        assert!(
            linker
                .link(assembly, &script("{ KEEP(*(.data)) } > RAM AT> FLASH"))
                .is_none()
        );
        let image = linker.link(assembly, &by_expression).unwrap();
        let error = Account::of(&image, &regions).unwrap_err();
        assert_eq!(
            error.to_string(),
            "FLASH is too small: 140 bytes are needed up to the end of section .data, \
             and it has 64: 76 too many"
        );
    }
}

/// E8: `.ARM.exidx` has a section type of its own.
#[test]
fn an_unwind_table_is_in_flash_and_attributes_are_nowhere() {
    let assembly = r#"
        .section .text,"ax",%progbits
        .type f, %function
        f: .fnstart
        .space 12, 1
        .cantunwind
        .fnend
        .section .comment
        .asciz "a compiler's name, 38 bytes of it ...."
    "#;
    let script = script(".ARM.exidx : { *(.ARM.exidx*) } > FLASH");
    for linker in Linker::installed() {
        let account = account(&linker.link(assembly, &script).unwrap());
        // lld ends the table with an entry of its own.
        let table_bytes = if matches!(linker, Linker::Gnu) { 8 } else { 16 };
        assert_eq!(flash(&account).0, 12 + table_bytes);
        assert_eq!(account.static_ram_bytes(), 0);
        let table = account
            .sections
            .iter()
            .find(|section| section.name == ".ARM.exidx");
        let table = table.unwrap();
        assert_eq!(
            (table.class, table.size_bytes),
            (Class::Constants, table_bytes)
        );
    }
}

/// E9.
#[test]
fn constants_are_flash_and_not_ram() {
    let assembly = r#"
        .section .vectors,"a",%progbits
        .space 92, 1
        .section .text,"ax",%progbits
        .space 200, 2
        .section .rodata,"a",%progbits
        .space 508, 3
    "#;
    for linker in Linker::installed() {
        let account = account(&linker.link(assembly, &script("")).unwrap());
        assert_eq!(flash(&account), (800, 0, 800), "{linker:?}");
        assert_eq!(ram(&account), []);
    }
}

/// E12.
#[test]
fn the_name_of_a_section_changes_no_total() {
    let assembly = |name: &str| {
        format!(
            r#"
            .section .text,"ax",%progbits
            .space 100, 1
            .section {name},"ax",%progbits
            .space 900, 2
            "#
        )
    };
    let named = script(".cy_app : { KEEP(*(.cy_app)) } > FLASH");
    for linker in Linker::installed() {
        let plain = account(&linker.link(&assembly(".text"), &script("")).unwrap());
        let renamed = account(&linker.link(&assembly(".cy_app"), &named).unwrap());
        assert_eq!(flash(&renamed), (1000, 0, 1000), "{linker:?}");
        assert_eq!(flash(&plain), flash(&renamed));
        assert_eq!(plain.published, renamed.published);
    }
}
