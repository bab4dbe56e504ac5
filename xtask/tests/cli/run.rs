//! What `run` says about input it cannot use and firmware that cannot go on: one line, exit status 2.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::xtask;

/// Runs `run` with these arguments, which must be refused, and gives its one line.
#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    crate::refusal(xtask(&["run", "--no-install"]).args(arguments))
}

/// A folder with an ELF file of this machine number whose one segment has these halfwords of code
/// behind a vector table of stack pointer and reset handler.
pub fn image(machine: u8, code: &[u16]) -> (TempDir, PathBuf) {
    let words = |words: &[u32]| -> Vec<u8> {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        bytes.collect()
    };
    let mut segment = words(&[0x2000_1000, 0x0800_0009]);
    segment.extend(code.iter().flat_map(|half| half.to_le_bytes()));
    let size = segment.len() as u32;

    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\0\0".to_vec();
    file[18] = machine;
    file.extend(words(&[1, 0x0800_0009, 52, 0, 0]));
    let sizes: [u16; 6] = [52, 32, 1, 40, 0, 0];
    file.extend(sizes.iter().flat_map(|half| half.to_le_bytes()));
    file.extend(words(&[1, 84, 0x0800_0000, 0x0800_0000, size, size, 5, 4]));
    file.extend(segment);

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("image.elf");
    fs::write(&path, file).unwrap();
    (folder, path)
}

pub const ARM: u8 = 40;
const RISC_V: u8 = 243;
/// `udf #0` (DDI 0403E A7.7.194).
const UNDEFINED: u16 = 0xde00;
/// `b .`
pub const LOOP: u16 = 0xe7fe;

#[test]
fn an_unknown_variant_or_build_lists_the_known_ones() {
    let line = refusal(&["nope"]);
    let expected = "there is no variant \"nope\"; the variants are: ";
    assert!(line.starts_with(expected), "{line}");
    assert!(line.contains("embassy-rmii"), "{line}");
    let line = refusal(&["embassy-rmii", "--build", "nope"]);
    let expected = "there is no build \"nope\"; the builds are: ";
    assert!(line.starts_with(expected), "{line}");
}

#[test]
fn an_unreadable_or_unfit_image_is_named() {
    let line = refusal(&["embassy-rmii", "--elf", "/nowhere/image.elf"]);
    let expected = "cannot read /nowhere/image.elf: ";
    assert!(line.starts_with(expected), "{line}");

    let (_folder, path) = image(RISC_V, &[LOOP]);
    let path = path.to_str().unwrap();
    assert_eq!(
        refusal(&["embassy-rmii", "--elf", path]),
        format!("{path}: an ELF file for machine 243; the part needs 40 (ARM)")
    );

    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..60]).unwrap();
    let line = refusal(&["embassy-rmii", "--elf", path]);
    assert!(line.starts_with(&format!("{path}: ")), "{line}");
}

#[test]
fn a_capture_that_cannot_be_written_is_refused_before_anything_runs() {
    let (folder, image) = image(ARM, &[LOOP]);
    let image = image.to_str().unwrap();
    for capture in [folder.path().join("image.elf/wire"), folder.path().into()] {
        let capture = capture.to_str().unwrap();
        let line = refusal(&["embassy-rmii", "--elf", image, "--pcap", capture]);
        let expected = format!("cannot write {capture}: ");
        assert!(line.starts_with(&expected), "{line}");
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[test]
fn figures_out_of_range_are_refused() {
    let line = refusal(&["embassy-rmii", "--payload", "15"]);
    assert_eq!(line, "the payload must have 16 to 1472 bytes, not 15");
    let line = refusal(&["embassy-rmii", "--rate-hz", "0"]);
    assert!(line.ends_with("datagrams a second, not 0"), "{line}");
}

#[test]
fn firmware_that_cannot_go_on_ends_with_what_happened_and_where() {
    let (folder, path) = image(ARM, &[UNDEFINED]);
    let path = path.to_str().unwrap();
    let capture = folder.path().join("wire.pcapng");
    let line = refusal(&[
        "embassy-rmii",
        "--elf",
        path,
        "--pcap",
        capture.to_str().unwrap(),
    ]);
    let expected = "no 100 Mbit/s full duplex link yet: undefined instruction 0x0000de00 at 0.000000 s, pc 0x08000008";
    assert_eq!(line, format!("{path}: {expected}"));
    assert!(capture.is_file());
}

#[test]
fn firmware_that_only_loops_never_gets_a_lease() {
    let (_folder, path) = image(ARM, &[LOOP]);
    let path = path.to_str().unwrap();
    assert_eq!(
        refusal(&["embassy-rmii", "--elf", path]),
        // The PHY negotiates by itself.
        format!("{path}: no DHCP lease within 60 s of reset")
    );
}
