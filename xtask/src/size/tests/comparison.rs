use super::cases::MEMORY;
use super::linkers::Linker;
use super::*;
use crate::size::attribution::Packages;
use crate::size::compare::Comparison;
use crate::size::render;
use crate::size::report::{Part, Report};

fn report(linker: &Linker, name: &str, functions: &[(&str, u32)]) -> Report {
    let mut assembly = String::from(".section .text.kept,\"ax\",%progbits\n");
    for (name, bytes) in functions {
        assembly +=
            &format!(".type {name}, %function\n{name}: .space {bytes}\n.size {name}, {bytes}\n");
    }
    let script = format!("{MEMORY} SECTIONS {{ .text : {{ KEEP(*(.text.kept)) }} > FLASH }}");
    let bytes = linker.link(&assembly, &script).unwrap();
    let part = Part {
        regions: regions(),
        packages: Packages::default(),
    };
    Report {
        sha256: "01234567".into(),
        ..Report::of_bytes(&bytes, name.into(), &part).unwrap()
    }
}

#[test]
fn a_comparison_shows_what_grew_and_what_shrank() {
    for linker in Linker::installed() {
        let same = "_RNvCs1_7smoltcp4same";
        let before = [
            (same, 8),
            ("_RNvCs1_7smoltcp4gone", 20),
            ("_RNvCs1_5defmt4more", 4),
        ];
        let after = [
            (same, 8),
            ("_RNvCs1_5defmt4more", 34),
            ("_RNvCs1_5defmt3new", 2),
        ];
        let before = report(&linker, "before.elf", &before);
        let after = report(&linker, "after.elf", &after);
        let comparison = Comparison::of(&before, &after);
        insta::allow_duplicates! {
            insta::assert_snapshot!(render::comparison(&comparison), @r"
            before: before.elf, SHA-256 01234567
            after:  after.elf, SHA-256 01234567

            region         before  after  change
            FLASH content      32     44     +12
            FLASH span         32     44     +12

            section  before  after  change
            .text        32     44     +12

            flash by package  before  after  change
            defmt                  4     36     +32
            smoltcp               28      8     -20

            RAM by package  before  after  change

            change  before  after  symbol
            +30          4     34  defmt::more
            -20         20      0  smoltcp::gone
            +2           0      2  defmt::new
            ");
        }
    }
}

#[test]
fn an_image_does_not_differ_from_itself() {
    for linker in Linker::installed() {
        let report = report(&linker, "same.elf", &[("_RNvCs1_7smoltcp4same", 8)]);
        let comparison = Comparison::of(&report, &report);
        assert!(comparison.symbols.is_empty() && comparison.flash.is_empty());
        assert!(comparison.regions.iter().all(|region| region.change() == 0));
    }
}
