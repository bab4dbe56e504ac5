//! What the program says where it may not do what it would.

use std::process::Command;

use crate::end_of;

/// Why this test can tell nothing here, if so.
fn obstacle() -> Option<&'static str> {
    let output = |program: &str, argument: &str| Command::new(program).arg(argument).output();
    let is_root = output("id", "-u").is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        return Some("only root has privileges that can be taken away for certain");
    }
    output("setpriv", "--version")
        .err()
        .map(|_| "setpriv is not installed")
}

/// A kernel lets root without capabilities make neither a network namespace nor, since Linux 5.12, a
/// user namespace.
#[test]
fn the_tap_step_is_skipped_without_privileges_and_says_so() {
    if let Some(obstacle) = obstacle() {
        eprintln!("skipped: {obstacle}");
        return;
    }
    let mut command = Command::new("setpriv");
    command.args(["--bounding-set=-all", "--inh-caps=-all"]);
    command.arg(env!("CARGO_BIN_EXE_xtask"));
    let ended = end_of(command.args(["test", "--only", "tap", "--no-install"]));
    if ended.stderr.contains("--no-install forbids installing") {
        eprintln!("skipped: {}", ended.stderr.trim_end());
        return;
    }
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let told = ended.stderr.lines().find(|line| line.starts_with("tap: "));
    let told = told.unwrap_or_else(|| panic!("{}", ended.stderr));
    assert!(told.starts_with("tap: skipped, "), "{told}");
    let reasons = ["not installed", "no network namespace: unshare "];
    assert!(reasons.iter().any(|reason| told.contains(reason)), "{told}");
    assert!(
        ended.stdout.starts_with("test: tap ok ("),
        "{}",
        ended.stdout
    );
}
