//! `cargo xtask` from a folder of the firmware workspace: cargo resolves the alias's `--package
//! xtask` here, so this package hands the call on to the xtask of the host workspace.

use std::env;
use std::process::{Command, exit};

const HOST_MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");

fn main() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "run",
            "--quiet",
            "--release",
            "--manifest-path",
            HOST_MANIFEST,
        ])
        .args(["--package", "xtask", "--"])
        .args(env::args_os().skip(1));
    exit(run(&mut command));
}

/// Takes this process's place, so that Ctrl-C and the exit status are the real xtask's.
/// Returns only when the command could not be started.
#[cfg(unix)]
fn run(command: &mut Command) -> i32 {
    use std::os::unix::process::CommandExt;
    eprintln!("cannot start cargo: {}", command.exec());
    2
}

/// Returns the real xtask's exit status.
#[cfg(not(unix))]
fn run(command: &mut Command) -> i32 {
    match command.status() {
        Ok(status) => status.code().unwrap_or(2),
        Err(error) => {
            eprintln!("cannot start cargo: {error}");
            2
        }
    }
}
