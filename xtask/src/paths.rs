//! Where things are in the checkout and on the machine.

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

/// Where firmware is built, apart from what the host workspace builds.
pub fn firmware_target() -> PathBuf {
    firmware_target_of(root())
}

/// The same of the checkout at `checkout`.
pub fn firmware_target_of(checkout: &Path) -> PathBuf {
    checkout.join("target/firmware")
}

/// The home folder of cargo, which holds the sources of dependencies.
pub fn cargo_home() -> PathBuf {
    let default = || std::env::home_dir().unwrap_or_default().join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(default, PathBuf::from)
}
