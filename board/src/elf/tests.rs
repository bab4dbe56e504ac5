use proptest::prelude::*;

use super::fixture::{FUNCTION, Fixture, OBJECT};
use super::*;

const BOOT: u32 = Firmware::BOOT_ADDRESS;

fn fixture() -> Fixture {
    Fixture::default()
        .segment(BOOT, &[1, 2, 3, 4, 5, 6, 7, 8])
        .segment(BOOT + 0x100, &[9; 32])
        .symbol("_SEGGER_RTT", 0x2400_0010, 48, OBJECT)
        .symbol("Reset", BOOT + 0x101, 6, FUNCTION)
        .symbol(
            "_ZN3net4echo17h0123456789abcdefE",
            BOOT + 0x107,
            10,
            FUNCTION,
        )
}

fn error(file: &[u8]) -> String {
    Firmware::parse(file).expect_err("a bad file").to_string()
}

#[test]
fn segments_go_to_their_load_address() {
    let firmware = Firmware::parse(&fixture().build()).unwrap();
    let mut memory = Memory::default();
    firmware.program(&mut memory);
    assert_eq!(
        memory.slice(BOOT, 9),
        Some(&[1, 2, 3, 4, 5, 6, 7, 8, 0xFF][..])
    );
    assert_eq!(memory.slice(BOOT + 0x11F, 2), Some(&[9, 0xFF][..]));
}

#[test]
fn symbols_lead_both_ways() {
    let firmware = Firmware::parse(&fixture().build()).unwrap();
    let symbols = firmware.symbols();
    assert_eq!(symbols.address("_SEGGER_RTT"), Some(0x2400_0010));
    assert_eq!(symbols.address("Reset"), Some(BOOT + 0x100));
    assert_eq!(symbols.address("reset"), None);
    assert_eq!(symbols.function("echo"), Some(BOOT + 0x106..BOOT + 0x110));
    assert_eq!(symbols.function("cho"), None);
    let place = symbols.locate(BOOT + 0x10A).unwrap();
    assert_eq!(place.to_string(), "net::echo+0x4");
    assert_eq!(
        symbols.locate(BOOT + 0x110),
        None,
        "behind the last function"
    );
    assert_eq!(symbols.locate(0x2400_0010), None, "data is no place to be");
}

#[test]
fn files_that_are_no_firmware_are_told_apart() {
    assert_eq!(error(b"not an elf at all"), "not an ELF file");
    assert_eq!(error(&[]), "not an ELF file");

    let mut other_machine = fixture();
    other_machine.machine = 62;
    assert_eq!(
        error(&other_machine.build()),
        "an ELF file for machine 62; the part needs 40 (ARM)"
    );

    let mut wide = fixture().build();
    wide[4] = 2;
    assert_eq!(
        error(&wide),
        "a 64-bit ELF file; the part needs a 32-bit one"
    );

    let mut big_endian = fixture().build();
    big_endian[5] = 2;
    assert_eq!(
        error(&big_endian),
        "a big-endian ELF file; the part is little-endian"
    );
}

#[test]
fn images_for_other_places_are_refused() {
    let in_ram = fixture().segment(0x2400_0000, &[0; 4]);
    assert_eq!(
        error(&in_ram.build()),
        "the segment of 4 bytes at 0x24000000 is not in flash (0x08000000 to 0x08100000)"
    );
    let too_long = fixture().segment(0x080F_FFFF, &[0; 2]);
    assert!(error(&too_long.build()).starts_with("the segment of 2 bytes at 0x080fffff"));
    let elsewhere = Fixture::default().segment(BOOT + 0x100, &[0; 64]);
    assert_eq!(
        error(&elsewhere.build()),
        "nothing to run: no vector table at the boot address 0x08000000"
    );
}

#[test]
fn a_cut_file_is_refused_wherever_it_is_cut() {
    let file = fixture().build();
    for len in 0..file.len() {
        assert!(Firmware::parse(&file[..len]).is_err(), "{len} bytes");
    }
}

proptest! {
    #[test]
    fn damage_never_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut file = fixture().build();
        for (index, value) in changes {
            let at = index.index(file.len());
            file[at] = value;
        }
        if let Ok(firmware) = Firmware::parse(&file) {
            firmware.program(&mut Memory::default());
        }
    }

    #[test]
    fn noise_never_panics(noise in prop::collection::vec(any::<u8>(), 0..256)) {
        prop_assert!(Firmware::parse(&noise).is_err());
    }
}
