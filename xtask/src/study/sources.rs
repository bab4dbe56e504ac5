//! A hash of the sources that a measurement follows from besides firmware and board.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::files;
use crate::hash::sha256_hex;

/// Sources of the workloads and of what sets up a trial.
const HARNESS: &[&str] = &["bench/src", "xtask/src/adapter", "xtask/src/trial"];
/// What of them has no part in a trial in virtual time: sockets, real clocks, and a command line.
const ELSEWHERE: &[&str] = &["bench/src/cli", "bench/src/main.rs", "bench/src/realtime"];

/// Sources of the workloads, of the driver in real time, and of what sets up a trial on hardware.
const HARDWARE_HARNESS: &[&str] = &["bench/src", "xtask/src/hardware"];
/// What of them has no part in such a trial.
const HARDWARE_ELSEWHERE: &[&str] = &[
    "bench/src/cli",
    "bench/src/main.rs",
    "bench/src/realtime/echo",
    "xtask/src/hardware/tests",
];

/// The hash of the sources that drive a board behind a debug probe, in the checkout at `root`.
pub fn hardware_harness_sha256(root: &Path) -> anyhow::Result<String> {
    tree_sha256(root, HARDWARE_HARNESS, HARDWARE_ELSEWHERE)
}

/// The hash of the sources that drive the board in the checkout at `root`.
pub fn harness_sha256(root: &Path) -> anyhow::Result<String> {
    tree_sha256(root, HARNESS, ELSEWHERE)
}

/// The hash over names and contents of the files at `places`, folders with all that is in them, but for
/// those in `left_out`.
///
/// Line ends are those of the checkout made without conversion, wherever this runs.
fn tree_sha256(root: &Path, places: &[&str], left_out: &[&str]) -> anyhow::Result<String> {
    let mut paths = Vec::new();
    for place in places {
        collect(&root.join(place), &mut paths)?;
    }
    paths.retain(|path| {
        !left_out
            .iter()
            .any(|place| path.starts_with(root.join(place)))
    });
    paths.sort();
    let mut listing = String::new();
    for path in paths {
        let text = files::read_text(&path)?.replace("\r\n", "\n");
        let name = path.strip_prefix(root).unwrap_or(&path);
        let name = name.to_string_lossy().replace('\\', "/");
        listing += &format!("{} {name}\n", sha256_hex(text.as_bytes()));
    }
    Ok(sha256_hex(listing.as_bytes()))
}

/// Adds the file at `place`, or the Rust sources in the folder of that name.
fn collect(place: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if place.is_file() {
        files.push(place.to_owned());
        return Ok(());
    }
    let cannot_list = || format!("cannot list {}", place.display());
    for entry in fs::read_dir(place).with_context(cannot_list)? {
        let path = entry.with_context(cannot_list)?.path();
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "rs") {
            collect(&path, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn hash(files: &[(&str, &str)]) -> String {
        let places = ["a/Cargo.toml", "a/src"];
        tree_sha256(tree(files).path(), &places, &["a/src/cli", "a/src/main.rs"]).unwrap()
    }

    #[test]
    fn the_hash_follows_sources_and_nothing_else() {
        let files = [("a/Cargo.toml", "[package]"), ("a/src/b/c.rs", "fn f() {}")];
        let original = hash(&files);
        let [manifest, source] = files;
        assert_eq!(
            original,
            hash(&[manifest, source, ("a/src/b/.c.rs.swp", "x")])
        );
        assert_eq!(original, hash(&[manifest, source, ("a/tests/t.rs", "x")]));
        for elsewhere in ["a/src/main.rs", "a/src/cli/b.rs"] {
            assert_eq!(original, hash(&[manifest, source, (elsewhere, "x")]));
        }
        for counted in ["a/src/b/main.rs", "a/src/client.rs"] {
            assert_ne!(original, hash(&[manifest, source, (counted, "x")]));
        }
        assert_ne!(original, hash(&[manifest, ("a/src/b/c.rs", "fn g() {}")]));
        assert_ne!(original, hash(&[manifest, ("a/src/c.rs", "fn f() {}")]));
        assert_ne!(original, hash(&[("a/Cargo.toml", "[lib]"), source]));
    }
}
