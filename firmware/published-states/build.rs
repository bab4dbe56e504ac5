//! Link scripts of the firmware image, and the logs it contains whatever `DEFMT_LOG` is outside.

fn main() {
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    println!("cargo:rustc-link-arg-bins=-Tdefmt.x");
    println!("cargo:rustc-link-arg-bins=--nmagic");
    println!("cargo:rustc-env=DEFMT_LOG=info");
    println!("cargo:rerun-if-changed=build.rs");
}
