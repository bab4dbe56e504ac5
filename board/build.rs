//! Gives the crate a fingerprint of its own sources, so that a result can tell which model made it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let source = root.join("src");
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=build.rs");

    let mut files = Vec::new();
    collect(&source, &mut files)?;
    files.sort();

    let mut hash = Sha256::new();
    for file in files {
        let name = file.strip_prefix(&source).expect("a file of src");
        let name = name.to_string_lossy().replace('\\', "/");
        let content = fs::read_to_string(&file)?.replace("\r\n", "\n");
        for part in [name.as_bytes(), content.as_bytes()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    let hex = hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    println!("cargo:rustc-env=BOARD_MODEL_FINGERPRINT={hex}");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
