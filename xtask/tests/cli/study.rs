//! What `study` refuses before it builds or runs anything: one line, exit status 2.

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::xtask;

/// Held by a test whose study takes the lock of the checkout, or that takes it itself.
static CHECKOUT: Mutex<()> = Mutex::new(());

/// Runs `study` with these arguments, which must be refused, and gives its one line.
#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    crate::refusal(xtask(&["study"]).args(arguments))
}

#[test]
fn an_unknown_variant_or_build_lists_the_known_ones() {
    let variant = refusal(&["--variant", "embassy-rmi"]);
    assert!(variant.starts_with("there is no variant \"embassy-rmi\"; the variants are: "));
    assert!(variant.contains("embassy-rmii"));
    let build = refusal(&["--build", "debug"]);
    assert!(build.starts_with("there is no build \"debug\"; the builds are: "));
    assert!(build.contains("release"));
}

#[test]
fn a_second_study_in_the_same_checkout_is_refused() {
    let _alone = CHECKOUT.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    std::fs::create_dir_all(root.join("target")).unwrap();
    let lock = File::create(root.join("target/study.lock")).unwrap();
    lock.lock().unwrap();
    let line = refusal(&["--smoke", "--no-install"]);
    assert!(line.starts_with("another study runs in this checkout"));
}

#[test]
fn a_study_on_hardware_without_that_probe_says_so_with_its_own_exit_status() {
    let _alone = CHECKOUT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = xtask(&["study", "--on", "hardware", "--probe", "0000:0000"]);
    let ended = crate::end_of(command.args(["--no-install"]));
    assert_eq!(
        (ended.status, ended.stdout.as_str()),
        (10, ""),
        "{}",
        ended.stderr
    );
    let line = ended.stderr.trim_end();
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.starts_with("error: no debug probe"), "{line}");
}

#[test]
fn arguments_without_effect_are_refused() {
    let emulated = refusal(&["--board", "10.0.0.1"]);
    assert!(emulated.ends_with("are of use only with --on hardware"));
    let hardware = refusal(&["--on", "hardware", "--jobs", "2"]);
    assert!(hardware.ends_with("are of use only without --on hardware"));
    let unknown = refusal(&["--on", "hardware", "--board", "embassy-rmi=10.0.0.1"]);
    assert!(unknown.starts_with("--board: there is no variant \"embassy-rmi\""));
}
