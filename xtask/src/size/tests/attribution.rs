//! Which packages bytes are said to come from.

use super::cases::MEMORY;
use super::fixture::{image, reference};
use super::linkers::Linker;
use super::*;
use crate::size::attribution::{Origin, Packages};
use crate::size::report::{Part, Report};

fn report(bytes: &[u8]) -> Report {
    let part = Part {
        regions: regions(),
        packages: Packages::for_test("in-c", "bring-up", "lwip"),
    };
    Report::of_bytes(bytes, String::new(), &part).unwrap()
}

/// Flash and RAM of a package.
fn package(report: &Report, origin: &Origin) -> (u64, u64) {
    let mut packages = report.shares.packages.iter();
    let share = packages.find(|share| share.origin == *origin);
    share.map_or((0, 0), |share| (share.flash_bytes(), share.ram_bytes))
}

fn symbol(report: &Report, name: &str) -> u64 {
    let symbol = report.symbols.iter().find(|symbol| symbol.name == name);
    symbol.unwrap_or_else(|| panic!("no symbol {name}")).size
}

/// The shares of each kind make the whole.
#[track_caller]
pub fn shares_are_whole(report: &Report) {
    let Report {
        account, shares, ..
    } = report;
    let (flash, ram) = (account.flash_content_bytes(), account.static_ram_bytes());
    let packages = shares.packages.iter();
    assert_eq!(
        packages
            .clone()
            .map(|share| share.flash_bytes())
            .sum::<u64>(),
        flash
    );
    assert_eq!(packages.map(|share| share.ram_bytes).sum::<u64>(), ram);
    let kinds = shares.kinds.iter();
    assert_eq!(
        kinds.clone().map(|share| share.flash_bytes).sum::<u64>(),
        flash
    );
    assert_eq!(kinds.map(|share| share.ram_bytes).sum::<u64>(), ram);
    let regions = shares.regions.iter();
    assert_eq!(regions.map(|share| share.bytes).sum::<u64>(), flash + ram);
}

fn dependency(name: &str) -> Origin {
    Origin::Dependency(name.to_string())
}

fn first_party(name: &str) -> Origin {
    Origin::FirstParty(name.to_string())
}

#[test]
fn without_symbols_nothing_is_attributed() {
    let report = report(&image(&reference()));
    shares_are_whole(&report);
    assert_eq!(package(&report, &Origin::Unknown), (185, 392));
    assert_eq!(report.shares.packages.len(), 1);
    for share in &report.shares.regions {
        assert_eq!(share.unattributed_bytes, share.bytes, "{}", share.region);
        assert_eq!(share.without_symbol_bytes, share.bytes, "{}", share.region);
    }
}

const SOURCE: &str = r#"
#line 1 "/rustc/1f/library/core/src/cmp.rs"
static inline __attribute__((always_inline)) unsigned smaller(unsigned a, unsigned b)
{
    unsigned sum = 0;
    while (a < b) { sum += a * 7; a += sum | 1; }
    return sum;
}
__attribute__((noinline, section(".text.kept"))) unsigned not_inlined(unsigned a)
{
    return a / 3 + (a ^ 0x12345678);
}

#line 1 "/lwip/src/core/udp.c"
__attribute__((section(".text.kept"))) unsigned lwip_input(unsigned a)
{
    return smaller(a, 1000) ^ 0x55aa55aa;
}
unsigned lwip_dropped(unsigned a) { return smaller(a, 2000) * a; }
unsigned lwip_dropped_too(unsigned a) { return (a ^ 77) * 13 + a / 5; }
unsigned lwip_table[5] __attribute__((section(".data.kept"))) = {1, 2, 3, 4, 5};

#line 1 "/study/firmware/in-c/src/server/echo.c"
unsigned char echo_buffer[100] __attribute__((section(".bss.kept")));
__attribute__((section(".text.kept"))) unsigned echo(void) { return echo_buffer[3] + lwip_table[2]; }

#line 1 "/cargo/registry/src/index.crates.io-19/smoltcp-0.13.1/src/lib.rs"
unsigned fast(unsigned a) __asm__("_RNvCs1_7smoltcp4fast");
__attribute__((section(".itcm"))) unsigned fast(unsigned a) { return a * a + 3; }
"#;

fn script() -> String {
    format!(
        "{MEMORY} SECTIONS {{
            .text : {{ KEEP(*(.text.kept)) *(.text*) }} > FLASH
            .itcm : {{ KEEP(*(.itcm)) }} > ITCM AT> FLASH
            .data : {{ KEEP(*(.data.kept)) }} > DTCM AT> FLASH
            .bss (NOLOAD) : {{ KEEP(*(.bss.kept)) }} > DTCM
        }}"
    )
}

/// An image with symbols and debug information.
pub fn compiled(linker: &Linker) -> Vec<u8> {
    linker.compile(SOURCE, &script())
}

#[test]
fn bytes_come_from_the_package_of_their_source_line_or_declaration() {
    for linker in Linker::installed() {
        let report = report(&compiled(&linker));
        shares_are_whole(&report);
        let size = |name| symbol(&report, name);
        // What was inlined of the language's library counts for its caller; functions are aligned.
        let lwip = package(&report, &dependency("lwip"));
        assert_eq!(lwip, (size("lwip_input") + 20, 20), "{linker:?}");
        let core = package(&report, &Origin::Language("core".to_string()));
        assert_eq!(core, (size("not_inlined"), 0));
        let server = package(&report, &first_party("in-c/server"));
        assert_eq!(server, (size("echo"), 100));
        // It lies at address 0, where linkers leave the lines of what they dropped.
        let smoltcp = package(&report, &dependency("smoltcp"));
        assert_eq!(smoltcp, (size("smoltcp::fast"), size("smoltcp::fast")));
        let origin = |name: &str| {
            let mut symbols = report.symbols.iter();
            symbols
                .find(|symbol| symbol.name == name)
                .unwrap()
                .origin
                .clone()
        };
        assert_eq!(origin("lwip_input"), dependency("lwip"));
        assert_eq!(origin("echo_buffer"), first_party("in-c/server"));
    }
}

/// The file's name, its location and one that points at nothing.
const LOCATIONS: &str = r#"
    .section .rodata.kept,"a",%progbits
    name: .ascii "bring-up/src/lib.rs"
    .balign 4
    .word name, 19, 7, 9
    .word name, 18, 7, 9
    .word 0x90000000, 19, 7, 9
    .section .defmt,"",%progbits
    .type text, %object
    text: .space 64
    .size text, 64
    .section .itcm,"ax",%progbits
    .space 8
"#;

#[test]
fn the_places_that_panics_name_come_from_the_package_of_the_file() {
    let script = format!(
        "{MEMORY} SECTIONS {{
            .rodata : {{ KEEP(*(.rodata.kept)) }} > FLASH
            .itcm : {{ KEEP(*(.itcm)) }} > ITCM AT> FLASH
            .defmt 0 (INFO) : {{ KEEP(*(.defmt)) }}
        }}"
    );
    for linker in Linker::installed() {
        let report = report(&linker.link(LOCATIONS, &script).unwrap());
        shares_are_whole(&report);
        assert_eq!(package(&report, &first_party("bring-up")), (19 + 16, 0));
        // A symbol of a section that is not in memory covers no memory at its address.
        assert_eq!(report.shares.regions[0].region, "ITCM");
        assert_eq!(report.shares.regions[0].without_symbol_bytes, 8);
    }
}
