//! What a user's mistake looks like: one line, a telling exit status, no backtrace.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::{end_of, refusal, xtask};

/// Sizes a file with these bytes, which must be refused; the file's path is cut from the line.
#[track_caller]
fn size_refusal(bytes: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    let line = refusal(&mut xtask(&["size", path]));
    let rest = line.strip_prefix(&format!("cannot size {path}: "));
    rest.unwrap_or_else(|| panic!("{line}")).to_string()
}

/// The ELF header of an executable with this class byte and machine number.
fn elf_header(class: u8, machine: u8) -> Vec<u8> {
    let mut header = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01\0\0\0".to_vec();
    header[4] = class;
    header[18] = machine;
    header
}

#[test]
fn a_file_that_is_no_elf_file_is_refused() {
    assert_eq!(size_refusal(b"text\n"), "not an ELF file");
    assert_eq!(size_refusal(b""), "not an ELF file");
}

#[test]
fn an_elf_file_for_another_machine_is_refused() {
    assert_eq!(
        size_refusal(&elf_header(2, 62)),
        "a 64-bit little-endian ELF file for x86-64, not for 32-bit little-endian ARM"
    );
    assert_eq!(
        size_refusal(&elf_header(1, 243)),
        "a 32-bit little-endian ELF file for RISC-V, not for 32-bit little-endian ARM"
    );
}

#[test]
fn a_truncated_elf_file_is_refused() {
    let line = size_refusal(&elf_header(1, 40));
    assert!(line.starts_with("damaged ELF header"), "{line}");
    assert_eq!(
        size_refusal(&elf_header(1, 40)[..12]),
        "truncated in the ELF header"
    );
}

#[test]
fn an_unreadable_elf_file_is_refused() {
    let line = refusal(&mut xtask(&["size", "/nowhere/firmware.elf"]));
    assert!(
        line.starts_with("cannot read /nowhere/firmware.elf: "),
        "{line}"
    );
    let folder = TempDir::new().unwrap();
    let line = refusal(&mut xtask(&["size", folder.path().to_str().unwrap()]));
    assert!(line.starts_with("cannot read "), "{line}");
}

#[test]
fn a_comparison_of_more_than_one_image_is_refused() {
    let mut size = xtask(&["size", "a.elf", "b.elf", "--compare", "c.elf"]);
    assert_eq!(
        refusal(&mut size),
        "--compare takes one image to compare with; 2 are selected"
    );
}

#[test]
fn a_file_whose_lines_cannot_be_told_apart_is_refused() {
    let line = refusal(&mut xtask(&["ncloc", "--lines", "/nowhere/main.rs"]));
    assert!(line.starts_with("cannot read /nowhere/main.rs: "), "{line}");
    let line = refusal(&mut xtask(&["ncloc", "--lines", "firmware.elf"]));
    assert!(
        line.starts_with("no lines are counted in firmware.elf; its name should end in one of .rs"),
        "{line}"
    );
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file.c");
    fs::write(&path, "int a;\n/* open\n").unwrap();
    let path = path.to_str().unwrap();
    let line = refusal(&mut xtask(&["ncloc", "--lines", path]));
    let expected =
        format!("cannot count the lines of {path}: the comment that begins on line 2 has no end");
    assert_eq!(line, expected);
}

#[test]
fn an_unknown_variant_or_build_lists_the_known_ones() {
    for subcommand in ["build", "size", "ncloc"] {
        let line = refusal(&mut xtask(&[
            subcommand,
            "--no-install",
            "--variant",
            "nope",
        ]));
        assert!(
            line.starts_with("there is no variant \"nope\"; the variants are: "),
            "{line}"
        );
        let line = refusal(&mut xtask(&[subcommand, "--no-install", "--build", "nope"]));
        assert!(
            line.starts_with("there is no build \"nope\"; the builds are: "),
            "{line}"
        );
    }
}

/// A machine with nothing on its path but the cargo that runs this test.
fn on_a_bare_machine(arguments: &[&str], empty: &Path) -> Command {
    let mut command = xtask(arguments);
    command.env("PATH", empty).env("CARGO", env!("CARGO"));
    command
}

#[test]
fn a_missing_toolchain_is_refused_with_what_to_type() {
    let empty = TempDir::new().unwrap();
    // Lines are counted without a toolchain where the firmware is built already.
    for subcommand in ["setup", "build", "size", "test"] {
        let ended = end_of(&mut on_a_bare_machine(
            &[subcommand, "--no-install"],
            empty.path(),
        ));
        assert_eq!(ended.status, 2, "{subcommand}: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        let expected = "no toolchain here can build for thumbv7em-none-eabihf, \
            and --no-install forbids installing one; type: rustup toolchain install";
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    }
}

#[test]
fn setup_that_only_checks_says_no_with_its_exit_status() {
    let empty = TempDir::new().unwrap();
    let ended = end_of(&mut on_a_bare_machine(&["setup", "--check"], empty.path()));
    assert_eq!((ended.status, ended.stderr.as_str()), (1, ""));
    assert!(ended.stdout.contains("arm-none-eabi-ld: missing\n"));
    assert!(ended.stdout.contains("not ready: "), "{}", ended.stdout);
}

#[test]
fn an_unknown_step_or_subcommand_lists_the_known_ones() {
    let ended = end_of(&mut xtask(&["test", "--only", "nope"]));
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("firmware-clippy"), "{}", ended.stderr);
    let ended = end_of(&mut xtask(&["nope"]));
    assert_eq!(ended.status, 2);
}

#[test]
fn a_reader_that_leaves_ends_the_run_quietly() {
    let mut command = xtask(&["setup", "--check"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
