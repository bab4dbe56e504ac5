use super::fixture::{image, reference};
use super::*;
use crate::size::attribution::Packages;
use crate::size::render;
use crate::size::report::{Part, Report};

fn report() -> Report {
    let part = Part {
        regions: regions(),
        packages: Packages::default(),
    };
    let report = Report::of_bytes(&image(&reference()), "one release".into(), &part);
    Report {
        sha256: "0123456789abcdef".into(),
        ..report.unwrap()
    }
}

#[test]
fn the_summary_has_a_row_for_each_image() {
    insta::assert_snapshot!(render::summary(&[report()]), @r"
    bytes        flash  gaps  span  RAM  DTCM  ITCM  SRAM1  reserved  published flash  published RAM       SHA-256
    one release    185    19   204  392    72    64    256      1536              185            392  0123456789ab
    ");
}

#[test]
fn the_details_show_regions_and_sections() {
    insta::assert_snapshot!(render::details(&report()), @r"

    one release, SHA-256 0123456789abcdef

    flash  content  gaps  span     free
    FLASH      185    19   204  1048372

    RAM    code  initialised  zeroed  uninitialised  static  reserved    free
    ITCM     64            0       0              0      64         0   65472
    DTCM      0           12      20             40      72      1536  129464
    SRAM1     0            0     256              0     256         0   16128

    section            bytes  class               runs in          at  loaded into          at
    .vectors               8  vector table        FLASH    0x08000000  FLASH        0x08000000
    .text                 98  code                FLASH    0x08000008  FLASH        0x08000008
    .rodata                3  constants           FLASH    0x0800006a  FLASH        0x0800006a
    .itcm                 64  code in RAM         ITCM     0x00000000  FLASH        0x08000080
    .data                 12  initialised data    DTCM     0x20000000  FLASH        0x080000c0
    .bss                  20  zeroed data         DTCM     0x2000000c
    .uninit               40  uninitialised data  DTCM     0x20000020
    ._user_heap_stack   1536  reservation         DTCM     0x20000048
    .eth                 256  zeroed data         SRAM1    0x30000000

    package       kind  code  constants  copied  flash  RAM
    unattributed         106          3      76    185  392

    region  bytes  unattributed  in no symbol
    ITCM       64            64            64
    FLASH     185           185           185
    DTCM       72            72            72
    SRAM1     256           256           256

    symbols  flash  RAM
    none       185  392
    ");
}
