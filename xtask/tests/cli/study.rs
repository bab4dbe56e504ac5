//! What `study` refuses before it builds or runs anything: one line, exit status 2.

use std::fs::File;
use std::path::Path;

use crate::xtask;

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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    std::fs::create_dir_all(root.join("target")).unwrap();
    let lock = File::create(root.join("target/study.lock")).unwrap();
    lock.lock().unwrap();
    let line = refusal(&["--smoke", "--no-install"]);
    assert!(line.starts_with("another study runs in this checkout"));
}
