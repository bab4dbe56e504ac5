//! Logs of this package are part of what every build says, whatever `DEFMT_LOG` is outside.

fn main() {
    println!("cargo:rustc-env=DEFMT_LOG=info");
    println!("cargo:rerun-if-changed=build.rs");
}
