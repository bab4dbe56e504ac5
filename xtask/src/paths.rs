//! Where things are in the checkout.

use std::path::{Path, PathBuf};

/// The root folder of the checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package is a folder of the checkout")
}

/// The manifest of the firmware workspace.
pub fn firmware_manifest() -> PathBuf {
    root().join("firmware/Cargo.toml")
}
